import re

import pytest

from capture import programs
from capture.living.games import GAMES
from capture.looks import LOOKS
from capture.programs import Chain, RecipeError, Step

RECIPE = {
    "id": "editor",
    "name": "Editor",
    "category": "Productivity",
    "origin": "Debian 12",
    "licence": "MIT",
    "command": "editor",
}


def read(folder, text="", **changes):
    keys = {**RECIPE, **changes}
    lines = [f'{key} = "{value}"' for key, value in keys.items() if value is not None]
    path = folder / "editor.toml"
    path.write_text("\n".join([*lines, text]), encoding="utf-8")
    return programs._read(path)


def fault(folder, text="", **changes):
    with pytest.raises(RecipeError) as caught:
        read(folder, text, **changes)
    return str(caught.value)


@pytest.mark.parametrize("program_id", programs.all_ids())
def test_every_recipe_is_read(program_id):
    program = programs.load(program_id)
    assert program.id == program_id
    assert program.packages or program.npm or program.pip
    assert program.looks
    assert all(look in LOOKS for look in program.looks)
    assert all(len(size) == 2 and min(size) > 100 for size in program.sizes)
    assert len({chain.name for chain in program.chains}) == len(program.chains)
    assert {step.verb for chain in program.chains for step in chain.steps} <= set(programs.VERBS)


def test_there_are_recipes_of_every_category():
    assert {programs.load(i).category for i in programs.all_ids()} == set(programs.CATEGORIES)


def test_what_a_recipe_leaves_out(tmp_path):
    program = read(tmp_path)
    assert (program.wm, program.settle, program.menus, program.dialogs, program.tabs) == ("xfwm4", 2.0, 3, 3, 3)
    assert program.sizes == ((1000, 680), (1280, 860))
    assert program.looks in programs.GTK_PAIRS
    assert program.chains == ()
    assert program.trademark is None


def test_looks_are_assigned_by_the_window_manager_and_spread(tmp_path):
    assert read(tmp_path, wm="kwin").looks == ("breeze", "breeze-dark")
    pairs = {programs._assigned_looks(program_id, "xfwm4") for program_id in programs.all_ids()}
    assert pairs == set(programs.GTK_PAIRS)


def test_a_program_keeps_its_looks_and_its_place():
    """A change here would have every program captured anew."""
    assigned = [(programs._assigned_looks(i, "xfwm4")[0], programs._assigned_snap(i)) for i in ("abiword", "audacious")]
    assert assigned == [("orchis", ()), ("yaru", ("right_half",))]


def test_about_one_program_in_three_is_snapped():
    snapped = [programs._assigned_snap(f"program-{number}") for number in range(3000)]
    assert 900 < sum(bool(s) for s in snapped) < 1100
    assert {s[0] for s in snapped if s} == {"maximized", "left_half", "right_half"}


def test_lists_become_tuples(tmp_path):
    program = read(tmp_path, 'sizes = [[800, 600]]\nlooks = ["arc"]\nsnap = []\nskip = ["Sign in"]')
    assert program.sizes == ((800, 600),)
    assert (program.looks, program.snap, program.skip) == (("arc",), (), ("Sign in",))


def test_chains(tmp_path):
    steps = '["click menu Edit", "click menu item Find...", "click Go", "type hello world", "key ctrl+f", "hover icon"]'
    program = read(tmp_path, f'[[chain]]\nname = "find"\nsteps = {steps}')
    assert program.chains == (
        Chain(
            "find",
            (
                Step("click", "menu", "Edit"),
                Step("click", "menu item", "Find..."),  # the longest role that fits
                Step("click", "", "Go"),
                Step("type", "", "hello world"),
                Step("key", "", "ctrl+f"),
                Step("hover", "icon", ""),
            ),
        ),
    )
    assert [str(step) for step in program.chains[0].steps[:3]] == [
        "click menu Edit",
        "click menu item Find...",
        "click Go",
    ]


def test_a_living_page_has_names_of_its_own_that_are_never_clicked(tmp_path):
    page = '[[live]]\nname = "options"\nsteps = ["key alt+o"]'
    program = read(tmp_path, f'skip = ["Sign in"]\n{page}\nskip = ["^Advanced$"]\n{page}')
    skips = [programs.never_clicked(program, entry) for entry in program.live]
    assert [[s.has(name) for name in ("Sign in", "Advanced", "Basic")] for s in skips] == [
        [True, True, False],
        [True, False, False],
    ]


def test_a_living_page_has_names_that_are_never_clicked_while_a_row_shows_its_page(tmp_path):
    page = '[[live]]\nname = "options"\nsteps = ["key alt+o"]\nskip_on = {"^General$" = "^$", "^(Mail|Fonts)" = ""}'
    skip = programs.never_clicked(program := read(tmp_path, page), program.live[0])
    told = [("", ()), ("Send", (True, "View")), ("", (4, "General")), ("Send", (4, "General")), ("Send", ("Mail",))]
    assert [skip.has(*one) for one in told] == [False, False, True, False, True]


def test_a_living_page_has_names_that_are_clicked_here_alone(tmp_path):
    page = '[[live]]\nname = "board"\nsteps = []\nallow = ["^Restart$"]'
    skip = programs.never_clicked(program := read(tmp_path, page), program.live[0])
    assert [skip.allows(name) for name in ("Restart", "Restart the computer", "Exit")] == [True, False, False]


def test_steps_that_bring_a_program_into_use(tmp_path):
    program = read(tmp_path, 'use = ["key ctrl+Home Down", "type {chat_answer}", "click push button Apply"]')
    assert program.use == (
        Step("key", "", "ctrl+Home Down"),
        Step("type", "", "on my way, with the ladder"),
        Step("click", "push button", "Apply"),
    )
    assert program.chains == ()


def test_forty_programs_are_brought_into_use():
    used = [i for i in programs.all_ids() if programs.load(i).use]
    assert len(used) >= 40
    assert {programs.load(i).category for i in used} >= set(programs.CATEGORIES)


@pytest.mark.parametrize(
    ("changes", "text", "message"),
    [
        ({}, "colour = 3", "programs/editor.toml: unknown key `colour`; known are category, clock, command"),
        ({"licence": None}, "", "programs/editor.toml: `licence` is missing"),
        ({"name": ""}, "", "`name` is missing"),
        ({"id": "other"}, "", "id `other` differs from the file's name"),
        ({"category": "Toys"}, "", "category `Toys`, expected one of Developer_Tools"),
        ({}, 'looks = ["mauve"]', "look `mauve`, expected one of yaru"),
        ({}, 'snap = ["middle"]', "snap `middle`, expected one of maximized"),
        ({}, 'use = ["shout hello"]', "step `shout hello`: expected one of click"),
        ({}, '[[chain]]\nname = "x"\nsteps = ["shout hello"]', "step `shout hello`: expected one of click"),
        ({}, '[[chain]]\nname = "x"', "a [[chain]] has exactly `name` and `steps`, found name"),
        ({}, "menus = ", "expected TOML"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_told(tmp_path, changes, text, message):
    assert message in fault(tmp_path, text, **changes)


def test_patterns_are_checked_when_the_recipe_is_read(tmp_path):
    with pytest.raises(re.error):
        read(tmp_path, 'drop = ["("]')


def test_a_program_without_a_recipe():
    with pytest.raises(RecipeError, match=r"programs/no-such\.toml: expected a recipe, found none"):
        programs.load("no-such")


def test_looks_come_in_pairs():
    for look in LOOKS.values():
        assert LOOKS[look.twin].twin == look.name
        assert LOOKS[look.twin].dark != look.dark
    assert LOOKS["arc-dark"].frame_style == "xfwm4-Arc-Dark"


BOARD = '[board]\ngame = "unruly"\ncells = [".b", "w."]\n'


def test_a_board_has_rows_of_one_length(tmp_path):
    board = read(tmp_path, BOARD).board
    assert (board.game, board.cells, board.size, board.around) == ("unruly", (".b", "w."), (2, 2), "halves")
    assert "expected rows of one length" in fault(tmp_path, BOARD.replace('".b"', '"."'))
    assert "expected halves or cell" in fault(tmp_path, BOARD + 'around = "none"\n')
    assert "a [board] has `game`" in fault(tmp_path, BOARD + "colour = 1\n")
    assert read(tmp_path, BOARD + 'solved = ["wb", "wb"]\n').board.solved == ("wb", "wb")
    assert "expected as many cells as `cells` has" in fault(tmp_path, BOARD + 'solved = ["wb"]\n')


@pytest.mark.parametrize("program_id", [i for i in programs.all_ids() if programs.load(i).board])
def test_boards_are_of_games_that_are_known(program_id):
    board = programs.load(program_id).board
    game = GAMES[board.game](board.cells)
    assert set(game.start) <= set(board.places())
    assert set(game.presses) <= set(game.start)
