import argparse
import tomllib
from datetime import datetime, timezone
from pathlib import Path

from .display import face
from .harmonics import harbour_from_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="tide_clock")
    parser.add_argument("--harbour", default="norrhaven")
    parser.add_argument("--at", default="2026-06-21T08:30", help="UTC, for example 2026-06-21T08:30")
    options = parser.parse_args()
    tables = tomllib.loads(Path("harbours.toml").read_text())
    harbour = harbour_from_table(options.harbour, tables[options.harbour])
    moment = datetime.fromisoformat(options.at).replace(tzinfo=timezone.utc)
    when, kind = harbour.next_extreme(moment)
    left = (when - moment).total_seconds() / (6.21 * 3600)
    turn = 1 - left / 2 if kind == "high" else 0.5 - left / 2
    print(face(turn, f"{harbour.height(moment):.2f} m, {kind} water at {when:%H:%M}"))


if __name__ == "__main__":
    main()
