"""The Ray that a run plays on: one begun here, or a cluster that is there already."""

from __future__ import annotations

import contextlib
import logging
import math
from collections.abc import Iterator

import ray

PATIENCE = 600.0  # seconds without an answer: the first stretch of play may compile the game


def join(address: str, cores: int, gpus: float = 0.0) -> None:
    """Join the cluster at `address`, or begin a Ray of so many cores here.

    ValueError if the cluster has not so many, OSError if it is not there.
    """
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address:
        ray.init(address=address, **quiet)
        _check_size(address, cores, gpus)
    else:
        own = {"num_cpus": cores, "num_gpus": math.ceil(gpus) or None, "include_dashboard": False}
        ray.init(address="local", **own, **quiet)


@contextlib.contextmanager
def left() -> Iterator[None]:
    """The cluster is left, or the Ray begun here ended, however the work in here ends."""
    try:
        yield
    finally:
        ray.shutdown()


def _check_size(address: str, cores: int, gpus: float) -> None:
    there = ray.cluster_resources()
    for kind, name, wanted in (("CPU", "cores", cores), ("GPU", "GPUs", gpus)):
        if there.get(kind, 0) < wanted:
            ray.shutdown()
            raise ValueError(
                f"the cluster at {address} has {there.get(kind, 0):g} {name}; workers and learners need {wanted:g}"
            )
