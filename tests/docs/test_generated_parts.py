"""The parts of pages that are made from code and results are up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tantra_envs
from benchmarks.rank import suite
from docs._site import page_parts, results
from docs._site.game_tables import GAMES
from tantra_envs.games import BENCHMARKS, SHIPPED


@pytest.mark.parametrize("name", page_parts.PAGES)
def test_parts_are_up_to_date(name):
    text = (page_parts.DOCS / name).read_text(encoding="utf-8")
    assert text == page_parts.with_parts(name), "run: python -m docs._site.page_parts"


def test_the_origin_of_results_is_that_of_their_files():
    line = "Measured with code numbered 0.1.0, 2026-11-22.\n"
    assert results.measured("| a |\n", {"": "ladder/karma"}) == f"| a |\n\n{line}"
    several = results.measured("", {"one": "rank/*", "two": "ladder/karma"})
    assert several.startswith("\nMeasured: one with code ") and several.count("numbered") == 2
    with pytest.raises(ValueError, match="no-such-file"):
        results.measured("", {"": "no-such-file"})


def test_a_release_has_no_unreleased_changes_and_no_results_of_a_newer_version(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "CHANGES", tmp_path / "CHANGELOG.md")
    results.CHANGES.write_text("## [Unreleased]\n\n## [0.1.0] - 2026-11-22\n\n- One.\n", encoding="utf-8")
    results.check_release("0.10.0")
    with pytest.raises(ValueError, match=r"docs/results/.*: version 0\.[23]\.0; allowed: up to 0\.1\.0"):
        results.check_release("0.1.0")
    results.CHANGES.write_text("## [Unreleased]\n\n- Two.\n\n## [0.1.0] - 2026-11-22\n\n- One.\n", encoding="utf-8")
    with pytest.raises(ValueError, match="1 changes are unreleased; allowed: none"):
        results.check_release("9.0.0")
    assert page_parts._suite().startswith("These pages, and the agents with them, belong to the version after ")


def test_the_file_to_cite_names_the_suite_and_its_digest():
    (digest,) = re.findall(r"digest ([0-9a-f]{16})", (page_parts.DOCS / "citing.md").read_text(encoding="utf-8"))
    text = (page_parts.ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"suite {suite.VERSION} " in text and digest in text


@pytest.mark.parametrize("name", SHIPPED)
def test_sizes_of_the_games_are_those_of_the_default_game(name):
    game = tantra_envs.game(name)
    rows = {cells[0]: cells[1:] for cells in _rows(page_parts.DOCS / "choose-a-game.md")}
    column = rows[""].index(game.title)
    assert rows["observation entries"][column] == f"{game.view.size:,}"
    assert rows["actions"][column] == f"{game.actions.size:,}"
    assert rows["variant of the benchmark"][column] == f"`{BENCHMARKS[name][0]}`"
    assert rows["seats (default)"][column].endswith(f"({game.players})")
    facts = dict(cells for cells in _rows(GAMES / name / "README.md") if len(cells) == 2)
    for label in ("observation entries", "actions", "actions in a typical game of scripted agents"):
        assert facts[label] == rows[label][column]


def _rows(file: Path) -> list[list[str]]:
    lines = re.findall(r"^\|(.*)\|$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return [[cell.strip() for cell in line.split("|")] for line in lines]
