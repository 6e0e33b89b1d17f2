"""The command `python -m benchmarks study`: plays a study and shows it with the view of this name."""

from collections.abc import Sequence

import polars as pl

from .. import show
from ..harness import command
from ..harness.played import Played
from ..study.experiment import Counts, Study
from ..study.options import Args
from ..study.results import results_of
from ..views import study as view


def main(argv: Sequence[str]) -> int:
    """Play and report the study that the options describe."""
    return command.main(Args, "study", argv, __name__)


def write(study: Study, counts: Counts, command: str) -> None:
    """Write the results and the page, and print the answers."""
    played = Played([], {}, pl.DataFrame(), [], counts.programs, {})
    show.report(view, study.folder, [played], results_of(study, counts), command, study.args.results)
