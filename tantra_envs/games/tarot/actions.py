"""The actions: a card, or an answer to a question."""

from __future__ import annotations

from ...core.actions import Action, ActionBlocks
from .material import CARD_NAMES, CARDS

YES, NO = CARDS, CARDS + 1

ACTIONS = ActionBlocks(
    Action("card", "{card}", "lay away / give / play card c", "DISCARD / ANSWER, RETURN / PLAY"),
    Action("yes", "YES", "show the class / call", "DECLARE / CALL"),
    Action("no", "NO", "do not", "DECLARE, CALL"),
    card=CARD_NAMES,
)
