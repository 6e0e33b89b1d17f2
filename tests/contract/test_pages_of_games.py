"""The page of every game says what is true: its rulings are tested, its tables printed, its examples run."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import tantra_envs
from docs._site.game_tables import readme, with_tables
from tantra_envs.configuration import variants
from tantra_envs.games import SHIPPED

TESTS = Path(__file__).resolve().parents[1] / "games"
CLONE = {name: readme(tantra_envs.game(name)).read_text(encoding="utf-8") for name in SHIPPED}
PAGES = {
    name: with_tables(tantra_envs.game(name), page, whole=True) for name, page in CLONE.items()
}  # as the site shows them
EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)
EXAMPLES = [(name, code) for name, page in PAGES.items() for code in EXAMPLE.findall(page) if ">>>" not in code]
RULING = r"[A-Z]+-?\d+"
CITED = rf"(?:[\[(]|# )({RULING}(?:(?:, | to ){RULING})*)\b"


each_game = pytest.mark.parametrize("name", PAGES)


def rulings(name: str) -> set[str]:
    """The numbers in the first column of the tables of rulings."""
    return set(re.findall(rf"^\| ({RULING}) \|", PAGES[name], re.MULTILINE))


def section(name: str, heading: str) -> str:
    """The text below a heading of level two."""
    return PAGES[name].split(f"\n## {heading}\n")[1].split("\n## ")[0]


def names(text: str) -> set[str]:
    """The words between backticks."""
    return set(re.findall(r"`(\w+)`", text))


def source(folder: Path, files: str) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in sorted(folder.rglob(files)))


@each_game
def test_every_ruling_has_a_test_and_every_test_a_ruling(name):
    """A test is named after its ruling, or after several: `test_K40_K41_..`."""
    tests = re.findall(r"def test_((?:[A-Z]+\d+_)+)", source(TESTS / name, "test_*.py"))
    tested = {ruling for test in tests for ruling in test.split("_") if ruling}
    assert tested == {ruling.replace("-", "") for ruling in rulings(name)}


@each_game
def test_the_code_cites_no_ruling_that_is_not_on_the_page(name):
    code = source(readme(tantra_envs.game(name)).parent, "*.py")
    cited = {ruling for several in re.findall(CITED, code) for ruling in re.findall(RULING, several)}
    assert len(cited) > 20
    assert cited <= rulings(name)


@each_game
def test_every_field_of_a_position_and_every_variant_is_listed(name):
    game = tantra_envs.game(name)
    # The first cell, or the second: in Tantrix the mode comes first.
    first_cells = re.findall(r"^\| (.*? \| .*?) \|", section(name, "Positions"), re.MULTILINE)
    assert set(game.position(game.new(), full=True)) <= names(" ".join(first_cells))
    assert set(variants(name)) <= names(section(name, "Options"))


@each_game
def test_tables_are_as_the_game_prints_them(name):
    page = CLONE[name]
    assert len(page) < len(PAGES[name])
    assert with_tables(tantra_envs.game(name), page) == page, f"run: python -m docs._site.game_tables {name}"


@each_game
def test_a_clone_has_the_tables_of_observation_and_state(name):
    """They are on the page itself, and each table that is on the site alone has a command that prints it."""
    game = tantra_envs.game(name)
    for table in (game.view, game.fields):
        rows = [line for line in table.table().splitlines() if "index of the phase" not in line]
        assert len(rows) > 10 and set(rows) <= set(CLONE[name].splitlines())
    commands = re.findall(r'^`python -c "(.*)"` prints this table\.$', CLONE[name], re.MULTILINE)
    assert len(commands) >= 2
    for command in commands:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(command, {})
        assert printed.getvalue().strip() in PAGES[name]


@each_game
def test_a_page_without_marks_is_refused(name):
    with pytest.raises(ValueError, match="0 parts marked <!-- actions -->"):
        with_tables(tantra_envs.game(name), "# A page")


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[f"{name}-{n}" for n, (name, _) in enumerate(EXAMPLES)])
def test_examples_run(name, example):
    exec(example, {"tantra_envs": tantra_envs})
