"""The scripted agent of Tarot, from the concealed record and the mask.

It shows everything that scores, and always calls. It lays away, or gives back, the cards of least value: low cards of
short suits, so that it can soon trump the suit, and never a card of a run.

In the play every legal card gets a value in points: the points of the trick, positive if the card is likely to take it
and negative if not, less the card's value in later tricks. The probabilities come from the unseen cards, the suits that
other seats failed to follow, and the cards they have shown. As a result, Kings are led while nobody can trump, Queens
are kept from higher cards, Kings of others are cut, points go to own tricks, and the Fool replaces a card that would be
lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel
from ...core.game import Game
from ...core.state import Record, States, record
from .actions import YES
from .cards import led_suit
from .material import (
    CARDS,
    FIRST_OF_SUIT,
    FOOL,
    IS_TAROT,
    KING,
    KNAVE,
    MAX_SEATS,
    RANK_OF,
    SUIT_OF,
    SUITS,
    TRICK_WORTH,
    TRUMPS,
)
from .standing import standing  # noqa: F401 (a part of the agent, see `core.game.Player`)
from .state import Phase, Place
from .view import LARGEST_HAND, POINTS_SCALE

FOOL_LATER = 2.0  # what the Fool may still save
FOOL_KEPT = 10.0  # it scores for the seat that plays it, so it is given up last
RUN = 4  # cards in sequence that score (T-36)
TRICK_TO_COME = 1.5  # average points that a seat yet to play adds to a trick

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


SEARCH = {"samples": 64, "candidates": 8, "margin": 1.0, "horizon": 1, "belief": "moves"}  # best in a small sweep


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the record that `decide` works in, shape (1,)."""
    return np.zeros(1, WORK)


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return for greedy: the points of finished hands and of this one, less those of the best other seat.

    They are rounded like shares in an observation.
    """
    target, scale = np.float32(game.config["target"]), np.float32(POINTS_SCALE)
    points = known["totals"] / target * target + known["points"] / scale * scale
    return np.asarray(points[:, 0] - points[:, 1 : game.players].max(axis=1), np.float64)


@kernel
def clock(s: Any) -> int:
    """Return the number of finished hands: horizons are counted in them."""
    return int(s.hand_no)


@kernel
def decide(known: Record, mask: Any, work: Any) -> int:
    """Return the action with the highest value for seat 0, the first of equal ones."""
    best, most = -1, 0.0
    if known.phase == Phase.PLAY:
        look_up(known, work)
    for action in range(len(mask)):
        if mask[action] == 1:
            value = _value(known, action, work)
            if best < 0 or value > most:
                best, most = action, value
    return best


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """Fill in the value of every legal action for seat 0, -inf for others."""
    if known.phase == Phase.PLAY:
        look_up(known, work)
    for action in range(len(mask)):
        values[action] = _value(known, action, work) if mask[action] == 1 else -np.inf


@kernel
def _value(known: Record, action: int, work: Any) -> float:
    """Return the value of an action, in points."""
    if known.phase == Phase.PLAY:
        return _play(known, action, work)
    if known.phase in (Phase.DECLARE, Phase.CALL):
        return 1.0 if action == YES else 0.0
    if known.phase == Phase.ANSWER:
        return -later(action) if action != FOOL else -FOOL_KEPT
    return -_keep(known, action)


# Before the play


@kernel
def _keep(known: Record, card: int) -> float:
    """Return the value of a card before the play: by itself, as part of a run, and as one card more of its suit."""
    if IS_TAROT[card] == 1:
        return 20.0
    value = later(card) + (int(known.opt.king_points) if run_through(known, card) >= RUN else 0)
    if card >= TRUMPS:
        suit = int(SUIT_OF[card])
        for other in range(FIRST_OF_SUIT[suit], FIRST_OF_SUIT[suit + 1]):
            value += 0.4 * (known.loc[other] == 0)
    return value


@kernel
def run_through(known: Record, card: int) -> int:
    """Return the number of cards in the own hand in an unbroken line through this one."""
    suit = int(SUIT_OF[card])
    length, low = 1, card - 1
    while low >= FIRST_OF_SUIT[suit] and known.loc[low] == 0:
        length += 1
        low -= 1
    high = card + 1
    while high < FIRST_OF_SUIT[suit + 1] and known.loc[high] == 0:
        length += 1
        high += 1
    return length


@kernel
def later(card: int) -> float:
    """Return what a card may still bring in later tricks."""
    if card == FOOL:
        return FOOL_LATER
    if card < TRUMPS:
        return 1.0 + 0.15 * card
    rank = int(RANK_OF[card])
    return 1.0 + 0.5 * (rank - KNAVE) if rank >= KNAVE else 0.05 * rank


# The play


@kernel
def look_up(known: Record, work: Any) -> None:
    """Look up what the value of every card depends on."""
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
def _play(known: Record, card: int, work: Any) -> float:
    """Return the points of the trick for or against seat 0, by the odds, less the later worth of the card."""
    n = int(known.seats)
    suit = int(work.led) if work.led < SUITS else int(SUIT_OF[card])
    points, best, king = float(TRICK_WORTH[card]), -1, False
    for other in range(1, n):
        on_table = int(work.on_table[other])
        if on_table < CARDS:
            points += float(TRICK_WORTH[on_table])
            best = max(best, strength(on_table, suit))
            king = king or (RANK_OF[on_table] == KING and SUIT_OF[on_table] == suit)
        else:
            points += TRICK_TO_COME
    odds = odds_of(known, card, suit, work) if strength(card, suit) > best else 0.0
    points = max(1.0, points)
    loss = points + (int(known.opt.king_points) if RANK_OF[card] == KING and suit == SUIT_OF[card] else 0)
    if card < TRUMPS and 0 < suit < SUITS and king:
        points += int(known.opt.king_points)
    return odds * points - (1.0 - odds) * loss / (n - 1) - later(card)


@kernel
def strength(card: int, suit: int) -> int:
    """Return the rank of a card in a trick of this suit: the highest takes it, -1 never does."""
    if card == FOOL:
        return -1
    if card < TRUMPS:
        return card + CARDS
    return card if SUIT_OF[card] == suit else -1


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
