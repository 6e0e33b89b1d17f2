"""What every kind of self-play is told: the settings they share, what is allowed, how a run takes them up again."""

import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from tantra_envs import cli


@dataclass(kw_only=True)
class Settings:
    """Learn a game by self-play."""

    game: str = "karma"
    """A game, or game:variant."""
    players: int | None = None
    """Seats at a table, of which the learner's is drawn for every game; None = as the game or variant has it."""
    name: str = "selfplay"
    """The run's folder under `runs`."""
    runs: Path = Path("runs")
    """Where runs are kept."""
    resume: Path | None = None
    """Folder of a run to go on with under its own settings; of those given here only a few count, see there."""
    more: int = 0
    """With --resume: decisions beyond the total the run was to have; below 0, fewer."""
    trust: bool = False
    """With --resume: let the run's settings name agents by file, whose code runs then."""
    total_timesteps: int = 2_000_000
    """Decisions of the learner to learn from."""
    seed: int = 1
    """Of networks, deals and opponents."""

    num_envs: int = 512
    """Tables played at the same time."""
    n_steps: int = 64
    """Decisions at each table between updates."""
    batch_size: int = 4096
    """Decisions in one step of the optimiser."""
    n_epochs: int = 3
    """How often an update goes through the decisions."""
    learning_rate: float = 1e-3
    """At the start; it falls in a straight line to a tenth."""
    gamma: float = 0.995
    """Discount: what a reward one decision later counts."""
    gae_lambda: float = 0.95
    """Of the generalised advantage estimate."""
    ent_coef: float = 0.01
    """Weight of the entropy bonus."""
    net_arch: tuple[int, ...] = (128, 128)
    """Hidden layers of actor and critic."""
    activation: Literal["tanh", "relu"] = "tanh"
    """Of the hidden layers; relu clones better."""
    transform: Literal["none", "symlog"] = "none"
    """Of the observation; symlog where it holds counts and points of tens and hundreds."""
    threads: int = 1
    """Of torch: networks this small gain little from a second one, and lose all where cores are shared."""

    partner: Literal["self", "pool"] = "self"
    """Who plays the partners of the learner's seat in a game of teams: the learner itself, or an agent of the pool."""
    opponents: str = "uniform,greedy,scripted"
    """Agents in the pool, besides snapshots."""
    self_play_fraction: float = 0.5
    """Share of the other seats that snapshots take."""
    pool_size: int = 4
    """Snapshots kept."""
    snapshot_every: int = 100_000
    """Decisions between snapshots."""

    eval_opponents: str = "uniform,greedy,scripted"
    """Whom the learner is measured against."""
    eval_every: int = 500_000
    """Decisions between measurements, which also save a checkpoint."""
    eval_deals: int = 100
    """Deals of a measurement on the way."""
    final_deals: int = 1000
    """Deals of the measurement at the end."""


Kind = TypeVar("Kind", bound=Settings)

WHOLE = ("total_timesteps", "num_envs", "n_steps", "n_epochs", "threads", "net_arch")
EVERY = ("snapshot_every", "eval_every", "eval_deals", "final_deals")
SHARES = ("gamma", "gae_lambda", "self_play_fraction")
BY_FILE = ("opponents", "eval_opponents", "expert")  # settings that may name agents by file


def check(settings: Settings) -> None:
    """ValueError for settings that no part of a run would refuse in clear words."""
    for names, span in (
        ((*WHOLE, *EVERY), (1, math.inf)),
        (("pool_size", "ent_coef"), (0, math.inf)),
        (SHARES, (0, 1)),
    ):
        cli.check_ranges(settings, **dict.fromkeys(names, span))
    cli.check_ranges(settings, seed=(0, (1 << 31) - 2), learning_rate=(1e-9, 1), batch_size=(2, math.inf))
    if settings.num_envs * settings.n_steps < 2:
        raise ValueError("n_steps=1 is not allowed with num_envs=1; allowed: 2 or more")
    if not settings.opponents and settings.pool_size < 1:
        raise ValueError("pool_size=0 is not allowed without opponents; allowed: 1 or more")


def plain(settings: Settings) -> dict[str, Any]:
    """The settings as JSON takes them."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(settings).items()}


def kept(settings: dict[str, Any], given: Kind) -> Kind:
    """The settings of the run in `given.resume`, to go on with; ValueError if they are none, or not to be trusted."""
    folder, named = given.resume, ",".join(settings.get(name, "") for name in BY_FILE)
    assert folder is not None
    if ".py:" in named and not given.trust:
        raise ValueError(f"{folder} plays with agents by file, whose code would run; if you trust it, say --trust")
    fields: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}
    try:
        run = type(given)(**fields)
    except TypeError as error:
        raise ValueError(f"{folder} holds a run of another kind, or version: {error}") from None
    total = run.total_timesteps + given.more
    return replace(run, runs=folder.parent, name=folder.name, resume=None, total_timesteps=total)
