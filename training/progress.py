"""Progress bars, stopping by Ctrl-C, and the CPU time of a run."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def processor_minutes() -> float:
    """Return the CPU minutes of this process so far, summed over all cores."""
    return time.process_time() / 60


@contextlib.contextmanager
def asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed. A second Ctrl-C interrupts immediately."""
    pressed = []

    def press(number: int, frame: Any) -> None:
        pressed.append(number)
        signal.signal(signal.SIGINT, usual)

    usual = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, usual)


@contextlib.contextmanager
def progress_bar(title: str, total: int, done: int) -> Iterator[Callable[[int, str], None]]:
    """Show a progress bar. Yield a function that takes the completed number and a word to show."""
    name, word = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[word]}")
    with Progress(name, BarColumn(), MofNCompleteColumn(), word, TimeRemainingColumn()) as bar:
        task = bar.add_task(title, total=total, completed=done, word="")
        yield lambda now, shown: bar.update(task, completed=now, word=shown)
