"""What `python -m training.scale` is told, besides what all self-play is."""

import math
from dataclasses import dataclass

from tantra_envs import cli

from .. import settings
from ..settings import Settings


@dataclass(kw_only=True)
class Args(Settings):
    """Learn a game by self-play with RLlib: env runners in other processes, here or on a cluster of Ray.

    Example: python -m training.scale --config configs/scale/karma.toml --workers 2 --name karma-scale

    On a cluster: python -m training.scale --config configs/scale/karma.toml --workers 64 --address 10.0.0.1:6379
    """

    name: str = "scale"
    """The run's folder under `runs`."""
    num_envs: int = 64
    """Tables that an env runner plays at the same time; all runners' decisions make an update."""
    workers: int = 2
    """Env runners, each a process with a core of its own. With --resume as well."""
    learners: int = 0
    """Processes that share the batches of the optimiser; 0 = this one learns. With --resume as well."""
    gpus: float = 0.0
    """Of a learner, or a share of one. With --resume as well."""
    address: str = ""
    """Of a running cluster of Ray, its head as HOST:PORT, or auto; none = one begun here. With --resume as well."""


def check(args: Args) -> None:
    """ValueError for settings that no part of a run would refuse in clear words."""
    settings.check(args)
    cli.check_ranges(args, workers=(1, math.inf), learners=(0, math.inf), gpus=(0, math.inf))
    if args.batch_size < 2 * max(args.learners, 1):
        raise ValueError(f"batch_size={args.batch_size} is not allowed; allowed: at least 2 for each of the learners")


def needs(args: Args) -> tuple[int, float]:
    """Cores and GPUs of the processes that a run begins."""
    return args.workers + args.learners, args.gpus * max(args.learners, 1)
