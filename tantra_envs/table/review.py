"""What decided a finished game, by an agent's opinions on all its actions: the parts of luck, and a sentence.

For each seat, the result is even chances plus four parts: the luck of the deal, the marked actions of the seat, the
marked actions of the other seats, and the luck in play. The last part is the rest: draws, hidden cards, and differences
too small for a mark. All parts are in scores from 0 to 1, and all but the result are estimates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.game import Game
from ..core.observation import Agent
from ..core.opinions import Opinion
from ..drawing.replays import EVEN, Luck
from ..matches.match import team_scores
from ..opponents.search import Search
from ..words.english import NUMBERS, listed
from ..words.sentences import action_words
from .advice import looks_to_the_end
from .ending import is_won, round_word, rounds_finished
from .history import History

NAMED = 0.05  # least part of the result that is named, in chances


def review(
    history: History, seat: int, names: Sequence[str], opinions: Mapping[int, Opinion], judge: Agent | None
) -> dict[str, Any]:
    """Return what decided the game for a seat, with the names of the seats for its reader.

    Returns:
        `words`, "" if the judge gives no chances; and `ply`, the decision with the largest loss, or None.
    """
    own = {ply: opinion for ply, opinion in opinions.items() if history.moves[ply].seat == seat and opinion.is_share}
    losses = {ply: opinion.loss(history.moves[ply].action)[0] for ply, opinion in own.items()
              if opinion.mark(history.moves[ply].action)}  # fmt: skip
    if not own:
        return {"words": "", "ply": None}
    won = is_won(history.game, history.state, history.totals, seat)
    worst = max(losses, key=losses.__getitem__, default=None)
    mistakes = _mistakes(losses) if worst is not None else ""
    parts = {part.seat: part for part in luck_in(history, opinions, judge)}.get(seat)
    lucks = (
        {"the deal": parts.deal, "mistakes of others": parts.others, "luck and small losses in play": parts.play}
        if parts
        else {}
    )
    causes = [f"{name} ({100 * part:+.0f})" for name, part in lucks.items() if (part if won else -part) >= NAMED]
    verdict = {True: "You won", False: "You lost", None: "It was a draw"}[won]
    if mistakes and not won:
        causes.insert(min(1, len(causes)), mistakes)
    words = f"{verdict}{f' by {listed(causes)}' if causes else ', without a clear mistake' if not mistakes else ''}."
    if mistakes and won:
        words += f" You made {mistakes}."
    if worst is not None:
        made, better = (
            action_words(history.game, history.moves[worst].before, action, seat, names)
            for action in (history.moves[worst].action, own[worst].best)
        )
        words += f' At move {worst + 1} you chose "{made}"; "{better}" was better.'
    mean = 100 * sum(losses.values()) / len(own)
    return {"words": f"{words} You gave away {mean:.1f} points of 100 per decision.", "ply": worst}


def _mistakes(losses: Mapping[int, float]) -> str:
    """Return the marked actions in words: `one mistake (-31, move 16)`."""
    worst = max(losses, key=losses.__getitem__)
    count = NUMBERS[len(losses)] if len(losses) < len(NUMBERS) else str(len(losses))
    place = f"move {worst + 1}" if len(losses) == 1 else f"the largest at move {worst + 1}"
    return f"{count} mistake{'s' * (len(losses) > 1)} ({-100 * sum(losses.values()):.0f}, {place})"


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
    if not history.is_over or no_luck(history, judge):
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
    teams = game.team_numbers
    losses = [
        Loss(decisions[ply][0], *opinion.loss(decisions[ply][1]))
        for ply, opinion in opinions.items()
        if opinion.mark(decisions[ply][1])
    ]
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
