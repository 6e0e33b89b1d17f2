"""What a person at the keyboard sees of a run, how they stop it, and what it has cost."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def processor_minutes() -> float:
    """That this process has used so far, on all cores together."""
    return time.process_time() / 60


@contextlib.contextmanager
def asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Tells whether Ctrl-C was pressed; pressed a second time it interrupts at once, as usual."""
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
def progress_bar(doing: str, total: int, done: int) -> Iterator[Callable[[int, str], None]]:
    """A bar over the decisions, with a word on how it goes."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[word]}"))
    with Progress(*columns, TimeRemainingColumn()) as bar:
        task = bar.add_task("", total=total, completed=done, word="")
        yield lambda now, word: bar.update(task, completed=now, word=word)
