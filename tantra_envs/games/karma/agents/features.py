"""Action features of Karma for learned agents: what an action does, and what it leaves to the next seat.

They are the same for every number of seats, so that one network can play at all tables.
"""

from __future__ import annotations

from typing import Any

from ....core.blocks import Block, Blocks, repeated
from ....core.compiled.jit import kernel
from ....core.state import Record
from ..actions import DECLINE, FLIP, GIVE_TO, PICKUP
from ..material import (
    BOTTOMS,
    FIRST_KARMA,
    FIVE,
    GIVE,
    HAND_MINIMUM,
    MAX_CARDS,
    MAX_COPIES,
    MAX_SEATS,
    MOST_HAND,
    TABLE_CARDS,
    TYPES,
)
from ..material import TABLE as TABLE_EFFECT
from ..queries import cards_of, completes_set, holds_cards, next_seat, run_with, top
from ..state import Phase
from .odds import count_unseen, odds_stuck, odds_without, prepare  # noqa: F401 (`prepare` is a part of the features)

PLACE, PLAY, FLIPPING, PICKING_UP, DECLINING, GIVING = range(6)  # kinds of actions
PHASES = int(Phase.OVER)
SHOWN_SEATS = 3  # next seats that are described
MANY, FEW = 20.0, 10.0  # scales of cards

OF_ACTION = Blocks(
    Block("kind", GIVING + 1, "one-hot: 0 place a card face up, 1 play cards, 2 turn over a face-down card, 3 pick up "
          "the pile, 4 add no card, 5 give the pile away"),
    Block("card", TYPES, "one-hot: the type t of the cards that are placed or played; zero for other actions"),
    Block("played", 1, "cards that are played / cards of a set; zero for other actions", high=MAX_COPIES),
    Block("left", 1, "own cards of this type that stay in hand, and after a play also those that stay face up / copies "
          "of a type; zero if no card is placed or played"),
    Block("completes_set", 1, "1 = the cards complete a set, so the pile leaves the game"),
    Block("own_cards", 1, "own cards after the action: in hand, face up and face down, before cards are drawn / 20; "
          "zero if a card is placed or the pile is given away", high=MAX_CARDS / MANY),
    Block("own_hand", 1, "own cards in hand after the action, before cards are drawn / 10; zero as for `own_cards`",
          high=MAX_CARDS / FEW),
    Block("finishes", 1, "1 = the own last cards are played, and the draw pile is empty"),
    Block("pile", 1, "cards in the pile after a play / 20; zero after a set or GIVE, and for other actions",
          high=MAX_CARDS / MANY),
    Block("cleared", 1, "cards that leave the game with the set / 20; zero without a set", high=MAX_CARDS / MANY),
    Block("top", 1, "type of the number on top of the pile after a play / 16; zero for the number 1, without a number "
          "on top, and for other actions"),
    Block("no_top", 1, "1 = after the play no pile is left to play on: a set, or GIVE"),
    Block("top_is_table", 1, "1 = TABLE is on top of the pile after the play"),
    Block("top_is_five", 1, "1 = FIVE is on top of the pile after the play"),
    Block("run", 1, "identical cards on top of the pile after the play / cards of a set; zero if no pile is left",
          high=MAX_COPIES),
    Block("next_stuck", 1, "probability that the next seat with cards has no card to play on this pile; zero if a "
          "karma card other than FIVE or no card is on top, and for other actions"),
    Block("next_set", 1, "probability that the next seat with cards can complete a set with one card; zero unless one "
          "card is missing"),
    Block("next_cards", 1, "after a play that leaves a pile: all cards of the next seat with cards / 10; if the pile "
          "is given away: 1 = to this seat; else zero", high=MAX_CARDS / FEW),
    Block("receiver_cards", 1, "all cards of the seat that is given the pile / 10; zero for other actions",
          high=MAX_CARDS / FEW),
    Block("receiver_out", 1, "1 = the seat that is given the pile has no cards"),
    Block("given", 1, "cards of the pile that is given away, by GIVE or by naming the seat / 20; else zero",
          high=MAX_CARDS / MANY),
    Block("drawn", 1, "cards that the own hand draws after the action / 3; zero if the draw pile is empty",
          high=MOST_HAND / 3),
    Block("fitting", 1, "cards of `kept` that may be played on the pile that the action leaves / cards of `kept`; all "
          "of them may if no card is played; zero without cards"),
    Block("pairs", 1, "types of which `kept` has two cards or more / 3", high=TYPES / 3),
    Block("lowest", 1, "lowest type in `kept` / 20; 1 = it has no cards"),
    Block("burden", 1, "`next_stuck` times `pile`: the cards that the next seat probably picks up",
          high=MAX_CARDS / MANY),
    Block("kept", TYPES, "own cards of type t after the action, in hand and face up / copies of a type"),
)  # fmt: skip

OF_SEAT = Blocks(
    Block("hand", 1, "cards in hand / 10", high=MAX_CARDS / FEW),
    Block("up", 1, "face-up cards / 3"),
    Block("down", 1, "face-down cards / 3"),
    Block("plays", 1, "1 = the seat has cards"),
)

OF_TABLE = Blocks(
    Block("phase", PHASES, "one-hot: SETUP, PLAY, FOLLOW, TARGET; zero when the game is over"),
    Block("hand", TYPES, "own hand: cards of type t / copies of a type"),
    Block("up", TYPES, "own face-up cards of type t / copies of a type"),
    Block("pile", TYPES, "cards of type t in the pile / copies of a type", high=MAX_CARDS / MANY),
    Block("unseen", TYPES, "cards of type t whose place the own seat does not know / copies of a type"),
    Block("down_size", 1, "own face-down cards / 3"),
    Block("draw_size", 1, "cards in the draw pile / all cards"),
    Block("pile_size", 1, "cards in the pile / 20", high=MAX_CARDS / MANY),
    Block("hand_size", 1, "own cards in hand / 10", high=MAX_CARDS / FEW),
    Block("run", 1, "identical cards on top of the pile that were played in a row / cards of a set", high=MAX_COPIES),
    Block("top", 1, "type of the number on top of the pile / 16; zero for the number 1 and without a number on top"),
    Block("top_is_karma", 1, "1 = a karma card is on top of the pile"),
    Block("top_is_five", 1, "1 = FIVE is on top of the pile"),
    Block("no_top", 1, "1 = the pile is empty"),
    Block("seats", 1, "seats / 10", high=MAX_SEATS / FEW),
    Block("playing", 1, "other seats that have cards / 10", high=MAX_SEATS / FEW),
    Block("choosing", 1, "seats that still choose face-up cards / 10", high=MAX_SEATS / FEW),
    Block("fewest", 1, "cards of the other seat with fewest cards, of those that have any / 20; zero without one",
          high=MAX_CARDS / MANY),
    Block("most", 1, "cards of the other seat with most cards / 20", high=MAX_CARDS / MANY),
    Block("ahead", 1, "share of the other seats that have fewer cards than the own seat"),
    *repeated(OF_SEAT, range(1, SHOWN_SEATS + 1), "seat_{}", "seat me + {}, zero if there is no such seat"),
    Block("next_known", TYPES, "hand of the next seat with cards: publicly known cards of type t / copies of a type"),
    Block("next_up", TYPES, "face-up cards of type t of the next seat with cards / copies of a type"),
    Block("others_known", TYPES, "hands of the other seats together: publicly known cards of type t / copies of a "
          "type; zero with two seats"),
    Block("others_up", TYPES, "face-up cards of type t of the other seats together / copies of a type; zero with two "
          "seats"),
)  # fmt: skip

A, S, T = OF_ACTION.starts, OF_SEAT.starts, OF_TABLE.starts
SEAT_SIZE = OF_SEAT.size


@kernel
def describe_legal(known: Record, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number."""
    work, n = room[0], 0
    count_unseen(known, work.unseen)
    _describe_table(known, work.unseen, table)
    for action in range(len(mask)):
        if mask[action] == 1:
            _describe_step(known, action, work, features[n])
            _describe_cards_left(known, action, features[n])
            n += 1
    return n


# Tables


@kernel
def _describe_table(known: Record, unseen: Any, row: Any) -> None:
    if known.phase < PHASES:
        row[T.phase + known.phase] = 1
    copies = float(known.opt.copies)
    for card in range(TYPES):
        row[T.hand + card] = known.hands[0, card] / copies
        row[T.up + card] = known.up[0, card] / copies
        row[T.pile + card] = known.piled[card] / copies
        row[T.unseen + card] = unseen[card] / copies
    row[T.down_size] = known.down_n[0] / TABLE_CARDS
    row[T.draw_size] = known.draw_n / float(known.opt.deck_size)
    row[T.pile_size] = known.pile_n / MANY
    row[T.hand_size] = known.hand_n[0] / FEW
    row[T.run] = known.run / float(known.opt.clear_set)
    _describe_top(top(known) if known.pile_n > 0 else TYPES, row)
    _describe_seats(known, row)
    _describe_shown_cards(known, row)


@kernel
def _describe_top(top: int, row: Any) -> None:
    """Fill in the card on top of the pile: its number, a karma card, FIVE, none."""
    row[T.top] = top / float(FIRST_KARMA) if top < FIRST_KARMA else 0.0
    row[T.top_is_karma] = FIRST_KARMA <= top < TYPES
    row[T.top_is_five] = top == FIVE
    row[T.no_top] = top == TYPES


@kernel
def _describe_seats(known: Record, row: Any) -> None:
    """Fill in how many seats there are, how their cards compare, and the sizes of the next seats."""
    own, fewest, most, playing, ahead = cards_of(known, 0), 999, 0, 0, 0
    for seat in range(1, known.seats):
        cards = cards_of(known, seat)
        if cards > 0:
            playing += 1
            fewest, most = min(fewest, cards), max(most, cards)
        ahead += cards < own
        if seat <= SHOWN_SEATS:
            at = T.seat_1_hand + SEAT_SIZE * (seat - 1)
            row[at + S.hand] = known.hand_n[seat] / FEW
            row[at + S.up] = known.up_n[seat] / TABLE_CARDS
            row[at + S.down] = known.down_n[seat] / TABLE_CARDS
            row[at + S.plays] = cards > 0
    row[T.seats] = known.seats / FEW
    row[T.playing] = playing / FEW
    row[T.choosing] = known.setup_left / FEW
    row[T.fewest] = (fewest if playing > 0 else 0) / MANY
    row[T.most] = most / MANY
    row[T.ahead] = ahead / float(known.seats - 1)


@kernel
def _describe_shown_cards(known: Record, row: Any) -> None:
    """Fill in the cards of other seats that everybody has seen: those of the next seat, and of the others together."""
    copies, following = float(known.opt.copies), next_seat(known, 0)
    for seat in range(1, known.seats):
        hand, up = (T.next_known, T.next_up) if seat == following else (T.others_known, T.others_up)
        for card in range(TYPES):
            row[hand + card] += known.known[seat, card] / copies
            row[up + card] += known.up[seat, card] / copies


# Actions


@kernel
def _describe_cards_left(known: Record, action: int, row: Any) -> None:
    """Fill in the own cards that an action leaves, by type, and how they fit on the pile that it leaves."""
    choice, pairs, fitting, lowest, cards = action - TYPES * known.opt.clear_set, 0, 0, TYPES, 0
    count = action // TYPES + 1 if choice < 0 and known.phase != Phase.SETUP else 0
    taken = choice == PICKUP
    for card in range(TYPES):
        left = int(known.hands[0, card]) + int(known.up[0, card]) + taken * int(known.piled[card])
        left -= count * (card == action % TYPES)
        row[A.kept + card] = left / float(known.opt.copies)
        if left > 0:
            cards += left
            pairs += left > 1
            lowest = min(lowest, card)
            fitting += left * _fits_then(known, row, card)
    hand = int(known.hand_n[0]) - (count if known.hand_n[0] > 0 else 0) + taken * int(known.pile_n)
    row[A.drawn] = max(0, min(int(known.opt.refill) - hand, int(known.draw_n))) / float(HAND_MINIMUM)
    row[A.fitting], row[A.pairs], row[A.lowest] = fitting / float(max(1, cards)), pairs / 3.0, lowest / float(TYPES)
    row[A.burden] = row[A.next_stuck] * row[A.pile]


@kernel
def _fits_then(known: Record, row: Any, card: int) -> bool:
    """Return whether a card fits on the pile that an action leaves, by the action's features."""
    if card >= FIRST_KARMA:
        return True
    return bool(card < known.opt.five_limit if row[A.top_is_five] == 1 else card > row[A.top] * FIRST_KARMA - 0.5)


@kernel
def _describe_step(known: Record, action: int, work: Any, row: Any) -> None:
    """Fill in what an action does, and the pile that it leaves."""
    choice = action - TYPES * known.opt.clear_set
    if choice < 0:
        card, count = action % TYPES, action // TYPES + 1
        if known.phase == Phase.SETUP:
            row[A.kind + PLACE] = 1
            row[A.card + card] = 1
            row[A.left] = (known.hands[0, card] - 1) / float(known.opt.copies)
        else:
            _describe_play(known, card, count, work, row)
    elif choice >= GIVE_TO:
        _describe_gift(known, choice - GIVE_TO + 1, row)
    else:
        row[A.kind + FLIPPING] = choice == FLIP
        row[A.kind + PICKING_UP] = choice == PICKUP
        row[A.kind + DECLINING] = choice == DECLINE
        row[A.own_cards] = (cards_of(known, 0) + (known.pile_n if choice == PICKUP else 0)) / MANY
        row[A.own_hand] = (known.hand_n[0] + (known.pile_n if choice == PICKUP else 0)) / FEW


@kernel
def _describe_play(known: Record, card: int, count: int, work: Any, row: Any) -> None:
    """Describe cards that are played: what leaves, what the pile becomes, and what the next seat can do with it."""
    row[A.kind + PLAY] = 1
    row[A.card + card] = 1
    row[A.played] = count / float(known.opt.clear_set)
    row[A.left] = (known.hands[0, card] + known.up[0, card] - count) / float(known.opt.copies)
    row[A.own_cards] = (cards_of(known, 0) - count) / MANY
    row[A.own_hand] = max(0, known.hand_n[0] - count) / FEW
    row[A.finishes] = cards_of(known, 0) == count and known.draw_n == 0
    run = run_with(known, card, count)
    pile = known.pile_n + count
    if completes_set(known, card, run):
        row[A.completes_set] = 1
        row[A.cleared] = pile / MANY
        row[A.no_top] = 1
    elif card == GIVE:
        row[A.given] = known.pile_n / MANY
        row[A.no_top] = 1
    else:
        if card == BOTTOMS and known.pile_n > 0:
            card, run = int(known.pile[0]), int(known.opt.surfaced_counts)
        _describe_pile(known, card, run, pile, work, row)


@kernel
def _describe_pile(known: Record, top: int, run: int, pile: int, work: Any, row: Any) -> None:
    """Describe the pile after a play, and the answers of the next seat."""
    seat = next_seat(known, 0)
    row[A.pile] = pile / MANY
    row[A.top] = top / float(FIRST_KARMA) if top < FIRST_KARMA else 0.0
    row[A.top_is_table] = top == TABLE_EFFECT
    row[A.top_is_five] = top == FIVE
    row[A.run] = run / float(known.opt.clear_set)
    row[A.next_cards] = cards_of(known, seat) / FEW
    if top != TABLE_EFFECT:
        row[A.next_stuck] = odds_stuck(known, seat, top, work)
        if completes_set(known, top, run + 1):
            row[A.next_set] = 1.0 - odds_without(known, seat, top, top, False, work)


@kernel
def _describe_gift(known: Record, seat: int, row: Any) -> None:
    """Describe a seat that the pile may be given to."""
    row[A.kind + GIVING] = 1
    row[A.given] = known.pile_n / MANY
    row[A.receiver_cards] = cards_of(known, seat) / FEW
    row[A.receiver_out] = not holds_cards(known, seat)
    row[A.next_cards] = seat == next_seat(known, 0)
