"""The Ray cluster of a run: a local one that the run begins, or an existing one."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator

import ray

from tantra_envs.workers import begin_ray

PATIENCE = 600.0  # seconds without an answer; at the start, runners may have to compile the game


def quiet() -> None:
    """Silence the log messages of Ray. Call this before RLlib is imported."""
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)


def join(address: str, cores: int, gpus: float = 0.0) -> None:
    """Join the cluster at `address`, or begin a local Ray with `cores` cores.

    Raises:
        ValueError: The cluster has fewer cores or GPUs.
        OSError: The cluster does not exist or refuses the connection.
    """
    begin_ray(address, cores, gpus)
    if address:
        _check_size(address, cores, gpus)


@contextlib.contextmanager
def left() -> Iterator[None]:
    """Leave the cluster, or end the local Ray, at the end of the block."""
    try:
        yield
    finally:
        ray.shutdown()


def _check_size(address: str, cores: int, gpus: float) -> None:
    resources = ray.cluster_resources()
    for kind, name, number in (("CPU", "cores", cores), ("GPU", "GPUs", gpus)):
        if resources.get(kind, 0) < number:
            ray.shutdown()
            raise ValueError(
                f"the cluster at {address} has {resources.get(kind, 0):g} {name}, but the run needs {number:g}"
            )
