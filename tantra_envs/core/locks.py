"""A lock for objects that threads may share, and that are copied and pickled."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any


class SharedLock:
    """A lock that one thread holds at a time, any number of times. Copies are new locks that nobody holds."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedLock, ()
