"""The sessions on the pages of two games are real play, and the still pictures are as they are made."""

import doctest
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ["karma", "tantra"])
def test_the_session_on_the_page_is_real_play(name):
    page = ROOT / "tantra_envs" / "games" / name / "README.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_the_still_pictures_are_as_they_are_made(tmp_path):
    make = runpy.run_path(str(ROOT / "docs" / "pictures" / "make.py"))
    make["make"](tmp_path, "svg")
    assert len(list(tmp_path.iterdir())) == 10
    for made in tmp_path.iterdir():
        kept = ROOT / "docs" / "pictures" / made.name
        assert kept.read_text(encoding="utf-8") == made.read_text(encoding="utf-8"), "run: python docs/pictures/make.py"
