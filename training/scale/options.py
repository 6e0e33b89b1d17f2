"""The options of `python -m training scale`, and the options of a run that is resumed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from tantra_envs import cli
from tantra_envs.workers import MOST_WORKERS

from ..options import AGENTS, TABLES, UNITS
from ..options import DEALS as MEASURED_DEALS

THREADS = (1, 1 << 10)
STEPS = (1, 1 << 20)


@dataclass(frozen=True, kw_only=True)
class RunOptions(cli.FolderOptions, cli.GameOptions):
    """The options of the run."""

    resume: Path | None = None
    """Folder of a run to continue with its own options."""
    more: int = 0
    """With --resume: decisions to add; negative removes."""
    trust: bool = False
    """With --resume: allow agents from Python files, whose code then runs."""
    seed: int = 1
    """Seed of networks, deals and agents."""
    threads: int = 1
    """Number of torch threads."""
    eval_opponents: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Agents to measure against."""
    final_deals: int = 1000
    """Deals of the final measurement against each of them."""

    TOTAL: ClassVar[str] = ""  # the option that `more` adds to
    COMMON: ClassVar[tuple[str, ...]] = (  # the options of the short help; a config file may hold the others
        *("game", "players", "name", "runs", "resume", "more", "trust"),
        *("seed", "threads", "eval_opponents", "final_deals"),
    )

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return self.runs / (self.name or self.game.replace(":", "-"))


@dataclass(frozen=True, kw_only=True)
class PPOOptions(RunOptions):
    """The options of self-play by PPO, in one process or many."""

    total_timesteps: int = 2_000_000
    """Decisions of the learner to learn from."""
    num_envs: int = 512
    """Tables that are played at the same time."""
    n_steps: int = 64
    """Decisions at each table between two updates."""
    batch_size: int = 4096
    """Decisions in one step of the optimiser."""
    n_epochs: int = 3
    """Passes over the decisions in an update."""
    learning_rate: float = 1e-3
    """Learning rate at the start; it falls linearly to a tenth."""
    gamma: float = 0.995
    """Discount factor per decision."""
    gae_lambda: float = 0.95
    """Lambda of generalised advantage estimation."""
    ent_coef: float = 0.01
    """Weight of the entropy bonus."""
    net_arch: tuple[int, ...] = (128, 128)
    """Hidden layers of actor and critic."""
    activation: Literal["tanh", "relu"] = "tanh"
    """Activation of the hidden layers; relu clones better."""
    transform: Literal["none", "symlog"] = "none"
    """Transform of the observation; symlog suits large counts."""
    partner: Literal["self", "pool"] = "self"
    """Partner in games of teams: the learner, or an agent of the pool."""
    opponents: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Agents in the pool of opponents, in addition to snapshots."""
    self_play_fraction: float = 0.5
    """Share of the other seats that snapshots take."""
    pool_size: int = 4
    """Number of snapshots that are kept."""
    snapshot_every: int = 100_000
    """Decisions between two snapshots."""
    eval_every: int = 500_000
    """Decisions between two measurements; each also saves a checkpoint."""
    eval_deals: int = 100
    """Deals of a measurement during training."""

    TOTAL = "total_timesteps"
    COMMON = (*RunOptions.COMMON, "total_timesteps", "num_envs", "opponents", "eval_every", "eval_deals")


Options = TypeVar("Options", bound=RunOptions)


def check_run(options: RunOptions) -> None:
    """Raise ValueError for options of any run that are out of range."""
    cli.check_ranges(options, seed=(0, (1 << 31) - 2), threads=THREADS, final_deals=MEASURED_DEALS)


def check_ppo(options: PPOOptions) -> None:
    """Raise ValueError for options of PPO that no library refuses with a clear message."""
    check_run(options)
    some, share = (1, math.inf), (0, 1)
    cli.check_ranges(options, num_envs=TABLES, n_steps=STEPS, net_arch=UNITS)
    cli.check_ranges(options, total_timesteps=some, n_epochs=some, snapshot_every=some, eval_every=some)
    cli.check_ranges(options, eval_deals=MEASURED_DEALS, batch_size=(2, math.inf))
    cli.check_ranges(options, pool_size=(0, math.inf), ent_coef=(0, 1000), learning_rate=(1e-9, 1))
    cli.check_ranges(options, gamma=share, gae_lambda=share, self_play_fraction=share)
    if options.num_envs * options.n_steps < 2:
        raise ValueError("n_steps=1 is not allowed with num_envs=1; allowed: 2 or more")
    if not options.opponents and options.pool_size < 1:
        raise ValueError("pool_size=0 is not allowed without opponents; allowed: 1 or more")


def restore(saved: Mapping[str, Any], given: Options, again: Sequence[str] = ()) -> Options:
    """Return the original options of a run, for the run in `given.resume`.

    Args:
        saved: The options in the format of `to_json`.
        given: The options of this command. Only --more, --trust and the options in `again` have an effect.
        again: Options that a resumed run takes from the command line.

    Raises:
        ValueError: `saved` belongs to another command or version, or names agents by file without --trust.
    """
    folder, agents = given.resume, [str(saved.get(name, "")) for name in AGENTS]
    assert folder is not None
    if any(".py:" in specs for specs in agents) and not given.trust:
        raise ValueError(f"{folder} uses agents from Python files, whose code would run; to allow this, add --trust")
    fields: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in saved.items()}
    fields |= {"runs": folder.parent, "name": folder.name}
    try:
        options = type(given)(**fields)
    except TypeError as error:
        raise ValueError(f"{folder} is a run of another command or version: {error}") from None
    changed: dict[str, Any] = {name: getattr(given, name) for name in again}
    if given.TOTAL:
        changed[given.TOTAL] = getattr(options, given.TOTAL) + given.more
    return replace(options, **changed)


@dataclass(frozen=True, kw_only=True)
class Args(PPOOptions):
    """Learn a game by self-play with RLlib: env runners in other processes, here or on a cluster of Ray.

    Example: python -m training scale --config configs/scale/karma.toml --workers 2

    On a cluster: python -m training scale --config configs/scale/karma.toml --workers 64 --address 10.0.0.1:6379
    """

    num_envs: int = 64
    """Tables of an env runner; an update uses the decisions of all runners."""
    workers: int = 2
    """Number of env runners, each a process; may differ after --resume."""
    learners: int = 0
    """Processes of the optimiser; 0 = this one; may differ after --resume."""
    gpus: float = 0.0
    """GPUs, or a share of one, per learner; may differ after --resume."""
    address: str = ""
    """HOST:PORT of a Ray cluster, or auto; empty = local; may differ after --resume."""

    COMMON = (*PPOOptions.COMMON, "workers", "learners", "gpus", "address")


def check(args: Args) -> None:
    """Raise ValueError for options that no part of a run would refuse with a clear message."""
    check_ppo(args)
    cli.check_ranges(args, workers=(1, MOST_WORKERS), learners=(0, MOST_WORKERS), gpus=(0, MOST_WORKERS))
    if args.batch_size < 2 * max(args.learners, 1):
        raise ValueError(f"batch_size={args.batch_size} is not allowed; allowed: at least 2 for each learner")


def needs(args: Args) -> tuple[int, float]:
    """Return the cores and GPUs of the processes that a run begins."""
    return args.workers + args.learners, args.gpus * max(args.learners, 1)
