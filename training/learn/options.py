"""The options of `python -m training learn`."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from agents import load, load_all, playing_as
from tantra_envs import cli, workers
from tantra_envs.core.game import Game
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.model_files import Tensors
from tantra_envs.opponents.network_spec import NetworkSpec, Policy

from .. import options
from ..options import MEASURED_DEALS, STEPS, TABLES, UNITS, RunOptions
from .games import MOST_DEALS

Value = TypeVar("Value")
BY_ALGORITHM: Any = None  # the default depends on the algorithm: see DEFAULTS


@dataclass(frozen=True, kw_only=True)
class Args(cli.WorkerOptions, RunOptions):
    """Learn a game by expert iteration (from playouts) or by Q-learning (from whole games).

    Example: python -m training learn --config configs/training/karma-quick.toml --workers 2
    """

    algorithm: Literal["expert-iteration", "q-learning"] = "expert-iteration"
    """Learn from playouts, or from the rewards of whole games."""
    iterations: int = BY_ALGORITHM
    """Number of iterations. [default: 2; q-learning: 300]"""
    opponents: tuple[str, ...] = ("scripted",)
    """Agents that play the training games together with the learner."""
    epsilon: tuple[float, ...] = BY_ALGORITHM
    """Share of random actions in the games, per iteration. [default: 0.1; q-learning: 0.03]"""
    policy: Policy = BY_ALGORITHM
    """Input of the network: the observation, or features per action. [default: mlp; q-learning: features]"""
    net_arch: tuple[int, ...] = BY_ALGORITHM
    """Hidden layers of the policy. [default: 128 64; q-learning: 64 64]"""
    epochs: int = BY_ALGORITHM
    """Passes over the data in an iteration. [default: 3; q-learning: 2]"""
    batch_size: int = 1024
    """Positions in one step of the optimiser."""
    learning_rate: float = BY_ALGORITHM
    """Learning rate at the start; it falls to a tenth. [default: 0.003; q-learning: 0.002]"""
    eval_every: int = BY_ALGORITHM
    """Iterations between two measurements; each also saves a checkpoint. [default: 1; q-learning: 100]"""
    eval_deals: int = 100
    """Deals of a measurement during training."""

    base: str = "scripted"
    """Agent in the first playouts: scripted, learned:NAME or ppo:FILE; for q-learning, the network to begin from."""

    # Only for expert iteration
    deals: tuple[int, ...] = (10_000,)
    """Games to label, per iteration; the last number is repeated."""
    share: tuple[float, ...] = (0.5,)
    """Share of the decisions that are labelled, per iteration."""
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
    transform: Literal["none", "symlog"] = "none"
    """Transform of the observation; symlog suits large counts."""
    objective: Literal["advantage", "values"] = "advantage"
    """Maximise the advantage, or fit the values of actions."""
    temperature: float = 0.003
    """Advantage that makes an action e times as likely."""
    bc_decisions: int = 1_000_000
    """Decisions of the base to clone first, with objective=advantage."""
    held_out: float = 0.03
    """Share of the positions held out to measure the advantage."""

    # Only for Q-learning
    seats: tuple[int, ...] = ()
    """For q-learning: numbers of seats at the tables; empty = that of the game."""
    average: float = 0.0
    """For q-learning: share of the weights that the result keeps from the iterations before; 0 = the last weights."""
    tables: int = 512
    """For q-learning: tables that are played at the same time."""
    steps: int = 96
    """For q-learning: actions at every table in an iteration."""
    self_play: float = 0.4
    """For q-learning: share of games in which the learner plays all seats."""
    trace: float = 0.9
    """For q-learning: lambda of the returns; 1 = only rewards, 0 = only the next rating."""
    squash: float = 1.5
    """For q-learning: scale of the rewards; targets are tanh(reward / squash)."""
    patience: int = 300
    """For q-learning: actions at a table after a reward until decisions cost something."""
    cost: float = 0.01
    """For q-learning: cost of a decision from then on, so that the learner does not wait forever."""

    TOTAL = "iterations"
    COMMON = (
        *RunOptions.COMMON,
        *("workers", "ray", "algorithm", "iterations", "opponents", "policy", "epochs", "deals", "base", "seats"),
    )

    def __post_init__(self) -> None:
        """Fill in the defaults that depend on the algorithm."""
        for name, value in DEFAULTS.get(self.algorithm, {}).items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)

    @property
    def spec(self) -> NetworkSpec:
        """The network of the policy."""
        activation: Literal["relu", "tanh"] = "relu" if self.policy == "mlp" else "tanh"
        return NetworkSpec(self.policy, self.net_arch, activation, self.transform)

    def start(self, game: Game) -> Tensors | None:
        """Return the weights of the base, from which Q-learning starts, or None if the base is not a network."""
        if self.base == "scripted":
            return None
        base = load(self.base, game)
        if not isinstance(base, LearnedAgent) or base.card.spec != self.spec:
            needed = f"a network with policy={self.policy!r} and net_arch={self.net_arch}"
            raise ValueError(
                f"base={self.base!r} is not allowed with algorithm='q-learning'; allowed: scripted, {needed}"
            )
        return base.tensors

    @property
    def has_values(self) -> bool:
        """Whether a value network is trained."""
        return self.playout_length > 0 and self.value_deals > 0


DEFAULTS: dict[str, dict[str, Any]] = {
    "expert-iteration": {
        "iterations": 2,
        "epsilon": (0.1,),
        "policy": "mlp",
        "net_arch": (128, 64),
        "epochs": 3,
        "learning_rate": 3e-3,
        "eval_every": 1,
    },
    "q-learning": {
        "iterations": 300,
        "epsilon": (0.03,),
        "policy": "features",
        "net_arch": (64, 64),
        "epochs": 2,
        "learning_rate": 2e-3,
        "eval_every": 100,
    },
}
EXPERT_ITERATION = (
    *("deals", "share", "shard", "determinizations", "candidates", "playout_length", "value_deals"),
    *("value_net", "transform", "objective", "temperature", "bc_decisions", "held_out", "workers", "ray"),
)
Q_LEARNING = ("seats", "average", "tables", "steps", "self_play", "trace", "squash", "patience", "cost")


def in_iteration(values: tuple[Value, ...], number: int) -> Value:
    """Return the value for an iteration, counted from 1. The last value applies to all later iterations."""
    return values[min(number, len(values)) - 1]


def check(args: Args) -> None:
    """Raise ValueError for options that are not allowed, before any work begins."""
    options.check(args)
    some = (1, math.inf)
    cli.check_ranges(args, iterations=some, epochs=some, batch_size=some, learning_rate=(1e-9, 1))
    cli.check_ranges(args, epsilon=(0, 1), eval_every=some, eval_deals=MEASURED_DEALS, net_arch=UNITS)
    _check_not_empty(args, "epsilon")
    if args.algorithm == "q-learning":
        _check_unused(args, EXPERT_ITERATION)
        _check_q_learning(args)
    else:
        _check_unused(args, Q_LEARNING)
        _check_expert_iteration(args)


def _check_expert_iteration(args: Args) -> None:
    cli.check_ranges(args, deals=(1, MOST_DEALS), shard=(1, MOST_DEALS), value_deals=(0, MOST_DEALS))
    cli.check_ranges(args, determinizations=(1, 1 << 16), candidates=(0, 1 << 16), playout_length=(0, 1 << 20))
    cli.check_ranges(args, value_net=UNITS, bc_decisions=(0, math.inf), share=(1e-6, 1), temperature=(1e-6, math.inf))
    cli.check_ranges(args, held_out=(1e-3, 0.5))
    _check_not_empty(args, "deals", "share")
    if args.objective == "advantage" and not args.bc_decisions:
        raise ValueError("bc_decisions=0 is not allowed with objective='advantage'; allowed: 1 or more")
    game = cli.game(args.game, args.players)
    if args.has_values and len(game.teams) == 1:
        raise ValueError(f"value_deals={args.value_deals} is not allowed in {game.name}, a game for one; allowed: 0")
    args.spec.check(game)
    playing_as(args.base, game)
    load_all((args.base, *args.opponents), game)
    workers.executor(args.workers, args.ray)


def _check_q_learning(args: Args) -> None:
    share = (0, 1)
    cli.check_ranges(args, tables=TABLES, steps=(2, STEPS[1]), cost=share, self_play=share, trace=share)
    cli.check_ranges(args, average=(0, 0.999))
    cli.check_ranges(args, patience=(0, math.inf), squash=(1e-6, math.inf))
    if args.policy != "features":
        raise ValueError(f"policy={args.policy!r} is not allowed with algorithm='q-learning'; allowed: features")
    if args.self_play < 1 and not args.opponents:
        raise ValueError(f"opponents=() is not allowed with self_play={args.self_play}; allowed: one agent or more")
    if len(args.seats) > args.tables:
        fewest = f"{len(args.seats)} or more, one for each number of seats"
        raise ValueError(f"tables={args.tables} is not allowed with seats={args.seats}; allowed: {fewest}")
    for seats in args.seats or (args.players,):
        game = cli.game(args.game, seats)
        args.spec.check(game)
        load_all(args.opponents, game)
        args.start(game)


def _check_unused(args: Args, names: tuple[str, ...]) -> None:
    """Raise ValueError if an option has another value than its default, although the algorithm does not read it."""
    for option in dataclasses.fields(args):
        value = getattr(args, option.name)
        if option.name in names and value != option.default:
            without = f"algorithm={args.algorithm!r}, which does not use it"
            raise ValueError(f"{option.name}={value!r} is not allowed with {without}; allowed: {option.default!r}")


def _check_not_empty(args: Args, *names: str) -> None:
    for name in names:
        if not getattr(args, name):
            raise ValueError(f"{name}=() is not allowed; allowed: one number or more")
