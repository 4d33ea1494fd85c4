import pytest

from capture.names import clean_name


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("  Save \n as ", "Save as"),
        ("_File", "File"),
        ("Save _As", "Save As"),
        ("snake_case", "snake_case"),
        ("_a_b", "_a_b"),  # two underscores: a name, not an access key
        ("Copy Copy", "Copy"),
        ("Copy Paste", "Copy Paste"),
        ("GtkBox", ""),
        ("QPushButton", ""),
        ("QCOW2", "QCOW2"),
        ("KOI8R", "KOI8R"),
        ("Kate", "Kate"),
        ("K", "K"),
        ("x" * 60, ""),
        ("a " + "word " * 60, ("a " + "word " * 60)[:200]),
        ("", ""),
    ],
)
def test_clean_name(name, clean):
    assert clean_name(name) == clean
