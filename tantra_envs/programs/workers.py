"""Executors of jobs: in this process, in other processes, or on Ray. The results do not depend on the executor.

    with executor(workers=2) as run:
        for job, result in run(function, jobs):  # as they finish, in any order
            ...

`function` must be a function of a module. Jobs and results must be picklable.
"""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import os
import socket
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from ..core.asking import AgentWarning
from ..core.options import require
from ..extras import install_command
from .signals import handlers_kept, ignore_stopping

MOST_WORKERS = 1 << 12
Run = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[tuple[Any, Any]]]


class WorkerError(OSError):
    """Raised when a worker process was killed or ran out of memory."""


def executor(workers: int, ray: bool = False) -> contextlib.AbstractContextManager[Run]:
    """Return an executor of `workers` processes; raise ValueError if there cannot be one."""
    require("workers", workers, 1 <= workers <= MOST_WORKERS, f"1..{MOST_WORKERS}")
    if ray and importlib.util.find_spec("ray") is None:
        raise ValueError(f"ray is not installed; {install_command('ray')}")
    if ray:
        return _on_ray(workers)
    return _in_processes(workers) if workers > 1 else contextlib.nullcontext(_here)


def _here(function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    return ((job, function(job)) for job in jobs)


@contextlib.contextmanager
def _in_processes(workers: int) -> Iterator[Run]:
    """Start new processes instead of forks, because the threads of the libraries do not survive a fork."""
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
            child.kill()  # it ignores SIGTERM
        if isinstance(stopped, BrokenProcessPool):
            raise WorkerError("a worker died: it was killed, or memory ran out") from None
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Prepare a new worker: the parent handles Ctrl-C and SIGTERM, and warns. The worker ends with its parent."""
    ignore_stopping()
    warnings.simplefilter("ignore", AgentWarning)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def _on_ray(workers: int) -> Iterator[Run]:
    """Use the Ray cluster that this program has joined, else that at RAY_ADDRESS, else start one of `workers` cores."""
    import ray  # type: ignore[import-not-found, unused-ignore]

    begun = not ray.is_initialized()
    if begun:
        begin_ray(os.environ.get("RAY_ADDRESS", ""), workers)

    def run(function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        remote = ray.remote(function)
        waiting = {remote.remote(job): job for job in jobs}
        try:
            while waiting:
                (done,), _ = ray.wait(list(waiting), num_returns=1)
                yield waiting.pop(done), ray.get(done)
        finally:  # after an error or Ctrl-C no job goes on
            for lost in waiting:
                ray.cancel(lost)

    try:
        yield run
    except ray.exceptions.RayTaskError as failed:
        raise failed.cause from None
    except ray.exceptions.RayError as lost:
        raise WorkerError(f"Ray lost a job: {' '.join(str(lost).split())}") from None
    finally:
        if begun:
            ray.shutdown()


def begin_ray(address: str, cores: int) -> None:
    """Join the Ray cluster at `address`, or start one here.

    Args:
        address: Its head as HOST:PORT, or auto; empty = start a cluster on this machine.
        cores: Cores of a cluster that is started here.

    Raises:
        ValueError: `address` is not an address.
        OSError: The address does not answer or does not let us in, or Ray does not start in time.
    """
    import ray

    _check_somebody_answers(address)
    local = {"num_cpus": cores, "include_dashboard": False}
    try:
        with handlers_kept():  # Ray ends the program on SIGTERM, without a word
            ray.init(address or "local", log_to_driver=False, logging_level="error", **({} if address else local))
    except (ConnectionError, ray.exceptions.RayError) as error:
        token = "if it requires a token, set RAY_AUTH_MODE=token and put the token into ~/.ray/auth_token"
        raise OSError(f"the cluster at {address} refused the connection: {error} ({token})") from None
    except Exception as error:
        if type(error) is not Exception:  # Ray raises a bare Exception only if its processes start too slowly
            raise
        raise OSError(f"Ray did not start in time; the machine may be overloaded: {error}") from None


def _check_somebody_answers(address: str) -> None:
    """Raise OSError at once if the address does not answer. Ray would try for minutes and then end this process."""
    if address in ("", "auto", "local"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    require("address", address, host and port.isdecimal(), "HOST:PORT, or auto")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise OSError(f"no answer from {address}, which should be the head of a Ray cluster: {error}") from None
