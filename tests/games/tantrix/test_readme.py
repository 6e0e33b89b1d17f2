"""The page of the game says what is true: its rulings are tested, its tables printed, its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.testing.tables import readme, with_tables

TANTRIX = tantra_envs.game("tantrix")
PAGE = readme(TANTRIX).read_text(encoding="utf-8")
RULINGS = set(re.findall(r"^\| ([A-Z]\d+) \|", PAGE, flags=re.MULTILINE))
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


def test_every_ruling_has_a_test_and_every_test_a_ruling():
    tests = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    assert set(re.findall(r"def test_([A-Z]\d+)_", tests)) == RULINGS


def test_the_code_cites_no_ruling_that_is_not_on_the_page():
    code = "".join(file.read_text(encoding="utf-8") for file in readme(TANTRIX).parent.glob("*.py"))
    cited = {
        ruling for marks in re.findall(r"[\[(]([A-Z]\d+(?:, [A-Z]\d+)*)[\])]", code) for ruling in marks.split(", ")
    }
    assert len(cited) > 20 and cited <= RULINGS


def test_tables_are_as_the_game_prints_them():
    assert with_tables(TANTRIX, PAGE) == PAGE, "run: python -m tantra_envs.testing.tables tantrix"


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example):
    exec(example, {"tantra_envs": tantra_envs})
