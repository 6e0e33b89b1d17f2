"""What a release says of itself: one version, in all places."""

from __future__ import annotations

import re
from pathlib import Path

import tantra_envs
from tests.tools import release

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = release._project()["optional-dependencies"]


def test_the_changelog_begins_with_this_version_in_the_form_of_keepachangelog():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = [head for head in re.findall(r"^## (.+)", text, re.MULTILINE) if head != "[Unreleased]"]
    versions = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", head).groups() for head in heads]
    assert versions[0][0] == tantra_envs.__version__
    assert versions == sorted(versions, key=lambda version: [int(part) for part in version[0].split(".")], reverse=True)
    kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        parts = re.findall(r"^### (.+)", section, re.MULTILINE)
        assert parts == [kind for kind in kinds if kind in parts]
        assert len(section.strip().splitlines()) <= 60, f"{section[:20]}: figures and reasons belong to pages"
        entries = [line for line in section.splitlines() if line and not line.startswith(("#", "["))]
        assert all(re.fullmatch(r"- .*\.", line) for line in entries), "an entry is one line"


def test_the_citation_has_version_and_date_of_the_changelog_and_so_has_the_page():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version, date = re.findall(r"^(?:version|date-released): (.*)$", text, re.MULTILINE)
    assert version == tantra_envs.__version__
    assert f"## [{version}] - {date}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    page = (ROOT / "docs/citing.md").read_text(encoding="utf-8")
    assert f"version = {{{version}}}" in page and f"year = {{{date[:4]}}}" in page


def test_every_extra_is_resolved_for_the_oldest_and_the_newest_python(tmp_path, monkeypatch):
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist/tantra_envs-0.1.0-py3-none-any.whl").touch()
    commands = []
    monkeypatch.setattr(release, "_run", lambda *words, **_: commands.append([str(word) for word in words]))
    assert release.main(["--only", "extras", "--out", str(tmp_path)]) == 0
    resolved = [(words[words.index("--python-version") + 1], words[-1], "-c" in words) for words in commands[1:]]
    extras = [f"{tmp_path}/dist/tantra_envs-0.1.0-py3-none-any.whl[{name}]" for name in EXTRAS]
    assert resolved == [(python, extra, c) for python in ("3.11", "3.14") for extra in extras for c in (False, True)]
    assert all("--only-binary=:all:" in words and "--dry-run" in words for words in commands[1:])


def test_a_broken_promise_is_told_and_counted(capsys, monkeypatch):
    from tantra_envs.commands import check

    def broken(*_: object, **__: object) -> None:
        raise AssertionError("seat 1: a card in two places")

    monkeypatch.setattr(check, "check_game", broken)
    assert check.main(["karma", "tarot"]) == 1
    told = capsys.readouterr().out
    assert "karma: seat 1: a card in two places" in told
    assert "0 of 2 pass every check" in told
