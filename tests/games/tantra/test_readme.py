"""The page of the game says what is true: its rulings are tested, its tables printed, its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.testing.tables import readme, with_tables

TANTRA = tantra_envs.game("tantra")
PAGE = readme(TANTRA).read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


def test_every_ruling_has_a_test_and_every_test_a_ruling():
    files = Path(__file__).parent.glob("test_rulings*.py")
    tested = {f"R-{number}" for file in files for number in re.findall(r"def test_R(\d\d)_", file.read_text())}
    assert tested == set(re.findall(r"^\| (R-\d\d) \|", PAGE, flags=re.MULTILINE))


def test_the_code_cites_no_ruling_that_is_not_on_the_page():
    code = "".join(file.read_text(encoding="utf-8") for file in readme(TANTRA).parent.glob("*.py"))
    assert set(re.findall(r"R-\d\d", code)) <= set(re.findall(r"^\| (R-\d\d) \|", PAGE, flags=re.MULTILINE))


def test_tables_are_as_the_game_prints_them():
    assert with_tables(TANTRA, PAGE) == PAGE, "run: python -m tantra_envs.testing.tables tantra"


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="0 tables marked <!-- actions -->"):
        with_tables(TANTRA, "# Tantra")


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example):
    exec(example, {"tantra_envs": tantra_envs})
