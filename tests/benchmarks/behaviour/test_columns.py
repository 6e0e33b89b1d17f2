"""Several players on a page: fewer deals for the slow, differences over common deals, notes with its own figures."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.figure import Figure as Picture

from benchmarks.behaviour import report
from benchmarks.behaviour.__main__ import PROGRAM, main
from benchmarks.behaviour.answers import pairs
from benchmarks.behaviour.args import Args
from benchmarks.behaviour.observer import counts
from benchmarks.behaviour.study import prepare
from benchmarks.harness.formatting import filled
from tantra_envs import cli

PAGES = Path(__file__).resolve().parents[3] / "docs/behaviour"
NOTES = sorted(report.NOTES.glob("*.md"))
WORDS = ["karma", "--agents", "uniform,scripted,search:2 over 2 deals,greedy", "--deals", "4"]
WORDS += ["--shard", "2", "--name", "columns"]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Four players, one of them over fewer deals, played and written."""
    folder = str(tmp_path_factory.mktemp("runs"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["behaviour", "karma"])
        patch.setattr(report, "picture", lambda answers, agents: Picture(figsize=(1, 1)))
        assert main([*WORDS, "--runs", folder]) == 0
    return prepare(cli.read(Args, PROGRAM, ["--game", *WORDS, "--runs", folder]))


def rows(page):
    """The tables of a page: the cells of every row by quantity and part, and the names of the columns."""
    found, quantity, names = {}, "", []
    for line in page.splitlines():
        if not line.startswith("| "):
            continue
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        if not name:
            names = cells
        elif name.startswith("- "):
            found[quantity, name[2:]] = cells
            found.setdefault((quantity.rpartition(", by ")[0], name[2:]), cells)  # ranges are told by what runs
        elif any(cells):
            found[name, ""] = cells
        else:
            quantity = name
    return found, names


def test_a_slow_player_plays_fewer_deals_and_the_page_says_so(study):
    assert {player.name: len(study.plan.files(player.records, 4)) for player in study.players} == {
        "uniform": 2,
        "scripted": 2,
        "search:2": 1,
        "greedy": 2,
    }
    text = study.page.read_text(encoding="utf-8")
    assert "All play the same 4 deals" in text and "of `search:2` only the first 2 deals, 4 games." in text


def test_differences_are_paired_over_the_deals_of_both(study):
    found, names = rows(study.page.read_text(encoding="utf-8"))
    assert names == ["uniform", "scripted", "search:2", "greedy", "uniform less scripted", "search:2 less scripted"]

    def scores(player, deals):
        (own,) = [own for own in study.players if own.name == player]
        tables = [counts(file) for file in study.plan.files(own.records, deals)]
        return sum(table["0.0 over"].sum() for table in tables) / sum(table["0.0 under"].sum() for table in tables)

    cells = [float(cell.strip("*").split(" ")[0]) for cell in found["score", ""]]
    assert cells[1] == pytest.approx(scores("scripted", 4), abs=1e-3)
    assert cells[2] == pytest.approx(scores("search:2", 2), abs=1e-3)
    assert cells[4] == pytest.approx(scores("uniform", 4) - scores("scripted", 4), abs=1e-3)
    assert cells[5] == pytest.approx(scores("search:2", 2) - scores("scripted", 2), abs=1e-3)


def test_the_second_is_whom_others_are_compared_with():
    assert [pairs(n) for n in range(1, 6)] == [[], [(0, 1)], [(0, 1)], [(0, 1), (2, 1)], [(0, 1), (2, 1)]]


@pytest.mark.parametrize(
    ("agents", "told"),
    [
        ("scripted,uniform over 0 deals", "deals=0 is not allowed in 'uniform over 0 deals'"),
        ("scripted,uniform for 3 deals", "agents='uniform for 3 deals' is not allowed; allowed: PLAYER or PLAYER over"),
    ],
)
def test_mistakes_are_told_in_one_line(agents, told, capsys, tmp_path):
    with pytest.raises(SystemExit) as stop:
        main(["karma", "--agents", agents, "--runs", str(tmp_path)])
    (line,) = capsys.readouterr().err.splitlines()
    assert stop.value.code == 2 and told in line


def test_notes_are_filled_in_from_the_figures_of_the_page(study, tmp_path, monkeypatch):
    monkeypatch.setattr(report, "NOTES", tmp_path)
    words = "score", "karma cards played in a game", "picks up though it could play"
    blanks = [f"{{{{ of('search', '{words[0]}') }}}}", f"{{{{ of('scripted', '{words[1]}', 'GIVE') }}}}"]
    (tmp_path / "karma.md").write_text("; ".join([*blanks, f"{{{{ of('scripted', '{words[2]}') }}}}"]))
    counted = {own.name: counts(study.plan.files(own.records, 2)[0]) for own in study.players}
    answers = report.answers(study, counted)
    assert report._notes(study, answers) == ""  # nobody has learned
    learned = [replace(study.players[0], name="learned:karma"), *study.players[1:]]
    told = report._notes(replace(study, players=learned), answers).split("; ")
    found = {(own.quantity.name, own.part): own for own in answers}
    figures = found[words[0], ""].samples[2], found[words[1], "GIVE"].samples[1], found[words[2], "all"].samples[1]
    assert told == [f"{figures[0].value:.3f}", f"{figures[1].value:.2f}", f"{figures[2].value:.3f}"]
    (tmp_path / "karma.md").write_text("{{ of('search', 'no such thing') }}")
    with pytest.raises(ValueError, match="karma has no quantity 'no such thing'"):
        report._notes(replace(study, players=learned), answers)


@pytest.mark.parametrize("notes", NOTES, ids=lambda file: file.stem)
def test_figures_of_shipped_notes_stand_on_their_page(notes):
    text, page = notes.read_text(encoding="utf-8"), (PAGES / notes.name).read_text(encoding="utf-8")
    assert not re.search(r"\d\.\d|\d ?%", re.sub(r"{{.*?}}", "", text)), "a figure that is not the page's"
    found, names = rows(page)
    kinds = [name.partition(":")[0] for name in names]

    def of(kind, quantity, part=""):
        return found[quantity, part][kinds.index(kind)].split(" ")[0]

    told = filled(text, of=of).strip()
    assert len(re.findall(r"\d\.\d", told)) >= 6 and told in page
