"""A hint in words: what the adviser would play, and what it thinks of the alternatives."""

from __future__ import annotations

from ..core.game import Game
from ..core.state import States
from ..opinions import Opinion

TOLD = 4  # actions that are weighed against one another


def in_words(game: Game, state: States, adviser: str, action: int, opinion: Opinion | None) -> str:
    """What `adviser` would play at this table, and why."""
    would = f"{adviser} would: {game.action_name(state, action)}."
    if len(game.legal(state)) == 1:
        return f"{would} There is nothing else to do."
    if opinion is None:
        return f"{would} It goes by rules and weighs no numbers."
    best = sorted(opinion.values, key=lambda other: (other != action, -opinion.values[other]))[:TOLD]
    weighed = "; ".join(f"{game.action_name(state, other)}: {_number(opinion, other)}" for other in best)
    better = [other for other in best[1:] if opinion.values[other] > opinion.values.get(action, -float("inf"))]
    unsure = " What looks better is so by less than chance may do." if better else ""
    return f"{would} Why: {opinion.worth}: {weighed}.{unsure}"


def _number(opinion: Opinion, action: int) -> str:
    if action not in opinion.values:
        return "not weighed"
    error = opinion.errors.get(action)
    return f"{opinion.values[action]:.2f}" + ("" if error is None else f" ± {error:.2f}")
