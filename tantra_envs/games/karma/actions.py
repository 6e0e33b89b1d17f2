"""Action ids. With S cards to a set and n players there are 20 S + 2 + n (section 10 of the rules page).

    0 .. 20 S - 1        k cards of type t: 20 (k - 1) + t      S = 2: 0..39
    base = 20 S          flip the next face-down card                  40
    base + 1             pick up the pile                              41
    base + 2             decline the play after TABLE                  42
    base + 3 + r         give the pile to seat me + 1 + r        43..

The zone a card comes from follows from the phase and the state (K-30, K-52), so it is not part of the id.
"""

from __future__ import annotations

from ...core.blocks import Block, Blocks
from ...core.options import Config
from .material import TYPES
from .state import clear_set

# Offsets from `base`, the first id after the cards.
FLIP, PICKUP, DECLINE, GIVE_TO = range(4)


def actions(config: Config) -> Blocks:
    """Return the action table of one configuration."""
    more = ("two", "three")[: clear_set(config) - 1]
    return Blocks(
        Block("one", TYPES, "place / play one card of type t", "SETUP / PLAY, FOLLOW"),
        *[Block(count, TYPES, f"play {count} cards of type t", "PLAY, FOLLOW") for count in more],
        Block("flip", 1, "turn the next face-down card", "PLAY, FOLLOW"),
        Block("pickup", 1, "pick up the pile", "PLAY"),
        Block("decline", 1, "play nothing on TABLE", "FOLLOW"),
        Block("give", config["players"] - 1, "give the pile to seat me + 1 + r", "TARGET"),
    )
