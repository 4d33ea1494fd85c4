"""Personas: each has what recipes open, nothing of another's, and nothing later than its clock."""

import re
import shutil
import tomllib
from datetime import UTC, date, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest

import accounts
import desktop
import make_home
from capture import programs
from capture.home import persona as personas

IDS = personas.all_ids()
# Suffixes of texts that programs show.
TEXTS = {".html", ".md", ".txt", ".toml", ".py", ".rs", ".c", ".h", ".js", ".css", ".csv", ".json", ".xml", ".svg"}
TEXTS |= {".tid", ".info", ".zim", ".pgn", ".wxm", ".ctd", ".dia", ".ui", ".ipynb", ".tex", ".dxf", ".geojson", ".grc"}


def text_of(persona) -> str:
    files = [path for path in sorted(persona.folder.rglob("*")) if path.suffix in TEXTS]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def made_files(persona) -> set[str]:
    """What the home will hold, as far as it can be said without making it."""
    facts, folder = persona.parts, persona.folder
    files = {entry["path"] for entry in facts["pictures"]["files"]}
    files |= {f"{place}/{name}.{kind}" for name, kind, place in facts["documents"]["office"]}
    files |= {f"{place}/{Path(source).name}" for source, place in facts["documents"]["plain"]}
    for source, place in facts["documents"]["folders"]:
        files |= {f"{place}/{path.name}" for path in (folder / source).iterdir()}
    for source, place in (("programs", "Documents"), ("projects", "Projects")):
        below = folder / source
        files |= {f"{place}/{path.relative_to(below)}" for path in below.rglob("*")}
    sheets = facts["spreadsheets"]
    books = [
        (sheets["budget"]["name"], "Documents", "ods"),
        (sheets["series"]["name"], sheets["series"]["folder"], "ods"),
    ]
    books += [(book["name"], book["folder"], book["format"]) for book in sheets.get("workbooks", [])]
    files |= {f"{place}/{name}.{kind}" for name, place, kind in books}
    files.add(f"Documents/{sheets['members']['name']}.xlsx")
    files |= {sheets["budget"]["csv"], f"{sheets['series']['folder']}/{sheets['series']['csv']}"}
    files |= {f"Documents/{facts['slides']['name']}.{kind}" for kind in ("odp", "pdf")}
    files |= {f"Documents/{facts['accounts']['name']}.gnucash", f"Documents/{facts['network']['capture']}.pcap"}
    for artist, album, _, _, kind, titles in facts["music"]["albums"]:
        files |= {f"Music/{artist}/{album}/{number:02} {title}.{kind}" for number, title in enumerate(titles, 1)}
    files |= {f"Music/Recordings/{facts['music']['recording']}.wav", f"Videos/{facts['music']['clip']}.mp4"}
    files |= {f"Downloads/{name}.zip" for name, _ in facts["archives"]["zip"]}
    files |= {f"Downloads/{name}.tar.gz" for name, _ in facts["archives"]["tar"]}
    scans = Path(facts["medical"]["folder"])
    files |= {f"{scans}/slice-{number:02}.dcm" for number in range(1, 25)}
    if "volume" in facts["medical"]:
        files.add(f"{scans.parent}/{facts['medical']['volume']}")
    return files | {str(parent) for name in files for parent in Path(name).parents}


@pytest.fixture(params=IDS)
def persona(request):
    return personas.load(request.param)


def test_there_are_three_and_alex_is_first():
    assert IDS[0] == "alex"
    assert len(IDS) >= 3
    people = [personas.load(i) for i in IDS]
    for trait in ("name", "user", "host", "email", "occupation", "seed"):
        assert len({getattr(p, trait) for p in people}) == len(people), trait


def test_each_has_whatever_alex_has(persona):
    assert set(personas.load("alex").texts) <= set(persona.texts)


@pytest.mark.parametrize("program_id", programs.all_ids())
def test_every_recipe_has_a_persona_and_no_placeholder_is_left(program_id):
    able = programs.able_personas(program_id)
    assert able
    for persona_id in able:
        program = programs.load(program_id, persona_id)
        steps = [step.argument for chain in program.chains for step in chain.steps]
        texts = [program.command, program.preseed or "", program.window_title or "", *map(str, program.env.values())]
        texts += [*steps, *(step.argument for step in program.use)]
        assert [found for text in texts for found in personas.PLACEHOLDER.findall(text)] == []


def test_recipes_say_neither_a_name_nor_a_machine_of_a_persona():
    for path in programs.FOLDER.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        for persona_id in IDS:
            owner = personas.load(persona_id)
            for word in (owner.name, owner.email, f"/home/{owner.user}", f"{owner.user}@"):
                assert word not in text, f"{path.name}: {word}"


def test_files_that_recipes_open_are_made(persona):
    made = made_files(persona)
    texts = {key: f"{value}.kicad_pcb" if key == "board_project" else value for key, value in persona.recipes.items()}
    for key, value in texts.items():
        for path in re.findall(r"(?:^|(?<=~/))(?:Documents|Downloads|Music|Pictures|Projects|Videos)/[^~]+", value):
            assert path.strip() in made, f"{persona.id}: {key}: {path}"


def test_files_opened_last_and_bookmarked_folders_are_made(persona):
    facts, made = persona.parts["desktop"], made_files(persona)
    assert set(facts["recent"]) <= made
    assert set(facts["bookmarks"]) <= made
    assert {source for source, _ in facts["copies"]} <= made
    assert 4 <= len(persona.on_desktop) <= 12
    assert {page for _, page in facts["browser"]} <= {path.name for path in (persona.folder / "site").iterdir()}


@pytest.mark.parametrize(("own", "other"), list(permutations(IDS, 2)))
def test_nothing_of_one_persona_is_in_the_home_of_another(own, other):
    owner, stranger = personas.load(own), personas.load(other)
    words = {stranger.name, stranger.email, stranger.mail_host, f"{stranger.user}@{stranger.host}", *stranger.address}
    words |= {stranger.recipes[key] for key in ("mail_provider", "newspaper", "channel", "password", "clinic")}
    contacts = tomllib.loads((stranger.folder / "mail/contacts.toml").read_text(encoding="utf-8"))["person"]
    words |= {contact["name"] for contact in contacts} | {contact["mail"] for contact in contacts}
    text = text_of(owner)
    assert [word for word in sorted(words) if word in text] == []


def test_nothing_is_dated_after_the_clock(persona):
    facts, clock = persona.parts, persona.clock
    inbox = tomllib.loads((persona.folder / "mail/inbox.toml").read_text(encoding="utf-8"))["mail"]
    history = tomllib.loads((persona.folder / "projects/history.toml").read_text(encoding="utf-8"))
    moments = [datetime.fromisoformat(mail["date"]) for mail in inbox]
    moments += [datetime.fromisoformat(c["date"]).replace(tzinfo=None) for commits in history.values() for c in commits]
    moments += [*facts["archives"]["packed"].values(), facts["network"]["start"]]
    for tiddler in (persona.folder / "programs/Wiki/tiddlers").glob("*.tid"):
        stamps = re.findall(r"^(?:created|modified): (\d{14})", tiddler.read_text(encoding="utf-8"), re.MULTILINE)
        moments += [datetime.strptime(stamp, "%Y%m%d%H%M%S") for stamp in stamps]
    moments.append(datetime.strptime(facts["medical"]["date"], "%Y%m%d"))
    assert max(moments) <= clock
    days = [movement[0] for movement in accounts.movements(persona)]
    days += [date(persona.year, 1, 1) + timedelta(days=facts["household"]["days"] - 1)]
    days += [date(persona.year, month, last) for month, last, _ in facts["spreadsheets"]["series"]["months"]]
    assert max(days) <= clock.date()


def test_the_newest_mail_is_the_last_of_the_inbox(persona):
    mails = tomllib.loads((persona.folder / "mail/inbox.toml").read_text(encoding="utf-8"))["mail"]
    assert persona.recipes["newest_mail"] == str(sum(mail["folder"] == "Inbox" for mail in mails))
    assert any(mail["folder"] == persona.recipes["mail_folder"] for mail in mails)


def test_pages_need_nothing_from_elsewhere(persona):
    for path in (persona.folder / "site").iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(?:https?:)?//(?!localhost:8080)[a-z]", text), path.name
    images = {name for name, _ in persona.parts["website"]["images"]}
    for path in (persona.folder / "site").glob("*.html"):
        linked = re.findall(r'(?:src|href)="([^"#]+)"', path.read_text(encoding="utf-8"))
        assert {name for name in linked if not (persona.folder / "site" / name).is_file()} <= images, path.name


def test_files_are_older_than_the_clock(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    clock = datetime(2026, 10, 1, 12)
    make_home.set_dates(tmp_path, clock)
    age = clock - datetime.fromtimestamp((tmp_path / "a.txt").stat().st_mtime, UTC).replace(tzinfo=None)
    assert timedelta(days=1) <= age <= timedelta(days=make_home.OLDEST_DAYS)


def test_a_clock_before_the_home_is_refused():
    alex = personas.load("alex")
    assert make_home.clock_of(alex, None) == alex.clock
    assert make_home.clock_of(alex, alex.clock + timedelta(days=1)) == alex.clock + timedelta(days=1)
    with pytest.raises(
        make_home.personas.PersonaError, match=r"clock 2026-11-01T00:00:00: persona `alex` has mails and files"
    ):
        make_home.clock_of(alex, datetime(2026, 11, 1))


def test_files_opened_last_come_in_their_order():
    text = desktop.recently_used(["/home/x/A b.txt", "/home/x/c.txt"], datetime(2026, 11, 20, 18))
    assert re.findall(r'href="([^"]+)" added="([^"]+)"', text) == [
        ("file:///home/x/A%20b.txt", "2026-11-20T17:00:00Z"),
        ("file:///home/x/c.txt", "2026-11-20T12:00:00Z"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('host = "orchard"', "", "personas/other/persona.toml: `host` is missing"),
        ("seed = 0", "seed = 0\nage = 3", "unknown key `age`; known are id, name"),
        ('id = "alex"', 'id = "maya"', "id `maya` differs from the folder's name"),
        ("clock = 2026-11-20T18:00:00", "clock = 2026-11-20", "clock `2026-11-20`, expected a date with a time of day"),
        ("months = 10", "months = ", "expected TOML"),
    ],
)
def test_what_is_wrong_with_a_persona_is_told(tmp_path, old, new, message):
    text = (personas.FOLDER / "alex/persona.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "other" / "persona.toml"
    path.parent.mkdir()
    path.write_text(text.replace('id = "alex"', 'id = "other"').replace(old.replace("alex", "other"), new), "utf-8")
    with pytest.raises(personas.PersonaError) as caught:
        personas.read(path)
    assert message in str(caught.value)


def test_a_persona_that_is_not_there():
    with pytest.raises(personas.PersonaError, match="persona `nobody`, expected one of alex, "):
        personas.load("nobody")


def test_a_placeholder_that_a_persona_lacks():
    with pytest.raises(personas.PersonaError, match=r"editor: persona `alex` has no `nothing`; it has accounts"):
        personas.load("alex").filled(["{user}", {"a": "{nothing}"}], "editor")


def test_placeholders_are_words_between_braces():
    alex = personas.load("alex")
    kept = "${HOME} { user } {x.y} {A} {'user'}"
    assert alex.filled({"a": [f"{{user}}@{{host}} {kept}", 3]}, "x") == {"a": [f"alex@orchard {kept}", 3]}


def test_a_session_gets_the_recipes_words_and_no_more(tmp_path):
    """The folder of a running session lies open to its programs: no mails and notes of other personas in it."""
    from capture import sandbox

    sandbox.copy_code(tmp_path / "capture", personas.load("mira"))
    assert [path.parent.name for path in tmp_path.rglob("persona.toml")] == ["mira"]
    assert not list(tmp_path.rglob("inbox.toml"))
    shutil.rmtree(tmp_path / "capture")
