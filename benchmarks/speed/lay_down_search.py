"""How long Tantra's search takes to say whether a hand can lay down, over the hands that scripted players meet.

python -m benchmarks.speed.lay_down_search --rounds 200
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import tantra_envs
from tantra_envs import cli
from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.core.state import States
from tantra_envs.games.tantra.material import TOTAL
from tantra_envs.games.tantra.search import answer, ask

PROGRAM = "benchmarks.speed.lay_down_search"
REPEATS = 100  # of a question, to time it
SHARES = (50, 90, 99, 100)


@dataclass(frozen=True)
class Args:
    """Time the lay-down search.

    Example: python -m benchmarks.speed.lay_down_search --rounds 200
    """

    agent: str = "scripted"
    """Who plays."""
    players: int = 4
    """Seats at a table."""
    rounds: int = 200
    """Rounds played, with Display Cards as they are drawn."""
    seed: int = 0
    """Decides deals and play."""


def main(words: Sequence[str] | None = None) -> int:
    """Play, ask about every hand once more, report."""
    with cli.user_errors("bench"):
        args = cli.read(Args, PROGRAM, words)
        from agents import parse
        from tantra_envs.matches.playing import Ints, play_tables

        game = tantra_envs.game("tantra", players=args.players)
        (agent,) = parse(args.agent, game)
    times = []

    def look(tables: States, rows: Ints, actions: Ints) -> None:
        for i in rows:
            s = tables[i]
            turn = s["turn"]
            if (
                game.phases[s["phase"]] == "MAIN"
                and s["laid_turn"][turn] < 0
                and s["hand_n"][turn] > TOTAL[s["display"]]
            ):
                times.append(_microseconds(tables, int(i)))

    seating = np.zeros((args.rounds, args.players), np.int64)
    play_tables(game, [agent], seating, np.arange(args.rounds) + (args.seed << 32), args.seed, look=look)
    shares = ", ".join(f"{share} %: {np.percentile(times, share):.2f}" for share in SHARES)
    print(f"{len(times)} hands of {args.rounds} rounds, microseconds: {shares}; mean {np.mean(times):.2f}")
    return 0


def _microseconds(tables: Any, i: int) -> float:
    began = time.perf_counter()
    _ask_again(tables, i, REPEATS)
    return (time.perf_counter() - began) / REPEATS * 1e6


@entry_point
def _ask_again(tables: Any, i: int, times: int) -> int:
    """The question about the hand in turn, so many times; how often it can lay down."""
    s, found = tables[i], 0
    for _ in range(times):
        ask(s, int(s.turn))
        found += answer(s)
    return found


if __name__ == "__main__":
    sys.exit(main())
