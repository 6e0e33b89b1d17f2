"""Report a study: its results and its page (`benchmarks.views.study`)."""

from __future__ import annotations

import polars as pl

from .. import show
from ..harness.played import Played
from ..views import study as view
from .experiment import Counts, Study
from .results import results_of


def write(study: Study, counts: Counts, command: str) -> None:
    """Write all files and print the answers."""
    played = Played([], {}, pl.DataFrame(), [], counts.programs)
    show.report(view, study.folder, [played], results_of(study, counts), command, study.args.results)
