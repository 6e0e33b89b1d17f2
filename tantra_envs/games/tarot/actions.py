"""Action ids: a card, or an answer to a question.

0 .. 77    the card, to lay away, to give or to play
78, 79     YES, NO: show the class, make the call
"""

from __future__ import annotations

from ...core.blocks import Block, Blocks
from .material import CARDS

YES, NO = CARDS, CARDS + 1

ACTIONS = Blocks(
    Block("card", CARDS, "lay away / give / play card c", "DISCARD / ANSWER, RETURN / PLAY"),
    Block("yes", 1, "show the class / call", "DECLARE / CALL"),
    Block("no", 1, "do not", "DECLARE, CALL"),
)
