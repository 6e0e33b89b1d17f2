"""The options of `python -m training qlearn`."""

import math
from dataclasses import dataclass

from agents import load_all
from tantra_envs import cli
from tantra_envs.opponents.network_spec import NetworkSpec

from .. import options
from ..options import RunOptions


@dataclass(frozen=True, kw_only=True)
class Args(RunOptions):
    """Learn a game by Q-learning over action features.

    Example: python -m training qlearn --config configs/training/kanastic.toml
    """

    iterations: int = 300
    """Number of iterations: play at all tables, then fit the network."""
    seats: tuple[int, ...] = ()
    """Numbers of seats at the tables; empty = that of the game."""
    tables: int = 512
    """Tables that are played at the same time."""
    steps: int = 96
    """Actions at every table in an iteration."""
    opponents: tuple[str, ...] = ("scripted",)
    """Agents in the other seats, one per table."""
    self_play: float = 0.4
    """Share of games in which the learner plays all seats."""
    epsilon: float = 0.03
    """Share of random actions of the learner."""
    trace: float = 0.9
    """Lambda of the returns: 1 = only rewards, 0 = only the next rating."""
    squash: float = 1.5
    """Scale of the rewards: targets are tanh(reward / squash)."""
    patience: int = 300
    """Actions at a table after a reward until decisions cost something."""
    cost: float = 0.01
    """Cost of a decision from then on, so that the learner does not wait forever."""
    net_arch: tuple[int, ...] = (64, 64)
    """Hidden layers of the network."""
    epochs: int = 2
    """Passes over the decisions of an iteration."""
    batch_size: int = 1024
    """Decisions in one step of the optimiser."""
    learning_rate: float = 2e-3
    """Learning rate at the start; it falls to a tenth."""
    eval_every: int = 100
    """Iterations between two measurements; each also saves a checkpoint."""
    eval_deals: int = 50
    """Deals of a measurement during training."""

    TOTAL = "iterations"
    COMMON = (*RunOptions.COMMON, "iterations", "seats", "tables", "opponents", "self_play", "patience", "cost")

    @property
    def spec(self) -> NetworkSpec:
        """The network of the policy."""
        return NetworkSpec("features", self.net_arch, "tanh")


def check(args: Args) -> None:
    """Raise ValueError for options that are not allowed."""
    options.check(args)
    some, share = (1, math.inf), (0, 1)
    cli.check_ranges(args, iterations=some, tables=some, steps=(2, math.inf), epochs=some, batch_size=some)
    cli.check_ranges(
        args,
        net_arch=some,
        eval_every=some,
        eval_deals=some,
        cost=(0, 1),
        patience=(0, math.inf),
        squash=(1e-6, math.inf),
    )
    cli.check_ranges(args, self_play=share, epsilon=share, trace=share, learning_rate=(1e-9, 1))
    if args.self_play < 1 and not args.opponents:
        raise ValueError(f"opponents=() is not allowed with self_play={args.self_play}; allowed: one agent or more")
    for seats in args.seats or (args.players,):
        game = cli.game(args.game, seats)
        args.spec.check(game)
        load_all(args.opponents, game)
