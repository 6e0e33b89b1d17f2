"""Progress of long commands: a bar on a terminal, and a plain line now and then in a log."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

TENTHS = 10
SECONDS = 60.0  # a log gets a line after this time, also before another tenth is complete


class Advance(Protocol):
    """A function that counts further steps."""

    def __call__(self, steps: int, words: str = "") -> None:
        """Count steps. The words are shown until there are others."""


@contextlib.contextmanager
def progress(label: str, total: int, done: int = 0) -> Iterator[Advance]:
    """Show a progress bar, or print a line for every tenth and every minute where there is no terminal.

    Yield a function that takes the number of further steps, and words to show, such as the speed.
    """
    if not sys.stdout.isatty():
        yield Lines(label, total, done).advance
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    name, words = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[words]}", markup=False)
    columns = name, BarColumn(), MofNCompleteColumn(), words, TimeElapsedColumn(), TimeRemainingColumn()
    with Progress(*columns) as bar:
        task = bar.add_task(label, total=total, completed=done, words="")

        def advance(steps: int, words: str = "") -> None:
            bar.update(task, advance=steps)
            if words:
                bar.update(task, words=words)

        yield advance


@dataclass
class Lines:
    """Progress as lines of text."""

    label: str
    total: int
    done: int = 0
    words: str = ""
    clock: Callable[[], float] = time.monotonic
    _printed: float = field(init=False)

    def __post_init__(self) -> None:
        self._printed = self.clock()

    def advance(self, steps: int, words: str = "") -> None:
        """Count steps, and print a line if another tenth is complete or a minute has passed."""
        tenths = TENTHS * self.done // self.total
        self.done += steps
        self.words = words or self.words
        now = self.clock()
        if TENTHS * self.done // self.total > tenths or now >= self._printed + SECONDS:
            self._printed = now
            print(f"{self.label}: {self.done:,} of {self.total:,}{self.words and f', {self.words}'}", flush=True)
