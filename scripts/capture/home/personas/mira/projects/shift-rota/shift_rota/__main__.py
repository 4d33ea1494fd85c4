import argparse
import tomllib
from pathlib import Path

from .solver import solve
from .table import table


def main() -> None:
    parser = argparse.ArgumentParser(prog="shift_rota")
    parser.add_argument("--week", type=int, default=48)
    parser.add_argument("--people", type=Path, default=Path("people.toml"))
    options = parser.parse_args()
    weeks = solve(tomllib.loads(options.people.read_text()), {"E": 2, "L": 1, "N": 1})
    print(f"Week {options.week}")
    print(table(weeks) if weeks else "no rota keeps all rules")


if __name__ == "__main__":
    main()
