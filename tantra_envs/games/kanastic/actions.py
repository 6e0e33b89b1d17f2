"""The actions: their ids and words.

Every legal formation has a core that NEW or NEWSUIT can begin. All its other cards are additions.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ...core.actions import Action, ActionBlocks, Hole
from .material import (
    CARD_NAMES,
    COPIES,
    HAND_KINDS,
    MOST_WILDS,
    NATURALS,
    NEW_SIZE,
    RANK_NAMES,
    RANKS,
    VARIANTS,
    SuitRule,
)

TEMPLATES = ("HDS", "HDG", "HDC", "HSC", "HGC", "DSC", "DGC")  # three different suits; G is the gold spade
WITH_GOLD = tuple(t for t, suits in enumerate(TEMPLATES) if "G" in suits)
PLAIN_AND_GOLD, ALL_PLAIN = 1, 2  # with suit_rule "any": HDG is two plain cards and the gold one, HDC three plain
TRIPLES = tuple(golds for golds in combinations(range(RANKS), NEW_SIZE) if golds[-1] - golds[0] < NEW_SIZE + MOST_WILDS)


def _cards_at(suit_rule: int) -> list[str]:
    """Return the cards of a hand. With suit rule "any" every suit names the plain card; others are absent (KN-03)."""
    cards = [name if copies else f"absent {name}" for name, copies in zip(CARD_NAMES, COPIES[suit_rule], strict=True)]
    if suit_rule == SuitRule.ANY:
        cards[:NATURALS:VARIANTS] = [f"{rank}H|{rank}D|{rank}S|{rank}C" for rank in RANK_NAMES]
    return cards[:HAND_KINDS]


_CARDS = [_cards_at(suit_rule) for suit_rule in SuitRule]
ACTIONS = ActionBlocks(
    Action("draw", "DRAW", "draw a card", "DRAW"),
    Action("take_top", "TAKE_TOP", "take the top discard (unopened team)", "DRAW"),
    Action("take_stack", "TAKE_STACK", "pick up the stack (opened team)", "DRAW"),
    Action("new", "NEW {rank} {{{suits}}}", "begin the formation of rank i // 7 with template i % 7", "PICKUP, MELD"),
    Action("new_suit", "NEWSUIT {golds}", "begin the golden suit with the golds of triple i", "PICKUP, MELD"),
    Action("add", "ADD {natural}", "add natural kind i to its rank formation", "MELD"),
    Action("add_sword", "ADD SW to {rank}", "add a Sword to rank i", "MELD"),
    Action("add_artifact", "ADD AR to {rank}", "add an Artifact to rank i", "MELD"),
    Action("suit_gold", "SUIT + {rank}G", "extend the suit by the gold of rank i", "MELD"),
    Action("suit_low", "SUIT + AR low", "add an Artifact at the low end of the golden suit", "MELD"),
    Action("suit_high", "SUIT + AR high", "add an Artifact at the high end of the golden suit", "MELD"),
    Action("discard", "DISCARD {card}", "discard kind i and end the turn", "FIRST, MELD"),
    Action("ask", "ASK", "ask the partner: may I go out?", "MELD"),
    Action("yes", "YES", "answer yes", "ANSWER"),
    Action("no", "NO", "answer no", "ANSWER"),
    rank=RANK_NAMES,
    suits=TEMPLATES,
    golds=["-".join(RANK_NAMES[rank] for rank in golds) for golds in TRIPLES],
    natural=Hole(lambda state: _CARDS[state["opt"]["suit_rule"][0]], NATURALS),
    card=Hole(lambda state: _CARDS[state["opt"]["suit_rule"][0]], HAND_KINDS),
)

DRAW, TAKE_TOP, TAKE_STACK = (ACTIONS[name].start for name in ("draw", "take_top", "take_stack"))
NEW, NEW_SUIT, ADD = (ACTIONS[name].start for name in ("new", "new_suit", "add"))
ADD_SWORD, ADD_ARTIFACT, SUIT_GOLD = (ACTIONS[name].start for name in ("add_sword", "add_artifact", "suit_gold"))
SUIT_LOW, SUIT_HIGH, DISCARD = (ACTIONS[name].start for name in ("suit_low", "suit_high", "discard"))
ASK, YES, NO = (ACTIONS[name].start for name in ("ask", "yes", "no"))

# The templates and triples as arrays, for kernels.
TRIPLE = np.array(TRIPLES, np.int64)  # (70, 3) ranks, ascending
NEEDS = np.zeros((2, len(TEMPLATES), 5), np.int64)  # cards needed of each variant, by suit rule and template
for _t, _suits in enumerate(TEMPLATES):
    for _suit in _suits:
        NEEDS[0, _t, "HDSCG".index(_suit)] = 1
NEEDS[1] = 99  # more than any hand has: suit rule "any" has no other templates (KN-03)
NEEDS[1, PLAIN_AND_GOLD] = (2, 0, 0, 0, 1)
NEEDS[1, ALL_PLAIN] = (3, 0, 0, 0, 0)
