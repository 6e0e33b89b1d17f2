"""All figures of a study in one table: a row for every measure and part, by variant, line-up and seat.

Columns: section; measure; part; variant; lineup; seat (a place, 0 = all); value, low, high (95 % interval); change,
change_low, change_high (from the base variant, paired by the seed of the deal); deals.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import Kinds, Measure, share

from ..harness.figures import Figure, Sample, median, samples
from ..harness.figures import share as share_of
from ..harness.formatting import Row
from ..harness.lineups import Lineup
from . import ablations, agency, behaviour, learners, skill, tension
from .study import ABLATION, AGENCY, BEHAVIOUR, OPTIONS, SAMPLES, TALLY, Counts, Matchup, Study
from .tally import CUT_OFF, LAST_SCORE, MEDIAN, SEAT, SELF_PLAY, figure_of, figures_of, sections

Measured = Sequence[tuple[Measure, int, Figure]]
Key = tuple[str, str, str, Lineup, int]  # section, measure, part, line-up, seat
SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("section", "measure", "part", "variant", "lineup"), pl.String),
    "seat": pl.Int64,
    **dict.fromkeys(("value", "low", "high", "change", "change_low", "change_high"), pl.Float64),
    "deals": pl.Int64,
}
COUNTED = 0.98  # required share of resamples with a counted deal: means four deals or more
HEADLINES = (SEAT, skill.EXPLAINED, skill.SCORE, MEDIAN, CUT_OFF, LAST_SCORE, agency.RANDOM)  # show a rule's effect
ALL, WHOLE = "all", -1  # all ranges of a scale together: their name, and their number among the parts
RANGES = 16  # number of ranges of lengths
LONG = 0.95  # share of the games that are shorter than the start of the last range
EASY = (1, 2, 5)  # widths of ranges, times powers of ten


class Figures:
    """Collects rows, and keeps the samples of the base variant for paired changes."""

    def __init__(self, study: Study) -> None:
        self._seed, self._variant = study.args.seed, study.base
        self.samples: dict[Key, Sample] = {}  # of the base variant
        self.rows: list[Row] = []
        self.measures: dict[tuple[str, str], Measure] = {}

    def add(self, section: str, table: Matchup, games: pl.DataFrame, measured: Measured, seat: int = 0) -> list[Row]:
        """Add and return the figures of some games. Figures with too few counted deals are left out."""
        first = len(self.rows)
        if games.is_empty() or not measured:
            return []
        deals = games["deal"].n_unique()
        drawn = samples(games, [figure for *_, figure in measured], self._seed)
        for (measure, part, _), sample in zip(measured, drawn, strict=True):
            self._add_sample((section, measure.name, _part(measure, part), table.lineup, seat), table, sample, deals)
            self.measures.setdefault((section, measure.name), measure)
        return self.rows[first:]

    def add_median(self, section: str, table: Matchup, games: pl.DataFrame) -> None:
        """Add the median length of some games."""
        self.measures.setdefault((section, MEDIAN.name), MEDIAN)
        sample, deals = median(games, "plies", self._seed), games["deal"].n_unique()
        self._add_sample((section, MEDIAN.name, "", table.lineup, 0), table, sample, deals)

    def _add_sample(self, key: Key, table: Matchup, sample: Sample, deals: int) -> None:
        if sample.counted < COUNTED or math.isnan(sample.value):
            return
        base = None if table.variant == self._variant else self.samples.get(key)
        if table.variant == self._variant:
            self.samples[key] = sample
        names = dict(zip(("section", "measure", "part", "lineup", "seat"), key, strict=True))
        self.rows.append({**names, "variant": table.variant, **_numbers(sample, base), "deals": deals})


def figures(study: Study, counts: Counts) -> Figures:
    """Return all figures of a study, in the order of its sections."""
    every = Figures(study)
    for section in study.sections:
        first = len(every.rows)
        for add in ADDED.get(section, (_tallied,)):
            add(every, study, counts, section)
        if study.training:
            every.rows += learners.pooled(every.rows[first:], study.training.args.seeds)
    return every


def _tallied(every: Figures, study: Study, counts: Counts, section: str) -> None:
    """Add the measures of a tally: all for agents against themselves, some for an agent among copies of another."""
    for table in study.of(TALLY):
        game, games = study.games[table.variant], counts.games[table]
        measures = sections(game)[section]
        if section == "length" and table.kind == SELF_PLAY:
            every.add_median(section, table, games)
        if table.kind == SELF_PLAY:
            whole = [measure for measure in measures if not measure.by_seat and not _paired(measure)]
            every.add(section, table, games, figures_of(game, whole))
            of_seats = figures_of(game, [measure for measure in measures if measure.by_seat])
            for seat in range(1, len(game.teams) + 1):
                every.add(section, table, games.filter(pl.col("place") == seat), of_seats, seat)
        else:
            lone = games.filter(pl.col("alone"))
            every.add(section, table, lone, figures_of(game, [m for m in measures if m.compares]))


def _paired(measure: Measure) -> bool:
    """Return whether a measure compares agents, so that it is trivial for an agent against itself."""
    return measure.compares and measure.bounds is not None and measure.even is not None


def _skill(every: Figures, study: Study, counts: Counts, section: str) -> None:
    """Add the scores of pairs of agents and what explains them; also without truncated games, where there are any."""
    pairs = [table for table in study.of(TALLY) if table.kind != SELF_PLAY]
    some_truncated = any(counts.games[table]["truncated"].any() for table in pairs)
    for table in pairs:
        game = study.games[table.variant]
        figures = [*skill.figures(game), (CUT_OFF, 0, share_of(pl.col("truncated")))]
        figures += skill.finished(game) if some_truncated else []
        every.add(section, table, counts.games[table], figures)


def _sampled(every: Figures, study: Study, counts: Counts, section: str) -> None:
    for table in study.of(SAMPLES):
        every.add(section, table, tension.by_game(counts.games[table]), tension.figures())


def _agency(every: Figures, study: Study, counts: Counts, section: str) -> None:
    for table in study.of(AGENCY):
        every.add(section, table, counts.games[table], agency.figures(study.games[table.variant]))


def _behaviour(every: Figures, study: Study, counts: Counts, section: str) -> None:
    """Add the measures of behaviour. With one variant, changes are differences from the agent in the other seats."""
    reference = next((table for table in study.of(BEHAVIOUR) if table.kind == SELF_PLAY), None)
    for table in study.of(BEHAVIOUR):
        measured, games = _watched(study.games[table.variant]), counts.games[table]
        rows = every.add(section, dataclasses.replace(table, lineup=table.lineup.alone), games, measured)
        if reference and table != reference and len(study.games) == 1:
            _add_differences(rows, games, counts.games[reference], measured, study.args.seed)


def _add_differences(
    rows: Sequence[Row], one: pl.DataFrame, other: pl.DataFrame, measured: Measured, seed: int
) -> None:
    """Add the differences of two agents to the rows of the first, paired over the deals that both played."""
    figures = [figure for _, _, figure in measured]
    mine, theirs = (
        samples(games.join(deals.select("deal").unique(), on="deal", how="semi"), figures, seed)
        for games, deals in ((one, other), (other, one))
    )
    differences = {
        (measure.name, _part(measure, part)): a.less(b)
        for (measure, part, _), a, b in zip(measured, mine, theirs, strict=True)
    }
    for row in rows:
        ends = differences[row["measure"], row["part"]]
        if not any(map(math.isnan, ends)):
            row |= dict(zip(("change", "change_low", "change_high"), ends, strict=True))


def _part(measure: Measure, part: int) -> str:
    return ALL if part == WHOLE else measure.names[part]


def _watched(game: Game) -> Measured:
    """Return all figures of behaviour; for ranges also the figure of all ranges together, where that is an average."""
    measured: list[tuple[Measure, int, Figure]] = []
    for number, measure in enumerate(behaviour.measures_of(game)):
        parts = [(measure, part, figure_of(measure, number, part)) for part in range(len(measure.names))]
        if measure.by and not measure.per_game:
            sums = zip(*(figure.sums for _, _, figure in parts), strict=True)
            whole = Figure(tuple(pl.sum_horizontal(total) for total in sums), bounds=measure.bounds)
            measured.append((measure, WHOLE, whole))
        measured += parts
    return measured


def _ablations(every: Figures, study: Study, counts: Counts, section: str) -> None:
    tables = study.of(ABLATION)
    options = list(dict.fromkeys(table.option for table in tables))
    for table in tables:
        whole = dataclasses.replace(table, lineup=Lineup(table.lineup.others))  # the agent that has the option
        every.add(section, whole, counts.games[table], ablations.figures(options, table.option))


def _options(every: Figures, study: Study, counts: Counts, section: str) -> None:
    """Add the headlines of every variant: for the strongest agent against itself, and alone among the others."""
    for table in study.of(OPTIONS) or study.of(TALLY):
        game, games = study.games[table.variant], counts.games[table]
        if table.kind == SELF_PLAY:
            every.add_median(section, table, games)
            every.add(section, table, games, figures_of(game, [CUT_OFF, LAST_SCORE]))
            every.add(section, table, games.filter(pl.col("place") == 1), figures_of(game, [SEAT]), 1)
        else:
            every.add(section, table, games, skill.figures(game)[:1])


def _lengths(every: Figures, study: Study, counts: Counts, section: str) -> None:
    """Add the share of games in each range of lengths, with the same ranges for all variants."""
    own = [t for t in study.of(TALLY) if t.kind == SELF_PLAY and not t.lineup.is_trained]
    for lineup in dict.fromkeys(table.lineup for table in own):
        games = {table: counts.games[table] for table in own if table.lineup == lineup}
        lengths = pl.concat([tally.select("plies", "truncated") for tally in games.values()])
        finished = lengths.filter(~pl.col("truncated"))  # truncated games have the last range
        starts = _starts((lengths if finished.is_empty() else finished)["plies"].to_numpy())
        ranges = [_in_range(start, end) for start, end in zip(starts, [*starts[1:], np.inf], strict=True)]
        parts = Kinds(tuple(name for name, _ in ranges))
        measure = share(f"lengths of games, {lineup}", "The share of games by length in actions.", parts)
        for table, tally in games.items():
            every.add(section, table, tally, [(measure, i, figure) for i, (_, figure) in enumerate(ranges)])


def _starts(plies: Any) -> list[int]:
    """Return the starts of the ranges of lengths. All have the same round width, except the last, which is open."""
    first, last = int(plies.min()), float(np.quantile(plies, LONG))
    least = max(1.0, (last - first) / RANGES)
    scale = 10 ** int(np.log10(least))
    width = next(int(width) for width in (*(easy * scale for easy in EASY), 10 * scale) if width >= least)
    return list(range(first // width * width, int(last) + 1, width))


def _in_range(start: int, end: float) -> tuple[str, Figure]:
    """Return the name and the figure of a range of lengths."""
    name = f"{start} or more" if end == np.inf else f"{start} to {end - 1:.0f}"
    return name, share_of((pl.col("plies") >= start) & (pl.col("plies") < end))


def _numbers(sample: Sample, base: Sample | None) -> Row:
    """Return the value and the change with their intervals, None for missing numbers."""
    change: Iterable[float] = (math.nan,) * 3 if base is None else sample.less(base)
    names = ("value", "low", "high", "change", "change_low", "change_high")
    numbers = (sample.value, sample.low, sample.high, *change)
    return {name: None if math.isnan(number) else number for name, number in zip(names, numbers, strict=True)}


ADDED = {  # by section; the other sections have measures of a tally
    "skill": (_skill,),
    "length": (_tallied, _lengths),
    "tension": (_tallied, _sampled),
    "agency": (_agency,),
    "ablations": (_ablations,),
    "behaviour": (_behaviour,),
    "options": (_options,),
}
