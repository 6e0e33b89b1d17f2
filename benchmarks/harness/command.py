"""One way for all studies to run: options, checks, play, report, and what is said when it ends early.

A study is a package with `study.prepare(args)`, which makes of the options what is to be played (ValueError or OSError
tell what is wrong), and `report.write(study, run, command)`, which plays it, keeps what it found, and says where.
"""

from __future__ import annotations

import importlib
import shlex
import sys
from collections.abc import Sequence
from typing import TypeVar

from tantra_envs import cli

from . import workers
from .args import StudyArgs

Args = TypeVar("Args", bound=StudyArgs)
GOES_ON = "what is finished is kept, and the same command goes on from there"


def main(options: type[Args], package: str, words: Sequence[str] | None = None) -> int:
    """Run the study in `package`, whose options these are: the exit code."""
    with cli.mistakes("bench,train"):
        args = cli.read(options, package, game_first(sys.argv[1:] if words is None else words))
        study, report = (importlib.import_module(f"{package}.{name}") for name in ("study", "report"))
        prepared = study.prepare(args)
        executor = workers.executor(args.workers, args.ray)
    try:
        with executor as run:
            report.write(prepared, run, command_line(package))
    except KeyboardInterrupt:
        print(f"stopped; {GOES_ON}", file=sys.stderr)
        return 130
    except (workers.WorkerError, OSError) as trouble:  # a killed worker, a full disk
        print(f"error: {trouble}; {GOES_ON}", file=sys.stderr)
        return 1
    except ValueError as wrong:  # an agent's illegal action; a record of rules that have changed since
        print(f"error: {wrong}", file=sys.stderr)
        return 1
    return 0


def game_first(words: Sequence[str]) -> list[str]:
    """The words with `--game` before a game that comes first."""
    return ["--game", *words] if words and not words[0].startswith("-") else list(words)


def command_line(program: str) -> str:
    """The command line of this run, to be kept beside its results."""
    return shlex.join(["python", "-m", program, *sys.argv[1:]])
