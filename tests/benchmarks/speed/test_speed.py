"""The speed benchmark counts moves and pairs rounds correctly, of other suites too. No test checks a speed."""

import sys
import time

import pytest

from benchmarks.speed import command as speed
from benchmarks.speed import engines, peers, timing
from benchmarks.speed.timing import Measured
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.games import game
from tantra_envs.programs import results as files


def test_engines_play_at_least_as_many_moves_as_asked():
    found = timing.engines(engines.builders(game("karma")), (), print)
    played = {name: run(40) for name, run in found.items()}
    assert len(played) >= 10
    assert all(40 <= moves < 40 + 60000 for moves in played.values()), played


def test_compilation_in_the_first_run_is_not_timed():
    """An engine that compiled in its first slice seemed so slow that a slice had one move (Tarot: 26,584 +- 254 %)."""
    sizes, ticks = [], []

    def run(moves):
        sizes.append(moves)
        time.sleep(0.2 if len(sizes) == 1 else moves * 1e-5)
        return moves

    def other(moves):
        time.sleep(moves * 1e-5)
        return moves

    measured = timing.measure({"late": run, "other": other}, 0.45, lambda: ticks.append(1))
    assert sizes[0] == 1 and len(ticks) == 2 * timing.ROUNDS
    assert min(sizes[-timing.ROUNDS :]) > 100
    assert {len(own.rates) for own in measured.values()} == {timing.ROUNDS}


def test_a_vector_counts_the_decisions_of_its_learner_and_no_others(monkeypatch):
    open_tables, step = [], SeatVectorEnv.step

    def counted(env, actions):
        open_tables.append(int((env.action_masks() == 0).any(axis=1).sum()))
        return step(env, actions)

    monkeypatch.setattr(SeatVectorEnv, "step", counted)
    run = timing.run_of(engines._vector_steps(game("karma"), "scripted"))
    assert len(open_tables) == engines.LEARNED
    assert sum(open_tables) < engines.LEARNED * engines.LEARNERS  # tables that are over wait for their next deal
    for moves in (1000, 40000):
        open_tables.clear()
        played = run(moves)
        assert played == sum(open_tables) >= moves


def test_rates_are_medians_with_half_their_range():
    measured = Measured([8.0, 10.0, 14.0])
    assert (measured.rate, measured.spread) == (10.0, 0.3)


def test_engines_can_be_chosen_by_parts_of_their_names():
    builders = engines.builders(game("karma")) | peers.builders(print)
    assert list(timing.engines(builders, ["raw_env", "random"], print)) == ["raw_env", engines.RANDOM_TREE]
    assert timing.engines(builders, ["no such engine"], print) == {}


def test_the_start_is_that_of_the_table_of_the_options(monkeypatch):
    codes, names = [], {}
    monkeypatch.setattr(timing, "_process", lambda code, cache: codes.append(code) or (1.0, 2.0))
    timing.startup("karma", 3)
    exec(codes[0], names)
    assert names["env"].game.players == 3


def test_the_medians_of_several_games_share_a_file(tmp_path):
    file = tmp_path / "speed.csv"
    for name, rates in (("one", (1.0, 2.0, 9.0)), ("two", (3.0, 4.0, 5.0)), ("one", (2.0, 4.0, 8.0))):
        measured = {"batch": Measured(rates)}
        lines = files.table(speed._lines(name, measured, {"import": 0.123}), "speed")
        files.merge(file, lines, ("game", "measure"), "command")
    found = files.read(file)
    figures = {(row["game"], row["measure"], row["part"]): row["value"] for row in found.iter_rows(named=True)}
    assert len(figures) == len(found) and {figures[name, speed.RATE, "batch"] for name in ("one", "two")} == {4.0}
    assert figures["one", speed.HALF_RANGE, "batch"] == 0.75 and figures["two", speed.SECONDS, "import"] == 0.12
    assert figures["two", speed.CORES, ""] >= 1


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
