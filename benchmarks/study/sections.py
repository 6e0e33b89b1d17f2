"""All figures of a study in one frame, section by section: a row for every measure and part, by variant and line-up.

Columns: section; measure; part; variant; lineup; seat (a place, 0 = all); value, low, high (95 % interval); change,
change_low, change_high (from the base variant, paired by the seed of the deal); deals.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import Kinds, Measure, share

from ..harness import figures as harness
from ..harness.figures import CHANGES, Bootstrap, Figure, Median, Row, average, with_changes
from ..harness.lineups import Lineup
from . import ablations, agency, behaviour, skill, tension
from .experiment import Counts, Study
from .matchups import ABLATION, AGENCY, BEHAVIOUR, OPTIONS, SAMPLES, TALLY, Matchup
from .tally import CUT_OFF, LAST_SCORE, MEDIAN, SEAT, figure_of, figures_of, sections

SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("section", "measure", "part", "variant", "lineup"), pl.String),
    "seat": pl.Int64,
    **dict.fromkeys(("value", "low", "high", *CHANGES), pl.Float64),
    "deals": pl.Int64,
}
DRAWS = 1000
COUNTED = 0.98  # required share of resamples with a counted deal: means four deals or more
HEADLINES = (SEAT, skill.EXPLAINED, skill.SCORE, MEDIAN, CUT_OFF, LAST_SCORE, agency.RANDOM)  # show a rule's effect
ALL = "all"  # the part of all ranges of a scale together
RANGES = 16  # number of ranges of lengths
LONG = 0.95  # share of the games that are shorter than the start of the last range
EASY = (1, 2, 5)  # widths of ranges, times powers of ten


@dataclass(frozen=True)
class Asked:
    """Figures of the games of one line-up."""

    table: Matchup
    games: pl.DataFrame
    wanted: Sequence[Figure | Median]
    by_seat: bool = False  # one row for each place in the order of play
    reference: pl.DataFrame | None = None  # games of another agent, from which the changes are


@dataclass(frozen=True)
class Figures:
    """The figures of a study with their resamples, and their measures by section and name."""

    rows: pl.DataFrame
    measures: dict[tuple[str, str], Measure]

    @property
    def table(self) -> pl.DataFrame:
        """The columns of SCHEMA, without the resamples."""
        return self.rows.select(pl.col(name).cast(kind) for name, kind in SCHEMA.items())


def figures(study: Study, counts: Counts) -> Figures:
    """Return all figures of a study, in the order of its sections."""
    parts, measures = [], dict[tuple[str, str], Measure]()
    for section in study.sections:
        every = [asked for asks in ASKS.get(section, (_tallied,)) for asked in asks(study, counts, section)]
        every = [asked for asked in every if asked.wanted and not asked.games.is_empty()]
        for figure in (figure for asked in every for figure in asked.wanted):
            measures.setdefault((section, figure.measure.name), figure.measure)
        if every:
            rows = _with_changes(study, pl.concat([_rows(study, asked) for asked in every]))
            means = [pooled(rows, study.training.args.seeds)] if study.training else []
            rows = pl.concat([rows, *means], how="diagonal")
            parts.append(rows.select(pl.lit(section).alias("section"), pl.all()))
    return Figures(pl.concat(parts), measures)


def _rows(study: Study, asked: Asked) -> pl.DataFrame:
    """Return the figures that are asked for. Those with too few counted deals are left out."""
    bootstrap, by = Bootstrap(study.args.seed, DRAWS), ["place"] if asked.by_seat else []
    rows = harness.figures(asked.games, asked.wanted, by, bootstrap)
    changes = dict.fromkeys(CHANGES, pl.lit(None, pl.Float64))
    if asked.reference is None:
        rows = rows.with_columns(**changes)
    else:
        both = asked.games.select("deal").unique().join(asked.reference.select("deal").unique(), on="deal")
        mine, theirs = (
            harness.figures(games.join(both, on="deal", how="semi"), asked.wanted, by, bootstrap)
            for games in (asked.games, asked.reference)
        )
        rows = rows.with_columns(with_changes(mine, theirs, ["measure", "part"]).select(CHANGES))
    names = {"variant": pl.lit(asked.table.variant), "lineup": pl.lit(str(asked.table.lineup))}
    seat = pl.col("place") if asked.by_seat else pl.lit(0)
    rows = rows.with_columns(**names, seat=seat.cast(pl.Int64)).drop(by)
    return rows.filter(pl.col("counted") >= COUNTED, pl.col("value").is_not_nan())


def _with_changes(study: Study, rows: pl.DataFrame) -> pl.DataFrame:
    """Add the changes from the base variant to the rows of the others."""
    if len(study.games) == 1:
        return rows
    key = ["measure", "part", "lineup", "seat"]
    base = rows.filter(variant=study.base).unique(key, keep="last")
    is_other = pl.col("variant") != study.base
    return with_changes(rows, base, key).with_columns(
        pl.when(is_other).then(pl.col(name)).name.keep() for name in CHANGES
    )


def pooled(rows: pl.DataFrame, agents: int) -> pl.DataFrame:
    """Return for every figure of trained agents a row with its mean over all agents, who play different deals."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows.select(pl.exclude("drawn")).iter_rows(named=True):
        if (lineup := Lineup.parse(row["lineup"])).trained:
            key = str(lineup.mean), row["measure"], row["part"], row["variant"], row["seat"]
            groups.setdefault(key, []).append(row)
    means = [_mean(lineup, group) for (lineup, *_), group in groups.items() if len(group) == agents]
    return pl.DataFrame(means, rows.select(pl.exclude("drawn")).schema)


def _mean(lineup: str, rows: Sequence[Row]) -> Row:
    """Return the mean of independent figures, and its interval."""
    row = {**rows[0], "lineup": lineup, "deals": min(row["deals"] for row in rows)}
    for names in (("value", "low", "high"), CHANGES):
        values, lows, highs = ([row[name] for row in rows] for name in names)
        row |= dict.fromkeys(names)
        if None not in values:
            value, n = sum(values) / len(rows), len(rows)
            below, above = (math.dist(values, ends) / n for ends in (lows, highs))
            row |= dict(zip(names, (value, value - below, value + above), strict=True))
    return row


def _tallied(study: Study, counts: Counts, section: str) -> Iterator[Asked]:
    """Ask for measures of a tally: all for agents against themselves, some for an agent among copies of another."""
    for table in study.of(TALLY):
        game, games = study.games[table.variant], counts.games[table]
        measures = sections(game)[section]
        if table.lineup.is_pair:
            yield Asked(table, games.filter("alone"), figures_of(game, [m for m in measures if m.compares]))
            continue
        if section == "length":
            yield Asked(table, games, [Median(MEDIAN, "plies")])
        whole = [measure for measure in measures if not measure.by_seat and not _paired(measure)]
        yield Asked(table, games, figures_of(game, whole))
        of_seats = figures_of(game, [measure for measure in measures if measure.by_seat])
        yield Asked(table, games, of_seats, by_seat=True)


def _paired(measure: Measure) -> bool:
    """Return whether a measure compares agents, so that it is trivial for an agent against itself."""
    return measure.compares and measure.bounds is not None and measure.even is not None


def _skill(study: Study, counts: Counts, section: str) -> Iterator[Asked]:
    """Ask for scores of pairs of agents and what explains them; also without truncated games, where there are any."""
    pairs = [table for table in study.of(TALLY) if table.lineup.is_pair]
    some_truncated = any(counts.games[table]["truncated"].any() for table in pairs)
    for table in pairs:
        game = study.games[table.variant]
        figures = [*skill.figures(game), average(CUT_OFF, pl.col("truncated"))]
        yield Asked(table, counts.games[table], figures + skill.finished(game) * some_truncated)


def _sampled(study: Study, counts: Counts, section: str) -> Iterator[Asked]:
    for table in study.of(SAMPLES):
        yield Asked(table, tension.by_game(counts.games[table]), tension.figures(study.games[table.variant]))


def _agency(study: Study, counts: Counts, section: str) -> Iterator[Asked]:
    for table in study.of(AGENCY):
        yield Asked(table, counts.games[table], agency.figures(study.games[table.variant]))


def _behaviour(study: Study, counts: Counts, section: str) -> Iterator[Asked]:
    """Ask for measures of behaviour. With one variant, changes are differences from the agent in the other seats."""
    reference = next((table for table in study.of(BEHAVIOUR) if not table.lineup.is_pair), None)
    for table in study.of(BEHAVIOUR):
        others = counts.games[reference] if reference and table != reference and len(study.games) == 1 else None
        whole = dataclasses.replace(table, lineup=table.lineup.alone)
        yield Asked(whole, counts.games[table], _watched(study.games[table.variant]), reference=others)


def _watched(game: Game) -> list[Figure]:
    """Return all figures of behaviour; for ranges also the figure of all ranges together, where that is an average."""
    figures = []
    for number, measure in enumerate(behaviour.measures_of(game)):
        parts = [figure_of(measure, number, part) for part in range(len(measure.names))]
        if measure.by and not measure.per_game:
            sums = zip(*(figure.sums for figure in parts), strict=True)
            figures.append(Figure(measure, tuple(pl.sum_horizontal(total) for total in sums), ALL))
        figures += parts
    return figures


def _ablations(study: Study, counts: Counts, section: str) -> Iterator[Asked]:
    tables = study.of(ABLATION)
    options = list(dict.fromkeys(table.option for table in tables))
    for table in tables:
        whole = dataclasses.replace(table, lineup=Lineup(table.lineup.others))  # the agent that has the option
        yield Asked(whole, counts.games[table], ablations.figures(options, table.option))


def _options(study: Study, counts: Counts, section: str) -> Iterator[Asked]:
    """Ask for the headlines of every variant: for the strongest agent against itself, and alone among the others."""
    for table in study.of(OPTIONS) or study.of(TALLY):
        game, games = study.games[table.variant], counts.games[table]
        if table.lineup.is_pair:
            yield Asked(table, games, skill.figures(game)[:1])
        else:
            yield Asked(table, games, [Median(MEDIAN, "plies"), *figures_of(game, [CUT_OFF, LAST_SCORE])])
            yield Asked(table, games.filter(place=1), figures_of(game, [SEAT]), by_seat=True)


def _lengths(study: Study, counts: Counts, section: str) -> Iterator[Asked]:
    """Ask for the share of games in each range of lengths, with the same ranges for all variants."""
    own = [table for table in study.of(TALLY) if not (table.lineup.is_pair or table.lineup.is_trained)]
    for lineup in dict.fromkeys(table.lineup for table in own):
        games = {table: counts.games[table] for table in own if table.lineup == lineup}
        lengths = pl.concat([tally.select("plies", "truncated") for tally in games.values()])
        finished = lengths.filter(~pl.col("truncated"))  # truncated games have the last range
        starts = _starts((lengths if finished.is_empty() else finished)["plies"].to_numpy())
        ranges = dict(_in_range(start, end) for start, end in zip(starts, [*starts[1:], np.inf], strict=True))
        sentence = "The share of games by length in actions."
        measure = share(f"lengths of games, {lineup}", sentence, Kinds(tuple(ranges)))
        for table, tally in games.items():
            yield Asked(table, tally, [average(measure, inside, name) for name, inside in ranges.items()])


def _starts(plies: Any) -> list[int]:
    """Return the starts of the ranges of lengths. All have the same round width, except the last, which is open."""
    first, last = int(plies.min()), float(np.quantile(plies, LONG))
    least = max(1.0, (last - first) / RANGES)
    scale = 10 ** int(np.log10(least))
    width = next(int(width) for width in (*(easy * scale for easy in EASY), 10 * scale) if width >= least)
    return list(range(first // width * width, int(last) + 1, width))


def _in_range(start: int, end: float) -> tuple[str, pl.Expr]:
    """Return the name of a range of lengths, and whether a game has one of them."""
    name = f"{start} or more" if end == np.inf else f"{start} to {end - 1:.0f}"
    return name, (pl.col("plies") >= start) & (pl.col("plies") < end)


ASKS: dict[str, Sequence[Callable[[Study, Counts, str], Iterator[Asked]]]] = {  # the other sections have a tally only
    "skill": (_skill,),
    "length": (_tallied, _lengths),
    "tension": (_tallied, _sampled),
    "agency": (_agency,),
    "ablations": (_ablations,),
    "behaviour": (_behaviour,),
    "options": (_options,),
}
