"""Endgames with one winning play. The draw pile is empty, so every card is known or lies face down.

The game ends as a draw after a number of actions. So the search reaches every end, and each of its values is proven.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....core.compiled.endgames import Path, bind, new_path, values_of
from ....core.compiled.jit import kernel
from ....core.draws import Draws
from ....core.game import Game
from ....core.posed import Kind, Posed, one_action
from ....core.state import Record, States
from ....words.english import listed, number
from .. import build
from ..actions import FLIP
from ..material import CARD_NAMES, GIVE, TYPES
from ..queries import action_base
from ..state import Phase

ACTIONS = 10  # after these the game is a draw
LEAST_LEGAL = 6  # so that a guess is right in one of six puzzles
NODES = 20_000  # tables that the search may visit
COPIES = 2
DECK = [card for card in range(TYPES) for _ in range(COPIES)]
NOT_WON, WON = 0.0, 1.0


@kernel
def variations(s: Record, action: int) -> int:
    """Return the number of cards that a flip may show: any card that lies face down."""
    return int(s.down_n[0]) + int(s.down_n[1]) if action - action_base(s) == FLIP else 1


@kernel
def vary(s: Record, number: int) -> None:
    """Exchange the card that is flipped next with another face-down card."""
    own, place = int(s.seat), int(s.down_n[s.seat]) - 1
    holder = 0 if number < s.down_n[0] else 1
    other = number - holder * int(s.down_n[0])
    card = s.down[own, place]
    s.down[own, place] = s.down[holder, other]
    s.down[holder, other] = card


@functools.cache
def _search() -> tuple[Game, Callable[..., Any], Path]:
    game = build(players=2, max_moves=ACTIONS)
    # Before each action chance may have its own table.
    return game, bind(game.drivers, (variations, vary)), new_path(game.blank, game.actions.size, 2 * ACTIONS + 2)


def _table(game: Game, hands: Sequence[Sequence[int]], down: Sequence[Sequence[int]], pile: Sequence[int]) -> States:
    """Return a table on which seat 0 is to decide and both seats have seen all hands."""
    state = game.blank.copy()
    s = state[0]
    s["phase"], s["dealer"], s["loser"] = Phase.PLAY, 1, -1
    for seat in range(2):
        s["hands"][seat] = s["known"][seat] = np.bincount(hands[seat], minlength=TYPES)
        s["hand_n"][seat], s["down_n"][seat] = len(hands[seat]), len(down[seat])
        s["down"][seat, : len(down[seat])] = down[seat]
    s["pile"][: len(pile)], s["pile_n"], s["run"] = pile, len(pile), len(pile) > 0
    s["piled"] = np.bincount(np.array(pile, np.int64), minlength=TYPES)
    turned = np.bincount(np.array([card for cards in down for card in cards], np.int64), minlength=TYPES)
    s["gone"] = COPIES - s["hands"].sum(axis=0) - s["piled"] - turned
    return state


def _only_win(game: Game, state: States) -> int | None:
    """Return the action that wins against every defence, if there is exactly one."""
    _, solve, path = _search()
    legal = game.legal(state)
    if len(legal) < LEAST_LEGAL:
        return None
    wins = [-1]
    for action in legal:
        values = values_of(solve, path, state, [action], NODES, (NOT_WON, WON))
        if values is None or (values[action] == WON and len(wins) > 1):
            return None
        wins += [action] if values[action] == WON else []
    return wins[-1] if len(wins) > 1 else None


def _posed(game: Game, state: States, known: str, surely: str = "") -> Posed | None:
    win = _only_win(game, state)
    if win is None:
        return None
    name, others = game.action_name(state, win), len(game.legal(state)) - 1
    question = (
        f"{known} Seat 1 knows the same. After {number(ACTIONS)} more actions of both seats together the game is a "
        f"draw. Exactly one action wins{surely}, however well seat 1 plays. Which one?"
    )
    proof = (
        f"All ways to play the next {ACTIONS} actions were searched. After {name} you can win against every reply. "
        f"After each of the {number(others)} others seat 1 can prevent it."
    )
    return one_action(game, state, question, {win: 1.0}, proof)


def _open_cards(draws: Draws) -> Posed | None:
    """Try a table without face-down cards."""
    game, *_ = _search()
    own, other, lie = draws.between(5, 6), draws.between(2, 3), draws.between(0, 2)
    cards = draws.sample(DECK, own + other + lie)
    hands = cards[:own], cards[own : own + other]
    state = _table(game, hands, ((), ()), [card for card in cards[own + other :] if card != GIVE])
    return _posed(game, state, "The draw pile is empty and no card lies face down, so every card is known.")


def _face_down(draws: Draws) -> Posed | None:
    """Try a table with face-down cards. The search gives each flip the worst of them."""
    game, *_ = _search()
    own, other, lie = draws.between(5, 6), draws.between(0, 2), draws.between(0, 2)
    turned = (draws.below(2), draws.between(1, 2))
    cards = draws.sample(DECK, own + other + sum(turned) + lie)
    hands = cards[:own], cards[own : own + other]
    rest = cards[own + other :]
    down = rest[: turned[0]], rest[turned[0] : sum(turned)]
    state = _table(game, hands, down, [card for card in rest[sum(turned) :] if card != GIVE])
    names = listed([CARD_NAMES[card] for card in sorted(rest[: sum(turned)])])
    lies = (
        f"The face-down cards are {names}, in an unknown order" if sum(turned) > 1 else f"The face-down card is {names}"
    )
    known = f"The draw pile is empty. {lies}."
    return _posed(game, state, known, " wherever the face-down cards lie" if sum(turned) > 1 else "")


KINDS = {
    "win": Kind("find the only winning play of an open endgame", _open_cards),
    "sure": Kind("find the only play that wins wherever the face-down cards lie", _face_down),
}
