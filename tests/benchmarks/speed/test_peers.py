"""Other suites are driven as they should be, and left out with a word where they are not installed."""

import importlib.util
import random
import sys

import pytest

from benchmarks.speed import peers, timing

MODULES = {"pyspiel": "OpenSpiel", "rlcard": "RLCard", "pgx": "pgx"}


@pytest.mark.skipif(not importlib.util.find_spec("rlcard"), reason="needs rlcard")
def test_rlcard_and_pettingzoo_play_as_many_moves_as_asked():
    assert timing.run_of(peers._rlcard("leduc-holdem"))(50) == 50
    assert timing.run_of(peers._pettingzoo("leduc_holdem_v4"))(50) == 50


@pytest.mark.skipif(not importlib.util.find_spec("pgx"), reason="needs pgx")
def test_pgx_plays_whole_steps_of_all_tables():
    assert timing.run_of(peers._pgx("leduc_holdem"))(1) == peers.TABLES * peers.STEPS


@pytest.mark.skipif(not importlib.util.find_spec("pyspiel"), reason="needs open_spiel")
def test_rollouts_count_the_moves_of_whole_rounds_over_all_starts():
    told = []
    run = timing.run_of(peers._open_spiel("leduc_poker", told.append))
    games = peers.STARTS * peers.ROLLOUTS
    assert 3 * games < run(1) < 7 * games  # a game of Leduc has three to eight moves and one card to come
    assert run(1) == run(1)
    assert "a rollout is" in told[0]
    assert "standard error" in told[0]


@pytest.mark.skipif(not importlib.util.find_spec("pyspiel"), reason="needs open_spiel")
@pytest.mark.parametrize(("name", "bot"), [("hex", "MCTSBot"), ("tarok", "MCTSBot"), ("gin_rummy", "ISMCTSBot")])
def test_tree_searches_count_simulations(name, bot):
    assert timing.run_of(peers._tree_search(name, bot))(1) == peers.SIMULATIONS


@pytest.mark.skipif(not importlib.util.find_spec("pyspiel"), reason="needs open_spiel")
def test_states_that_are_searched_have_a_choice():
    game = importlib.import_module("pyspiel").load_game("crazy_eights")
    forced = [len(peers._dealt(game, random.Random(seed)).legal_actions()) for seed in range(30)]
    chosen = [len(peers._with_a_choice(game, random.Random(seed)).legal_actions()) for seed in range(30)]
    assert min(forced) == 1 < min(chosen)


def test_what_is_not_installed_is_left_out_and_told(monkeypatch):
    for module in MODULES:
        monkeypatch.setitem(sys.modules, module, None)
    told = []
    found = [engine.name for engine in timing.engines(peers.builders(told.append), (), told.append)]
    assert not [name for name in found if name.startswith(tuple(MODULES.values()))]
    missing = [line for line in told if "pip install -e '.[peers]' -c constraints.txt" in line]
    assert len(missing) >= len(peers.RLCARD) + len(peers.OPEN_SPIEL) + len(peers.PGX) + len(peers.TREES)
