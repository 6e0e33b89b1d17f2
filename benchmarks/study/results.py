"""The figures of a study as lines of the one table (`tantra_envs.programs.results`), and read from it.

ASKS has the functions of each section: which figures of which line-ups it has, and from which games.

The view of a line is "study" and the section. Its table is the game with the variant, and its part is a seat or a part
of the measure. A change from the first variant is a line of its own, whose measure ends in CHANGE. Lines of the view
"study" are facts: the order of the agents, the games that are the same under a variant, what agents were not trained
with.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

import tantra_envs
from tantra_envs import Game
from tantra_envs.matches.intervals import student
from tantra_envs.measures import Measure
from tantra_envs.programs import results as files

from ..harness.figures import CHANGES, Figure, Median, Row, average, figures, with_changes
from ..harness.plans import build, origins
from ..harness.played import digest
from . import decisions, matchups, tension
from .experiment import Counts, Study
from .matchups import BASE, TALLIED, TALLY, TRAINED, Lineup, Matchup, choices, is_trained
from .tally import CUT_OFF, LAST_SCORE, MEDIAN, SEAT, figures_of, sections, skill_figures

VIEW = "study"  # of facts; that of figures has also their section
CHANGE = ", change"
PLACE, SAME, SEEDS = "place among the agents", "same games", "retrained agents"
UNTRAINED, LEFT_OUT = "not trained with", "left out"
DRAWS = 1000
SIGNIFICANT_DIGITS = 6
COUNTED = 0.98  # required share of resamples with a counted deal: means four deals or more
ENDS = ("value", "low", "high")
KEY = ("measure", "part", "agent", "others")
Ends = tuple[float, float, float]  # a value and its interval


@dataclass(frozen=True)
class Request:
    """Figures of the games of one line-up."""

    matchup: Matchup
    games: pl.DataFrame
    wanted: Sequence[Figure | Median]
    by_seat: bool = False  # one row for each place in the order of play


def results_of(study: Study, counts: Counts) -> pl.DataFrame:
    """Return all figures of a study as lines of the one table, in the order of its sections, with its facts above."""
    digests = _digests(study)
    lines = [*_facts(study, counts), *(line for section in study.sections for line in _lines(study, counts, section))]
    for line in lines:
        line["digest"] = " ".join(digests[name] for name in (line["agent"], line["others"]) if name)
        line |= {name: float(f"{line[name]:.{SIGNIFICANT_DIGITS}g}") for name in ENDS if line[name] is not None}
    return files.table(lines, VIEW)


def _shared(study: Study, variant: str) -> dict[str, Any]:
    """Return the columns that all lines about a variant share."""
    game = study.games[variant]
    players = "" if "players" in choices(study.args.vary) else f" players={game.players}"
    return {
        "view": VIEW,
        "game": game.name,
        "table": f"{study.args.game}{players}" + ("" if variant == BASE else f", {variant}"),
        "agent": "",
        "others": "",
        "seed": study.args.seed,
        "version": tantra_envs.__version__,
    }


def _facts(study: Study, counts: Counts) -> Iterator[dict[str, Any]]:
    base = _shared(study, study.base)
    for place, own in enumerate(study.agents):
        yield files.line({**base, "agent": own.name}, PLACE, {"value": float(place)})
    for variant, (equal, games) in counts.same.items():
        yield files.line(_shared(study, variant), SAME, {"value": float(equal), "deals": games})
    for variant, agents in matchups.untrained(study.matchups).items():
        for agent, words in agents.items():
            yield from (files.line({**_shared(study, variant), "agent": agent}, UNTRAINED, {}, word) for word in words)
    for name, why in (study.left_out or {}).items():
        yield files.line(base, LEFT_OUT, {}, f"{name}: {why}")
    if study.training:
        yield files.line({**base, "agent": TRAINED}, SEEDS, {"value": float(study.args.seeds)})


def _digests(study: Study) -> dict[str, str]:
    """Return the digest of every agent; that of trained agents together is of all their weights."""
    playing = [agent for own in study.matchups for agent in build(own.row.match)[1]]
    agents = {agent.name: agent for agent in (*study.agents, *playing)}
    known = origins(list(agents.values()))
    trained = {name: facts for name, facts in known.items() if is_trained(name)}
    return {name: digest(name, known.get(name, {})) for name in agents} | {TRAINED: digest(TRAINED, trained)}


def _lines(study: Study, counts: Counts, section: str) -> Iterator[dict[str, Any]]:
    every = [_rows(study, request) for request in requests(study, counts, section)]
    if not every:
        return
    own = pl.concat(every)
    base = own.filter(variant=study.base).unique(KEY, keep="last")
    changed = pl.when(pl.col("variant") != study.base)  # from the base, which has no changes
    rows = with_changes(own, base, KEY).with_columns(changed.then(pl.col(name)).alias(name) for name in CHANGES)
    trained, others = list[Row](), list[Row]()
    for row in rows.drop("drawn").iter_rows(named=True):
        (trained if is_trained(row["agent"]) else others).append(row)
    for row in [*others, *pooled(trained)]:
        names = {"view": f"{VIEW} {section}", "agent": row["agent"], "others": row["others"]}
        facts = {**_shared(study, row["variant"]), **names}
        yield files.line(facts, row["measure"], row, row["part"])
        if row["change"] is not None:
            ends = dict(zip(ENDS, (row[name] for name in CHANGES), strict=True))
            yield files.line(facts, row["measure"] + CHANGE, {**row, **ends}, row["part"])


def _rows(study: Study, request: Request) -> pl.DataFrame:
    """Return the figures that are asked for. Those with too few counted deals are left out."""
    by = ["place"] if request.by_seat else []
    rows = figures(request.games, request.wanted, by, seed=study.args.seed, draws=DRAWS)
    own = request.matchup
    names = {"variant": own.variant, "agent": own.lineup.agent, "others": own.lineup.others}
    if request.by_seat:
        seats = {place: to_act(place, study.first_seat) for place in rows["place"].unique()}
        rows = rows.with_columns(part=pl.col("place").replace_strict(seats, return_dtype=pl.String)).drop("place")
    rows = rows.with_columns(pl.lit(value).alias(name) for name, value in names.items())
    return rows.filter(pl.col("counted") >= COUNTED, pl.col("value").is_not_nan())


def pooled(rows: Sequence[Row]) -> list[Row]:
    """Return for every figure of trained agents a row with its mean over all of them, who play different deals."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        key = row["measure"], row["part"], row["variant"], row["others"]
        groups.setdefault(key, []).append(row)
    most = max(map(len, groups.values()), default=0)
    return [_mean(group) for group in groups.values() if len(group) == most]


def _mean(rows: Sequence[Row]) -> Row:
    """Return the mean figure of trained agents, and its interval: over the deals, or over the agents if wider."""
    row = {**rows[0], "agent": TRAINED, "deals": min(row["deals"] for row in rows)}
    for names in (ENDS, CHANGES):
        values, lows, highs = ([row[name] for row in rows] for name in names)
        row |= dict.fromkeys(names)
        if None not in values:
            value, n = sum(values) / len(rows), len(rows)
            below, above = (math.dist(values, ends) / n for ends in (lows, highs))
            spread = student(n - 1) * statistics.stdev(values) / math.sqrt(n) if n > 1 else 0.0
            row |= dict(zip(names, (value, value - max(below, spread), value + max(above, spread)), strict=True))
    return row


def requests(study: Study, counts: Counts, section: str) -> list[Request]:
    """Return what a section asks for, without line-ups that have no games or no figures."""
    every = [request for ask in ASKS.get(section, [_tallied]) for request in ask(study, counts, section)]
    return [request for request in every if request.wanted and not request.games.is_empty()]


def measures_of(game: Game, section: str) -> dict[str, Measure]:
    """Return the measures of a section by name."""
    every = sections(game).get(section, []) if section in TALLIED else []
    if section in FIGURES:
        every = [*every, *(figure.measure for figure in FIGURES[section](game))]
    return {measure.name: measure for measure in (*every, *MORE.get(section, ()))}


def _tallied(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for measures of a tally: all for agents against themselves, some for an agent among copies of another."""
    for matchup in study.of(TALLY):
        game, games = study.games[matchup.variant], counts.games[matchup]
        measures = sections(game)[section]
        if matchup.lineup.others:
            yield Request(matchup, games.filter("alone"), figures_of(game, [m for m in measures if m.compares]))
            continue
        if section == "length":
            yield Request(matchup, games, [Median(MEDIAN, "plies")])
        # A measure with an even value compares agents, so it is trivial for an agent against itself.
        paired = [m for m in measures if m.compares and m.bounds is not None and m.even is not None]
        whole = [measure for measure in measures if not measure.by_seat and measure not in paired]
        yield Request(matchup, games, figures_of(game, whole))
        of_seats = figures_of(game, [measure for measure in measures if measure.by_seat])
        yield Request(matchup, games, of_seats, by_seat=True)


def _skill(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for scores of pairs of agents and what explains them."""
    for matchup in study.of(TALLY):
        if matchup.lineup.others:
            wanted = [*skill_figures(study.games[matchup.variant]), average(CUT_OFF, pl.col("truncated"))]
            yield Request(matchup, counts.games[matchup], wanted)


def _judged(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for the figures of playouts."""
    for matchup in study.of(matchups.AGENCY if section == "agency" else matchups.SAMPLES):
        yield Request(matchup, counts.games[matchup], FIGURES[section](study.games[matchup.variant]))


def _options(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for the headlines of every variant: for the strongest agent against itself, and alone among the others."""
    for matchup in study.of(matchups.OPTIONS) or study.of(TALLY):
        game, games = study.games[matchup.variant], counts.games[matchup]
        if matchup.lineup.others:
            yield Request(matchup, games, skill_figures(game)[:1])
        else:
            yield Request(matchup, games, [Median(MEDIAN, "plies"), *figures_of(game, [CUT_OFF, LAST_SCORE])])
            yield Request(matchup, games.filter(place=1), figures_of(game, [SEAT]), by_seat=True)


ASKS: dict[str, list[Callable[[Study, Counts, str], Iterator[Request]]]] = {  # the other sections have a tally only
    "skill": [_skill],
    "tension": [_tallied, _judged],
    "agency": [_judged],
    "options": [_options],
}
MORE: dict[str, Sequence[Measure]] = {  # measures that are no tally, or need three teams
    "length": [MEDIAN],
    "tension": [tension.LOCKED],
    "agency": [decisions.KINGMAKING, decisions.KINGMAKING_DEALS],
}
FIGURES: dict[str, Callable[[Game], list[Figure]]] = {
    "skill": skill_figures,
    "tension": tension.figures,
    "agency": decisions.figures,
}


def to_act(seat: int, first: str = "") -> str:
    """Return the name of a seat by its place in the order of play: "1st to act", or `first` for place 1."""
    if first and seat == 1:
        return first
    ending = "th" if seat in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(seat % 10, "th")
    return f"{seat}{ending} to act"


@dataclass(frozen=True)
class FigureRow:
    """One figure: a measure, or a part or a seat of it, of the games of a line-up under a variant."""

    section: str
    measure: str
    part: str
    variant: str
    lineup: Lineup
    value: float
    low: float
    high: float
    deals: int
    change: Ends | None = None  # from the first variant, with its interval


def rows_of(results: pl.DataFrame) -> list[FigureRow]:
    """Return the figures of results."""
    rows: dict[tuple[Any, ...], FigureRow] = {}
    for line in results.filter(pl.col("view") != VIEW).iter_rows(named=True):
        section, measure = line["view"].removeprefix(f"{VIEW} "), line["measure"].removesuffix(CHANGE)
        key = section, measure, line["part"], variant_of(line["table"]), Lineup(line["agent"], line["others"])
        ends = line["value"], line["low"], line["high"]
        is_change = line["measure"] != measure
        rows[key] = replace(rows[key], change=ends) if is_change else FigureRow(*key, *ends, line["deals"])
    return list(rows.values())


def variant_of(table: str) -> str:
    """Return the name of the variant in the text of a table."""
    return table.partition(", ")[2] or BASE
