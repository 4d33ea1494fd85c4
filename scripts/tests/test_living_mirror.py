"""Settings that are put back."""

from capture.living.mirror import mirror


def test_settings_become_what_they_were_but_for_what_others_have_open(tmp_path):
    kept, used = tmp_path / "kept", tmp_path / "used"
    for folder in (kept, used):
        for path in ("xfce4/terminal", "xfce4/xfconf", "dconf"):
            (folder / path).mkdir(parents=True)
        for path in ("xfce4/terminal/rc", "xfce4/xfconf/channel", "dconf/user"):
            (folder / path).write_text(folder.name)
    (kept / "link").symlink_to("dconf")
    (used / "new").mkdir()
    (used / "xfce4" / "new").write_text("")
    mirror(kept, used)
    assert sorted(p.name for p in used.iterdir()) == ["dconf", "link", "xfce4"]
    assert (used / "link").is_symlink()
    assert not (used / "xfce4" / "new").exists()
    told = [(used / path).read_text() for path in ("xfce4/terminal/rc", "xfce4/xfconf/channel", "dconf/user")]
    assert told == ["kept", "used", "used"]
