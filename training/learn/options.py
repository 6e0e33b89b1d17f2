"""The options of `python -m training learn`."""

import math
from dataclasses import dataclass
from typing import Literal, TypeVar

from agents import load_all, playing_as
from tantra_envs import cli, workers
from tantra_envs.opponents.network_spec import NetworkSpec, Policy

from .. import options
from ..options import RunOptions
from .games import MOST_DEALS

Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Args(cli.WorkerOptions, RunOptions):
    """Learn a game by expert iteration.

    Example: python -m training learn --config configs/training/karma-quick.toml --workers 2
    """

    iterations: int = 2
    """Number of iterations; each begins with the policy of the one before."""
    base: str = "scripted"
    """Agent in the first playouts: scripted, learned:NAME or ppo:FILE."""
    behaviour_policies: tuple[str, ...] = ()
    """Agents in the games; empty = newest policy and scripted agent."""
    deals: tuple[int, ...] = (10_000,)
    """Games to label, per iteration; the last number is repeated."""
    share: tuple[float, ...] = (0.5,)
    """Share of the decisions that are labelled, per iteration."""
    epsilon: tuple[float, ...] = (0.1,)
    """Share of random actions in the games, per iteration."""
    shard: int = 100
    """Games in a file of labels; it changes the random numbers."""
    determinizations: int = 4
    """Determinizations in which the actions of a position are compared."""
    candidates: int = 0
    """Actions that are compared, rated best by the base; 0 = all."""
    playout_length: int = 8
    """Actions until the value network ends a playout; 0 = play to the end."""
    value_deals: int = 8_000
    """Games for the value network; 0 = none, use the current scores."""
    value_net: tuple[int, ...] = (128, 64)
    """Hidden layers of the value network."""
    policy: Policy = "mlp"
    """Input of the network: the observation, or features per action."""
    net_arch: tuple[int, ...] = (128, 64)
    """Hidden layers of the policy."""
    transform: Literal["none", "symlog"] = "none"
    """Transform of the observation; symlog suits large counts."""
    objective: Literal["advantage", "values"] = "advantage"
    """Maximise the advantage, or fit the values of actions."""
    temperature: float = 0.003
    """Advantage that makes an action e times as likely."""
    bc_decisions: int = 1_000_000
    """Decisions of the base to clone first, with objective=advantage."""
    epochs: int = 3
    """Passes over the labels in an iteration."""
    batch_size: int = 1024
    """Positions in one step of the optimiser."""
    learning_rate: float = 3e-3
    """Learning rate at the start of a fit; it falls to a tenth."""
    held_out: float = 0.03
    """Share of the positions held out to measure the advantage."""

    TOTAL = "iterations"
    COMMON = (*RunOptions.COMMON, "workers", "ray", "iterations", "base", "deals", "policy", "epochs")

    @property
    def spec(self) -> NetworkSpec:
        """The network of the policy."""
        activation: Literal["relu", "tanh"] = "relu" if self.policy == "mlp" else "tanh"
        return NetworkSpec(self.policy, self.net_arch, activation, self.transform)

    @property
    def has_values(self) -> bool:
        """Whether a value network is trained."""
        return self.playout_length > 0 and self.value_deals > 0


def in_iteration(values: tuple[Value, ...], number: int) -> Value:
    """Return the value for an iteration, counted from 1. The last value applies to all later iterations."""
    return values[min(number, len(values)) - 1]


def check(args: Args) -> None:
    """Raise ValueError for options that are not allowed, before any work begins."""
    options.check(args)
    some, any_number, share = (1, math.inf), (0, math.inf), (1e-6, 1)
    cli.check_ranges(args, iterations=some, deals=(1, MOST_DEALS), shard=some, determinizations=some, epochs=some)
    cli.check_ranges(args, candidates=any_number, playout_length=any_number, value_deals=(0, MOST_DEALS))
    cli.check_ranges(args, value_net=some, net_arch=some, batch_size=some, bc_decisions=any_number)
    cli.check_ranges(args, share=share, epsilon=(0, 1), temperature=(1e-6, math.inf))
    cli.check_ranges(args, learning_rate=(1e-9, 1), held_out=(1e-3, 0.5))
    for name in ("deals", "share", "epsilon"):
        if not getattr(args, name):
            raise ValueError(f"{name}=() is not allowed; allowed: one number or more")
    if args.objective == "advantage" and not args.bc_decisions:
        raise ValueError("bc_decisions=0 is not allowed with objective='advantage'; allowed: 1 or more")
    game = cli.game(args.game, args.players)
    if args.has_values and len(game.teams) == 1:
        raise ValueError(f"value_deals={args.value_deals} is not allowed in {game.name}, a game for one; allowed: 0")
    args.spec.check(game)
    playing_as(args.base, game)
    load_all(args.behaviour_policies or (args.base,), game)
    workers.executor(args.workers, args.ray)
