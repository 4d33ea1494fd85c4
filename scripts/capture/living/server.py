"""Asks `windesk pack act` what an event does: one JSON object per line."""

import json
import subprocess
from pathlib import Path


class Server:
    def __init__(self, program: Path, pack: Path, log: Path):
        self.log = log.open("wb")
        self.process = subprocess.Popen(
            [str(program), "pack", "act", str(pack)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )

    def ask(self, question: dict) -> dict:
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"windesk pack act ended with {self.process.wait()}")
        return json.loads(line)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(10)
        self.log.close()
