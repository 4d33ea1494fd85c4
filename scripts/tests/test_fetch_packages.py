import pytest

import fetch_packages
from fetch_packages import PackageError, run, single_file, suite_options, unpack_once


def test_a_package_is_unpacked_once(tmp_path):
    calls = []

    def fetch(scratch):
        calls.append(scratch)
        (scratch / "out").mkdir()
        (scratch / "out" / "file").write_text("x")
        return scratch / "out"

    for _ in range(2):
        assert (unpack_once(tmp_path / "npm" / "a-1", fetch) / "file").read_text() == "x"
    assert len(calls) == 1
    assert [p.name for p in (tmp_path / "npm").iterdir()] == ["a-1"], "nothing else is left"


def test_a_broken_off_package_leaves_nothing(tmp_path):
    def fetch(scratch):
        (scratch / "half").mkdir()
        raise PackageError("broken off")

    with pytest.raises(PackageError, match="broken off"):
        unpack_once(tmp_path / "npm" / "a-1", fetch)
    assert list((tmp_path / "npm").iterdir()) == []


def test_exactly_one_file(tmp_path):
    (tmp_path / "a.tgz").write_text("")
    assert single_file(tmp_path, "*.tgz").name == "a.tgz"
    for wrong, number in (("*.deb", 0), ("*", 2)):
        (tmp_path / "b.txt").write_text("")
        with pytest.raises(PackageError, match=rf"expected one file matching .*, found {number}"):
            single_file(tmp_path, wrong)


def test_a_command_that_fails_says_why(tmp_path):
    run(["sh", "-c", "touch made"], tmp_path)
    assert (tmp_path / "made").exists()
    with pytest.raises(PackageError, match=r"exit code 3: no such package"):
        run(["sh", "-c", "echo no such package >&2; exit 3"], tmp_path)


def test_the_cache_is_where_it_is_wanted(tmp_path, monkeypatch):
    monkeypatch.setenv("WINDESK_ASSET_CACHE", str(tmp_path / "cache"))
    assert fetch_packages.cache_dir() == (tmp_path / "cache").resolve()
    folder = tmp_path / "cache" / "npm" / "scope-icons-1.0"
    folder.mkdir(parents=True)
    assert fetch_packages.npm_package("@scope/icons", "1.0") == folder


def test_another_suite_comes_from_the_system_s_mirror(tmp_path, monkeypatch):
    said = ["file:/mirror/debian-security/\nfile:/mirror/debian/\n", ""]
    monkeypatch.setattr(fetch_packages, "run", lambda _command, _folder: said.pop(0))
    options = suite_options(tmp_path, "trixie")
    assert f"-oDir::Etc::SourceList={tmp_path}/apt/sources.list" in options
    assert (tmp_path / "apt" / "sources.list").read_text().endswith("] file:/mirror/debian/ trixie main\n")
    with pytest.raises(PackageError, match="trixie: found no Debian mirror"):
        suite_options(tmp_path, "trixie")


def test_what_a_command_says(tmp_path):
    assert run(["echo", "said"], tmp_path) == "said\n"
