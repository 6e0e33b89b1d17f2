"""The panel of suite v3 is the one of v2, and never changes, so rows stay comparable."""

import hashlib
import json
from pathlib import Path

import pytest

from agents import load, panel
from benchmarks.harness import plans, records
from benchmarks.harness.plans import Shard
from benchmarks.harness.played import digest
from benchmarks.harness.records import outcomes
from benchmarks.rank import entries, suite
from tantra_envs import game
from tantra_envs.programs import results as files

FILES = {  # first digits of the SHA-256 of the weights of `learned` in suite v2
    "kanastic": "cec92a7b3fcb4fda",
    "karma": "2427d688d56ab90b",
    "tantra": "1a1fd0431284a9f2",
    "tantrix": "1a041fc7b19706c3",
    "tarot": "5b15b11bfd3306d4",
}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # of half points, as suite v2 wrote them
# Rows of suite v2: the digest of the points of all their deals, and their mean scores
ROWS = {
    "scripted": ("fcce305da3820670", 0.5424566666666667, 0.3954355555555556),
    "greedy": ("fc2922a9ba05368d", 0.4129816666666667, 0.2740811111111111),
}


def test_the_weights_of_the_panel_are_those_of_suite_v2():
    digests = {name: hashlib.sha256(panel.file_of(name).read_bytes()).hexdigest()[:16] for name in suite.GAMES}
    assert digests == FILES


@pytest.fixture(scope="module")
def published():
    return {row["agent"]: row for row in entries.read()}


@pytest.mark.parametrize("agent", ROWS)
def test_rows_are_those_of_suite_v2_to_the_last_digit(published, agent):
    points = [
        [table, part, [["".join(DIGITS[point] for point in own) for own in pair["points"]] for pair in pairs.values()]]
        for table, result in published[agent]["tables"].items()
        for part in ("pairs", "partners")
        for pairs in [result.get(part, {})]
    ]
    found = hashlib.sha256(json.dumps(points).encode()).hexdigest()[:16]
    scores = files.read(entries.FOLDER / files.RESULTS).filter(agent=agent, table="", measure="score")
    assert (found, *scores["value"]) == ROWS[agent]


def test_published_rows_met_the_panel_as_it_is(published):
    """The digests of the agents of the panel, of their names with weights and options, are those of today."""
    for row in published.values():
        for table, own in row["tables"].items():
            _, agents = plans.build(suite.match(table, suite.PANEL))
            now = {name: digest(name, plans.origins(agents).get(name, {})) for name in suite.PANEL}
            assert {name: own["digests"][name] for name in own["pairs"]}.items() <= now.items()


@pytest.mark.whole
@pytest.mark.parametrize("agent", ROWS)
@pytest.mark.parametrize("table", ["karma", "tarot"])
def test_games_against_the_frozen_panel_are_those_of_suite_v2(published, table, agent):
    """The first shard of deals has the points that the rows of v2 have for `learned`."""
    (row,) = suite.meeting(table, suite.AGAINST, agent, suite.LEARNED, suite.SHARD)
    label = plans.match_label(row.match)
    played = records.Record(Path("x"), suite.rules(table), plans.play_shard(Shard(row.match, 0, suite.SHARD)), label)
    (points,) = published[agent]["tables"][table]["pairs"][suite.LEARNED]["points"]
    assert entries.points_of(row, outcomes(played)) == points[: suite.SHARD]


@pytest.mark.parametrize("word", ["panel:nobody", "panel:learned,temperature=1", "panel"])
def test_other_agents_of_the_panel_do_not_exist(word):
    with pytest.raises(ValueError, match="panel"):
        load(word, game("karma"))


def test_a_better_learned_may_be_ranked_against_the_frozen_one():
    """`learned` is an agent as any other: it has other games than the panel, and the same scores while it is a copy."""
    assert suite.LEARNED in suite.PANEL and "learned" not in suite.PANEL
    assert suite.ordered("learned", suite.LEARNED) == (suite.LEARNED, "learned")
    assert load("learned", game("karma")).card.digest == load(suite.LEARNED, game("karma")).card.digest
