"""Train agents in separate processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tantra_envs.programs.cli import UserError

ROOT = Path(__file__).resolve().parents[2]
# A command of `training`. It ends when its parent does, because the pipe that is its input is closed then.
COMMAND = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
from training.__main__ import main
raise SystemExit(main(sys.argv[1:]))
"""


def train(words: Sequence[str], log: Path) -> None:
    """Run `python -m training` with its output in a file; raise UserError if it fails."""
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
