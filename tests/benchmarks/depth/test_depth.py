"""The page on depth of skill: what is read of ladders' results, and that the page and the pictures are of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.depth import __main__ as command
from benchmarks.depth import report
from benchmarks.depth.reading import depths

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/depth.md"


def score(mean, deals=100):
    return {"mean": mean, "low": mean - 0.03, "high": mean + 0.04, "n": deals}


def rung(agent, *values):
    return {"agent": agent, "score": score(*values) if values else None}


def met(agent, mean, against="scripted", game="karma", players=2):
    return {**rung(agent, mean), "against": against, "game": game, "players": players}


def ladder(rungs, comparisons=()):
    return {"title": "Karma", "table": "karma", "players": 2, "rungs": rungs, "comparisons": comparisons}


def kept(folder, **ladders):
    for name, found in ladders.items():
        (folder / f"{name}.json").write_text(json.dumps(found))
    return folder


def test_depth_is_read_of_rungs_and_of_comparisons_at_the_same_table(tmp_path):
    own = [
        rung("greedy", 0.3),
        rung("scripted"),
        rung("search:4", 0.5),
        rung("learned:karma", 0.55),
        rung("oracle", 0.9),
    ]
    others = [met("search:64", 0.7), met("search:256", 0.9, players=4), met("search:16", 0.9, against="greedy")]
    (found,) = depths(kept(tmp_path, karma=ladder(own, [*others, met("search:64,belief=even", 0.8)])))
    assert list(found.searches) == [4, 64] and found.most == 64
    assert list(found.others) == ["greedy", "learned", "oracle"]
    assert found.gained() == pytest.approx(0.2 / 0.4)
    assert found.rise() == pytest.approx((0.2 / 4, (0.2 - 0.05) / 4, (0.2 + 0.05) / 4))


def test_a_team_of_partners_is_told_as_one(tmp_path):
    team = {**ladder([rung("search:4", 0.6)]), "table": "kanastic:round", "players": 4}
    found = depths(kept(tmp_path, a=team, b=ladder([rung("search:4", 0.5)])))
    assert report.partnered(found) == ["kanastic:round"]
    report.write(tmp_path / "depth.md", found, "command")
    assert "of one player alone against the scripted one, in `kanastic:round` of a team, over" in (
        (tmp_path / "depth.md").read_text()
    )


def test_games_stand_by_how_far_search_gets_and_the_score_of_more_deals_counts(tmp_path):
    low, high = ladder([rung("search:4", 0.6, 50)], [met("search:4", 0.55)]), ladder([rung("search:8", 0.7)])
    first, second = depths(kept(tmp_path, a=low, b=high, c=ladder([rung("greedy", 0.3)])))
    assert (first.best["mean"], second.best["mean"]) == (0.7, 0.55)
    assert first.rise() is None and first.gained() is None
    assert report.rise_in_words(first) == report.gained_in_words(first) == "-"


def test_the_page_that_is_shipped_is_of_the_results_beside_the_ladders(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.argv", ["depth"])
    page = tmp_path / "depth.md"
    assert command.main(["--page", str(page)]) == 0
    shipped, told = PAGE.read_text(), page.read_text().replace(f" --page {page}", "")
    assert told == shipped
    assert len([line for line in told.splitlines() if line.startswith("| `")]) == 5
    for theme in ("light", "dark"):
        drawn = (tmp_path / f"depth-{theme}.svg").read_text()
        assert all(f"{game} for" in drawn for game in ("Karma", "Kanastic", "Tantra", "Tantrix", "Tarot"))


@pytest.mark.parametrize(
    ("files", "told"),
    [({}, "is not allowed; allowed: a folder with results"), ({"a": {"x": 1}}, "a.json is no result of")],
    ids=["none", "other"],
)
def test_mistakes_are_told_in_a_line(files, told, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["--results", str(kept(tmp_path, **files)), "--page", str(tmp_path / "page.md")])
    assert ended.value.code == 2 and told in capsys.readouterr().err
    assert not (tmp_path / "page.md").exists()
