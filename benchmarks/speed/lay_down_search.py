"""How long Tantra's search takes to say whether a hand can lay down, over the hands that scripted players meet.

python -m benchmarks.speed.lay_down_search --rounds 200
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents import Agent, parse
from tantra_envs import cli
from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantra.material import TOTAL
from tantra_envs.games.tantra.search import answer, ask
from tantra_envs.matches.playing import Ints, play_tables
from tantra_envs.matches.seeds import deal_seeds

PROGRAM = "benchmarks.speed.lay_down_search"
REPEATS = 100  # of a question, to time it
SHARES = (50, 90, 99, 100)


@dataclass(frozen=True, kw_only=True)
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


def main(argv: Sequence[str] | None = None) -> None:
    """Play, ask about every hand once more, report."""
    with cli.user_errors("bench,train"):
        args = cli.read(Args, PROGRAM, argv)
        cli.check_ranges(args, rounds=(1, math.inf), seed=(0, (1 << 31) - 1))
        game = cli.game("tantra", args.players)
        agent, *others = parse(args.agent, game)
        if others:
            raise ValueError(f"agent={args.agent!r} is not allowed; allowed: one agent")
    with cli.work():
        times = _times(game, agent, args)
    shares = ", ".join(f"{share} %: {np.percentile(times, share):.2f}" for share in SHARES)
    print(f"{len(times)} hands of {args.rounds} rounds, microseconds: {shares}; mean {np.mean(times):.2f}")


def _times(game: Game, agent: Agent, args: Args) -> list[float]:
    """Microseconds for each hand that might lay down in the agent's rounds."""
    times: list[float] = []

    def look(tables: States, rows: Ints, actions: Ints) -> None:
        times.extend(_microseconds(tables, int(i)) for i in rows if _may_lay_down(game, tables[i]))

    seating = np.zeros((args.rounds, game.players), np.int64)
    play_tables(game, [agent], seating, deal_seeds(args.seed, 0, args.rounds), args.seed, look=look)
    return times


def _may_lay_down(game: Game, s: Any) -> bool:
    """Is it the turn of a hand that is large enough and has not laid down yet?"""
    turn, big = s["turn"], s["hand_n"][s["turn"]] > TOTAL[s["display"]]
    return bool(game.phases[s["phase"]] == "MAIN" and s["laid_turn"][turn] < 0 and big)


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
    main()
