"""`python -m tantra_envs warmup`: compile games ahead of their first use and keep the machine code on disk."""

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
from pathlib import Path

import numpy as np

from ..core.compiled.cache import PACKAGE, cache_folder, cache_root
from ..core.compiled.driver_calls import driver_calls
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
from ..opponents.learned import weights_of
from ..opponents.scripted import Scripted
from .parsing import Parser

WIDTH = 30  # characters of the progress bar
FEW = 2  # samples or simulations of a search: a search of any size compiles all of its code
STEPS = 8  # enough actions for every opponent to decide at least once
UNIFORM = "uniform"  # compiled twice: as an agent, and inside the kernels of the environment
INTERRUPTED = 130  # exit code that shells expect after Ctrl-C
Show = Callable[[str, int, int, str], None]
Calls = Iterator[tuple[str, Callable[[], object]]]


def main(argv: Sequence[str] | None = None) -> int:
    """Compile the kernels of the named games, or of all games."""
    parser = Parser("warmup", "Compile games ahead, so that their first use does not wait.", "karma tarot")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"Games: {', '.join(GAMES)}. [default: all]")
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--jobs", type=int, default=cores, metavar="N", help="Number of games at a time. [default: %(default)s]"
    )
    arguments = parser.parse_args(argv)
    games = arguments.games or list(GAMES)
    for name in games:
        if name not in GAMES:
            parser.error(f"unknown game {name!r}; games: {', '.join(GAMES)}")
    if arguments.jobs < 1:
        parser.error(f"jobs={arguments.jobs} is not allowed; allowed: 1, 2, 3, ..")
    if PURE_PYTHON:
        print("nothing to compile: NUMBA_DISABLE_JIT is set")
        return 0
    return _exit_code(lambda: _compile(games, min(arguments.jobs, len(games))))


def _exit_code(work: Callable[[], None]) -> int:
    """Do the work and return the exit code. Print an error that stops it as one line."""
    try:
        work()
    except KeyboardInterrupt:
        print("\nwarmup: interrupted; compiled code is kept", file=sys.stderr)
        return INTERRUPTED
    except (OSError, MemoryError) as error:
        print(f"\nwarmup: {type(error).__name__}: {error} (cache folder: {cache_root()})", file=sys.stderr)
        return 1
    except BrokenProcessPool:
        print("\nwarmup: a process ended early, possibly out of memory; try --jobs 1", file=sys.stderr)
        return 1
    return 0


def _compile(games: Sequence[str], jobs: int) -> None:
    if jobs == 1:
        for name in games:
            _warm_up(name, _show)
    else:
        _side_by_side(games, jobs)
    folder = cache_folder(PACKAGE / "games" / games[0])
    print(f"machine code is in {cache_root()}" if folder else "machine code is not stored: no cache folder is writable")


def _side_by_side(games: Sequence[str], jobs: int) -> None:
    """Compile each game in a separate process."""
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
    """Let Ctrl-C end this process silently; only the first process prints a message."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _warm_up(name: str, show: Show) -> None:
    notice.silence(name)  # the bar shows the progress
    began = time.perf_counter()
    calls = dict(_calls(name))
    for done, (compiled, call) in enumerate(calls.items()):
        show(name, done, len(calls), compiled)
        with warnings.catch_warnings(action="ignore"):  # agents warn about options they were not trained for
            call()
    show(name, len(calls), len(calls), f"{time.perf_counter() - began:.1f} s\n")


def _calls(name: str) -> Calls:
    """Yield the calls that compile a game: drivers, scripted agents of all modes, environments and opponents."""
    game = build(name)
    drivers = driver_calls(game.drivers, game.blank.copy(), game.view.dtype, game.view.factors, game.actions.size)
    yield from drivers.items()
    for mode in _modes(name, game):
        words = mode.config.get("mode", name)
        if max(mode.seats) > 1:
            yield f"scripted ({words})", partial(_consult, mode)
    for file, table in _tables_of_learned(name):
        yield f"learned:{file.stem}", partial(_ask_learned, f"ppo:{file}", table)
    yield "TableEnv", partial(_step_table, game)
    yield "BatchEnv", partial(_step_batch, game)
    for spec in _specs():
        yield f"opponents {spec}", partial(_step_vector, game, spec)


def _modes(name: str, game: Game) -> Iterator[Game]:
    """Yield the game in each of its modes that has a scripted agent, because agents may differ by mode."""
    fields = game.options.fields
    modes = fields["mode"].allowed if "mode" in fields else None
    for config in [{"mode": mode} for mode in modes] if isinstance(modes, tuple) else [{}]:
        variant = build(name, **config)
        if variant.player is not None:
            yield variant


def _specs() -> Iterator[str]:
    """Yield the specs of all opponents, with the smallest budget, and of searches whose options compile more code."""
    for name, kind in OPPONENTS.items():
        if not kind.required:
            yield f"{name}:{FEW}" if kind.argument in ("samples", "simulations") else name
    yield f"search:{FEW},belief=moves"


def _consult(game: Game) -> None:
    """Call the scripted and greedy agents once, and run one playout."""
    state, rng = game.new(1), np.random.default_rng(0)
    obs = Observation(game, state)
    for agent in (Scripted(game), Greedy(game)):
        agent.act(obs, rng)
    Playouts(game).run(state, plies=1)


def _tables_of_learned(name: str) -> Iterator[tuple[Path, Game]]:
    """Yield the file of every trained agent of a game, with the largest table that it was trained for."""
    for file, card in weights_of(build(name)).items():
        players = max(card.trained_for.get("seats") or [card.trained_for["players"]])
        yield file, build(name, **{**card.config, "players": players})


def _ask_learned(agent: str, game: Game) -> None:
    """Let a trained agent act alone and as an opponent. A search over it compiles when it is first used."""
    opponent(agent, game).act(Observation(game, game.new(1)), np.random.default_rng(1))
    _step_vector(game, agent)


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


def _step_vector(game: Game, spec: str) -> None:
    """Play some steps against an opponent. An opponent that this game does not have compiles nothing."""
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
    """Print nothing: several processes would overwrite each other's progress line."""


def _show(name: str, done: int, of: int, words: str) -> None:
    bar = "#" * (WIDTH * done // of)
    print(f"\r{name:10} [{bar:{WIDTH}}] {done}/{of} {words:40}", end="", file=sys.stderr, flush=True)
