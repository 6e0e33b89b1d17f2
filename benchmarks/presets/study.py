"""The command `python -m benchmarks study`: plays a study and shows it with the view of this name."""

import sys
from collections.abc import Sequence

import polars as pl

from tantra_envs.programs import cli, workers
from tantra_envs.programs.files import check_file, locked

from .. import show
from ..harness.played import Played
from ..study import experiment
from ..study.options import Args
from ..study.results import results_of
from ..views import study as view


def main(argv: Sequence[str]) -> int:
    """Play and report the study that the options describe."""
    with cli.user_errors("bench,train"):
        args = cli.read(Args, "benchmarks study", argv)
        if args.results:
            check_file("results", args.results)
        executor = workers.executor(args.workers)  # refuses options, so before a folder is created
        study = experiment.prepare(args)
    with cli.work("finished shards are kept; run the same command again to continue"):
        try:
            with locked(study.folder):
                print(f"folder: {study.folder}", flush=True)
                with executor as run:
                    counts = experiment.play(study, run)
                played = Played([], {}, pl.DataFrame(), [], counts.programs, {})
                command = cli.command("benchmarks", ["study", *argv])
                show.report(view, study.folder, [played], results_of(study, counts), command, args.results)
        except ValueError as wrong:  # an agent's illegal action, or a record of older rules
            print(f"error: {wrong}", file=sys.stderr)
            return 1
    return 0
