"""Synthesised music by invented artists, tagged and with covers, one recording, and one short video clip.

The tunes are plain additive synthesis: enough for waveforms that look like music in an audio editor.
"""

import io
import pathlib
import random
import subprocess
import tempfile
import wave

import numpy as np
from mutagen.flac import FLAC, Picture
from mutagen.id3 import APIC, ID3, TALB, TCON, TDRC, TIT2, TPE1, TRCK
from mutagen.oggvorbis import OggVorbis

import pictures
from persona import Persona

RATE = 22050
SCALES = [[0, 2, 4, 7, 9], [0, 3, 5, 7, 10], [0, 2, 3, 5, 7, 8, 10]]


def tune(seed: int, seconds: float) -> np.ndarray:
    rng = random.Random(seed)
    scale, root, beat = rng.choice(SCALES), rng.choice([110.0, 123.5, 146.8, 98.0]), rng.choice([0.30, 0.36, 0.45])
    out = np.zeros(int(seconds * RATE) + RATE * 2)
    position, step = 0.0, rng.randint(0, 8)
    while position < seconds:
        step = min(max(step + rng.choice([-2, -1, -1, 1, 1, 2, 3]), 0), 2 * len(scale))
        octave, degree = divmod(step, len(scale))
        notes = [(root * 2 ** (octave + 1 + scale[degree] / 12), 0.30)]
        if rng.random() < 0.35:
            notes.append((root * 2 ** (scale[rng.randrange(len(scale))] / 12), 0.35))
        length = beat * rng.choice([1, 1, 2, 3])
        at = np.arange(int((length + 0.9) * RATE)) / RATE
        envelope = np.minimum(at / 0.012, 1) * np.exp(-at * 2.1)
        swell = 0.55 + 0.45 * np.sin(2 * np.pi * position / seconds * 3)
        start = int(position * RATE)
        for frequency, gain in notes:
            tone = sum(np.sin(2 * np.pi * frequency * k * at) / k**1.6 for k in (1, 2, 3, 4))
            end = min(start + len(at), len(out))
            out[start:end] += (gain * swell * tone * envelope)[: end - start]
        position += length
    out = out[: int(seconds * RATE)]
    return out / max(1e-9, np.abs(out).max()) * 0.85


def write_wave(path: pathlib.Path, samples: np.ndarray) -> None:
    delayed = np.concatenate([np.zeros(RATE // 90), samples])[: len(samples)]
    stereo = np.stack([samples, 0.7 * samples + 0.3 * delayed], axis=1)
    with wave.open(str(path), "wb") as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes((stereo * 32000).astype("<i2").tobytes())


def ffmpeg(*arguments: str, out: pathlib.Path) -> None:
    # bitexact belongs to the output: without it Ogg streams get random serial numbers.
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *arguments, "-fflags", "+bitexact", str(out)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {run.stderr.strip()}")


def cover(seed: int) -> bytes:
    rng = random.Random(seed)
    sky = rng.choice(list(pictures.SKIES.values()))
    tint = tuple(rng.uniform(0.2, 0.8) for _ in range(3))
    image = pictures.hills(
        seed, sky, pictures.mix(tint, (1, 1, 1), 0.4), pictures.mix(tint, (0, 0, 0), 0.6), size=(500, 500)
    )
    data = io.BytesIO()
    image.save(data, "JPEG", quality=85)
    return data.getvalue()


def tag(path: pathlib.Path, artist, album, year, genre, title, number, art: bytes) -> None:
    if path.suffix == ".mp3":
        tags = ID3()
        for frame in (
            (TIT2, title),
            (TPE1, artist),
            (TALB, album),
            (TCON, genre),
            (TDRC, str(year)),
            (TRCK, str(number)),
        ):
            tags.add(frame[0](encoding=3, text=frame[1]))
        tags.add(APIC(encoding=3, mime="image/jpeg", type=3, data=art))
        tags.save(path)
        return
    audio = FLAC(path) if path.suffix == ".flac" else OggVorbis(path)
    audio.update(
        {
            "title": title,
            "artist": artist,
            "album": album,
            "date": str(year),
            "genre": genre,
            "tracknumber": str(number),
        }
    )
    if path.suffix == ".flac":
        picture = Picture()
        picture.type, picture.mime, picture.data = 3, "image/jpeg", art
        audio.add_picture(picture)
    audio.save()


def make(home: pathlib.Path, persona: Persona) -> None:
    facts, seed = persona.parts["music"], 100_000 * persona.seed
    with tempfile.TemporaryDirectory() as scratch:
        raw = pathlib.Path(scratch) / "tune.wav"
        for row, (artist, album, year, genre, extension, titles) in enumerate(facts["albums"]):
            folder = home / "Music" / artist / album
            folder.mkdir(parents=True, exist_ok=True)
            art = cover(seed + 500 + row)
            (folder / "cover.jpg").write_bytes(art)
            for number, title in enumerate(titles, 1):
                write_wave(raw, tune(seed + 1000 * row + number, random.Random(f"{album}{number}").uniform(70, 200)))
                target = folder / f"{number:02} {title}.{extension}"
                ffmpeg("-i", str(raw), "-map_metadata", "-1", "-flags:a", "+bitexact", out=target)
                tag(target, artist, album, year, genre, title, number, art)
        recordings = home / "Music/Recordings"
        recordings.mkdir(parents=True, exist_ok=True)
        write_wave(recordings / f"{facts['recording']}.wav", tune(seed + 77, 40))
        make_clip(home / f"Videos/{facts['clip']}.mp4", pathlib.Path(scratch), seed)


def make_clip(target: pathlib.Path, scratch: pathlib.Path, seed: int) -> None:
    """Twelve seconds of a slow pan over a wide landscape."""
    target.parent.mkdir(parents=True, exist_ok=True)
    wide = pictures.hills(
        seed + 61,
        pictures.SKIES["dusk"],
        (0.60, 0.46, 0.54),
        (0.14, 0.12, 0.20),
        (1500, 330, 34, (1.0, 0.82, 0.55)),
        size=(1920, 720),
    )
    still, sound = scratch / "wide.png", scratch / "clip.wav"
    wide.save(still)
    write_wave(sound, tune(seed + 88, 12))
    ffmpeg(
        "-loop",
        "1",
        "-framerate",
        "24",
        "-t",
        "12",
        "-i",
        str(still),
        "-i",
        str(sound),
        "-vf",
        "crop=1280:720:x='40*t':y=0",
        "-c:v",
        "libx264",
        "-threads",
        "1",
        "-preset",
        "veryfast",
        "-pix_fmt",
        "yuv420p",
        "-c:a",
        "aac",
        "-shortest",
        "-flags:v",
        "+bitexact",
        "-flags:a",
        "+bitexact",
        out=target,
    )
