"""The README is short, its pictures exist, and the sessions on the pages of two games are real play."""

import doctest
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tantra_envs/games/*/README.md")]


@pytest.mark.parametrize("name", ["karma", "tantra"])
def test_the_session_on_the_page_is_real_play(name):
    page = ROOT / "tantra_envs" / "games" / name / "README.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 5
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pictures_are_there(page):
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', page.read_text())
    assert all((page.parent / file).exists() for file in shown), shown


def test_the_still_pictures_are_as_they_are_made(tmp_path):
    make = runpy.run_path(str(ROOT / "docs" / "pictures" / "make.py"))
    make["make"](tmp_path, "svg")
    assert len(list(tmp_path.iterdir())) == 10
    for made in tmp_path.iterdir():
        kept = ROOT / "docs" / "pictures" / made.name
        assert kept.read_text(encoding="utf-8") == made.read_text(encoding="utf-8"), "run: python docs/pictures/make.py"
