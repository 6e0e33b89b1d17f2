"""The replay of a game at a table or of a saved one: a page with the view of a seat and with all cards open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import drawing
from ..core.observation import Agent
from ..luck import Luck, luck
from ..opinions import Opinion, opinions_on
from .ending import rounds_finished
from .history import History


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
    opened, parts = seat is not None, luck_in(history, thoughts or {})
    page = drawing.replay(
        game, history.start, actions, names or None, seat=seat, opened=opened, thoughts=thoughts, luck=parts
    )
    html: str = page.html
    return html


def luck_in(history: History, thoughts: Mapping[int, Opinion]) -> list[Luck]:
    """Return the parts of luck in the result of a finished game; [] for a game of several rounds.

    Search rates actions by the end of the round, so its chances in two rounds cannot be added.
    """
    if not history.state["over"][0] or rounds_finished(history.game, history.state) > 1:
        return []
    decisions = [(past.seat, past.action) for past in history.moves]
    return luck(history.game, history.totals.tolist(), decisions, thoughts)
