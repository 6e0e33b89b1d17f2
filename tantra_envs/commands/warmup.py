"""`python -m tantra_envs warmup`: compile games ahead. The machine code is kept on disk."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial

import numpy as np

from ..core.compiled.cache import PACKAGE, cache_folder, cache_root
from ..core.compiled.driver_calls import driver_calls
from ..core.compiled.gate import await_helpers, await_work, new_gate
from ..core.compiled.jit import PURE_PYTHON, notice
from ..core.game import Game
from ..core.observation import Observation
from ..core.playouts import Playouts
from ..envs.aec import TableEnv
from ..envs.batch import BatchEnv
from ..envs.vector import SeatVectorEnv
from ..games import GAMES
from ..games import game as build
from ..opponents import OPPONENTS, opponent
from ..opponents.greedy import Greedy
from ..opponents.scripted import Scripted
from .parsing import Parser

WIDTH = 30  # characters of the progress bar
FEW = 2  # samples or simulations of a search: all of it is compiled by any number
STEPS = 8  # until every opponent has had something to decide
UNIFORM = "uniform"  # as an agent, and by itself in compiled code
INTERRUPTED = 130  # what a shell expects of a command ended by Ctrl-C
Show = Callable[[str, int, int, str], None]
Calls = Iterator[tuple[str, Callable[[], object]]]


def main(argv: Sequence[str] | None = None) -> int:
    """Compile the kernels of the games named, or of all."""
    parser = Parser("warmup", "Compile games ahead, so that their first use does not wait.", "karma tarot")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"Games: {', '.join(GAMES)}. [default: all]")
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--jobs", type=int, default=cores, metavar="N", help="Number of games at a time. [default: %(default)s]"
    )
    given = parser.parse_args(argv)
    games = given.games or list(GAMES)
    for name in games:
        if name not in GAMES:
            parser.error(f"unknown game {name!r}; games: {', '.join(GAMES)}")
    if given.jobs < 1:
        parser.error(f"jobs={given.jobs} is not allowed; allowed: 1, 2, 3, ..")
    if PURE_PYTHON:
        print("nothing to compile: NUMBA_DISABLE_JIT is set")
        return 0
    return _told(lambda: _compile(games, min(given.jobs, len(games))))


def _told(work: Callable[[], None]) -> int:
    """Do the work; what keeps it from its end becomes one line."""
    try:
        work()
    except KeyboardInterrupt:
        print("\nwarmup: interrupted; what was compiled is kept", file=sys.stderr)
        return INTERRUPTED
    except (OSError, MemoryError) as error:
        print(f"\nwarmup: {type(error).__name__}: {error} (cache folder: {cache_root()})", file=sys.stderr)
        return 1
    except BrokenProcessPool:
        print("\nwarmup: a process ended early, perhaps for want of memory; try --jobs 1", file=sys.stderr)
        return 1
    return 0


def _compile(games: Sequence[str], jobs: int) -> None:
    if jobs == 1:
        for name in games:
            _warm_up(name, _show)
    else:
        _side_by_side(games, jobs)
    kept = cache_folder(PACKAGE / "games" / games[0])
    print(f"kept in {cache_root()}" if kept else "kept in memory only: no cache folder can be written")


def _side_by_side(games: Sequence[str], jobs: int) -> None:
    """Each game in a process of its own."""
    began = time.perf_counter()
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_quietly) as pool:
        running = {pool.submit(_warm_up, name, _silent): name for name in games}
        _show("compiling", 0, len(games), ", ".join(games))
        try:
            for done, game in enumerate(as_completed(running), start=1):
                game.result()
                _show("compiling", done, len(games), f"{running[game]} done, {time.perf_counter() - began:.1f} s")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list((pool._processes or {}).values()):
                process.terminate()
            raise
    print(file=sys.stderr)


def _quietly() -> None:
    """Ctrl-C reaches every process; the first one speaks for all."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _warm_up(name: str, show: Show) -> None:
    notice.silence(name)  # the bar shows the progress
    began = time.perf_counter()
    calls = dict(_calls(name))
    for done, (compiled, call) in enumerate(calls.items()):
        show(name, done, len(calls), compiled)
        with warnings.catch_warnings(action="ignore"):  # of agents on options they were not trained for
            call()
    show(name, len(calls), len(calls), f"{time.perf_counter() - began:.1f} s\n")


def _calls(name: str) -> Calls:
    """Yield what compiles a game: its drivers, its scripted agent in every mode, its environments and opponents."""
    game = build(name)
    drivers = driver_calls(game.drivers, game.blank.copy(), game.view.dtype, game.view.factors, game.actions.size)
    yield from drivers.items()
    for mode in _modes(name, game):
        words = mode.config.get("mode", name)
        if max(mode.seats) > 1:
            yield f"scripted ({words})", partial(_consult, mode)
        yield f"learned ({words})", partial(_ask_learned, mode)
    yield "TableEnv", partial(_step_table, game)
    yield "BatchEnv", partial(_step_batch, game)
    yield "threads", _await_threads
    for spec in _specs():
        yield f"opponents {spec}", partial(_step_vector, game, spec)


def _modes(name: str, game: Game) -> Iterator[Game]:
    """Yield the game in each of its modes that has a scripted agent: agents may differ by mode."""
    fields = game.options.fields
    modes = fields["mode"].allowed if "mode" in fields else None
    for config in [{"mode": mode} for mode in modes] if isinstance(modes, tuple) else [{}]:
        made = build(name, **config)
        if made.player is not None:
            yield made


def _specs() -> Iterator[str]:
    """Yield every opponent there is by name, with the smallest budget, and what makes searches compile more."""
    for name, kind in OPPONENTS.items():
        if not kind.required:
            yield f"{name}:{FEW}" if kind.argument in ("samples", "simulations") else name
    yield f"search:{FEW},belief=moves"
    yield f"search:{FEW},base=learned"


def _consult(game: Game) -> None:
    """Ask the scripted agent for an action, for the worth of a table, and for a playout."""
    state, rng = game.new(1), np.random.default_rng(0)
    obs = Observation(game, state)
    for agent in (Scripted(game), Greedy(game)):
        agent.act(obs, rng)
    Playouts(game).run(state, plies=1)


def _ask_learned(game: Game) -> None:
    """Let the learned agent act alone and as an opponent; a mode without one compiles nothing."""
    try:
        agent = opponent("learned", game)
    except ValueError:
        return
    agent.act(Observation(game, game.new(1)), np.random.default_rng(1))
    _step_vector(game, "learned")


def _step_table(game: Game) -> None:
    """Deal and step one table."""
    env = TableEnv(game)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))  # type: ignore[index]


def _step_batch(game: Game) -> None:
    """Deal and step two tables side by side, in both kinds of observations."""
    for dtype in ("float32", "compact"):
        batch = BatchEnv(game, 2, observation_dtype=dtype)
        batch.reset()
        batch.step(batch.sample())


def _await_threads() -> None:
    """Wait at a gate with no work, as the threads of a batch do."""
    gate = new_gate(1)
    await_work(gate, 0, 0)
    await_helpers(gate)


def _step_vector(game: Game, spec: str) -> None:
    """Play some steps against an opponent; an opponent that this game does not have compiles nothing."""
    try:
        agent = opponent(spec, game)
    except ValueError:
        return
    for opponents in (agent, None) if spec == UNIFORM else (agent,):
        env = SeatVectorEnv(game, 2, opponents=opponents)
        env.reset(seed=1)
        for _ in range(STEPS):
            env.step(env.action_masks().argmax(axis=1))


def _silent(name: str, done: int, of: int, words: str) -> None:
    """Several processes on one line would overwrite one another."""


def _show(name: str, done: int, of: int, words: str) -> None:
    bar = "#" * (WIDTH * done // of)
    print(f"\r{name:10} [{bar:{WIDTH}}] {done}/{of} {words:40}", end="", file=sys.stderr, flush=True)
