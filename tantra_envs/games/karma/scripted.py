"""The scripted agent of Karma, from the concealed record and the mask.

Every legal action gets a value, in cards. Cards that leave the hand count for it. Good cards that are spent count
against it, and so does a comfortable pile for the next seat. In practice:

- Low numbers go first, and karma cards wait until they are needed.
- Sets are completed because they give another turn.
- A high number, FIVE or BOTTOMS is played when the next seat probably cannot answer it.
- A small pile is picked up if playing would waste good cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel, leaf
from ...core.game import Game
from ...core.state import Record, States, record
from .actions import FLIP, GIVE_TO, PICKUP
from .material import BOTTOMS, FIRST_KARMA, GIVE, TABLE, TYPES
from .odds import UNSEEN, count_unseen, odds_stuck, odds_without
from .queries import cards_of, completes_set, holds_cards, next_seat, run_with
from .standing import standing  # noqa: F401 (a part of the agent, see `core.game.Player`)
from .state import Phase

HIGH = 9  # type of the number 10

# Values in cards, found by tournaments between variants of the agent.
WORTH: dict[str, float] = {
    "card": 1.0,  # one card less
    "number": 0.95,  # keeping a number: 0 for the 1, rising to this for the 16
    "give": 3.9,  # keeping a karma card
    "table": 7.5,
    "bottoms": 1.05,
    "five": 1.9,
    "high": 0.45,  # keeping a number above HIGH, more for each step
    "split": 0.4,  # keeping identical cards of a hand together
    "late": 0.25,  # factor of these values when the draw pile is empty
    "clear": 0.1,  # playing again
    "clear_card": 0.15,  # each card that leaves the game with a set
    "give_card": 0.15,  # each card given to another
    "stuck": 0.15,  # each card that the next seat must pick up
    "short": 0.5,  # factor of that: more if the next seat has few cards
    "set": 0.5,  # the next seat completes a set
    "pickup": 0.3,  # losing the turn to a pick-up
    "pickup_card": 1.2,  # each card picked up
    "pickup_worth": 0.35,  # share of the value of keeping the picked-up cards
    "pair": 0.2,  # two identical cards face up
    "finish": 8.0,  # the last card leaves
    "decline": -0.1,  # nothing played on TABLE
    "out": 0.1,  # giving the pile to a seat that is out, as a number of cards
}
WEIGHTS = record([(name, np.float64) for name in WORTH])
WORK = record([("w", WEIGHTS), *UNSEEN])

SEARCH = {"samples": 64, "candidates": 8, "margin": 0.0}  # options of search that suit the agent, by a small sweep


def prepare(game: Game) -> npt.NDArray[np.void]:
    """Return the record that `decide` works in, shape (1,)."""
    work = np.zeros(1, WORK)
    work["w"] = STANDARD
    return work


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return for greedy: few own cards, then another turn, then high cards left, so that low ones go first."""
    own = (known["hands"][:, 0] + known["up"][:, 0]).astype(np.float64)
    cards = own.sum(axis=1) + known["down_n"][:, 0]
    acts = (known["seat"] == 0) & (known["over"] == 0)
    return np.asarray(-cards + 0.5 * acts + own @ np.arange(TYPES) / 1000)


@kernel
def decide(known: Record, mask: Any, work: Any) -> int:
    """Return the action with the highest value for seat 0, the first of equal ones."""
    count_unseen(known, work.unseen)
    best, most = -1, 0.0
    for action in range(len(mask)):
        if mask[action] == 1:
            value = _value(known, action, work)
            if best < 0 or value > most:
                best, most = action, value
    return best


@kernel
def rate(known: Record, mask: Any, work: Any, values: Any) -> None:
    """Fill in the value of every legal action for seat 0, -inf for others."""
    count_unseen(known, work.unseen)
    for action in range(len(mask)):
        values[action] = _value(known, action, work) if mask[action] == 1 else -np.inf


@kernel
def clock(s: Any) -> int:
    """Return the number of actions: horizons are counted in it."""
    return int(s.plies)


@kernel
def _value(known: Record, action: int, work: Any) -> float:
    """Return the value of an action, in cards."""
    w = work.w
    choice = action - TYPES * known.opt.clear_set
    if known.phase == Phase.SETUP:
        return _face_up(known, action, w)
    if choice < 0:
        return _play(known, action % TYPES, action // TYPES + 1, work)
    if choice >= GIVE_TO:
        return _receiver(known, choice - GIVE_TO + 1, w)
    if choice == PICKUP:
        return _pickup(known, w)
    return float(w.card if choice == FLIP else w.decline)


@leaf
def _face_up(known: Record, card: int, w: Any) -> float:
    """Return the value of laying a card face up: strong cards are useful at the end."""
    return _keep(known, card, w) + (w.pair if known.up[0, card] > 0 else 0.0)


# Playing cards


@kernel
def _play(known: Record, card: int, count: int, work: Any) -> float:
    w = work.w
    value: float = count * (w.card - _keep(known, card, w))
    if count < known.hands[0, card]:
        value -= w.split
    if cards_of(known, 0) == count and known.draw_n == 0:
        value += w.finish
    pile = int(known.pile_n)
    run = run_with(known, card, count)
    if completes_set(known, card, run):
        return float(value + w.clear + w.clear_card * pile)
    if card == GIVE:
        return float(value + w.give_card * pile)
    if card == TABLE:
        return float(value + _follow(known, pile, w))
    if card == BOTTOMS and pile > 0:
        card, run = int(known.pile[0]), int(known.opt.surfaced_counts)
    return float(value + _left_behind(known, card, run, pile + count, work))


@kernel
def _follow(known: Record, pile: int, w: Any) -> float:
    """Return what can be gained on TABLE, where nothing is compared and a bad face-up card can leave."""
    best: float = w.decline
    if known.down_n[0] > 0:
        best = max(best, w.card)
    for card in range(TYPES):
        held = int(known.up[0, card])
        if completes_set(known, card, held):
            best = max(best, held * (w.card - _keep(known, card, w)) + w.clear + w.clear_card * pile)
        elif held > 0:
            best = max(best, w.card - _keep(known, card, w))
    return best


@kernel
def _left_behind(known: Record, top: int, run: int, pile: int, work: Any) -> float:
    """Return the value of leaving the next seat a pile with this card on top."""
    w, seat = work.w, next_seat(known, 0)
    urgency = 1.0 + w.short / max(cards_of(known, seat), 1)
    value: float = odds_stuck(known, seat, top, work) * w.stuck * pile * urgency
    if completes_set(known, top, run + 1):
        value -= w.set * (1.0 - odds_without(known, seat, top, top, False, work))
    return value


@leaf
def _keep(known: Record, card: int, w: Any) -> float:
    """Return the value of keeping a card; it is lower when nothing is left to draw."""
    if card < FIRST_KARMA:
        worth = w.number * card / (FIRST_KARMA - 1) + w.high * max(card - HIGH, 0) / (FIRST_KARMA - 1 - HIGH)
    elif card == GIVE:
        worth = w.give
    elif card == TABLE:
        worth = w.table
    else:
        worth = w.bottoms if card == BOTTOMS else w.five
    return float(worth if known.draw_n > 0 else worth * w.late)


# Taking and giving the pile


@kernel
def _pickup(known: Record, w: Any) -> float:
    value: float = -w.pickup - w.pickup_card * known.pile_n
    for card in range(TYPES):
        value += w.pickup_worth * _keep(known, card, w) * known.piled[card]
    return value


@kernel
def _receiver(known: Record, seat: int, w: Any) -> float:
    """Return the value of giving the pile to a seat: few cards are better; a seat that is out counts `w.out`."""
    return -1.0 * cards_of(known, seat) if holds_cards(known, seat) else -float(w.out)


STANDARD = np.array([tuple(WORTH.values())], WEIGHTS)
