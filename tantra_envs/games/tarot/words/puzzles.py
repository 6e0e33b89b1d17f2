"""The last tricks of a hand for two with all cards shown: the card that wins the hand, or gains the most points."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ....core.compiled.endgames import Path, bind, new_path, values_of
from ....core.draws import Draws
from ....core.game import Game
from ....core.posed import Kind, Posed, one_action
from ....core.state import States
from .. import build
from ..material import CARDS, MOST_POINTS, TRICKS
from ..state import Phase, Place

TRICKS_LEFT = 6
NODES = 20_000  # for each card: tables that the search may visit
OWN, OTHER = 0, 1
PER_UNIT = 100  # points in a unit of reward
LEAST_GAP = 2  # points between the best card and the next one


@functools.cache
def _search() -> tuple[Game, Callable[..., Any], Path]:
    game = build(players=2, episode="hand", reward="score", dealer=OTHER)
    return game, bind(game.drivers), new_path(game.blank, game.actions.size, 2 * TRICKS_LEFT + 2)


def _table(game: Game, draws: Draws) -> States:
    """Return a table before the last tricks; seat 0 leads. All cards in hands are shown, and no points were made."""
    state = game.blank.copy()
    s = state[0]
    s["phase"], s["dealer"], s["leader"], s["trick_no"] = Phase.PLAY, OTHER, OWN, TRICKS - TRICKS_LEFT
    s["cls"] = s["replier"] = s["winner"] = s["giver"] = -1
    cards = draws.sample(range(CARDS), CARDS)
    places = [(OWN, TRICKS_LEFT), (OTHER, TRICKS_LEFT), (Place.THIRD, TRICKS), (Place.DISCARDED, 3)]
    s["loc"] = Place.PLAYED
    for place, size in places:
        for _ in range(size):
            s["loc"][cards.pop()] = place
    s["exposed"] = s["loc"] <= OTHER
    s["hand_n"][:2], s["discards_n"] = TRICKS_LEFT, 3
    taken = draws.between(6, TRICKS - TRICKS_LEFT - 6)
    s["taken"][:2] = taken, TRICKS - TRICKS_LEFT - taken
    return state


def _gains(draws: Draws) -> tuple[Game, States, int, list[int]] | None:
    """Return a table, the card that gains the most, and the gains of this card and of the next best one.

    A gain is the number of points more than those of seat 1, if both play best.
    """
    game, solve, path = _search()
    state, best, gains = _table(game, draws), -1, [-MOST_POINTS, -MOST_POINTS]
    for card in game.legal(state):
        bounds = gains[1] / PER_UNIT, MOST_POINTS / PER_UNIT  # a smaller gain than the second best one does not matter
        values = values_of(solve, path, state, [card], NODES, bounds)
        if values is None:
            return None
        gain = round(PER_UNIT * values[card])
        best = card if gain > gains[0] else best
        gains = sorted([*gains, gain], reverse=True)[:2]
    return (game, state, best, gains) if gains[0] - gains[1] >= LEAST_GAP else None


def _most(draws: Draws) -> Posed | None:
    """Try a table where one card gains the most points."""
    found = _gains(draws)
    if found is None:
        return None
    game, state, best, gains = found
    base = draws.between(40, 60)
    state["points"][0, :2] = base, base
    question = (
        "All cards in hands are shown, so every card that can still be played is known. Both seats play for the "
        "greatest difference of points at the end of the hand. Exactly one card gains the most. Which one?"
    )
    proof = (
        f"All ways to play the last {TRICKS_LEFT} tricks were searched. The difference is {gains[0]:+d} after "
        f"{game.action_name(state, best)}, and at most {gains[1]:+d} after any other card, if both play best."
    )
    return one_action(game, state, question, {best: 1.0}, proof)


@functools.cache
def _hand() -> Game:
    return build(players=2, episode="hand", dealer=OTHER)


def _win(draws: Draws) -> Posed | None:
    """Try a table where one card wins the hand, after points that make the second best card too little."""
    found = _gains(draws)
    if found is None:
        return None
    _, state, best, gains = found
    needed = gains[1] + draws.below(gains[0] - gains[1])  # seat 0 must gain more than this
    base = draws.between(40, 60) + max(0, -needed)
    state["points"][0, :2] = base, base + needed
    game = _hand()
    state["opt"] = game.blank["opt"]
    name = game.action_name(state, best)
    question = (
        "All cards in hands are shown, so every card that can still be played is known. The hand is won by the seat "
        "with more points at its end. Exactly one card wins it, however well seat 1 plays. Which one?"
    )
    proof = (
        f"All ways to play the last {TRICKS_LEFT} tricks were searched. You win if you gain more than {needed} points "
        f"over seat 1 in them. With {name} you gain {gains[0]} or more, with any other card at most {gains[1]} against "
        "best play."
    )
    return one_action(game, state, question, {best: 1.0}, proof)


KINDS = {
    "win": Kind("find the only card that wins the hand in an open endgame", _win),
    "most": Kind("find the card that gains the most points in an open endgame", _most),
}
