"""What network programs show without a network: a packet capture, torrents of files already present, saved servers."""

import hashlib
import json
import pathlib
import random
import shutil
import struct
from datetime import UTC

from persona import Persona

RESOLVER = "192.0.2.1"


def address(text: str) -> bytes:
    return bytes(int(part) for part in text.split("."))


def checksum(data: bytes) -> int:
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def frame(own: str, source: str, target: str, protocol: int, segment: bytes, number: int) -> bytes:
    """Ethernet and IPv4 around a UDP or TCP segment whose checksum field (at 6 or 16) is still zero."""
    pseudo = address(source) + address(target) + struct.pack(">BBH", 0, protocol, len(segment))
    place = 6 if protocol == 17 else 16
    segment = segment[:place] + struct.pack(">H", checksum(pseudo + segment)) + segment[place + 2 :]
    head = (
        struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(segment), number & 0xFFFF, 0x4000, 64, protocol, 0)
        + address(source)
        + address(target)
    )
    head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
    mine, theirs = bytes.fromhex("020000000017"), bytes.fromhex("020000000001")
    outward = source == own
    return (theirs + mine if outward else mine + theirs) + b"\x08\x00" + head + segment


def udp(source_port: int, target_port: int, data: bytes) -> bytes:
    return struct.pack(">HHHH", source_port, target_port, 8 + len(data), 0) + data


def tcp(source_port: int, target_port: int, sequence: int, acknowledge: int, flags: int, data: bytes = b"") -> bytes:
    return struct.pack(">HHIIBBHHH", source_port, target_port, sequence, acknowledge, 0x50, flags, 64240, 0, 0) + data


def question(name: str, number: int, answer: str = "") -> bytes:
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"
    out = (
        struct.pack(">HHHHHH", number, 0x8180 if answer else 0x0100, 1, 1 if answer else 0, 0, 0)
        + labels
        + struct.pack(">HH", 1, 1)
    )
    return out + (b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 300, 4) + address(answer) if answer else b"")


def conversation(rng: random.Random, persona: Persona) -> list[tuple[float, bytes]]:
    facts = persona.parts["network"]
    own, servers = facts["address"], dict(facts["servers"])
    packets, clock = [], 0.0

    def put(gap: float, source: str, target: str, protocol: int, segment: bytes) -> None:
        nonlocal clock
        clock += gap
        packets.append((clock, frame(own, source, target, protocol, segment, len(packets) + 1)))

    for visit in range(14):
        name = rng.choice(list(servers))
        server, port = servers[name], rng.randint(32768, 60999)
        put(rng.uniform(0.2, 2.5), own, RESOLVER, 17, udp(port, 53, question(name, visit + 40)))
        put(rng.uniform(0.01, 0.04), RESOLVER, own, 17, udp(53, port, question(name, visit + 40, server)))
        mine, theirs = rng.getrandbits(30), rng.getrandbits(30)
        put(0.002, own, server, 6, tcp(port, 80, mine, 0, 0x02))
        put(rng.uniform(0.02, 0.06), server, own, 6, tcp(80, port, theirs, mine + 1, 0x12))
        put(0.001, own, server, 6, tcp(port, 80, mine + 1, theirs + 1, 0x10))
        path = rng.choice(facts["pages"])
        head = f"Host: {name}\r\nUser-Agent: {persona.host}/1.0\r\nAccept: text/html\r\n\r\n"
        request = f"GET {path} HTTP/1.1\r\n{head}".encode()
        put(0.001, own, server, 6, tcp(port, 80, mine + 1, theirs + 1, 0x18, request))
        mine += 1 + len(request)
        body = f"<html><title>{name}</title><p>Page {visit + 1}</p></html>".encode()
        status = rng.choice(["200 OK", "200 OK", "200 OK", "404 Not Found", "302 Found"])
        reply = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        put(rng.uniform(0.03, 0.12), server, own, 6, tcp(80, port, theirs + 1, mine, 0x18, reply))
        theirs += 1 + len(reply)
        put(0.001, own, server, 6, tcp(port, 80, mine, theirs, 0x10))
        put(0.2, own, server, 6, tcp(port, 80, mine, theirs, 0x11))
        put(0.03, server, own, 6, tcp(80, port, theirs, mine + 1, 0x11))
        put(0.001, own, server, 6, tcp(port, 80, mine + 1, theirs + 1, 0x10))
    return packets


def packet_capture(path: pathlib.Path, persona: Persona, start: int) -> None:
    out = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)]
    for moment, data in conversation(random.Random(53 + persona.seed), persona):
        out.append(struct.pack("<IIII", start + int(moment), int(moment % 1 * 1e6), len(data), len(data)) + data)
    path.write_bytes(b"".join(out))


def bencode(value) -> bytes:
    if isinstance(value, int):
        return b"i%de" % value
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return b"%d:" % len(value) + value
    if isinstance(value, list):
        return b"l" + b"".join(map(bencode, value)) + b"e"
    return b"d" + b"".join(bencode(key) + bencode(value[key]) for key in sorted(value)) + b"e"


def torrent(target: pathlib.Path, folder: pathlib.Path, tracker: str, created: int, piece: int = 65536) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    data = b"".join(path.read_bytes() for path in files)
    info = {
        "name": folder.name,
        "piece length": piece,
        "pieces": b"".join(hashlib.sha1(data[at : at + piece]).digest() for at in range(0, len(data), piece)),
        "files": [{"length": path.stat().st_size, "path": list(path.relative_to(folder).parts)} for path in files],
    }
    target.write_bytes(
        bencode(
            {
                "announce": tracker,
                "comment": "Free to share",
                "creation date": created,
                "info": info,
            }
        )
    )


def make(home: pathlib.Path, persona: Persona) -> None:
    facts = persona.parts["network"]
    start = int(facts["start"].replace(tzinfo=UTC).timestamp())
    packet_capture(home / f"Documents/{facts['capture']}.pcap", persona, start)
    shared = home / "Downloads/Torrents"
    shared.mkdir(parents=True, exist_ok=True)
    for folder in facts["torrents"]:
        torrent(shared / f"{pathlib.Path(folder).name}.torrent", home / folder, facts["tracker"], start)
    demo = home / ".local/share/demo"
    demo.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(pathlib.Path(__file__).parent / "chat_server.py", demo / "chat_server.py")
    shutil.copyfile(persona.folder / "conversation.txt", demo / "conversation.txt")
    origin = {"user": persona.user, "host": persona.host}
    (demo / "chat.json").write_text(json.dumps(persona.parts["chat"] | origin), encoding="utf-8")
