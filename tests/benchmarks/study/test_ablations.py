"""What an option is worth follows from the records; missed decisions are counted one by one."""

from __future__ import annotations

import pytest

from benchmarks.harness import plans, records
from benchmarks.harness.figures import figures
from benchmarks.harness.plans import MatchSpec, Shard
from benchmarks.study import ablations
from tantra_envs import game


def test_decisions_that_were_missed_are_counted_one_by_one(tmp_path):
    match, file = (
        MatchSpec("karma", (), ("scripted:without=declining", "scripted"), (0, 1), 0),
        tmp_path / "games.parquet",
    )
    records.write(file, plans.match_label(match), plans.play_shard(Shard(match, 8, 4)))
    record = records.read(file)
    declines, missed = record.game.actions["decline"].start, [0] * len(record.games)
    for number, row in enumerate(record.games.iter_rows(named=True)):
        state = record.game.new(row["deal"])
        for action in row["actions"]:
            mine = row["seats"][state["seat"][0]] == "scripted:without=declining"
            legal = record.game.legal(state)
            missed[number] += mine and declines in legal and len(legal) > 1
            record.game.apply_action(state, action)
    counts = ablations.counts(file)
    assert counts["missed"].to_list() == missed and sum(missed) > 0
    assert counts["deal"].to_list() == [8, 8, 9, 9, 10, 10, 11, 11]
    worth, decisions = figures(counts, ablations.figures(["declining"], "declining")).iter_rows(named=True)
    assert worth["value"] == pytest.approx(0.5 - counts["score"].mean())
    assert decisions["low"] < decisions["value"] == counts["missed"].mean() < decisions["high"]


def test_ablations_are_those_of_the_game():
    assert list(ablations.selected(game("tantra"), ())) == ["buying", "selling", "taking", "waiting", "laying-off"]
    assert list(ablations.selected(game("tantra"), ("selling",))) == ["selling"]
    with pytest.raises(ValueError, match="without=karma is not allowed; allowed, each once: buying"):
        ablations.selected(game("tantra"), ("karma",))
    with pytest.raises(ValueError, match="without=buying is not allowed"):
        ablations.selected(game("tantra"), ("buying", "buying"))
