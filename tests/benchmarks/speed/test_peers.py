"""Other suites are driven as they should be, and left out with a word where they are not installed."""

import sys

import pytest

from benchmarks.speed import peers, timing

MODULES = {"pyspiel": "OpenSpiel", "rlcard": "RLCard", "pgx": "pgx"}


@pytest.mark.parametrize(
    ("module", "engine", "moves", "played"),
    [
        ("rlcard", lambda: peers._rlcard("leduc-holdem"), 50, 50),
        ("rlcard", lambda: peers._pettingzoo("leduc_holdem_v4"), 50, 50),
        ("pgx", lambda: peers._pgx("leduc_holdem"), 1, peers.TABLES * peers.STEPS),
        ("pyspiel", lambda: peers._tree_search("hex", "MCTSBot"), 1, peers.SIMULATIONS),
        ("pyspiel", lambda: peers._tree_search("gin_rummy", "ISMCTSBot"), 1, peers.SIMULATIONS),
    ],
)
def test_other_suites_play_as_many_moves_as_asked(module, engine, moves, played):
    pytest.importorskip(module)
    assert timing.run_of(engine())(moves) == played


def test_rollouts_count_the_moves_of_whole_rounds_over_all_starts():
    pytest.importorskip("pyspiel")
    told = []
    run = timing.run_of(peers._open_spiel("leduc_poker", told.append))
    games = peers.STARTS * peers.ROLLOUTS
    assert 3 * games < run(1) < 7 * games  # a game of Leduc has three to eight moves and one card to come
    assert run(1) == run(1) and "a rollout is" in told[0] and "standard error" in told[0]


def test_what_is_not_installed_is_left_out_and_told(monkeypatch):
    for module in MODULES:
        monkeypatch.setitem(sys.modules, module, None)
    told = []
    found = timing.engines(peers.builders(told.append), (), told.append)
    assert not [name for name in found if name.startswith(tuple(MODULES.values()))]
    missing = [line for line in told if "pip install -e '.[peers]' -c constraints.txt" in line]
    assert len(missing) >= len(peers.RLCARD) + len(peers.OPEN_SPIEL) + len(peers.PGX) + len(peers.TREES)
