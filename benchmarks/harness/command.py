"""One way for all studies to run: options, checks, play, report, and what is said when it ends early."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tantra_envs import cli

from . import workers
from .args import StudyArgs
from .workers import Run

Args = TypeVar("Args", bound=StudyArgs)
Prepare = Callable[[Any], Any]  # from the options to a study; ValueError or OSError tell what is wrong
Write = Callable[[Any, Run, str], None]  # a study is played and reported; the last is the command line
GOES_ON = "what is finished is kept, and the same command goes on from there"


def main(
    options: type[Args], program: str, load: Callable[[], tuple[Prepare, Write]], words: Sequence[str] | None = None
) -> int:
    """Read `options`, check all that can be checked, play and report: the exit code.

    `load` imports what the study needs, so that a missing library is told like any other mistake.
    """
    with cli.user_errors("bench,train"):
        args = cli.read(options, program, game_first(sys.argv[1:] if words is None else words))
        prepare, write = load()
        study = prepare(args)
        executor = workers.executor(args.workers, args.ray)
    try:
        with executor as run:
            write(study, run, cli.command(program))
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
