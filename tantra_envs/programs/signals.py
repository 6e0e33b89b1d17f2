"""Signals: SIGTERM, which batch systems and containers send, ends a program as Ctrl-C does."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

STOPPING = (signal.SIGINT, signal.SIGTERM)
Handler = Callable[[int, FrameType | None], Any]


@contextlib.contextmanager
def terminating() -> Iterator[None]:
    """Raise KeyboardInterrupt in the block when SIGTERM arrives, unless this process ignores it or handles it itself.

    Only the main thread of a program can handle signals. In other threads nothing changes.
    """
    with _handled((signal.SIGTERM,), signal.default_int_handler, only=(signal.SIG_DFL,)):
        yield


@contextlib.contextmanager
def asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed or SIGTERM arrived.

    A second Ctrl-C interrupts at once. A second SIGTERM does not: supervisors may send it to a process and its group.
    """
    arrived: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and number in arrived:
            raise KeyboardInterrupt
        arrived.append(number)

    with _handled(STOPPING, note):
        yield lambda: bool(arrived)


def ignore_stopping() -> None:
    """Ignore Ctrl-C and SIGTERM in a worker process: its parent handles them, and ends it."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def _handled(numbers: tuple[signal.Signals, ...], handler: Handler, only: tuple[Any, ...] = ()) -> Iterator[None]:
    """Handle signals in the block, or only those whose handler before is one of `only`."""
    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in numbers}
    own = [number for number, usual in before.items() if not only or usual in only]
    for number in own:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in own:
            signal.signal(number, before[number])
