import pytest

import collect_licences
from collect_licences import MIT_HOLDERS, MIT_TEXT, quoted

COPYRIGHT = """Format: x

Files: *
License: CC-BY-4.0

License: CC-BY-4.0
 First line
  indented further
 .
 Last line

License: MIT
 Something else

License: CC-BY-4.0
 See elsewhere.
"""


def test_the_longest_paragraph_of_the_licence():
    assert quoted(COPYRIGHT, "CC-BY-4.0") == "First line\n indented further\n\nLast line\n"
    assert quoted(COPYRIGHT, "MIT") == "Something else\n"


def test_a_licence_that_is_not_there():
    with pytest.raises(SystemExit, match="no paragraph 'License: GPL-2'"):
        quoted(COPYRIGHT, "GPL-2")


@pytest.mark.parametrize("identifier", MIT_HOLDERS)
def test_the_mit_texts_are_those_of_the_pack(identifier):
    text = MIT_TEXT.read_text().format(holder=MIT_HOLDERS[identifier])
    assert (collect_licences.FOLDER / f"{identifier}.txt").read_text() == text.rstrip() + "\n"
