"""Start a trainer in a process of its own, which learns as much as it is asked for (`training/speed.py`)."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CODE = "from training.speed import main; main()"

Ask = Callable[[object], str]  # sends a line to a trainer and returns its answer


@contextlib.contextmanager
def trainer(name: str, options: Mapping[str, Any]) -> Iterator[Ask]:
    """Start the process of a trainer, and end it afterwards. `options` are those of `training/speed.py`.

    Raises:
        RuntimeError: The trainer `name` ended. Its own message is on stderr.
    """
    command = [sys.executable, "-c", CODE, json.dumps(options)]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True, **pipes) as process:  # Ctrl-C is for the parent
        lines: Any = process.stdin
        answers: Any = process.stdout

        def ask(line: object) -> str:
            with contextlib.suppress(BrokenPipeError):
                lines.write(f"{line}\n")
            answer: str = answers.readline()
            if not answer:
                raise RuntimeError(f"{name} ended with an error")
            return answer

        try:
            yield ask
        finally:
            process.kill()
