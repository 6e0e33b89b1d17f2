"""Turns with a best way to lay cards: an initial meld that keeps the most cards, and a way to go out.

Both are found by trying all sets of placements. Placements of a set can be made in the order of their numbers, except
in the golden suit, which grows at both ends.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...core.compiled.jit import entry_point, kernel
from ...core.draws import Draws
from ...core.game import Game
from ...core.posed import Answer, Kind, Posed
from ...core.state import Record, States
from ...words.english import counted, in_digits
from . import build
from .actions import DISCARD, NEW, SUIT_GOLD
from .material import (
    COPIES,
    GOLD,
    HAND_KINDS,
    NATURALS,
    NEW_SIZE,
    RANKS,
    REQUIRED_POINTS,
    SHIELD,
    SPADES,
    STAGE_SCORES,
    SWORD,
    VARIANTS,
    WILD_CAPS,
    SuitRule,
)
from .melds import finishable, team_of
from .opening import good, requirement_met
from .placements import cards_of, lay, placeable
from .state import Phase

DECK = [kind for kind in range(HAND_KINDS) for _ in range(int(COPIES[SuitRule.THREE_SUITS, kind]))]
SEAT = 0
OTHERS, STOCK = 11, 30  # cards of the other seat and of the stock
LONGEST = 20  # placements of a line
NODES = 20_000  # placements that a search may look at
NEARLY = 0.2  # credit of an answer that opens with more cards than needed, or goes out but for one card


@entry_point
def _open_row(states: Any, cards: int, line: Any) -> int:
    """Fill in placements that open with exactly this many cards of seat 0; return their number, 0 = there are none."""
    s: Record = states[0]
    laid, n, action = 0, 0, NEW
    while True:
        action = _next_placement(s, action, cards - laid)
        if action < DISCARD:
            n, laid = _laid(s, line, n, action, laid)
            met = requirement_met(s, team_of(s, SEAT))
            if met and laid == cards and good(s, SEAT):
                _take_back(s, line, n)
                return int(n)
            action = DISCARD if met or n == LONGEST else _again(action)
        elif n == 0:
            return 0
        else:
            n -= 1
            lay(s, SEAT, int(line[n]), -1)
            laid -= cards_of(int(line[n]))
            action = int(line[n]) + 1


@entry_point
def _out_row(states: Any, nodes: int, line: Any, best: Any, last: Any) -> int:
    """Fill in placements of seat 0 after which its last card can be discarded, and mark all such cards.

    Returns:
        The number of these placements; 0 = there are none; -1 = more than `nodes` tables would have to be looked at.
    """
    s: Record = states[0]
    laid, n, action, found = 0, 0, NEW, 0
    for _ in range(nodes):
        action = _next_placement(s, action, int(s.hand_n[SEAT]) - 1)
        if action < DISCARD:
            n, laid = _laid(s, line, n, action, laid)
            if s.hand_n[SEAT] == 1 and finishable(s, team_of(s, SEAT)):
                for kind in range(HAND_KINDS):
                    last[kind] |= s.hand[SEAT, kind]
                found = n
                for i in range(n):
                    best[i] = line[i]
            action = DISCARD if n == LONGEST else _again(action)
        elif n == 0:
            return found
        else:
            n -= 1
            lay(s, SEAT, int(line[n]), -1)
            laid -= cards_of(int(line[n]))
            action = int(line[n]) + 1
    return -1


@kernel
def _next_placement(s: Record, action: int, most: int) -> int:
    """Return the next placement from `action` on that uses at most this many cards, DISCARD if there is none."""
    while action < DISCARD and not (cards_of(action) <= most and placeable(s, SEAT, action)):
        action += 1
    return action


@kernel
def _laid(s: Record, line: Any, n: int, action: int, laid: int) -> Any:
    """Lay a placement, and return the numbers of placements and cards laid."""
    lay(s, SEAT, action, 1)
    line[n] = action
    return n + 1, laid + cards_of(action)


@kernel
def _again(action: int) -> int:
    """Return the first placement that may follow: the same one, or in the golden suit any at its ends."""
    return SUIT_GOLD if action >= SUIT_GOLD else action


@kernel
def _take_back(s: Record, line: Any, n: int) -> None:
    for i in range(n - 1, -1, -1):
        lay(s, SEAT, int(line[i]), -1)


@functools.cache
def _game() -> Game:
    return build(players=2, episode="round", dealer=1)


def _table(game: Game, hand: list[int], rest: list[int], stage: int) -> States:
    """Return a table where seat 0 has drawn and may meld. The other cards follow from `rest`."""
    state = game.blank.copy()
    s = state[0]
    s["phase"], s["dealer"], s["turn"] = Phase.MELD, 1, 10
    s["asker"] = s["top_taken"] = s["pick"] = s["answer"] = -1
    s["opener"][:2] = s["suit_lo"][:2] = s["suit_hi"][:2] = -1
    s["last_out"] = -2
    s["stage"][:2], s["score"][0] = (stage, 1), (0, *STAGE_SCORES)[stage - 1]
    other = [rest.pop() for _ in range(OTHERS)]
    for seat, cards in enumerate((hand, other)):
        s["hand"][seat] = np.bincount(cards, minlength=HAND_KINDS)
        s["hand_n"][seat] = len(cards)
    stock = [rest.pop() for _ in range(STOCK)]
    s["stock"][: len(stock)], s["stock_n"] = stock, len(stock)
    pile = next(card for card in reversed(rest) if card < SWORD)
    s["pile"][0], s["pile_n"] = pile, 1
    return state


def _leaning(draws: Draws, size: int, liked: int) -> tuple[list[int], list[int]]:
    """Return a hand with many cards of few ranks, and the rest of the deck, both shuffled."""
    ranks = draws.sample(range(RANKS), 4)
    cards = draws.sample(DECK, len(DECK))
    first = [card for card in cards if card < NATURALS and card // VARIANTS in ranks][:liked]
    rest = list(cards)
    for card in first:
        rest.remove(card)
    return first + rest[: size - liked], rest[size - liked :]


def _open(draws: Draws) -> Posed | None:
    """Try a hand of a team that has not opened."""
    game, stage, size = _game(), draws.between(1, 3), draws.between(12, 15)
    hand, rest = _leaning(draws, size, draws.between(7, 10))
    state, line = _table(game, hand, rest, stage), np.zeros(LONGEST, np.int64)
    if not (game.mask(state)[:DISCARD]).any():
        return None
    fewest = next(cards for cards in range(1, size + 1) if (n := _open_row(state, cards, line)))
    best = tuple(line[:n].tolist())
    if n < 2:  # one formation is no puzzle
        return None
    kept = size - fewest
    cap = int(WILD_CAPS[stage])
    wilds = "" if cap > size else f", with at most {counted(cap, 'wild card')}"
    question = (
        f"Your team has not opened. It needs {REQUIRED_POINTS[stage]} points{wilds}. Open in this turn, and keep as "
        "many cards in your hand as possible. Which placements do you make? Do not discard."
    )
    proof = (
        f"All sets of placements with fewer than {in_digits(fewest, 'card')} were tried, and none opens. "
        f"{'; '.join(game.action_name(state, action) for action in best)} opens with {fewest} and keeps {kept}."
    )

    def credit(answer: Answer, after: States) -> float:
        opened = after["opened"][0, SEAT] == 1 and after["phase"][0] == Phase.MELD and after["seat"][0] == SEAT
        if not opened:
            return 0.0
        return 1.0 if after["hand_n"][0, SEAT] == kept else NEARLY

    return Posed(game, state, question, best, proof, credit, _has_opened)


def _has_opened(state: States) -> bool:
    return bool(state["opened"][0, SEAT] == 1 or state["over"][0] or state["seat"][0] != SEAT)


def _out(draws: Draws) -> Posed | None:
    """Try a hand of a team with formations on the table."""
    game = _game()
    cards = draws.sample(DECK, len(DECK))
    ranks = draws.sample(range(RANKS), draws.between(3, 4))
    state = _with_formations(game, draws, cards, ranks)
    if state is None:
        return None
    (line, best), last = np.zeros((2, LONGEST), np.int64), np.zeros(HAND_KINDS, np.int64)
    n = _out_row(state, NODES, line, best, last)
    if n < 4 or last.sum() != 1:
        return None
    placements = tuple(best[:n].tolist())
    discard = DISCARD + int(last.argmax())
    answer = (*placements, discard)
    question = (
        "You can go out in this turn. Which placements do you make, and which card do you discard as the last one? "
        "Only one card can be the last."
    )
    proof = (
        "All sets of placements were tried. Those that leave one card, with a canasta or a complete suit on the table, "
        f"leave {game.action_name(state, discard).removeprefix('DISCARD ')}."
    )

    def credit(answer: Answer, after: States) -> float:
        if after["over"][0]:
            return float(after["last_out"][0] == SEAT)
        return NEARLY if after["hand_n"][0, SEAT] == 1 and after["seat"][0] != SEAT else 0.0

    return Posed(game, state, question, answer, proof, credit, _turn_is_over)


def _turn_is_over(state: States) -> bool:
    return bool(state["over"][0] or state["seat"][0] != SEAT)


def _with_formations(game: Game, draws: Draws, cards: list[int], ranks: list[int]) -> States | None:
    """Return a table with formations of these ranks, and a hand that leans to them; None if they cannot be laid."""
    laid: dict[int, list[int]] = {}
    for rank in ranks:
        own = [card for card in cards if card < NATURALS and card // VARIANTS == rank]
        size = draws.between(3, 6)
        laid[rank] = own[:size]
        if len({SPADES if card % VARIANTS == GOLD else card % VARIANTS for card in laid[rank]}) < NEW_SIZE:
            return None
        for card in laid[rank]:
            cards.remove(card)
    wanted = [card for card in cards if card >= NATURALS and card != SHIELD][: draws.between(1, 3)]
    wanted += [card for card in cards if card < NATURALS and card // VARIANTS in ranks][: draws.between(3, 5)]
    other = draws.choice([rank for rank in range(RANKS) if rank not in ranks])
    wanted += [card for card in cards if card < NATURALS and card // VARIANTS == other][:3]
    for card in wanted:
        cards.remove(card)
    hand = [*wanted, cards.pop()]
    state = _table(game, hand, cards, 1)
    s = state[0]
    for rank, own in laid.items():
        for card in own:
            s["nat"][SEAT, card] += 1
        s["n"][SEAT, rank] = len(own)
    s["opened"][SEAT], s["opener"][SEAT], s["unlocked"][SEAT] = 1, SEAT, 1
    return state


KINDS = {
    "open": Kind("open your team and keep the most cards", _open, several=True),
    "out": Kind("go out in this turn", _out, several=True),
}
