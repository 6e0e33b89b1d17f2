"""The dealer's exchange of three cards for the talon (T-20 to T-22): the phase DISCARD."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .cards import hand_legal
from .dealing import take_talon
from .material import CARDS, IS_TAROT, KING, RANK_OF, TALON_SIZE, TRUMPS
from .reckoning import reckon
from .state import DiscardRule, Place, Talon


@kernel
def discard_legal(s: Record, mask: Any) -> None:
    """Mark the cards that may be laid away: unprotected ones, or any card if there are none [T-21]."""
    if not _fill_discards(s, mask, int(s.opt.discard_rule)) and not _fill_discards(
        s, mask, DiscardRule.NO_TAROTS.value
    ):
        hand_legal(s, mask)


@kernel
def _fill_discards(s: Record, mask: Any, rule: int) -> bool:
    """Mark the cards that may be laid away under a rule; return whether there are any."""
    found = 0
    for card in range(CARDS):
        if s.loc[card] == s.seat and may_discard(rule, card):
            mask[card] = 1
            found += 1
    return found > 0


@kernel
def may_discard(rule: int, card: int) -> bool:
    """Return whether the rule leaves the card unprotected [T-21]."""
    if rule == DiscardRule.NO_TRUMPS_KINGS:
        return card >= TRUMPS and RANK_OF[card] != KING
    return rule != DiscardRule.NO_TAROTS or IS_TAROT[card] == 0


@kernel
def discard(s: Record, card: int) -> None:
    """Lay a card away; after the third the declarations begin [T-20]."""
    s.loc[card] = Place.DISCARDED
    s.hand_n[s.seat] -= 1
    s.discards_n += 1
    if s.discards_n == TALON_SIZE:
        if s.opt.talon == Talon.BLIND:
            take_talon(s)
        reckon(s, 0)
