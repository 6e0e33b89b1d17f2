"""Executors of jobs: in this process or in other processes. The results do not depend on the executor.

    with executor(workers=2) as run:
        for job, result in run(function, jobs):  # as they finish, in any order
            ...

`function` must be a function of a module. Jobs and results must be picklable.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from ..core.asking import AgentWarning
from .signals import ignore_stopping

Run = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[tuple[Any, Any]]]


class WorkerError(OSError):
    """Raised when a worker process was killed or ran out of memory."""


def executor(workers: int) -> contextlib.AbstractContextManager[Run]:
    """Return an executor of `workers` processes."""
    if workers > 1:
        return _in_processes(workers)
    return contextlib.nullcontext(lambda function, jobs: ((job, function(job)) for job in jobs))


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
