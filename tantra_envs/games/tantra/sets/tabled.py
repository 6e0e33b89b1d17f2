"""Functions about sets: the contract of the Display Card, and the cards that fit on a tabled set."""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.state import Record
from ..material import (
    FLAGS,
    IDENTICAL,
    JOKER,
    KINDS,
    NATURALS,
    NINETEEN,
    NO_BUYING,
    NO_JOKERS,
    PLACES,
    POINTS,
    RANKS,
    SETS,
    SIZES,
    SUITS,
    WILD,
    SetType,
)
from ..state import Role

# The rules of the round


@kernel
def has_flag(s: Record, flag: int) -> bool:
    """Return whether the Display Card shows this special rule."""
    return (int(FLAGS[s.display]) & flag) != 0


@kernel
def max_buys(s: Record) -> int:
    """Return the number of buys of each seat in this round [R-40]."""
    if has_flag(s, NO_BUYING):
        return 0
    return int(s.opt.max_buys_19) if has_flag(s, NINETEEN) else int(s.opt.max_buys)


@kernel
def buys_left(s: Record, seat: int) -> int:
    """Return how often a seat may still buy in this round: never once it has laid down [R-40]."""
    return 0 if s.laid_turn[seat] >= 0 else max(0, max_buys(s) - int(s.buys_used[seat]))


@kernel
def sets_on_card(s: Record) -> int:
    """Return the number of sets on the Display Card."""
    return int(SETS[s.display])


@kernel
def is_kind_slot(s: Record, slot: int) -> bool:
    """Return whether the set of this slot is a kind; kinds come before runs."""
    return slot < int(KINDS[s.display])


@kernel
def size_of(s: Record, slot: int) -> int:
    """Return the number of cards in the set of this slot."""
    return int(SIZES[s.display, slot])


@kernel
def same_shape(s: Record, slot: int) -> bool:
    """Return whether the set of this slot has the type and size of the one before it."""
    return slot > 0 and is_kind_slot(s, slot) == is_kind_slot(s, slot - 1) and size_of(s, slot) == size_of(s, slot - 1)


@kernel
def card_at(suit: int, place: int) -> int:
    """Return the natural card of a place, 1 .. 14 [R-11]."""
    return suit * RANKS + (place - 1) % RANKS


@kernel
def usable_wilds(s: Record, seat: int) -> int:
    """Return the number of wild cards in hand, including jokers unless they are dead [R-16, R-18, R-22]."""
    jokers = 0 if has_flag(s, NO_JOKERS) else s.hands[seat, JOKER]
    return int(jokers + s.hands[seat, WILD])


@kernel
def hand_points(s: Record, seat: int) -> int:
    """Return the points of the cards in hand [R-53]."""
    table = int(s.opt.card_points)
    points = s.hands[seat, JOKER] * int(POINTS[table, RANKS]) + s.hands[seat, WILD] * int(POINTS[table, RANKS + 1])
    for card in range(NATURALS):
        points += s.hands[seat, card] * int(POINTS[table, card % RANKS])
    return int(points)


# [Laying Off]: cards that fit on a tabled set


@kernel
def end_takes_any(s: Record, lies: Any, way: int) -> bool:
    """Return whether the seat in turn, with at least two cards, holds one that fits.

    `way` is -1 for a kind or the low end of a run, and 1 for its high end.
    """
    if lies.kind == SetType.KIND:
        fits = usable_wilds(s, int(s.turn))
        for suit in range(SUITS):
            fits += s.hands[s.turn, suit * RANKS + lies.rank]
        return bool(way < 0 and fits > 0)
    place = int(lies.hi) + 1 if way > 0 else int(lies.lo) - 1
    if not open_place(s, lies, place):
        return False
    free = end_free(lies, way)
    if fits_end(s, lies, WILD, place, way, free, False) or fits_end(s, lies, JOKER, place, way, free, False):
        return True
    for at in range(max(1, place - 1), min(PLACES, place + 1) + 1):
        if fits_end(s, lies, card_at(int(lies.suit), at), place, way, free, False):
            return True
    return False


@kernel
def fits_kind(s: Record, lies: Any, card: int) -> bool:
    """Return whether the seat in turn may put this card on a kind [R-22, R-32, R-34]."""
    if s.hands[s.turn, card] == 0 or s.hand_n[s.turn] < 2:
        return False
    if card >= NATURALS:
        return card == WILD or not has_flag(s, NO_JOKERS)
    return bool(card % RANKS == lies.rank)


@kernel
def fits_end(s: Record, lies: Any, card: int, place: int, way: int, free: bool, must: bool) -> bool:
    """Return whether the seat in turn may extend a run by this card, `way` = 1 up or -1 down [R-32 to R-34]."""
    hand, cards = s.hands[s.turn], int(s.hand_n[s.turn])
    suit = int(lies.suit)
    if hand[card] == 0 or cards < 2 or not open_place(s, lies, place):
        return False
    if card == card_at(suit, place):
        return True
    if must:
        return False
    if card >= NATURALS:
        return card == WILD or not has_flag(s, NO_JOKERS)
    pairs = s.opt.identical_layoff == 1 and has_flag(s, IDENTICAL)
    beyond = place + way
    if not pairs or cards < 3 or not open_place(s, lies, beyond):
        return False
    if card == card_at(suit, beyond):
        return bool(hand[card] > 1)
    return free and card == card_at(suit, place - way) and _closes(s, lies, beyond, way, cards - 1)


@kernel
def _closes(s: Record, lies: Any, place: int, way: int, cards: int) -> bool:
    """Return whether a card fits in the next place after a duplicate, with this number of cards in hand."""
    hand = s.hands[s.turn]
    suit, beyond = int(lies.suit), place + way
    if hand[card_at(suit, place)] > 0 or usable_wilds(s, int(s.turn)) > 0:
        return True
    return cards > 2 and open_place(s, lies, beyond) and hand[card_at(suit, beyond)] > 1


@kernel
def open_place(s: Record, lies: Any, place: int) -> bool:
    """Return whether a run may grow to this place [R-12, R-14]."""
    if place < 1 or place > PLACES:
        return False
    if s.opt.two_aces_in_run == 1:
        return True
    return not ((place == 1 and lies.hi == PLACES) or (place == PLACES and lies.lo == 1))


@kernel
def end_free(lies: Any, way: int) -> bool:
    """Return whether the low (`way` = -1) or high (1) card of a run may become the mate of a duplicate [R-33]."""
    end = int(lies.hi) if way > 0 else int(lies.lo)
    mate = Role.UPPER_MATE if way > 0 else Role.LOWER_MATE
    return lies.fill[end - 1] == Role.NATURAL and not (lies.lo < lies.hi and lies.fill[end - 1 - way] == mate)
