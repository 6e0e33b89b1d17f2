"""Measure the tension of games: who leads, what win probabilities say, and when games were decided.

A team leads when it is better than every other. While the best teams are level, the lead does not change.

Win probabilities are estimated in every tenth of recorded games, from the view of each team's seat. Everything hidden
from the seat is sampled uniformly from all that fits its view, and the scripted agent plays on in every seat. A win
probability is the expected score, the share of the other teams that a team beats. With two teams it is the probability
of a win plus half that of a draw.

A game is decided from the first tenth on in which the later winner's win probability stays at `SURE` or above.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.playouts import Playouts
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores
from tantra_envs.measures import Ints, score, share

from ..harness import records
from ..harness.figures import Figure, Floats, average
from ..harness.judged import in_parts, tables_at
from ..harness.records import Record

NOBODY = -1
MARKS = range(1, 10)  # after these tenths of a game's actions
HALF = 5
Teams = npt.NDArray[np.int8]  # value in place of a team
TENTHS = range(10)  # tenths of a game's actions
COLUMNS_VERSION = 3  # of the kept files; other columns need another number
SURE = 0.9
OUT = 0.05  # share of the playouts that a team wins at most if it is locked out

BY_TENTH = tuple(str(tenth) for tenth in range(1, 11))
WINNER = score("win probability of the later winner", "The mean in each tenth of a game.", BY_TENTH)
DECIDED = share(
    "decided games",
    f"Games in which the later winner's win probability stays at {SURE} or more from here on.",
    BY_TENTH,
)
LOCKED = share(
    "part of a game with a team locked out",
    f"The share of a game in which some team can hardly win any more: from then on, at most {OUT} of the playouts from "
    "its view end with a result that no other team exceeds. With few playouts, some teams only seem to be locked out.",
)


def sole_best(values: npt.NDArray[Any]) -> Teams:
    """Return the team with more than every other, or NOBODY, shape (n,), from values (n, teams)."""
    best = values.max(axis=1, keepdims=True)
    return np.where((values == best).sum(axis=1) == 1, values.argmax(axis=1), NOBODY).astype(np.int8)


def holders(best: Iterable[Teams]) -> npt.NDArray[np.int8]:
    """Return the holder of the lead at each moment (moments, n), NOBODY before the first lead."""
    leading = np.stack(list(best))
    for moment in range(1, len(leading)):
        leading[moment] = np.where(leading[moment] == NOBODY, leading[moment - 1], leading[moment])
    return leading


def score_of(teams: Teams, scores: Floats) -> Floats:
    """Return the scores of teams (n,) from scores (n, teams); NaN for NOBODY."""
    return np.where(teams == NOBODY, np.nan, scores[np.arange(len(teams)), teams])


def sampled(samples: int, seed: int, file: Path) -> pl.DataFrame:
    """Return a row for each game of a record; raise ValueError if it does not replay.

    Columns, null where nothing is counted:
        deal: number of the deal
        winner_k: win probability of the later winner at an action in tenth k, drawn uniformly
        decided_k: whether the game was decided
        locked: share of the tenths in which some team could hardly win any more
    """
    record = records.read(file)
    game, representatives = record.game, record.game.team_representatives
    rng = np.random.default_rng((seed, record.deals[0]))
    states, paid, _ = tables_by_tenth(record, rng)
    shape = len(record.games), len(representatives), len(TENTHS)
    chance, first = np.zeros(shape), np.zeros(shape)  # to win, and that no other team has a better score
    for tenth in TENTHS:
        for team, seat in enumerate(representatives):
            played = playout_scores(game, states[tenth], paid[tenth], seat, samples, rng)
            chance[:, team, tenth] = played.mean(axis=1)[:, team]
            first[:, team, tenth] = (played[:, :, team] == played.max(axis=2)).mean(axis=1)
    columns = by_game(team_scores(record.paid), chance, first)
    return pl.DataFrame({"deal": record.deals, **columns}, nan_to_null=True)


def by_game(scores: Floats, chance: Floats, first: Floats) -> dict[str, Floats]:
    """Return the columns of `sampled` from the final scores (n, teams) and the playouts (n, teams, tenths)."""
    winner = sole_best(scores)
    won = winner != NOBODY
    winning = np.where(won[:, None], chance[np.arange(len(scores)), winner], np.nan)
    sure = np.logical_and.accumulate(winning[:, ::-1] >= SURE, axis=1)[:, ::-1]
    is_out = np.logical_and.accumulate(first[:, :, ::-1] <= OUT, axis=2)[:, :, ::-1]
    columns = {f"winner_{k}": winning[:, k] for k in TENTHS}
    columns |= {f"decided_{k}": np.where(won, sure[:, k], np.nan) for k in TENTHS}
    return {**columns, "locked": np.asarray(is_out.any(axis=1).mean(axis=1))}


def playout_scores(
    game: Game, states: States, paid: Floats, observer: int, samples: int, rng: np.random.Generator
) -> Floats:
    """Return the scores (n, samples, teams) of deals that fit what a seat knows, after rewards `paid` so far."""
    playouts = Playouts(game)

    def played(part: Ints) -> Floats:
        copies = np.repeat(states[part], samples)
        seeds: Ints = rng.integers(np.iinfo(np.int64).max, size=len(copies), dtype=np.int64)
        game.drivers.redeal_rows(copies, seeds, np.full(len(copies), observer))
        totals = playouts.run(copies) + np.repeat(paid[part], samples, axis=0)
        return team_scores(totals[:, game.team_representatives]).reshape(len(part), samples, -1)

    return np.concatenate([played(part) for part in in_parts(game, len(states), samples)])


def tables_by_tenth(record: Record, rng: np.random.Generator) -> tuple[States, Floats, Ints]:
    """Return tables, rewards so far and next actions in every tenth of the games of a record: (tenths, n, ..)."""
    shape = len(TENTHS), len(record.games)
    drawn = np.array(TENTHS)[:, None] + rng.random(shape)
    plies = (record.plies * drawn / len(TENTHS)).astype(np.int64)
    states, paid, actions = tables_at(record, np.tile(np.arange(shape[1]), len(TENTHS)), plies.ravel())
    return states.reshape(shape), paid.reshape(*shape, -1), actions.reshape(shape)


def figures(game: Game) -> list[Figure]:
    """Return all figures of the columns that `sampled` makes.

    With two teams, a team is locked out when the game is decided, which is a measure of its own.
    """
    curves = {WINNER: "winner", DECIDED: "decided"}
    rows = [average(own, pl.col(f"{name}_{k}"), BY_TENTH[k]) for own, name in curves.items() for k in TENTHS]
    return rows + ([average(LOCKED, pl.col("locked"))] if len(game.teams) > 2 else [])
