"""The odds that a card takes the trick: from the unseen cards, shown cards, and suits that seats could not follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.state import Record, record
from ..cards import led_suit
from ..material import CARDS, FIRST_OF_SUIT, MAX_SEATS, SUITS, TRUMPS
from ..state import Place
from ..view import LARGEST_HAND

# What is looked up once for all cards that may be played. Seats are counted from the seat to decide.
WORK = record(
    [
        ("led", np.int64),  # suit, SUITS = none
        ("out", np.float64, (MAX_SEATS, TRUMPS)),  # probability that k unseen cards are all not in the hand of a seat
        ("on_table", np.int64, (MAX_SEATS,)),  # the card that a seat has played to the trick, CARDS = none
        ("unseen", np.int8, (CARDS,)),  # unseen cards of a card's suit from it upwards
        ("held", np.int8, (MAX_SEATS, CARDS)),  # the same counts of cards known to be in the hand of a seat
    ]
)


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the record that the odds are looked up in, shape (1,)."""
    return np.zeros(1, WORK)


@kernel
def look_up(known: Record, work: Any) -> None:
    """Look up what the odds of every card depend on."""
    n = int(known.seats)
    work.led = led_suit(known)
    for seat in range(n):
        work.on_table[seat] = CARDS
    for i in range(known.trick_n):
        work.on_table[(known.leader + i) % n] = known.trick[i]
    unseen = _count_unseen(known, work.unseen)
    for other in range(1, n):
        share = _share(known, other, unseen, work.held[other])
        odds = 1.0
        for k in range(TRUMPS):
            work.out[other, k] = odds
            odds *= 1.0 - share


@kernel
def _count_unseen(known: Record, upwards: Any) -> int:
    """Return the number of cards whose place is unknown; `upwards` counts them by suit from each card on."""
    unseen = 0
    for card in range(CARDS):
        upwards[card] = known.loc[card] == Place.UNKNOWN
        unseen += upwards[card]
    _count_upwards(upwards)
    return unseen


@kernel
def _count_upwards(cards: Any) -> None:
    """Replace every mark by the number of marks in its suit from there on."""
    for suit in range(SUITS):
        for card in range(FIRST_OF_SUIT[suit + 1] - 2, FIRST_OF_SUIT[suit] - 1, -1):
            cards[card] += cards[card + 1]


@kernel
def _share(known: Record, other: int, unseen: int, held: Any) -> float:
    """Return the probability that an unseen card is in the hand of a seat; `held` counts its known cards upwards."""
    # Rounded like the share in an observation: this decides between equally good cards.
    hidden = float(np.float32(known.hand_n[other]) / np.float32(LARGEST_HAND)) * LARGEST_HAND
    for card in range(CARDS):
        held[card] = known.loc[card] == other
        hidden -= held[card]
    _count_upwards(held)
    return min(1.0, hidden / unseen) if unseen > 0 else 0.0


@kernel
def odds_of(known: Record, card: int, suit: int, work: Any) -> float:
    """Return the probability that no seat yet to play beats a card that wins the trick so far."""
    odds = 1.0
    for other in range(1, known.seats):
        if work.on_table[other] == CARDS:
            odds *= odds_against(known, other, card, suit, work)
    return odds


@kernel
def odds_against(known: Record, other: int, card: int, suit: int, work: Any) -> float:
    """Return the probability that a seat cannot beat a card in a trick of this suit."""
    if suit == 0:
        return odds_without(known, other, 0, card, work)
    none = odds_without(known, other, suit, 0, work)
    trumps = odds_without(known, other, 0, card if card < TRUMPS else 0, work)
    if card < TRUMPS:
        return 1.0 - none * (1.0 - trumps)
    return odds_without(known, other, suit, card, work) - none * (1.0 - trumps)


@kernel
def odds_without(known: Record, other: int, suit: int, above: int, work: Any) -> float:
    """Return the probability that a seat holds no card of a suit above this one."""
    lowest = max(above + 1, int(FIRST_OF_SUIT[suit]))
    if known.void[other, suit] > 0 or lowest >= FIRST_OF_SUIT[suit + 1]:
        return 1.0
    return 0.0 if work.held[other, lowest] > 0 else float(work.out[other, work.unseen[lowest]])
