"""The page of the game says what is true: its rulings are tested, its tables printed, its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.testing.tables import readme, with_tables

TAROT = tantra_envs.game("tarot")
PAGE = readme(TAROT).read_text(encoding="utf-8")
RULINGS = set(re.findall(r"^\| (T-\d\d) \|", PAGE, flags=re.MULTILINE))
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


def test_every_ruling_has_a_test_and_every_test_a_ruling():
    files = Path(__file__).parent.glob("test_rulings*.py")
    tests = [name for file in files for name in re.findall(r"def test_((?:T\d\d_)+)", file.read_text())]
    assert {f"T-{number}" for name in tests for number in re.findall(r"\d\d", name)} == RULINGS


def test_the_code_cites_no_ruling_that_is_not_on_the_page():
    code = "".join(file.read_text(encoding="utf-8") for file in readme(TAROT).parent.glob("*.py"))
    assert set(re.findall(r"T-\d\d", code)) <= RULINGS


def test_tables_are_as_the_game_prints_them():
    assert with_tables(TAROT, PAGE) == PAGE, "run: python -m tantra_envs.testing.tables tarot"


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example):
    exec(example, {"tantra_envs": tantra_envs})
