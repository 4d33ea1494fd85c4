import argparse
import tomllib
from pathlib import Path

from .beam import Beam
from .plot import line
from .section import Rectangle


def main() -> None:
    parser = argparse.ArgumentParser(prog="beam_bench")
    parser.add_argument("--span", type=float, default=4.10)
    parser.add_argument("--section", type=Rectangle.read, default=Rectangle(160, 220))
    parser.add_argument("--load", type=float, default=5.7)
    parser.add_argument("--timber", default="spruce")
    options = parser.parse_args()
    timber = tomllib.loads(Path("timber.toml").read_text())[options.timber]
    beam = Beam(options.span, options.section, timber["modulus"], options.load)
    print(line(beam))
    print(f"{beam.deflection:.1f} mm, span / {beam.span_mm / beam.deflection:.0f}, {beam.stress:.1f} N/mm2")
    print("stiff enough" if beam.is_stiff() else "too soft")


if __name__ == "__main__":
    main()
