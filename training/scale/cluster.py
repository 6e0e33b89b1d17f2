"""The Ray that a run plays on: one begun here, or a cluster that is there already."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator

import ray

from tantra_envs.workers import begin_ray

PATIENCE = 600.0  # seconds without an answer: the first stretch of play may compile the game


def quiet() -> None:
    """Of what Ray has to say to those who work on Ray, say nothing; before RLlib is imported."""
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)


def join(address: str, cores: int, gpus: float = 0.0) -> None:
    """Join the cluster at `address`, or begin a Ray of so many cores here.

    ValueError if the cluster has not so many, OSError if it is not there or does not let us in.
    """
    begin_ray(address, cores, gpus)
    if address:
        _check_size(address, cores, gpus)


@contextlib.contextmanager
def left() -> Iterator[None]:
    """The cluster is left, or the Ray begun here ended, however the work in here ends."""
    try:
        yield
    finally:
        ray.shutdown()


def _check_size(address: str, cores: int, gpus: float) -> None:
    there = ray.cluster_resources()
    for kind, name, number in (("CPU", "cores", cores), ("GPU", "GPUs", gpus)):
        if there.get(kind, 0) < number:
            ray.shutdown()
            raise ValueError(
                f"the cluster at {address} has {there.get(kind, 0):g} {name}; workers and learners need {number:g}"
            )
