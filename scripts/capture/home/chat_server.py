"""A chat (IRC) server on localhost:6667 with invented people, so that chat programs have something to show.

Whoever joins a channel gets its topic, its members and the conversation of conversation.txt at once;
chat.json says who there is.
"""

import json
import pathlib
import socketserver
import threading
import time

FACTS = json.loads(pathlib.Path(__file__).with_name("chat.json").read_text(encoding="utf-8"))
NAME, NETWORK, PEOPLE, TOPICS = (FACTS[key] for key in ("server", "network", "people", "topics"))
LINES = [
    line.split("|", 2)
    for line in pathlib.Path(__file__).with_name("conversation.txt").read_text().splitlines()
    if line.count("|") == 2
]


class Client(socketserver.StreamRequestHandler):
    nick, user = "*", False

    def say(self, text: str) -> None:
        self.wfile.write((text + "\r\n").encode())

    def numeric(self, number: int, text: str) -> None:
        self.say(f":{NAME} {number:03} {self.nick} {text}")

    def handle(self) -> None:
        for raw in self.rfile:
            command, _, rest = raw.decode(errors="replace").strip().partition(" ")
            answer = getattr(self, f"on_{command.lower()}", None)
            if answer:
                answer(rest)

    def on_cap(self, rest: str) -> None:
        if rest.startswith("LS"):
            self.say(f":{NAME} CAP * LS :")

    def on_nick(self, rest: str) -> None:
        self.nick = rest.lstrip(":")
        self.welcome()

    def on_user(self, rest: str) -> None:
        self.user = True
        self.welcome()

    def welcome(self) -> None:
        if self.nick == "*" or not self.user:
            return
        self.numeric(1, f":Welcome to the {NETWORK} chat, {self.nick}")
        self.numeric(2, f":Your host is {NAME}")
        self.numeric(3, f":This server has run since {FACTS['since']}")
        self.numeric(4, f"{NAME} 1 io nt")
        self.numeric(5, f"CHANTYPES=# PREFIX=(ov)@+ NETWORK={NETWORK} :are supported by this server")
        self.numeric(375, f":- {NAME} message of the day -")
        self.numeric(372, f":- {FACTS['motto']}")
        self.numeric(376, ":End of message of the day")

    def on_ping(self, rest: str) -> None:
        self.say(f":{NAME} PONG {NAME} {rest}")

    def on_join(self, rest: str) -> None:
        for channel in rest.split(" ")[0].lstrip(":").split(","):
            people = PEOPLE.get(channel, [])
            self.say(f":{self.nick}!{FACTS['user']}@{FACTS['host']} JOIN {channel}")
            self.numeric(332, f"{channel} :{TOPICS.get(channel, 'Welcome')}")
            self.numeric(353, f"= {channel} :{' '.join([self.nick, *people])}")
            self.numeric(366, f"{channel} :End of names")
            threading.Thread(target=self.talk, args=(channel,), daemon=True).start()

    def talk(self, channel: str) -> None:
        time.sleep(1)
        try:
            for place, nick, text in LINES:
                if place == channel:
                    self.say(f":{nick}!{nick}@{nick}.example PRIVMSG {channel} :{text}")
        except OSError:
            return  # the program has been closed meanwhile

    def on_who(self, rest: str) -> None:
        channel = rest.split(" ")[0]
        for person in PEOPLE.get(channel, []):
            nick = person.lstrip("@+")
            self.numeric(352, f"{channel} {nick} {nick}.example {NAME} {nick} H :0 {nick.title()}")
        self.numeric(315, f"{channel} :End of who")

    def on_mode(self, rest: str) -> None:
        target = rest.split(" ")[0]
        if target.startswith("#"):
            self.numeric(324, f"{target} +nt")

    def on_list(self, rest: str) -> None:
        self.numeric(321, "Channel :Users  Name")
        for channel, topic in TOPICS.items():
            self.numeric(322, f"{channel} {len(PEOPLE[channel])} :{topic}")
        self.numeric(323, ":End of list")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


if __name__ == "__main__":
    Server(("127.0.0.1", 6667), Client).serve_forever()
