"""Hands before a lay-down: whether and how all sets can be laid, and the one card that can be spared."""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import Any

import numpy as np

from ...core.compiled.jit import entry_point
from ...core.draws import Draws
from ...core.game import Game
from ...core.posed import Answer, Kind, Posed, one_action
from ...core.state import Record, States
from ...words.english import counted
from . import build
from .actions import DISCARD, LAY_DOWN, PLACE
from .material import (
    CARD_NAMES,
    DISPLAY_CARDS,
    IDENTICAL,
    JOKER,
    NATURALS,
    NO_JOKERS,
    NO_WILD_CARDS,
    PLACES,
    RANK_NAMES,
    RANKS,
    SUITS,
    WILD,
)
from .needs.lacking import NEEDS, lacking_with, note_hand
from .state import Phase

SEAT, OTHERS = 0, (1, 2)
HAND = 11  # cards of each other seat
NONE_IN = 8  # one in so many hands cannot be laid down
PREFIX = 0.5  # credit of sets that are laid before the first mistake, if it is the last set
DISPLAYS = [
    number
    for number, (kinds, runs, flags) in enumerate(DISPLAY_CARDS[:-1], start=1)
    if not flags & IDENTICAL and 9 <= sum(kinds + runs) <= 14
]
NOTATION = (
    "Write the sets, separated by semicolons: `kind 9: 9C 9H WILD` is a set of nines, and `run H 5: 5H 6H JK` is a run "
    "of hearts that begins with the five. Write `no` if it is not possible."
)
_SET = re.compile(r"(kind \w+|run \w \d+)\s*:\s*(.+)", re.IGNORECASE)


@entry_point
def _lacking_rows(states: Any, work: Any, lacking: Any) -> None:
    """Fill in how many wild cards seat 0 lacks after the discard of each natural card, as it is and without it."""
    s: Record = states[0]
    note_hand(work[0], s)
    for card in range(len(lacking)):
        lacking[card] = lacking_with(work[0], s, card, -1) if s.hands[SEAT, card] > 0 else -1


@functools.cache
def _game() -> Game:
    return build(players=3, auto_forced=False, dealer=2)


@functools.cache
def _work() -> Any:
    return np.zeros(1, NEEDS)


def _deck(game: Game, wild: int | None) -> Counter[int]:
    """Return how many of each card are in the game: cards of the wild rank are wild cards."""
    packs = int(game.blank["opt"]["n_packs"][0])
    deck = Counter({card: packs for card in range(NATURALS) if wild is None or card % RANKS != wild})
    deck[JOKER] = packs * int(game.config["jokers_per_pack"])
    if wild is not None:
        deck[WILD] = packs * SUITS
    return deck


def _sets(draws: Draws, display: int, wild: int | None) -> list[int]:
    """Return the natural cards of random sets of a Display Card, wild cards in the places of the wild rank."""
    kinds, runs, _ = DISPLAY_CARDS[display - 1]
    ranks = draws.sample([rank for rank in range(RANKS) if rank != wild], len(kinds))
    cards = [draws.below(SUITS) * RANKS + rank for size, rank in zip(kinds, ranks, strict=True) for _ in range(size)]
    for size in runs:
        suit, first = draws.below(SUITS), draws.between(1, PLACES + 1 - size)
        cards += [suit * RANKS + (place - 1) % RANKS for place in range(first, first + size)]
    return [WILD if card % RANKS == wild else card for card in cards]


def _table(draws: Draws, display: int, wild: int | None, hand: list[int]) -> States | None:
    """Return a table where seat 0 has this hand and has taken its card, or None if there are not so many cards."""
    game = _game()
    left = _deck(game, wild)
    left.subtract(hand)
    if min(left.values()) < 0:
        return None
    rest = draws.sample(sorted(left.elements()), left.total())
    cards = [rest.pop() for _ in range(HAND * len(OTHERS) + 1)]
    hands = [hand, *(cards[HAND * i : HAND * (i + 1)] for i in range(len(OTHERS)))]
    return game.from_position(
        {
            "display": display,
            "wild": None if wild is None else RANK_NAMES[wild],
            "hands": [[CARD_NAMES[card] for card in own] for own in hands],
            "discard": [CARD_NAMES[cards[-1]]],
            "stock": [CARD_NAMES[card] for card in rest],
            "cur": SEAT,
        }
    )


def _display(draws: Draws) -> tuple[int, int | None]:
    """Return a Display Card, and the wild rank if it allows wild cards."""
    display = draws.choice(DISPLAYS)
    rank = draws.below(RANKS)
    return display, None if DISPLAY_CARDS[display - 1][2] & NO_WILD_CARDS else rank


def _lay_down(draws: Draws) -> Posed | None:
    """Try a hand of sets with wild cards, and other cards that could be in sets."""
    game, (display, wild) = _game(), _display(draws)
    possible = draws.below(NONE_IN) > 0
    cards = _sets(draws, display, wild)
    jokers = not DISPLAY_CARDS[display - 1][2] & NO_JOKERS
    for place in draws.sample(range(len(cards)), draws.below(3)):
        cards[place] = JOKER if jokers and draws.below(2) else WILD if wild is not None else cards[place]
    cards += _near(draws, cards, wild, draws.between(3, 5))
    if not possible:
        cards.pop(draws.below(len(cards)))
    state = _table(draws, display, wild, cards)
    if state is None or state["phase"][0] != Phase.MAIN or (LAY_DOWN in game.legal(state)) != possible:
        return None
    if not possible and _least_lacking(state) != 1:
        return None  # it is plain that much is missing
    best, after = list[int](), state.copy()
    while possible and (not best or after["phase"][0] != Phase.MAIN):
        best.append(LAY_DOWN if not best else game.legal(after)[0])
        game.apply_action(after, best[-1])
    proof = (
        f"The answer is laid by the rules: {_written(game, after)}."
        if possible
        else "The search by which the rules allow a lay-down tries all ways to fill the sets, and finds none. With one "
        "more wild card there would be one."
    )
    question = "Can you lay down all sets of the Display Card now, and keep a card to discard? If so, lay them down."
    return Posed(
        game,
        state,
        question,
        tuple(best),
        proof,
        functools.partial(_laid_credit, possible),
        _has_laid,
        listed=False,
        prefix=True,
        notation=NOTATION,
        solution=_written(game, after) if possible else "no",
        read=_read,
    )


def _near(draws: Draws, cards: list[int], wild: int | None, n: int) -> list[int]:
    """Return n natural cards next to cards of the hand, of the same rank or suit."""
    naturals = [card for card in cards if card < NATURALS] or [0]
    found = list[int]()
    while len(found) < n:
        card = draws.choice(naturals)
        suit, rank = (card // RANKS, (card + draws.choice((1, 2, 11, 12))) % RANKS)
        other = draws.below(SUITS) * RANKS + card % RANKS if draws.below(2) else suit * RANKS + rank
        if other % RANKS != wild:
            found.append(other)
    return found


def _least_lacking(state: States) -> int:
    lacking = np.zeros(NATURALS, np.int64)
    _lacking_rows(state, _work(), lacking)
    return int(lacking[lacking >= 0].min())


def _laid_credit(possible: bool, answer: Answer, after: States) -> float:
    """Return 1 for all sets, and less for sets that can be completed to all of them; `no` is right if none can."""
    if not answer or answer[0] != LAY_DOWN:
        return float(not possible)
    kinds, runs, _ = DISPLAY_CARDS[int(after["display"][0]) - 1]
    return 1.0 if _has_laid(after) else PREFIX * int(after["slot"][0]) / len(kinds + runs)


def _has_laid(state: States) -> bool:
    return bool(state["laid_turn"][0, SEAT] >= 0 and state["phase"][0] == Phase.MAIN)


def _written(game: Game, state: States) -> str:
    """Return the sets on the table in the notation of answers."""
    lines = []
    for lies in game.position(state)["sets"]:
        name = f"kind {lies['kind']}" if "kind" in lies else f"run {lies['run']} {lies['start']}"
        lines.append(f"{name}: {' '.join(lies['cards'])}")
    return "; ".join(lines)


def _read(state: States, text: str) -> Answer:
    """Return the actions that lay the sets of an answer, in the order in which the rules ask for them.

    Raises:
        ValueError: The answer is neither `no` nor sets of the sizes on the Display Card.
    """
    game, display = _game(), int(state["display"][0])
    if text.strip().strip(".!`*\"'").lower() == "no":
        return ()
    sets = []
    for part in filter(None, (part.strip(" .`*") for part in text.split(";"))):
        match = _SET.fullmatch(part)
        if match is None:
            raise ValueError(f"{part[:60]!r} is not a set. {NOTATION}")
        words = match[2].replace(",", " ").upper().split()
        try:
            template = game.parse_action(state, match[1])
            cards = [CARD_NAMES.index(word) for word in words]
        except ValueError as error:
            raise ValueError(f"{part[:60]!r} is not a set: {error}") from None
        kind = match[1].lower().startswith("kind")
        sets.append((not kind, len(cards), template, sorted(cards) if kind else cards))
    kinds, runs, _ = DISPLAY_CARDS[display - 1]
    wanted = [(False, size) for size in kinds] + [(True, size) for size in runs]
    if sorted(wanted) != sorted((run, size) for run, size, _, _ in sets):
        raise ValueError(f"These are not {counted(len(wanted), 'set')} of the sizes on the Display Card.")
    sets.sort(key=lambda entry: (wanted.index(entry[:2]), entry[2]))
    actions = [LAY_DOWN]
    for _, _, template, cards in sets:
        actions += [template, *(PLACE + card for card in cards)]
    return tuple(actions)


def _discard(draws: Draws) -> Posed | None:
    """Try a hand of sets without one card, and with one card too many."""
    game, (display, wild) = _game(), _display(draws)
    cards = _sets(draws, display, wild)
    cards.pop(draws.below(len(cards)))
    state = _table(draws, display, wild, cards + _near(draws, cards, wild, 1))
    if state is None or state["phase"][0] != Phase.MAIN or LAY_DOWN in game.legal(state):
        return None
    lacking = np.zeros(NATURALS, np.int64)
    _lacking_rows(state, _work(), lacking)
    least = int(lacking[lacking >= 0].min())
    spared = np.flatnonzero(lacking == least)
    others = lacking[(lacking >= 0) & (lacking != least)]
    if len(spared) != 1 or not len(others):
        return None
    best = DISCARD + int(spared[0])
    question = (
        "You cannot lay down yet. After your discard the hand lacks some wild cards: with that many more it could lay "
        "down all sets of the Display Card. Exactly one discard lets it lack the fewest. Which one?"
    )
    proof = (
        f"The exact search finds that after {game.action_name(state, best)} the hand lacks "
        f"{counted(least, 'wild card')}, and after any other discard {int(others.min())} or more."
    )
    return one_action(game, state, question, {best: 1.0}, proof)


KINDS = {
    "lay-down": Kind("lay down all sets, if it is possible", _lay_down, several=True),
    "discard": Kind("find the only card that you can spare", _discard),
}
