"""Outcomes are the results of the records, a row for each team of each game."""

import polars as pl
import pytest

import tantra_envs
from agents import load_all
from benchmarks.harness import plans, records
from benchmarks.harness.plans import MatchSpec, Plan, Row, Shard
from benchmarks.harness.records import OUTCOMES, means_of_deals, outcomes
from tantra_envs.matches.match import play_match

AGENTS, LINEUP, DEALS = ("greedy", "uniform"), (0, 1, 1), 4
MATCH = MatchSpec("karma", (("players", 3),), AGENTS, LINEUP, 0)


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """A match of four deals, recorded in one file."""
    plan = Plan(tmp_path_factory.mktemp("records"), [Row("mine", MATCH, DEALS)])
    (file,) = plan.files["mine"]
    records.write(file, plans.match_label(MATCH), plans.play_shard(Shard(MATCH, 0, DEALS)))
    return plan


def test_every_team_of_every_game_has_a_row(plan):
    (file,) = plan.files["mine"]
    record = records.read(file)
    games = outcomes(record)
    assert dict(games.schema) == OUTCOMES and len(games) == 3 * len(record.games) == 3 * 3 * DEALS
    assert games.group_by("deal", "rotation").agg(pl.col("alone").sum())["alone"].to_list() == [1] * 3 * DEALS
    assert set(games.filter("alone")["agent"]) == {"greedy"}
    seats = [agent for seats in record.games["seats"].to_list() for agent in seats]
    assert games["agent"].to_list() == seats
    assert games["reward"].to_list() == [reward for own in record.games["rewards"].to_list() for reward in own]
    assert games.group_by("deal", "rotation").agg(pl.col("score").sum())["score"].to_list() == pytest.approx(
        [1.5] * 3 * DEALS
    )


def test_the_means_of_a_deal_are_those_of_a_match(plan):
    game = tantra_envs.game("karma", players=3)
    match = play_match(game, load_all(AGENTS, game), LINEUP, DEALS)
    found = means_of_deals(plans.outcomes(plan), "match", "agent")
    for column, name in enumerate(AGENTS):
        own = found.filter(match="mine", agent=name).sort("deal")
        assert own["score"].to_list() == pytest.approx(match.scores[:, column].tolist())
        assert own["reward"].to_list() == pytest.approx(match.rewards[:, column].tolist())
