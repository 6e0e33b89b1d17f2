"""The last tricks of a hand for two, with all hands shown: the card that wins the hand, and the card that gains most."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...core.compiled.endgames import Path, bind, new_path, values_of
from ...core.draws import Draws
from ...core.game import Game
from ...core.posed import Kind, Posed, one_action
from ...core.state import States
from . import build
from .material import CARDS, TRICKS
from .state import Phase, Place

TRICKS_LEFT = 6
NODES = 60_000  # tables that the search may visit
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


def _gains(draws: Draws) -> tuple[Game, States, dict[int, int]] | None:
    """Return a table, and for each card the points that it gains more than seat 1 if both play best, best first."""
    game, solve, path = _search()
    state = _table(game, draws)
    values = values_of(solve, path, state, game.legal(state), NODES, (-10.0, 10.0))
    if values is None:
        return None
    gains = {card: round(PER_UNIT * value) for card, value in values.items()}
    ranked = sorted(gains, key=lambda card: -gains[card])
    if gains[ranked[0]] - gains[ranked[1]] < LEAST_GAP:
        return None
    return game, state, {card: gains[card] for card in ranked}


def _most(draws: Draws) -> Posed | None:
    """Try a table where one card gains the most points."""
    found = _gains(draws)
    if found is None:
        return None
    game, state, gains = found
    base = draws.between(40, 60)
    state["points"][0, :2] = base, base
    question = (
        "All cards in hands are shown, so every card that can still be played is known. Both seats play for the "
        "greatest difference of points at the end of the hand. Exactly one card gains the most. Which one?"
    )
    lines = ", ".join(f"{game.action_name(state, card)} {gain:+d}" for card, gain in gains.items())
    proof = f"All ways to play the last {TRICKS_LEFT} tricks were searched. The difference after each card: {lines}."
    return one_action(game, state, question, {next(iter(gains)): 1.0}, proof)


@functools.cache
def _hand() -> Game:
    return build(players=2, episode="hand", dealer=OTHER)


def _win(draws: Draws) -> Posed | None:
    """Try a table where one card wins the hand, after points that make the second best card too little."""
    found = _gains(draws)
    if found is None:
        return None
    _, state, gains = found
    best, second, *_ = gains
    needed = gains[second] + draws.below(gains[best] - gains[second])  # seat 0 must gain more than this
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
        f"All ways to play the last {TRICKS_LEFT} tricks were searched. Seat 0 is {needed} points behind. With {name} it "
        f"gains at least {gains[best]} more than seat 1, with any other card at most {gains[second]} against best play."
    )
    return one_action(game, state, question, {best: 1.0}, proof)


KINDS = {
    "win": Kind("find the only card that wins the hand in an open endgame", _win),
    "most": Kind("find the card that gains the most points in an open endgame", _most),
}
