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

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.state import Record, States
from ..actions import YES
from ..cards import run_through, strength
from ..material import CARDS, FIRST_OF_SUIT, FOOL, IS_TAROT, KING, KNAVE, RANK_OF, SUIT_OF, SUITS, TRICK_WORTH, TRUMPS
from ..state import Phase
from ..view import POINTS_SCALE
from .odds import look_up, odds_of, prepare  # noqa: F401 (`prepare` is a part of the agent)
from .standing import standing  # noqa: F401 (a part of the agent, see `core.game.Player`)

FOOL_LATER = 2.0  # what the Fool may still save
FOOL_KEPT = 10.0  # it scores for the seat that plays it, so it is given up last
RUN = 4  # cards in sequence that score (T-36)
TRICK_TO_COME = 1.5  # average points that a seat yet to play adds to a trick


SEARCH = {"samples": 64, "candidates": 8, "margin": 1.0, "horizon": 1, "belief": "moves"}  # best in a small sweep


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
