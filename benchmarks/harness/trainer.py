"""Train agents in separate processes: to the end of a run, or as much as is asked for (`training/speed.py`)."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tantra_envs.programs.cli import UserError

ROOT = Path(__file__).resolve().parents[2]
CODE = "from training.speed import main; main()"
# A command of `training`. It ends when its parent does, because the pipe that is its input is closed then.
COMMAND = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
from training.__main__ import main
raise SystemExit(main(sys.argv[1:]))
"""

Ask = Callable[[object], str]  # sends a line to a trainer and returns its answer


def train(words: Sequence[str], log: Path) -> None:
    """Run `python -m training` with these words, and write its output to a file.

    Raises:
        UserError: It refused its options, or failed.
    """
    command = [sys.executable, "-c", COMMAND, *words]
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])  # paths in the words are those of the caller
    own: Any = {"env": {**os.environ, "PYTHONPATH": paths}, "stdin": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with (
        log.open("w", encoding="utf-8") as output,
        subprocess.Popen(command, stdout=output, start_new_session=True, **own) as process,
    ):
        code = process.wait()  # `communicate` would close the input at once
    if code:
        last = "".join(log.read_text(encoding="utf-8").splitlines()[-1:])
        raise UserError(f"training {words[0]} failed: {last} (see {log})")


@contextlib.contextmanager
def started(name: str, options: Mapping[str, Any]) -> Iterator[Ask]:
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
            with contextlib.suppress(BrokenPipeError):
                lines.close()  # it may hold a line that a dead trainer did not read
