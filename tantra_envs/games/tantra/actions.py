"""Action ids of Tantra: 181 + 10 N with N players.

0  pass           ASK                 8 + t              discard a card of type t                        MAIN
1  buy            ASK                62 + r              kind of rank r                                  TEMPLATE
2  draw           DRAW               75 + 13 suit + p-1  run of a suit from place p                      TEMPLATE
3  take, refuse   DRAW, REPLY       127 + t              place a card of type t                          PLACE
4  allow          REPLY             181 + 10 j + 2 k + e lay off on slot k of the seat j to the left,    MAIN
5  keep           PEEK                                   e = 0 low end or kind, 1 high end
6  hand over      PEEK
7  lay down       MAIN
"""

from __future__ import annotations

from ...core.blocks import Block, Blocks
from ...core.options import Config
from .material import MAX_SETS, MIN_SEATS, RANKS, SUITS, TYPES

PASS, BUY, DRAW_STOCK, TAKE_DISCARD, ALLOW, KEEP, HAND_OVER, LAY_DOWN = range(8)
ENDS = 2  # of a run


def actions(config: Config) -> Blocks:
    """Return the action table of a configuration."""
    return Blocks(
        Block("pass", 1, "do not buy", "ASK"),
        Block("buy", 1, "ask for the discard", "ASK"),
        Block("draw", 1, "take the top card of the pick-up pile", "DRAW"),
        Block("take", 1, "take the discard; in REPLY that is No", "DRAW, REPLY"),
        Block("allow", 1, "Yes: the discard is sold", "REPLY"),
        Block("keep", 1, "keep the card looked at", "PEEK"),
        Block("hand_over", 1, "give the card looked at to the buyer", "PEEK"),
        Block("lay_down", 1, "lay down all sets of the Display Card", "MAIN"),
        Block("discard", TYPES, "discard a card of type t", "MAIN"),
        Block("kind", RANKS, "the next set is a kind of rank r", "TEMPLATE"),
        Block("run", SUITS * RANKS, "the next set is a run: 13 suit + first place - 1", "TEMPLATE"),
        Block("place", TYPES, "put a card of type t in the next place", "PLACE"),
        Block(
            "lay_off",
            ENDS * MAX_SETS * config["players"],
            "lay off: 10 k + 2 slot + end (0 low or kind, 1 high)",
            "MAIN",
        ),
    )


_BLOCKS = actions({"players": MIN_SEATS})
DISCARD, KIND, RUN = _BLOCKS["discard"].start, _BLOCKS["kind"].start, _BLOCKS["run"].start
PLACE, LAY_OFF = _BLOCKS["place"].start, _BLOCKS["lay_off"].start
