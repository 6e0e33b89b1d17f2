"""The ids of the 301 actions. The names are those of `words.py`; r is a rank, kind a card kind.

      0 DRAW   1 TAKE_TOP   2 TAKE_STACK
      3 + 7 r + t    NEW r     begin a rank formation with three naturals, of the variants in template t
     80 + i          NEWSUIT   begin the golden suit with the golds of triple i, Artifacts between them
    150 + kind       ADD       add a natural to the formation of its rank
    205 + r  216 + r ADD SW / AR to rank r
    227 + r          SUIT      add the gold of rank r to the end of the suit where it fits
    238  239         SUIT AR   add an Artifact below / above the suit
    240 + kind       DISCARD   discard and end the turn
    298 ASK  299 YES  300 NO   "May I go out?"

Every legal formation has a core that NEW or NEWSUIT can begin. All its other cards are additions.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ...core.blocks import Block, Blocks
from .material import HAND_KINDS, MOST_WILDS, NATURALS, NEW_SIZE, RANKS

TEMPLATES = ("HDS", "HDG", "HDC", "HSC", "HGC", "DSC", "DGC")  # three different suits; G is the gold spade
PLAIN_AND_GOLD, ALL_PLAIN = 1, 2  # with suit_rule "any": HDG is two plain cards and the gold one, HDC three plain
TRIPLES = tuple(golds for golds in combinations(range(RANKS), NEW_SIZE) if golds[-1] - golds[0] < NEW_SIZE + MOST_WILDS)

ACTIONS = Blocks(
    Block("draw", 1, "draw from the stock", "DRAW"),
    Block("take_top", 1, "take the top discard (unopened team)", "DRAW"),
    Block("take_stack", 1, "pick up the stack (opened team)", "DRAW"),
    Block("new", RANKS * len(TEMPLATES), "begin the formation of rank i // 7 with template i % 7", "PICKUP, MELD"),
    Block("new_suit", len(TRIPLES), "begin the golden suit with the golds of triple i", "PICKUP, MELD"),
    Block("add", NATURALS, "add natural kind i to its rank formation", "MELD"),
    Block("add_sword", RANKS, "add a Sword to rank i", "MELD"),
    Block("add_artifact", RANKS, "add an Artifact to rank i", "MELD"),
    Block("suit_gold", RANKS, "extend the suit by the gold of rank i", "MELD"),
    Block("suit_low", 1, "add an Artifact below the suit", "MELD"),
    Block("suit_high", 1, "add an Artifact above the suit", "MELD"),
    Block("discard", HAND_KINDS, "discard kind i and end the turn", "FIRST, MELD"),
    Block("ask", 1, "ask the partner: may I go out?", "MELD"),
    Block("yes", 1, "answer yes", "ANSWER"),
    Block("no", 1, "answer no", "ANSWER"),
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
