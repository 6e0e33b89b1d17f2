"""The command `python -m benchmarks study`: plays a study and shows it with the view of this name."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tantra_envs.programs.workers import Run

from ..harness.played import Played
from ..play import Play, Shown, run_prepared
from ..study import experiment
from ..study.matchups import Args
from ..study.results import results_of
from ..views import study as view


def main(argv: Sequence[str]) -> int:
    """Play and report the study that the options describe."""
    return run_prepared(Args, "study", argv, prepare)


def prepare(args: Args) -> tuple[Path, Play]:
    """Return the folder of a study, and the function that plays it."""
    study = experiment.prepare(args)

    def play(run: Run) -> Shown:
        counts = experiment.play(study, run)
        return view, Played([], {}, pl.DataFrame(), [], counts.programs, {}), results_of(study, counts)

    return study.folder, play
