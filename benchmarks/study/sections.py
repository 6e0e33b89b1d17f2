"""List the figures of a study: for every section which figures of which line-ups, and from which games.

ASKS has the functions of each section. `results` computes what they ask for.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import Measure

from ..harness.figures import Figure, Median, average
from . import decisions, skill, tension
from .experiment import Counts, Study
from .matchups import AGENCY, OPTIONS, SAMPLES, TALLIED, TALLY, Matchup
from .tally import CUT_OFF, LAST_SCORE, MEDIAN, SEAT, figures_of, sections


@dataclass(frozen=True)
class Request:
    """Figures of the games of one line-up."""

    matchup: Matchup
    games: pl.DataFrame
    wanted: Sequence[Figure | Median]
    by_seat: bool = False  # one row for each place in the order of play


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
            figures = skill.figures(study.games[matchup.variant])
            yield Request(matchup, counts.games[matchup], [*figures, average(CUT_OFF, pl.col("truncated"))])


def _judged(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for the figures of playouts."""
    for matchup in study.of(AGENCY if section == "agency" else SAMPLES):
        yield Request(matchup, counts.games[matchup], FIGURES[section](study.games[matchup.variant]))


def _options(study: Study, counts: Counts, section: str) -> Iterator[Request]:
    """Ask for the headlines of every variant: for the strongest agent against itself, and alone among the others."""
    for matchup in study.of(OPTIONS) or study.of(TALLY):
        game, games = study.games[matchup.variant], counts.games[matchup]
        if matchup.lineup.others:
            yield Request(matchup, games, skill.figures(game)[:1])
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
    "skill": skill.figures,
    "tension": tension.figures,
    "agency": decisions.figures,
}
