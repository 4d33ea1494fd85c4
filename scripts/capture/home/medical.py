"""Synthetic medical images for the DICOM viewers: a computed head phantom of ellipses, written as DICOM files.

The patient is invented; nothing in it was ever measured on a person.
"""

import pathlib
import struct

import numpy as np

from persona import Persona

SLICES, SIZE, SPACING_MM = 24, 256, 0.9
EXPLICIT_LITTLE_ENDIAN, MR_IMAGE = "1.2.840.10008.1.2.1", "1.2.840.10008.5.1.4.1.1.4"

# Centre x, y, z, half axes x, y, z (all -1..1), rotation in degrees, added intensity. After
# the Shepp-Logan head phantom.
ELLIPSOIDS = [
    (0, 0, 0, 0.69, 0.92, 0.81, 0, 1.0),
    (0, -0.0184, 0, 0.6624, 0.874, 0.78, 0, -0.75),
    (0.22, 0, 0, 0.11, 0.31, 0.22, -18, -0.14),
    (-0.22, 0, 0, 0.16, 0.41, 0.28, 18, -0.14),
    (0, 0.35, -0.15, 0.21, 0.25, 0.41, 0, 0.12),
    (0, 0.1, 0.25, 0.046, 0.046, 0.05, 0, 0.16),
    (-0.08, -0.605, 0, 0.046, 0.023, 0.05, 0, 0.16),
    (0.06, -0.605, 0, 0.023, 0.046, 0.05, 0, 0.16),
]


def phantom_slice(z: float, rng: np.random.Generator) -> np.ndarray:
    y, x = np.mgrid[1 : -1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
    values = np.zeros((SIZE, SIZE))
    for cx, cy, cz, ax, ay, az, degrees, intensity in ELLIPSOIDS:
        angle = np.radians(degrees)
        u = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
        v = -(x - cx) * np.sin(angle) + (y - cy) * np.cos(angle)
        values[(u / ax) ** 2 + (v / ay) ** 2 + ((z - cz) / az) ** 2 <= 1] += intensity
    return np.clip(values * 2600 + rng.normal(0, 22, values.shape), 0, 4095).astype("<u2")


def element(group: int, number: int, kind: str, value) -> bytes:
    if isinstance(value, str):
        value = value.encode("ascii")
    elif kind == "US":
        value = struct.pack("<H", value)
    if len(value) % 2:
        value += b"\0" if kind in ("UI", "OB") else b" "
    head = struct.pack("<HH", group, number) + kind.encode()
    return head + (struct.pack("<HI", 0, len(value)) if kind in ("OB", "OW") else struct.pack("<H", len(value))) + value


def dicom(index: int, pixels: np.ndarray, facts: dict) -> bytes:
    root = facts["root"]
    instance = f"{root}.1.1.{index + 1}"
    meta = b"".join(
        [
            element(2, 1, "OB", b"\0\1"),
            element(2, 2, "UI", MR_IMAGE),
            element(2, 3, "UI", instance),
            element(2, 0x10, "UI", EXPLICIT_LITTLE_ENDIAN),
            element(2, 0x12, "UI", f"{root}.9"),
        ]
    )
    z_mm = (index - SLICES / 2) * 5
    fields = [
        (8, 0x08, "CS", "DERIVED\\SECONDARY\\AXIAL"),
        (8, 0x16, "UI", MR_IMAGE),
        (8, 0x18, "UI", instance),
        (8, 0x20, "DA", facts["date"]),
        (8, 0x30, "TM", "101500"),
        (8, 0x60, "CS", "MR"),
        (8, 0x70, "LO", facts["maker"]),
        (8, 0x80, "LO", facts["hospital"]),
        (8, 0x1030, "LO", "Head phantom"),
        (8, 0x103E, "LO", "Axial computed phantom"),
        (0x10, 0x10, "PN", facts["patient"]),
        (0x10, 0x20, "LO", facts["number"]),
        (0x10, 0x30, "DA", "19700101"),
        (0x10, 0x40, "CS", "O"),
        (0x18, 0x50, "DS", "5.0"),
        (0x18, 0x88, "DS", "5.0"),
        (0x20, 0x0D, "UI", f"{root}.1"),
        (0x20, 0x0E, "UI", f"{root}.1.1"),
        (0x20, 0x10, "SH", str(facts["seed"])),
        (0x20, 0x11, "IS", "1"),
        (0x20, 0x13, "IS", str(index + 1)),
        (0x20, 0x32, "DS", f"-115\\-115\\{z_mm}"),
        (0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0"),
        (0x20, 0x52, "UI", f"{root}.2"),
        (0x20, 0x1041, "DS", str(z_mm)),
        (0x28, 2, "US", 1),
        (0x28, 4, "CS", "MONOCHROME2"),
        (0x28, 0x10, "US", SIZE),
        (0x28, 0x11, "US", SIZE),
        (0x28, 0x30, "DS", f"{SPACING_MM}\\{SPACING_MM}"),
        (0x28, 0x100, "US", 16),
        (0x28, 0x101, "US", 12),
        (0x28, 0x102, "US", 11),
        (0x28, 0x103, "US", 0),
        (0x28, 0x1050, "DS", "900"),
        (0x28, 0x1051, "DS", "1800"),
        (0x7FE0, 0x10, "OW", pixels.tobytes()),
    ]
    return (
        b"\0" * 128
        + b"DICM"
        + element(2, 0, "UL", struct.pack("<I", len(meta)))
        + meta
        + b"".join(element(*field) for field in fields)
    )


def volume(values: np.ndarray) -> bytes:
    """The slices as one VTK image, every other voxel."""
    values = np.ascontiguousarray(values[:, ::2, ::2])
    depth, high, wide = values.shape
    extent = f"0 {wide - 1} 0 {high - 1} 0 {depth - 1}"
    head = (
        '<?xml version="1.0"?>\n'
        '<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt32">\n'
        f'<ImageData WholeExtent="{extent}" Origin="0 0 0" Spacing="{2 * SPACING_MM} {2 * SPACING_MM} 5">\n'
        f'<Piece Extent="{extent}"><PointData Scalars="signal">'
        '<DataArray type="UInt16" Name="signal" format="appended" offset="0"/></PointData></Piece>\n</ImageData>\n'
        '<AppendedData encoding="raw">\n_'
    )
    data = values.tobytes()
    return head.encode() + struct.pack("<I", len(data)) + data + b"\n</AppendedData>\n</VTKFile>\n"


def make(home: pathlib.Path, persona: Persona) -> None:
    facts = persona.parts["medical"]
    folder = home / facts["folder"]
    folder.mkdir(parents=True, exist_ok=True)
    rng, pixels = np.random.default_rng(facts["seed"]), []
    for index in range(SLICES):
        z = (index - (SLICES - 1) / 2) / (SLICES / 2) * 0.8
        pixels.append(phantom_slice(z, rng))
        (folder / f"slice-{index + 1:02}.dcm").write_bytes(dicom(index, pixels[-1], facts))
    if "volume" in facts:
        (folder.parent / facts["volume"]).write_bytes(volume(np.stack(pixels)))
