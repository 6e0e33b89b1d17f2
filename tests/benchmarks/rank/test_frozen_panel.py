"""The panel of suite v3 is the one of v2, and never changes, so rows stay comparable."""

from __future__ import annotations

import hashlib
import json

import polars as pl
import pytest

from agents import load, panel
from benchmarks.harness import plans, records
from benchmarks.harness.plans import Shard
from benchmarks.harness.records import outcomes
from benchmarks.rank import experiment, ranking, suite
from tantra_envs import game
from tantra_envs.core.asking import AgentWarning

FILES = {  # first digits of the SHA-256 of the weights of `learned` in suite v2
    "kanastic": "cec92a7b3fcb4fda",
    "karma": "2427d688d56ab90b",
    "tantra": "1a1fd0431284a9f2",
    "tantrix": "1a041fc7b19706c3",
    "tarot": "5b15b11bfd3306d4",
}
# Rows of suite v2: the digest of the points of all their deals, and their mean scores
ROWS = {
    "scripted": ("fcce305da3820670", 0.5424566666666667, 0.3954355555555556),
    "greedy": ("fc2922a9ba05368d", 0.4129816666666667, 0.2740811111111111),
}


def test_the_weights_of_the_panel_are_those_of_suite_v2():
    digests = {name: hashlib.sha256(panel.file_of(name).read_bytes()).hexdigest()[:16] for name in suite.GAMES}
    assert digests == FILES


@pytest.mark.parametrize("agent", ROWS)
def test_rows_are_those_of_suite_v2_to_the_last_digit(agent):
    row = ranking.references()[agent]
    points = [
        [table, group, [pair["points"] for pair in result.get(group, {}).values() if pair]]
        for table, result in row["tables"].items()
        for group in ("pairs", "partners")
    ]
    digest = hashlib.sha256(json.dumps(points).encode()).hexdigest()[:16]
    assert (digest, row["scores"]["public"]["mean"], row["scores"]["held_out"]["mean"]) == ROWS[agent]


@pytest.mark.whole
@pytest.mark.parametrize("agent", ROWS)
@pytest.mark.parametrize("table", ["karma", "tarot"])
def test_games_against_the_frozen_panel_are_those_of_suite_v2(tmp_path, table, agent):
    """The first shard of deals has the points that the rows of v2 have for `learned`."""
    meeting = suite.meeting(table, suite.AGAINST, agent, suite.LEARNED, suite.SHARD)
    ((name, match),) = meeting.matches.items()
    file = tmp_path / "games.parquet"
    records.write(file, plans.match_label(match), plans.play_shard(Shard(match, 0, suite.SHARD)))
    played = outcomes(records.read(file)).with_columns(match=pl.lit(name))
    (points,) = ranking.points_of(meeting, played)["points"]
    (kept,) = ranking.references()[agent]["tables"][table]["pairs"][suite.LEARNED]["points"]
    assert points == kept[: suite.SHARD]


@pytest.mark.parametrize("word", ["panel:nobody", "panel:learned,temperature=1", "panel"])
def test_other_agents_of_the_panel_do_not_exist(word):
    with pytest.raises(ValueError, match="panel"):
        load(word, game("karma"))


def test_a_better_learned_may_be_ranked_against_the_frozen_one():
    """`learned` is an agent as any other: it has other games than the panel, and the same scores while it is a copy."""
    assert suite.LEARNED in suite.PANEL and "learned" not in suite.PANEL
    assert suite.ordered("learned", suite.LEARNED) == (suite.LEARNED, "learned")
    assert load("learned", game("karma")).card.digest == load(suite.LEARNED, game("karma")).card.digest


@pytest.mark.filterwarnings(f"ignore::{AgentWarning.__module__}.{AgentWarning.__name__}")
def test_inputs_and_opponents_in_training_are_known_for_agents_by_name():
    def facts(word):
        table = game("karma")
        return experiment.facts_of(word, table, load(word, table))

    assert facts("uniform") == {"inputs": suite.NOTHING, "met": []}
    assert facts("search:16") == {"inputs": suite.STATE, "met": []}
    assert facts(suite.LEARNED) == {"inputs": suite.FEATURES, "met": [suite.ITSELF]}
    assert facts("search:4,base=learned") == {"inputs": suite.STATE, "met": [suite.ITSELF]}
    assert facts("held-out:exploiter") == {"inputs": suite.FEATURES, "met": ["learned"]}


@pytest.mark.parametrize(
    ("settings", "met"),
    [
        ({}, None),
        ({"opponents": [], "opponent_share": 0.5}, ["self"]),
        ({"opponents": ["scripted"], "opponent_share": 0.5}, ["self", "scripted"]),
        ({"opponents": ["scripted"], "opponent_share": 1}, ["scripted"]),
        ({"opponents": [], "opponent_share": 0.5, "exploit": "learned"}, ["learned"]),
    ],
)
def test_the_settings_of_a_training_run_name_the_opponents(settings, met):
    assert experiment.met_of(settings) == met


@pytest.mark.parametrize(
    ("words", "met"), [(None, None), (("nobody",), []), (("self", "uniform", "self"), ["self", "uniform"])]
)
def test_the_option_met_names_opponents_or_nobody(words, met):
    assert experiment.check_met(words) == met


@pytest.mark.parametrize("words", [(), ("nobody", "self"), ("a|b",), ("",)])
def test_a_wrong_option_met_is_refused(words):
    with pytest.raises(ValueError, match="met="):
        experiment.check_met(words)
