"""Compile ahead: `python -m tantra_envs.warmup [GAME ...]`. What is compiled stays on disk."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import numpy as np

from .core.compiled.drivers import Drivers, random_ints, seed_streams
from .core.compiled.jit import PACKAGE, PURE_PYTHON, cache_folder, notice
from .core.game import Game
from .games import GAMES
from .games import game as build

WIDTH = 30  # characters of the progress bar


def main(arguments: list[str] | None = None) -> int:
    """Compile the kernels of the games named, or of all."""
    parser = argparse.ArgumentParser(
        prog="python -m tantra_envs.warmup",
        description="Compile the games ahead, so that the first use does not wait.",
        epilog="example: python -m tantra_envs.warmup karma",
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"any of: {', '.join(GAMES)} (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="games at a time (default: one a core)")
    given = parser.parse_args(arguments)
    games = given.games or list(GAMES)
    for name in games:
        if name not in GAMES:
            parser.error(f"unknown game {name!r}; games: {', '.join(GAMES)}")
    if given.jobs < 1:
        parser.error(f"jobs={given.jobs} is not allowed; allowed: 1, 2, 3, ..")
    if PURE_PYTHON:
        print("nothing to compile: NUMBA_DISABLE_JIT is set")
        return 0
    if min(given.jobs, len(games)) == 1:
        for name in games:
            _warm_up(name, _show)
    else:
        _side_by_side(games, given.jobs)
    folder = cache_folder(PACKAGE / "games" / games[0])
    print(f"kept in {Path(folder).parent if folder else 'memory only: no cache folder can be written'}")
    return 0


def _side_by_side(games: Sequence[str], jobs: int) -> None:
    """Each game in a process of its own."""
    began = time.perf_counter()
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(_warm_up, name, _silent): name for name in games}
        _show("compiling", 0, len(games), ", ".join(games))
        for done, game in enumerate(as_completed(running), start=1):
            game.result()
            _show("compiling", done, len(games), f"{running[game]} done, {time.perf_counter() - began:.1f} s")
    print(file=sys.stderr)


def _warm_up(name: str, show: Callable[[str, int, int, str], None]) -> None:
    notice.told.add(name)  # the bar says it
    began = time.perf_counter()
    entries = dict(_calls(build(name)))
    for done, (entry, call) in enumerate(entries.items()):
        show(name, done, len(entries), entry)
        call()
    show(name, len(entries), len(entries), f"{time.perf_counter() - began:.1f} s\n")


def _silent(name: str, done: int, of: int, words: str) -> None:
    """Several processes on one line would overwrite one another."""


def _show(name: str, done: int, of: int, words: str) -> None:
    bar = "#" * (WIDTH * done // of)
    print(f"\r{name:10} [{bar:{WIDTH}}] {done}/{of} {words:40}", end="", file=sys.stderr, flush=True)


def _calls(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    """One call of every driver, as environments make them."""
    states = game.blank.copy()
    one = np.zeros(1, np.int64)
    view, mask = np.zeros(game.view.size, np.float32), np.zeros(game.actions.size, np.int8)
    views, masks = view[None].copy(), mask[None].copy()
    rewards, flag, streams = np.zeros((1, game.players)), np.zeros(1, bool), np.zeros((1, 4), np.int64)
    d = game.drivers

    def legal() -> int:
        d.legal_row(states, 0, mask)
        return int(mask.argmax())

    calls: dict[str, Callable[[], object]] = {
        "deal_rows": lambda: d.deal_rows(states, one, one),
        "legal_row": legal,
        "apply_row": lambda: d.apply_row(states, 0, legal()),
        "observe_row": lambda: d.observe_row(states, 0, 0, view),
        "step_row": lambda: d.step_row(states, 0, legal(), view, mask),
        "redeal_rows": lambda: d.redeal_rows(states, one, one),
        "observe_rows": lambda: d.observe_rows(states, one, one, views, masks),
        "apply_rows": lambda: d.apply_rows(states, one, np.array([legal()])),
        "seed_streams": lambda: seed_streams(streams, 1),
        "random_ints": lambda: random_ints(streams, one, 1, one.copy()),
        "play_until_turn": lambda: d.play_until_turn(states, one, one, one + 1, streams, mask, np.zeros(1)),
        "first_illegal": lambda: d.first_illegal(masks, one),
        "step_batch": lambda: d.step_batch(
            *(states, np.array([legal()]), one.copy(), views, masks, rewards, flag, flag.copy(), 0, 1)
        ),
        "sample_legal": lambda: d.sample_legal(masks, streams, one.copy(), 0, 1),
        "random_playouts": lambda: d.random_playouts(states, mask, 0, 1),
    }
    missing = set(Drivers.__dataclass_fields__) - set(calls)
    if missing:
        raise NotImplementedError(f"warmup does not call {missing}")
    yield from calls.items()


if __name__ == "__main__":
    sys.exit(main())
