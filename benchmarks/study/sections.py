"""List the figures of a study: for every section which figures of which line-ups, and from which games.

ASKS has the functions of each section. `results` computes what they ask for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import Kinds, Measure, share

from ..harness.figures import Figure, Median, average
from . import behaviour, decisions, skill, tension
from .experiment import Counts, Study
from .matchups import AGENCY, BEHAVIOUR, OPTIONS, SAMPLES, TALLY, Matchup
from .tally import CUT_OFF, LAST_SCORE, MEDIAN, SEAT, figure_of, figures_of, sections

ALL = "all"  # the part of all ranges of a scale together
RANGES = 16  # number of ranges of lengths
LONG = 0.95  # share of the games that are shorter than the start of the last range
EASY = (1, 2, 5)  # widths of ranges, times powers of ten


@dataclass(frozen=True)
class Request:
    """Figures of the games of one line-up."""

    matchup: Matchup
    games: pl.DataFrame
    wanted: Sequence[Figure | Median]
    by_seat: bool = False  # one row for each place in the order of play
    reference: pl.DataFrame | None = None  # games of another agent, from which the changes are


def requests(study: Study, counts: Counts, section: str) -> list[Request]:
    """Return what a section asks for, without line-ups that have no games or no figures."""
    every = [request for asks in ASKS.get(section, (_tallied,)) for request in asks(study, counts, section)]
    return [request for request in every if request.wanted and not request.games.is_empty()]


def _tallied(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for measures of a tally: all for agents against themselves, some for an agent among copies of another."""
    for matchup in study.of(TALLY):
        game, games = study.games[matchup.variant], counts.games[matchup]
        measures = sections(game)[section]
        if matchup.lineup.is_pair:
            yield Request(matchup, games.filter("alone"), figures_of(game, [m for m in measures if m.compares]))
            continue
        if section == "length":
            yield Request(matchup, games, [Median(MEDIAN, "plies")])
        whole = [measure for measure in measures if not measure.by_seat and not _paired(measure)]
        yield Request(matchup, games, figures_of(game, whole))
        of_seats = figures_of(game, [measure for measure in measures if measure.by_seat])
        yield Request(matchup, games, of_seats, by_seat=True)


def _paired(measure: Measure) -> bool:
    """Return whether a measure compares agents, so that it is trivial for an agent against itself."""
    return measure.compares and measure.bounds is not None and measure.even is not None


def _skill(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for scores of pairs of agents and what explains them; also without truncated games, where there are any."""
    pairs = [matchup for matchup in study.of(TALLY) if matchup.lineup.is_pair]
    some_truncated = any(counts.games[matchup]["truncated"].any() for matchup in pairs)
    for matchup in pairs:
        game = study.games[matchup.variant]
        figures = [*skill.figures(game), average(CUT_OFF, pl.col("truncated"))]
        yield Request(matchup, counts.games[matchup], figures + skill.finished(game) * some_truncated)


def _sampled(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    for matchup in study.of(SAMPLES):
        yield Request(matchup, tension.by_game(counts.games[matchup]), tension.figures(study.games[matchup.variant]))


def _agency(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    for matchup in study.of(AGENCY):
        yield Request(matchup, counts.games[matchup], decisions.figures(study.games[matchup.variant]))


def _behaviour(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for measures of behaviour. With one variant, changes are differences from the agent in the other seats."""
    reference = next((matchup for matchup in study.of(BEHAVIOUR) if not matchup.lineup.is_pair), None)
    for matchup in study.of(BEHAVIOUR):
        others = counts.games[reference] if reference and matchup != reference and len(study.games) == 1 else None
        whole = dataclasses.replace(matchup, lineup=matchup.lineup.alone)
        yield Request(whole, counts.games[matchup], _watched(study.games[matchup.variant]), reference=others)


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


def _options(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for the headlines of every variant: for the strongest agent against itself, and alone among the others."""
    for matchup in study.of(OPTIONS) or study.of(TALLY):
        game, games = study.games[matchup.variant], counts.games[matchup]
        if matchup.lineup.is_pair:
            yield Request(matchup, games, skill.figures(game)[:1])
        else:
            yield Request(matchup, games, [Median(MEDIAN, "plies"), *figures_of(game, [CUT_OFF, LAST_SCORE])])
            yield Request(matchup, games.filter(place=1), figures_of(game, [SEAT]), by_seat=True)


def _lengths(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for the share of games in each range of lengths, with the same ranges for all variants."""
    own = [matchup for matchup in study.of(TALLY) if not (matchup.lineup.is_pair or matchup.lineup.is_trained)]
    for lineup in dict.fromkeys(matchup.lineup for matchup in own):
        games = {matchup: counts.games[matchup] for matchup in own if matchup.lineup == lineup}
        lengths = pl.concat([tally.select("plies", "truncated") for tally in games.values()])
        finished = lengths.filter(~pl.col("truncated"))  # truncated games have the last range
        starts = _starts((lengths if finished.is_empty() else finished)["plies"].to_numpy())
        ranges = dict(_in_range(start, end) for start, end in zip(starts, [*starts[1:], np.inf], strict=True))
        sentence = "The share of games by length in actions."
        measure = share(f"lengths of games, {lineup}", sentence, Kinds(tuple(ranges)))
        for matchup, tally in games.items():
            yield Request(matchup, tally, [average(measure, inside, name) for name, inside in ranges.items()])


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


ASKS: dict[str, Sequence[Callable[[Study, Counts, str], Iterator[Request]]]] = {  # the other sections have a tally only
    "skill": (_skill,),
    "length": (_tallied, _lengths),
    "tension": (_tallied, _sampled),
    "agency": (_agency,),
    "behaviour": (_behaviour,),
    "options": (_options,),
}
