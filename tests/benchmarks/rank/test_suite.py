"""The protocol of the benchmark: its tables, deals and panels, and what a complete row has."""

from pathlib import Path

import pytest

from benchmarks.harness import plans
from benchmarks.rank import suite
from tantra_envs import games
from tantra_envs.matches.match import DEALS, deal_seeds


def test_every_game_has_a_table_of_the_suite_and_the_panels_can_play_it():
    pages = Path(games.__file__).parent.glob("*/README.md")
    assert set(suite.GAMES) == {page.parent.name for page in pages} == set(map(suite.game_of, suite.TABLES))
    for table, (_, players) in suite.TABLES.items():
        game, agents = plans.build(suite.match(table, suite.PANEL))
        assert [agent.name for agent in agents] == list(suite.PANEL)
        assert game.players == players
    assert [table for table in suite.TABLES if suite.TOGETHER in suite.others(table)] == ["kanastic"]


def test_deals_depend_on_the_cost_of_the_opponent_and_the_size_of_the_table():
    assert suite.deals("karma", "mine", suite.LEARNED) == 500 and suite.deals("karma-4", "mine", "learned") == 250
    assert suite.deals("tarot", "mine", "search:16") == suite.deals("tarot", "held-out:search", "mine") == 50
    assert (
        suite.deals("tantra", "search:64,base=learned", "uniform") == suite.deals("tantra", "ismcts", "uniform") == 15
    )
    fewer = suite.FEWER_DEALS  # of training seeds and searches
    assert [suite.deals("karma", "mine", name, fewer) for name in (suite.LEARNED, "search:16")] == [167, 17]
    assert [suite.deals("karma-4", "mine", name, fewer) for name in (suite.LEARNED, "search:16")] == [84, 6]
    assert suite.deals("tarot", "mine", "uniform", 20) == 20 and suite.deals("tantra", "mine", "search:16", 20) == 1


def test_no_training_uses_the_deals_of_the_benchmark():
    """Training refuses the seed of the benchmark, and the series of environments are deals of seed 0."""
    from tantra_envs.envs import vector
    from training import options

    with pytest.raises(ValueError, match=f"seed={suite.SEED} is not allowed"):
        options.check(options.RunOptions(seed=suite.SEED))
    deals = deal_seeds(suite.SEED, 0, suite.DEALS)
    assert deals.min() >= suite.SEED * DEALS > vector.SEEDS


def test_both_agents_of_a_pair_play_the_same_games():
    for table in suite.TABLES:
        for one, other in (("greedy", "uniform"), ("mine.py:Mine", "search:16")):
            both = [suite.meeting(table, suite.AGAINST, *names, 1) for names in ((one, other), (other, one))]
            assert [row.match for row in both[0]] == [row.match for row in both[1]]


def test_games_may_be_named_by_variants_and_tables():
    assert suite.tables_of(("tarot:hand", "tarot")) == ["tarot", "tarot-3"]
    assert suite.tables_of(("karma-4",)) == ["karma-4"] and suite.tables_of(("karma-2",)) == ["karma"]
    assert suite.tables_of(()) == list(suite.TABLES)
    with pytest.raises(ValueError, match="games='chess' is not allowed"):
        suite.tables_of(("chess",))


def whole(agent="mine", seed=None, decisions=0, tables=tuple(suite.TABLES)):
    """Results with everything that the protocol demands, as far as completeness reads them."""
    return {
        "agent": agent,
        "label": agent,
        "training": {"decisions": decisions, "cpu_minutes": 0, **({} if seed is None else {"seed": seed})},
        "tables": {
            table: {
                "pairs": {
                    name: {"n": suite.deals(table, agent, name), "points": [str(seed)]}
                    for name in suite.PANEL
                    if name != agent
                },
                **({"partners": {name: {"n": 500} for name in suite.PARTNERS}} if table == "kanastic" else {}),
                "exploiters": {"trained": {"mean": 0.5}},
            }
            for table in tables
        },
    }


def test_complete_rows_lack_nothing():
    assert suite.missing([whole()]) == []
    assert suite.missing([whole(suite.LEARNED, decisions=None)]) == []
    assert suite.missing([whole(seed=seed, decisions=9) for seed in (1, 2, 3)]) == []
    games = [whole(seed=seed, decisions=9, tables=[table]) for seed in (1, 2, 3) for table in suite.TABLES]
    assert suite.missing(games) == []
    one = whole(seed=1, decisions=9)
    copies = [{**one, "training": {**one["training"], "seed": seed}} for seed in (1, 2, 3)]
    assert suite.missing(copies) == ["3 training seeds (all tables)"]
    search = "search:16,base=ppo:mine.safetensors"
    assert suite.missing([whole(search, decisions=None)]) == [suite.DECLARATION]
    assert suite.missing([whole("search:16,base=learned,eta=20", decisions=None)]) == []


@pytest.mark.parametrize(("deals", "lacks"), [(167, []), (166, ["deals (karma)"])])
def test_a_training_seed_needs_a_third_of_the_deals(deals, lacks):
    seeds = [whole(seed=seed, decisions=9) for seed in (1, 2, 3)]
    seeds[1]["tables"]["karma"]["pairs"][suite.LEARNED]["n"] = deals
    assert suite.missing(seeds) == lacks


def changed(path, value, **options):
    """Results as of `whole` with another value at a place, the words of a path."""
    row = whole(**options)
    *places, last = path.split()
    place = row
    for name in places:
        place = place[name]
    place[last] = value
    return row


UNEXPLOITED = changed("tables tantra exploiters", {})
SEEDS = [{**row, "training": {"decisions": 9, "cpu_minutes": 1, "seed": i}}
         for i, row in enumerate([whole(seed=1), UNEXPLOITED, whole(seed=3)])]  # fmt: skip
INCOMPLETE = [
    ([changed("tables tarot pairs search:16 n", 49)], ["deals (tarot)"]),
    ([changed("tables kanastic partners held-out:late n", 499)], ["deals (kanastic)"]),
    ([UNEXPLOITED], ["exploitability (tantra)"]),
    ([{**UNEXPLOITED, "agent": "held-out:late"}], []),
    ([{**UNEXPLOITED, "agent": "search:64"}], []),
    (SEEDS, []),  # one of the seeds is enough
    ([whole(seed=1, decisions=9)], ["3 training seeds (all tables)"]),
    ([whole(decisions=None)], [suite.DECLARATION]),
    ([whole(seed=seed, decisions=9) for seed in (None, 1, 2)], ["3 training seeds (all tables)"]),
    (
        [changed("training", {"decisions": 9, "cpu_minutes": None})],
        ["3 training seeds (all tables)", suite.DECLARATION],
    ),
]


@pytest.mark.parametrize(("rows", "lacks"), INCOMPLETE)
def test_incomplete_rows_are_found_in_the_data(rows, lacks):
    assert suite.missing(rows) == lacks
    assert "tables (karma-4, tarot" in suite.missing([whole(tables=["karma"])])[0]
