"""Who goes out in Tantra, what a round brings, and whether a seat is better than another. 95 % intervals.

    python -m benchmarks.balance.going_out --agents scripted,greedy --deals 500

The first agent sits alone among copies of the second; every deal is one round, played once for every seat it may sit
on. Alone among copies of itself (`--agents scripted,scripted`) it shows what the seats are worth.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import tantra_envs
from tantra_envs import cli

PROGRAM = "benchmarks.balance.going_out"


@dataclass(frozen=True)
class Args:
    """Count who goes out in Tantra.

    Example: python -m benchmarks.balance.going_out --agents scripted,greedy --deals 500
    """

    agents: str = "scripted,greedy"
    """Two players, with a comma between them: the one measured, and the others."""
    players: int = 4
    """Seats at a table."""
    deals: int = 500
    """Rounds; each is played once for every seat of the agent that is measured."""
    seed: int = 0
    """Decides the deals and all chance of the agents."""


def main(words: Sequence[str] | None = None) -> int:
    """Read the options, play, report."""
    with cli.mistakes("bench"):
        args = cli.read(Args, PROGRAM, words)
        from agents import parse
        from tantra_envs.matches.intervals import estimate
        from tantra_envs.matches.playing import play_tables

        # With own scores as rewards who goes out is who is paid: everybody else has cards left, and loses by them.
        game = tantra_envs.game("tantra", players=args.players, reward="score", reward_scale=1.0)
        field = parse(args.agents, game)
        if len(field) != 2 or args.deals < 1:
            raise ValueError(
                f"agents={args.agents!r}, deals={args.deals}: allowed are two agents and 1, 2, 3, .. deals"
            )
    n = game.players
    seating = np.tile(1 - np.eye(n, dtype=np.int64), (args.deals, 1))
    deals = np.repeat(np.arange(args.deals, dtype=np.int64) + (args.seed << 32), n)
    scores = play_tables(game, field, seating, deals, args.seed).rewards.reshape(args.deals, n, n)
    own = np.eye(n, dtype=bool)
    print(f"{args.agents}: {args.deals} deals, {args.deals * n} rounds of {n} players, seed {args.seed}")
    for k, agent in enumerate(field):
        mine = scores[:, own if k == 0 else ~own]
        out = estimate((mine > 0).mean(axis=1), 0.0, 1.0)
        score = estimate(mine.mean(axis=1), float(scores.min()), float(scores.max()))
        print(f"  {agent.name:10} goes out in {out}, scores {score} a round")
    for seat in range(n):
        above = scores[:, seat, seat] - scores[:, own].mean(axis=1)
        print(f"  {field[0].name} on seat {seat}: {estimate(above, above.min(), above.max())} above its mean")
    return 0


if __name__ == "__main__":
    sys.exit(main())
