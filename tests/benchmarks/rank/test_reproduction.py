"""Rows of the benchmark are played again, and every deal is compared."""

from __future__ import annotations

import copy

import pytest

from benchmarks.__main__ import main
from benchmarks.rank import ranking, replaying, reproduction, suite

WORDS = ("reproduce", "scripted", "--games", "karma-2", "--against", suite.LEARNED, "--shards", "1")


@pytest.mark.whole
def test_a_row_is_equal_and_a_changed_one_is_not(tmp_path, capsys, monkeypatch):
    assert main([*WORDS, "--runs", str(tmp_path)]) == 0
    assert "scripted, karma: 200 games: equal" in capsys.readouterr().out
    row = copy.deepcopy(ranking.references()["scripted"])
    pair = row["tables"]["karma"]["pairs"][suite.LEARNED]
    (points,) = pair["points"]
    pair["points"] = [points[:7] + str((int(points[7]) + 1) % 5) + points[8:]]
    monkeypatch.setattr(reproduction, "_row", lambda name: row)
    assert main([*WORDS, "--runs", str(tmp_path)]) == 1
    assert "deal 7 against panel:learned" in capsys.readouterr().out


def test_a_row_of_other_weights_is_refused_before_any_game(tmp_path, capsys, monkeypatch):
    row = copy.deepcopy(ranking.references()["search-learned"])
    row["tables"]["tarot"]["origin"]["digest"] = "0123456789ab"
    monkeypatch.setattr(reproduction, "_row", lambda name: row)
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "search-learned", "--games", "tarot-2", "--runs", str(tmp_path)])
    *_, line = capsys.readouterr().err.splitlines()  # others tell what is compiled
    assert ended.value.code == 2 and not list(tmp_path.iterdir())
    words = (
        "cannot be played again: at tarot the row has digest=0123456789ab, and search:16,base=learned,eta=20 has digest"
    )
    assert words in line


def test_all_matches_of_a_row_are_played():
    row = ranking.references()["scripted"]["tables"]
    karma, kanastic = (replaying.meetings_of("scripted", table, row[table]) for table in ("karma-4", "kanastic"))
    others = [name for name in suite.PANEL if name != "scripted"]
    assert [own.other for own in karma] == others and {len(own.matches) for own in karma} == {2}
    assert [own.other for own in kanastic if own.part == suite.AGAINST] == others
    assert [own.other for own in kanastic if own.part == suite.TOGETHER] == list(suite.PARTNERS)
    assert {len(own.matches) for own in kanastic} == {1}
    assert {own.deals for own in karma} == {suite.LARGER, suite.SEARCH_LARGER}


@pytest.mark.parametrize(
    ("group", "new", "words"),
    [
        ("pairs", ["012", "444"], ""),
        ("pairs", ["01", "44"], ""),  # of fewer deals
        ("pairs", ["013", "444"], "deal 2 against x has 3 points in place of 2"),
        ("pairs", ["012", "044"], "deal 0 against x has 0 points in place of 4"),
        ("partners", ["112", "444"], "deal 0 with x has 1 points in place of 0"),
    ],
)
def test_the_first_deal_that_differs_is_named(group, new, words):
    row = {group: {"x": {"points": ["012", "444"]}}}
    assert reproduction._difference(row, (group, "x"), {"points": new}) == words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ppo-1"], "rows='ppo-1' is not allowed; allowed: greedy, "),  # its agent is a file that is not in the project
        (["scripted", "--games", "chess"], "games='chess'"),
        (["scripted", "--against", "learned"], "against='learned' is not allowed; allowed: uniform, "),
        (["scripted", "--shards", "-1"], "shards=-1"),
        (["scripted", "--games", "karma-2", "--against", "scripted"], "rows='scripted' has no game with games=karma-2"),
        (["uniform", "scripted", "--against", "scripted"], "rows='scripted' has no game with games=all"),
        (["search-learned-tantrix", "--games", "tarot"], "rows='search-learned-tantrix' has no game"),
        (["scripted", "--workers", "0"], "workers=0"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path, capsys, words, message):
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", *words, "--runs", str(tmp_path)])
    assert ended.value.code == 2
    *_, line = capsys.readouterr().err.splitlines()  # others tell what is compiled
    assert message in line
