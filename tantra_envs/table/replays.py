"""The replay of a game at a table or of a saved one: a page with the view of a seat and with all cards open."""

from __future__ import annotations

from collections.abc import Sequence

from .. import drawing
from ..core.observation import Agent
from ..core.opinions import opinions_on
from ..expected_scores import expected_scores
from .history import History
from .luck import luck_in


def replay_page(history: History, seat: int | None, names: Sequence[str], judge: Agent | None = None) -> str:
    """Return a game as a page.

    Args:
        history: The game, which nobody changes meanwhile.
        seat: The seat of the reader; None = only the view with all cards open and those of all seats.
        names: The names of the seats for this reader, or none.
        judge: The agent that rates all actions; None = nobody does.
    """
    game, actions = history.game, [past.action for past in history.moves]
    thoughts = opinions_on(game, history.start, actions, [judge] * game.players) if judge else None
    page = drawing.replay(
        game,
        history.start,
        actions,
        names or None,
        seat=seat,
        opened=seat is not None,
        thoughts=thoughts,
        scores=expected_scores(game, history.start, actions),
        luck=luck_in(history, thoughts or {}),
    )
    html: str = page.html
    return html
