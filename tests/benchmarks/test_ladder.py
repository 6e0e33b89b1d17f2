"""Ladders: the same scores however they are played, taken up again where they stopped, clear about mistakes."""

import numpy as np
import pytest

import tantra_envs
from agents import load
from benchmarks.harness import plans, records
from benchmarks.harness.oracle import OpenObservation, Oracle
from benchmarks.harness.pages import THEMES, score_in_words
from benchmarks.harness.plans import table
from benchmarks.presets import ladder
from benchmarks.presets.ladder import Args
from benchmarks.views import ladder as view
from tantra_envs.matches.playing import play_tables
from tantra_envs.programs import cli
from tantra_envs.programs import results as files

RUNGS = ["uniform", "greedy", "scripted", "search:2@3", "search:4@1", "oracle"]
COMPARED = ["search:2 greedy", "search:2@2 scripted karma:quick 3"]


def play(runs, *words):
    usual = ["--rungs", *RUNGS, "--compare", *COMPARED, "--below", "3"]
    return ladder.main(["karma", "--deals", "4", "--shard", "2", "--runs", str(runs), "--name", "mine", *usual, *words])


def kept(runs):
    """The content of the results without the times."""
    found = view.content(files.read(runs / "mine" / "results.csv"))
    for row in (*found["rungs"], *found["comparisons"]):
        assert row.pop("milliseconds") > 0
    return found


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory):
    """A ladder of six rungs over four deals in two shards."""
    runs = tmp_path_factory.mktemp("runs")
    assert play(runs) == 0
    return runs


def test_every_rung_has_its_scores(one_worker):
    found = kept(one_worker)
    rungs = {rung["agent"]: rung for rung in found["rungs"]}
    assert list(rungs) == ["uniform", "greedy", "scripted", "search:2", "search:4", "oracle"]
    assert [rung["score"] and rung["score"]["n"] for rung in found["rungs"]] == [4, 4, None, 3, 1, 4]
    below = [rung["below"] and (rung["below"]["others"], rung["below"]["n"]) for rung in found["rungs"]]
    assert below == [None, ("uniform", 3), ("greedy", 3), ("scripted", 3), ("search:2", 1), None]
    assert rungs["search:2"]["below"]["mean"] == rungs["search:2"]["score"]["mean"]
    assert rungs["oracle"]["score"]["mean"] > rungs["uniform"]["score"]["mean"] + 0.4
    tables = [(row["agent"], row["others"], row["game"], row["players"], row["n"]) for row in found["comparisons"]]
    assert tables == [("search:2", "greedy", "karma", 2, 4), ("search:2", "scripted", "karma:quick", 3, 2)]


def test_the_ceiling_is_a_difference_over_the_deals_both_played(one_worker):
    found = kept(one_worker)
    ceiling, folder = found["ceiling"], one_worker / "mine" / "records"
    assert (ceiling["others"], ceiling["n"]) == ("search:4", 1)

    def first(name):
        (file,) = folder.glob(f"karma-2p-{name}-scripted_0000000_*.parquet")
        alone = records.outcomes(records.read(file)).filter(deal=0, alone=True)
        return alone["score"].mean()

    assert ceiling["mean"] == pytest.approx(first("oracle") - first("search-4"))


def test_the_page_says_all(one_worker):
    text = (one_worker / "mine" / "karma.md").read_text()
    results = one_worker / "mine" / "results.csv"
    found = view.content(files.read(results))
    assert files.command_of(results) in text
    for rung in found["rungs"]:
        assert f"| `{rung['agent']}` | " in text
        assert score_in_words(rung["score"]) in text
        assert score_in_words(rung["below"]) in text
    assert "| `search:2` | `scripted` | `karma:quick`, 3 players |" in text
    assert (view.NOTES / "karma.md").read_text().strip() in text
    assert "alone among" not in text  # nobody is, of two
    for theme in THEMES:
        assert f"karma-{theme}.svg" in text
        assert "<svg" in (one_worker / "mine" / f"karma-{theme}.svg").read_text()


def test_rungs_that_are_not_named_have_the_learned_player_where_it_fits(tmp_path):
    pytest.importorskip("torch")
    words = ["--deals", "1", "--runs", str(tmp_path)]
    prepared = ladder.rows(cli.read(Args, "benchmarks ladder", ["karma", *words]))
    assert [row.match.agents[0] for row in prepared.timed] == [word.format(game="karma") for word in ladder.USUAL]
    six = ladder.rows(cli.read(Args, "benchmarks ladder", ["karma:party", *words]))
    assert "learned:karma" in [row.match.agents[0] for row in six.timed]
    assert six.rows[0].match.lineup == (0, 1, 1, 1, 1, 1)


def test_a_plan_may_give_some_matches_fewer_deals(tmp_path):
    match = table(Args(), ["scripted", "uniform"])
    plan = plans.Plan(tmp_path, [plans.Row("a", match, 5), plans.Row("b", match, 3)], 2)
    names = [file.name for files in plan.files.values() for file in files]
    assert names == [
        f"{name}.parquet" for name in ("a_0000000_2", "a_0000002_2", "a_0000004_1", "b_0000000_2", "b_0000002_1")
    ]


def test_the_oracle_is_far_above_the_scripted_player_and_leaves_the_table_alone():
    game = tantra_envs.game("tarot", episode="hand")
    state = game.new(3)
    before = state.tobytes()
    Oracle(game, ceiling=True).act(OpenObservation(game, state, np.arange(1)), np.random.default_rng(0))
    assert state.tobytes() == before
    seating, agents = np.tile([[0, 1], [1, 0]], (20, 1)), [Oracle(game, ceiling=True), load("scripted", game)]
    rewards = play_tables(game, agents, seating, np.arange(20).repeat(2), observation=OpenObservation).rewards
    assert (rewards[seating == 0] > rewards[seating == 1]).mean() > 0.6


def test_the_oracle_cannot_be_named_nor_can_its_file():
    reasons = {
        "oracle": "unknown agent 'oracle'",
        "benchmarks/harness/oracle.py:Oracle": r"Oracle is not an agent: the call Oracle\(game\) fails: missing a",
    }
    for name, reason in reasons.items():
        with pytest.raises(ValueError, match=reason):
            load(name, tantra_envs.game("karma"))
