"""The text of a hint: the action of the adviser, and its values of the alternatives."""

from __future__ import annotations

from ..core.game import Game
from ..core.state import States
from ..opinions import Opinion

SHOWN = 4  # number of actions that are shown with their values


def in_words(game: Game, state: States, adviser: str, action: int, opinion: Opinion | None) -> str:
    """Return the action that `adviser` would play at this table, and why, as text."""
    would = f"{adviser} would: {game.action_name(state, action)}."
    if len(game.legal(state)) == 1:
        return f"{would} It is the only legal action."
    if opinion is None:
        return f"{would} It follows rules and does not compute values."
    best = sorted(opinion.values, key=lambda other: (other != action, -opinion.values[other]))[:SHOWN]
    values = "; ".join(f"{game.action_name(state, other)}: {_number(opinion, other)}" for other in best)
    better = [other for other in best[1:] if opinion.values[other] > opinion.values.get(action, -float("inf"))]
    unsure = " Some alternatives have higher values, but not clearly higher." if better else ""
    return f"{would} Why: {opinion.worth}: {values}.{unsure}"


def _number(opinion: Opinion, action: int) -> str:
    if action not in opinion.values:
        return "no value"
    error = opinion.errors.get(action)
    return f"{opinion.values[action]:.2f}" + ("" if error is None else f" ± {error:.2f}")
