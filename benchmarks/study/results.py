"""The results of a study: its figures in one frame, as plain data for files, and as typed rows for its page.

The frame has a row for every measure and part, by variant and line-up, section by section. Columns: section; measure;
part; variant; lineup; seat (a place, 0 = all); value, low, high (95 % interval); change, change_low, change_high (from
the base variant, paired by the seed of the deal); deals.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from tantra_envs.matches.intervals import student
from tantra_envs.measures import Measure, Scale

from ..harness.figures import CHANGES, EVEN, Bootstrap, Row, figures, holm, p_value, with_changes
from ..harness.lineups import Lineup
from ..harness.pages import digits, is_clear, provenance, rounded, with_ends
from .experiment import Counts, Study
from .sections import Request, requests
from .tally import SEAT

SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("section", "measure", "part", "variant", "lineup"), pl.String),
    "seat": pl.Int64,
    **dict.fromkeys(("value", "low", "high", *CHANGES), pl.Float64),
    "deals": pl.Int64,
}
DRAWS = 1000
COUNTED = 0.98  # required share of resamples with a counted deal: means four deals or more
Results = Mapping[str, Any]  # the content of a file of results
Test = tuple[str, str, Lineup, float]
Ends = tuple[float, float, float]  # a value and its interval


@dataclass(frozen=True)
class Figures:
    """The figures of a study with their resamples, and their measures by section and name."""

    rows: pl.DataFrame
    measures: dict[tuple[str, str], Measure]

    @property
    def table(self) -> pl.DataFrame:
        """The columns of SCHEMA, without the resamples."""
        return self.rows.select(pl.col(name).cast(kind) for name, kind in SCHEMA.items())


def figures_of_study(study: Study, counts: Counts) -> Figures:
    """Return all figures of a study, in the order of its sections."""
    parts, measures = [], dict[tuple[str, str], Measure]()
    for section in study.sections:
        every = requests(study, counts, section)
        for figure in (figure for request in every for figure in request.wanted):
            measures.setdefault((section, figure.measure.name), figure.measure)
        if every:
            rows = _with_changes(study, pl.concat([_rows(study, request) for request in every]))
            means = [pooled(rows, study.training.args.seeds)] if study.training else []
            rows = pl.concat([rows, *means], how="diagonal")
            parts.append(rows.select(pl.lit(section).alias("section"), pl.all()))
    return Figures(pl.concat(parts), measures)


def _rows(study: Study, request: Request) -> pl.DataFrame:
    """Return the figures that are asked for. Those with too few counted deals are left out."""
    bootstrap, by = Bootstrap(study.args.seed, DRAWS), ["place"] if request.by_seat else []
    rows = figures(request.games, request.wanted, by, bootstrap)
    changes = dict.fromkeys(CHANGES, pl.lit(None, pl.Float64))
    if request.reference is None:
        rows = rows.with_columns(**changes)
    else:
        both = request.games.select("deal").unique().join(request.reference.select("deal").unique(), on="deal")
        mine, theirs = (
            figures(games.join(both, on="deal", how="semi"), request.wanted, by, bootstrap)
            for games in (request.games, request.reference)
        )
        rows = rows.with_columns(with_changes(mine, theirs, ["measure", "part"]).select(CHANGES))
    names = {"variant": pl.lit(request.matchup.variant), "lineup": pl.lit(str(request.matchup.lineup))}
    seat = pl.col("place") if request.by_seat else pl.lit(0)
    rows = rows.with_columns(**names, seat=seat.cast(pl.Int64)).select(pl.exclude("place"))
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
    """Return the mean figure of trained agents, and its interval: over the deals, or over the agents if wider."""
    row = {**rows[0], "lineup": lineup, "deals": min(row["deals"] for row in rows)}
    for names in (("value", "low", "high"), CHANGES):
        values, lows, highs = ([row[name] for row in rows] for name in names)
        row |= dict.fromkeys(names)
        if None not in values:
            value, n = sum(values) / len(rows), len(rows)
            below, above = (math.dist(values, ends) / n for ends in (lows, highs))
            spread = student(n - 1) * statistics.stdev(values) / math.sqrt(n) if n > 1 else 0.0
            below, above = max(below, spread), max(above, spread)
            row |= dict(zip(names, (value, value - below, value + above), strict=True))
    return row


@dataclass(frozen=True)
class FigureRow:
    """One figure: a measure, or a part or a seat of it, of the games of a line-up under a variant."""

    section: str
    measure: str
    part: str
    variant: str
    lineup: Lineup
    seat: int  # place in the order of play, 0 = all
    value: float
    low: float
    high: float
    change: float | None  # from the first variant
    change_low: float | None
    change_high: float | None
    deals: int
    label: str = ""  # name of the figure within its measure: of its row in a table
    heading: str = ""  # name of the line-up: of its column in a table
    differs: bool = False  # whether the value clearly differs from the even value of its measure
    changed: bool = False  # whether the change is clear

    def number(self, as_change: bool) -> float | None:
        """Return the value, or the change."""
        return self.change if as_change else self.value

    @property
    def text_of_change(self) -> str:
        """The change with its interval, "" without a change."""
        return with_ends(*ends, digits(self.value), signed=True) if (ends := self.ends_of_change) else ""

    @property
    def ends_of_change(self) -> Ends | None:
        """The change and its interval; None without a change."""
        if self.change is None or self.change_low is None or self.change_high is None:
            return None
        return self.change, self.change_low, self.change_high


@dataclass(frozen=True)
class Topic:
    """The facts about a measure that a page shows."""

    section: str
    name: str
    sentence: str = ""
    unit: str = ""
    even: float | None = None
    parts: tuple[str, ...] = ()
    by: str = ""  # name of the scale whose ranges are the parts


def content(study: Study, every: Figures, command: str, counts: Counts) -> dict[str, Any]:
    """Return the command, the settings, the measures and all figures."""
    game = study.games[study.base]
    return {
        **provenance(command, study.args.seed),
        "game": game.id,
        "title": game.title,
        "table": study.args.game,
        "players": game.players,
        "teams": len(game.teams),
        "first_seat": study.first_seat,
        "config": game.options.changed(game.config),
        "variants": list(study.games),
        "agents": study.agents,
        "samples": study.args.samples,
        "playouts": study.args.playouts,
        "most": rounded(counts.highest_score),
        "same_games": {variant: _total(same.values()) for variant, same in counts.same.items()},
        "same_by_lineup": {variant: {str(own): n for own, n in same.items()} for variant, same in counts.same.items()},
        "untrained": study.untrained,
        **({} if study.left_out is None else {"left_out": study.left_out}),
        **({"training": study.training.facts} if study.training else {}),
        "measures": [{"section": section, **_facts(measure)} for (section, _), measure in every.measures.items()],
        "columns": list(SCHEMA),
        "figures": rounded([list(row) for row in every.table.iter_rows()]),
    }


def _total(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    equal, games = zip(*counts, strict=True)
    return sum(equal), sum(games)


def _facts(measure: Measure) -> dict[str, Any]:
    return {
        "name": measure.name,
        "sentence": measure.sentence,
        "unit": measure.unit,
        "even": measure.even,
        "parts": list(measure.names) if measure.parts else [],
        "by": measure.by if isinstance(measure.parts, Scale) else "",
    }


def topics_of(results: Results) -> list[Topic]:
    """Return the measures of results."""
    return [Topic(**{**facts, "parts": tuple(facts.get("parts", ()))}) for facts in results["measures"]]


def rows_of(results: Results) -> list[FigureRow]:
    """Return the figures of results.

    One in twenty tests is clear by chance. So all tests of seats that the page shows are judged together, by Holm's
    method. So are all changes of a map of options.
    """
    even = {(topic.section, topic.name): topic.even for topic in topics_of(results)}
    first = results.get("first_seat", "")
    rows = []
    for values in results["figures"]:
        row = FigureRow(**dict(zip(results["columns"], values, strict=True)))
        row = replace(row, lineup=Lineup.parse(values[results["columns"].index("lineup")]))
        at, places = even[row.section, row.measure], digits(row.value)
        differs = at is not None and is_clear(row.low - at, row.high - at, places)
        changed = (ends := row.ends_of_change) is not None and is_clear(*ends[1:], places)
        label = label_of(row.seat, row.part, first)
        rows.append(replace(row, label=label, heading=str(row.lineup), differs=differs, changed=changed))
    p_values = {test: p_value(*ends) for row in rows if _is_tested(row) for test, ends in _tests(row).items()}
    clear = holm(p_values)
    rows = [_together(row, clear) if _is_tested(row) else row for row in rows]
    if is_map(results):
        significant = holm({i: p_value(*ends) for i, row in enumerate(rows) if (ends := row.ends_of_change)})
        rows = [replace(row, changed=row.changed and i in significant) for i, row in enumerate(rows)]
    return rows


def is_map(results: Results) -> bool:
    """Return whether results show what every option of a game does, one at a time."""
    return "left_out" in results


def _is_tested(row: FigureRow) -> bool:
    return row.measure == SEAT.name and not row.lineup.is_detail


def _tests(row: FigureRow) -> dict[Test, Ends]:
    """Return the tests of a seat: a name, and the difference from even, or from the base, with its interval.

    With two seats, both are one test, because their scores add up to 1. They differ from even by the same amount.
    """
    tests: dict[str, Ends] = {"differs": (row.value - EVEN, row.low - EVEN, row.high - EVEN)}
    if ends := row.ends_of_change:
        tests["changed"] = ends
    return {(kind, row.variant, row.lineup, round(abs(it[0]), 5)): it for kind, it in tests.items()}


def _together(row: FigureRow, clear: set[Test]) -> FigureRow:
    """Return a tested row, of which only the tests in `clear` are clear."""
    differs, *changed = _tests(row)
    return replace(row, differs=row.differs and differs in clear, changed=row.changed and set(changed) <= clear)


def to_act(seat: int, first: str = "") -> str:
    """Return the name of a seat by its place in the order of play: "1st to act", or `first` for place 1."""
    if first and seat == 1:
        return first
    ending = "th" if seat in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(seat % 10, "th")
    return f"{seat}{ending} to act"


def label_of(seat: int, part: str, first: str = "") -> str:
    """Return the name of a figure within its measure: its seat, or without one (0) its part."""
    return to_act(seat, first) if seat else part
