"""The actions: their ids and words.

The zone a card comes from follows from the phase and the state (K-30, K-52), so it is not part of the id.
"""

from __future__ import annotations

from ...core.actions import Action, ActionBlocks, other_seats
from ...core.options import Config
from .material import CARD_NAMES
from .state import Phase, clear_set

# Offsets from `base`, the first id after the cards.
FLIP, PICKUP, DECLINE, GIVE_TO = range(4)


def actions(config: Config) -> ActionBlocks:
    """Return the action table of one configuration."""
    more = list(enumerate(("two", "three"), 2))[: clear_set(config) - 1]
    return ActionBlocks(
        Action(
            "one",
            "play {card}|place {card}|play {card}x1|place {card}x1",
            "place / play one card of type t",
            "SETUP / PLAY, FOLLOW",
            spelling=lambda state: int(state["phase"][0] == Phase.SETUP),
        ),
        *[Action(word, f"play {{card}}x{k}", f"play {word} cards of type t", "PLAY, FOLLOW") for k, word in more],
        Action("flip", "flip", "turn over a face-down card", "PLAY, FOLLOW"),
        Action("pickup", "pickup", "pick up the pile", "PLAY"),
        Action("decline", "decline", "add no card", "FOLLOW"),
        Action("give", "give {seat}", "give the pile to seat me + 1 + r", "TARGET"),
        card=CARD_NAMES,
        seat=other_seats(config["players"]),
    )
