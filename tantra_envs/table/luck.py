"""The parts of luck and of choices in the result of a finished game, by an agent's opinions on all its actions.

For each seat, the result is even chances plus four parts: the luck of the deal, the marked actions of the seat, the
marked actions of the other seats, and the luck in play. The last part is the rest: draws, hidden cards, and differences
too small for a mark. All parts are in scores from 0 to 1, and all but the result are estimates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..core.game import Game
from ..core.observation import Agent
from ..core.opinions import Opinion
from ..drawing.replays import EVEN, Luck
from ..matches.match import team_scores
from ..opponents.search import Search
from .advice import looks_to_the_end
from .ending import round_word, rounds_finished
from .history import History


class Loss(NamedTuple):
    """What a marked action gave away."""

    seat: int
    value: float
    error: float


def luck_in(history: History, opinions: Mapping[int, Opinion], judge: Agent | None) -> list[Luck]:
    """Return the parts of the result of every seat in a finished game, or [] where `no_luck` says why.

    Args:
        history: The game.
        opinions: Opinions on the actions, by number of the decision.
        judge: The agent that has them; None = there are none.
    """
    if not history.state["over"][0] or no_luck(history, judge):
        return []
    decisions = [(past.seat, past.action) for past in history.moves]
    return luck(history.game, history.totals.tolist(), decisions, opinions)


def no_luck(history: History, judge: Agent | None) -> str:
    """Return why a judged game has no parts of luck, as text; "" if it can have them.

    A search with a horizon rates actions by the standing after their round. That is the result of the last round only,
    so its chances in two rounds cannot be added.
    """
    rounds, word = rounds_finished(history.game, history.state), round_word(history.game)
    if rounds < 2 or not isinstance(judge, Search) or looks_to_the_end(judge, history.game):
        return ""
    return (
        f"{judge.name} rates an action by the standing after its {word}, and this game has {rounds} {word}s. "
        f"Chances of different {word}s cannot be added. A judge that plays on to the end of the game can give these "
        "numbers: python -m tantra_envs replay FILE --judge search:16,horizon=0 --out FILE.html"
    )


def luck(
    game: Game, rewards: Sequence[float], decisions: Sequence[tuple[int, int]], opinions: Mapping[int, Opinion]
) -> list[Luck]:
    """Return the parts of the result of every seat that had a choice; [] unless all opinions are chances.

    With three or more teams nobody knows which of them gains by a marked action. All others then get equal parts.

    Args:
        game: The game.
        rewards: The rewards of all seats in the whole game.
        decisions: The seat and the action of every decision.
        opinions: Opinions on the actions, by number of the decision. They look to the end of the game.
    """
    if len(game.teams) < 2 or not all(opinion.is_share for opinion in opinions.values()):
        return []
    results = team_scores(np.array([[rewards[seat] for seat in game.team_representatives]]))[0]
    teams, losses = game.team_numbers, _losses(decisions, opinions)
    parts = []
    for seat in range(game.players):
        first = next((ply for ply in sorted(opinions) if decisions[ply][0] == seat), None)
        if first is None:
            continue
        deal, deal_error = _chance(opinions[first], decisions[first][1])
        changes = [(loss, _share(game, seat, loss.seat)) for loss in losses]
        own = sum(share * loss.value for loss, share in changes if loss.seat == seat)
        others = sum(share * loss.value for loss, share in changes if loss.seat != seat)
        error = math.hypot(deal_error, *(share * loss.error for loss, share in changes))
        result = float(results[teams[seat]])
        rest = result - deal - own - others
        parts.append(Luck(seat, deal - EVEN, deal_error, own, others, rest, error, result))
    return parts


def _losses(decisions: Sequence[tuple[int, int]], opinions: Mapping[int, Opinion]) -> list[Loss]:
    """Return what every marked action gave away."""
    return [
        Loss(decisions[ply][0], *opinion.loss(decisions[ply][1]))
        for ply, opinion in opinions.items()
        if opinion.mark(decisions[ply][1])
    ]


def _chance(opinion: Opinion, action: int) -> tuple[float, float]:
    """Return the chances before an action, and their standard error.

    They are the value of the action unless it is marked: the largest of many estimates would be too high.
    """
    taken = action if action in opinion.values and not opinion.mark(action) else None
    best = opinion.best if taken is None else taken
    return opinion.values[best], opinion.errors.get(best, 0.0)


def _share(game: Game, seat: int, loser: int) -> float:
    """Return the part of a loss of `loser` that changes the chances of `seat`."""
    if game.team_numbers[seat] == game.team_numbers[loser]:
        return -1.0
    return 1 / (len(game.teams) - 1)
