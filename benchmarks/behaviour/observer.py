"""Records are replayed, and what happens at their tables is counted for the quantities of the game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.matches.match import team_scores

from ..harness import records
from ..harness.transitions import Transitions
from .games import load
from .quantities import Counter, Quantity, Section, mean, share
from .transitions import AgentTransitions

SCORE = share("score", "The share of the others it beats, equals counting half; 0.5 is even.")
DECISIONS = mean("decisions in a game", "How often the agent has to decide.")
LENGTH = mean("length of a game, in actions", "Actions of all seats together.")
CUT_OFF = share(
    "games cut off",
    "How many games reach the limit of their length, most of them going round in a circle. All other figures but the "
    "score leave them out.",
)
RESULTS = Section("Results", (SCORE, DECISIONS, LENGTH, CUT_OFF))


def sections(game: Game) -> tuple[Section, ...]:
    """What is counted in every game, then what in this one."""
    return (RESULTS, *load(game).SECTIONS)


def quantities(game: Game) -> list[Quantity]:
    """Of all sections, in their order."""
    return [quantity for section in sections(game) for quantity in section.quantities]


def counts(file: Path) -> pl.DataFrame:
    """A row for every game of a record: its deal, and both counts of every part of every quantity.

    The first of the record's line-up is the agent whose behaviour is counted. ValueError if the file is no record, or
    does not replay.
    """
    record = records.read(file)
    game, n, plies = record.game, len(record.games), record.plies
    team = np.arange(n) % len(game.teams)  # the first of a line-up sits with each team in turn
    seats, counter = np.array(game.teams)[team], Counter(quantities(game), n)
    own, decisions = load(game).GameObserver(game, seats, plies, counter), np.zeros(n, np.int64)

    def observe(t: Transitions) -> None:
        seen = AgentTransitions(t.game, t.rows, t.before, t.actions, t.after, seats[t.rows])
        decisions[t.rows] += seen.mine
        own.observe(seen)

    states, rewards = records.replay(record, observe)
    own.end(states)
    paid = rewards[:, [seats[0] for seats in game.teams]]  # partners are paid alike
    scores = team_scores(paid)[np.arange(n), team]
    _add_results(counter, {SCORE: scores, DECISIONS: decisions, LENGTH: plies, CUT_OFF: record.truncated})
    return pl.DataFrame({"deal": record.games["deal"], **_columns(game, counter)})


def columns(quantity: int, part: int) -> tuple[str, str]:
    """Where the counts of a part of the quantity of that number stand."""
    return f"{quantity}.{part} over", f"{quantity}.{part} under"


def _add_results(counter: Counter, results: Mapping[Quantity, npt.NDArray[Any]]) -> None:
    """Count what there is in every game, and drop the games that were cut off."""
    for quantity, values in results.items():
        counter.add(quantity, np.arange(len(values)), values)
    counter.drop(results[CUT_OFF], kept=(SCORE, CUT_OFF))


def _columns(game: Game, counter: Counter) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for i, quantity in enumerate(quantities(game)):
        for part in range(len(quantity.names)):
            over, under = columns(i, part)
            found |= {over: counter.over[quantity][:, part], under: counter.under[quantity][:, part]}
    return found
