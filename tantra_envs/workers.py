"""Where jobs run: in this process, in processes of their own, or on Ray. What comes out is the same.

    with executor(workers=2) as run:
        for job, result in run(function, jobs):  # as they finish, in any order
            ...

`function` is a function of a module, and jobs and results can be pickled.
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from .extras import install_command

Run = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[tuple[Any, Any]]]


class WorkerError(OSError):
    """A worker died: killed from outside, or out of memory."""


def executor(workers: int, ray: bool = False) -> contextlib.AbstractContextManager[Run]:
    """The executor asked for; ValueError if there is none such."""
    if workers < 1:
        raise ValueError(f"workers={workers} is not allowed; allowed: 1 or more")
    if ray and importlib.util.find_spec("ray") is None:
        raise ValueError(f"ray is not installed; {install_command('ray')}")
    if ray:
        return _on_ray(workers)
    return _in_processes(workers) if workers > 1 else contextlib.nullcontext(_here)


def _here(function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    return ((job, function(job)) for job in jobs)


@contextlib.contextmanager
def _in_processes(workers: int) -> Iterator[Run]:
    """New processes, not forks: threads of the libraries do not survive a fork."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin)

    def run(function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        waiting = {pool.submit(function, job): job for job in jobs}
        for done in as_completed(waiting):
            yield waiting[done], done.result()

    try:
        yield run
    except BaseException as stopped:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        if isinstance(stopped, BrokenProcessPool):
            raise WorkerError("a worker died: it was killed, or memory ran out") from None
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """In a new worker: Ctrl-C is for the parent to answer, and without a parent there is nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def _on_ray(workers: int) -> Iterator[Run]:
    """The Ray this program has joined, else the one at RAY_ADDRESS, else one begun here, of so many workers."""
    import ray  # type: ignore[import-not-found, unused-ignore]

    begun = not ray.is_initialized()
    if begun:
        begin_ray(os.environ.get("RAY_ADDRESS", ""), workers)

    def run(function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        remote = ray.remote(function)
        waiting = {remote.remote(job): job for job in jobs}
        while waiting:
            (done,), _ = ray.wait(list(waiting), num_returns=1)
            yield waiting.pop(done), ray.get(done)

    try:
        yield run
    except ray.exceptions.RayTaskError as failed:
        raise failed.cause from None
    except ray.exceptions.RayError as lost:
        raise WorkerError(f"Ray lost a piece: {' '.join(str(lost).split())}") from None
    finally:
        if begun:
            ray.shutdown()


def begin_ray(address: str, cores: int, gpus: float = 0.0) -> None:
    """Join the Ray at `address`, its head as HOST:PORT or auto; none = begin one here, of so many cores and GPUs.

    ValueError for an address that is none, OSError if nobody answers there or lets us in, or Ray is slow to begin.
    """
    import ray

    _check_somebody_answers(address)
    own = {"num_cpus": cores, "num_gpus": math.ceil(gpus) or None, "include_dashboard": False}
    try:
        ray.init(address or "local", log_to_driver=False, logging_level="error", **({} if address else own))
    except (ConnectionError, ray.exceptions.RayError) as error:
        token = "one that asks for a token is joined with RAY_AUTH_MODE=token and the token in ~/.ray/auth_token"
        raise OSError(f"the cluster at {address} does not let us in: {error} ({token})") from None
    except Exception as error:
        if type(error) is not Exception:  # so bare only where its processes take too long to begin
            raise
        raise OSError(f"Ray did not begin, as on a machine that has too much to do: {error}") from None


def _check_somebody_answers(address: str) -> None:
    """Ray itself would try for minutes, and then end this process."""
    if address in ("", "auto", "local"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal()):
        raise ValueError(f"address={address!r} is not allowed; allowed: HOST:PORT, or auto")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise OSError(f"nobody answers at {address}, where the head of a cluster of Ray should be: {error}") from None
