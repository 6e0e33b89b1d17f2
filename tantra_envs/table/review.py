"""What decided a finished game, in a sentence for one person, by the opinions of a judge on all actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.observation import Agent
from ..core.opinions import Opinion
from ..words.english import NUMBERS, listed
from . import ending
from .history import History
from .luck import luck_in

NAMED = 0.05  # least part of the result that is named, in chances


def review(history: History, seat: int, opinions: Mapping[int, Opinion], judge: Agent) -> dict[str, Any]:
    """Return what decided the game for a seat.

    Returns:
        `words`, "" if the judge gives no chances; and `ply`, the decision with the largest loss, or None.
    """
    own = {ply: opinion for ply, opinion in opinions.items() if history.moves[ply].seat == seat and opinion.is_share}
    losses = {ply: opinion.loss(history.moves[ply].action)[0] for ply, opinion in own.items()
              if opinion.mark(history.moves[ply].action)}  # fmt: skip
    if not own:
        return {"words": "", "ply": None}
    won = ending.is_won(history.game, history.state, history.totals, seat)
    worst = max(losses, key=losses.__getitem__, default=None)
    mistakes = _mistakes(losses) if worst is not None else ""
    parts = {part.seat: part for part in luck_in(history, opinions, judge)}.get(seat)
    lucks = {"the deal": parts.deal, "mistakes of others": parts.others, "luck in play": parts.play} if parts else {}
    causes = [f"{name} ({100 * part:+.0f})" for name, part in lucks.items() if (part if won else -part) >= NAMED]
    verdict = {True: "You won", False: "You lost", None: "It was a draw"}[won]
    if mistakes and not won:
        causes.insert(min(1, len(causes)), mistakes)
    words = f"{verdict}{f' by {listed(causes)}' if causes else ', without a clear mistake' if not mistakes else ''}."
    if mistakes and won:
        words += f" You made {mistakes}."
    mean = 100 * sum(losses.values()) / len(own)
    return {"words": f"{words} You gave away {mean:.1f} points of 100 per decision.", "ply": worst}


def _mistakes(losses: Mapping[int, float]) -> str:
    """Return the marked actions in words: `one mistake (-31, move 16)`."""
    worst = max(losses, key=losses.__getitem__)
    count = NUMBERS[len(losses)] if len(losses) < len(NUMBERS) else str(len(losses))
    place = f"move {worst + 1}" if len(losses) == 1 else f"the largest at move {worst + 1}"
    return f"{count} mistake{'s' * (len(losses) > 1)} ({-100 * sum(losses.values()):.0f}, {place})"
