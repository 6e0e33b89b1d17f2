"""The actions: their ids and words."""

from __future__ import annotations

import functools

from ...core.actions import Action, ActionBlocks, Hole
from ...core.options import Config
from ...core.state import States
from .material import CARD_NAMES, MAX_SETS, MIN_SEATS, RANK_NAMES, RANKS, SUIT_NAMES, SetType
from .state import Phase

PASS, BUY, DRAW_STOCK, TAKE_DISCARD, ALLOW, KEEP, HAND_OVER, LAY_DOWN = range(8)
ENDS = 2  # of a run


def actions(config: Config) -> ActionBlocks:
    """Return the action table of a configuration."""
    return ActionBlocks(
        Action("pass", "pass", "do not buy", "ASK"),
        Action("buy", "buy", "ask for the discard", "ASK"),
        Action("draw", "draw", "draw from the pick-up pile", "DRAW"),
        Action(
            "take",
            "take|refuse",
            "take the discard; in REPLY that is No",
            "DRAW, REPLY",
            spelling=lambda state: int(state["phase"][0] == Phase.REPLY),
        ),
        Action("allow", "allow", "Yes: the discard is sold", "REPLY"),
        Action("keep", "keep", "keep the card looked at", "PEEK"),
        Action("hand_over", "hand over", "give the card looked at to the buyer", "PEEK"),
        Action("lay_down", "lay down", "lay down all sets", "MAIN"),
        Action("discard", "discard {card}", "discard a card of type t", "MAIN"),
        Action("kind", "kind {rank}", "the next set is a kind of rank r", "TEMPLATE"),
        Action("run", "run {suit} {place}", "the next set is a run: 13 suit + first place - 1", "TEMPLATE"),
        Action("place", "place {card}", "put a card of type t in the next place", "PLACE"),
        Action("lay_off", "lay off on {end}", "lay off: 10 k + 2 slot + end (0 low or kind, 1 high)", "MAIN"),
        card=CARD_NAMES,
        rank=RANK_NAMES,
        suit=SUIT_NAMES,
        place=[str(place) for place in range(1, RANKS + 1)],
        end=Hole(_ends, ENDS * MAX_SETS * config["players"]),
    )


def _ends(state: States) -> list[str]:
    """Return the ends of sets, of the seat in turn first: `2.1 low` and `2.1 high`; `2.1` and `2.1 high` for kinds."""
    s = state[0]
    kinds = s["sets"]["kind"][: s["seats"] * MAX_SETS] == SetType.KIND
    return _ends_of(int(s["turn"]), tuple(kinds.tolist()))


@functools.lru_cache(maxsize=1)  # every action of a table asks for the same words
def _ends_of(turn: int, kinds: tuple[bool, ...]) -> list[str]:
    """Return the ends of sets, given whether each set of each seat is a kind."""
    ends = list[str]()
    for seat in [*range(turn, len(kinds) // MAX_SETS), *range(turn)]:
        for slot in range(MAX_SETS):
            where, kind = f"{seat}.{slot}", kinds[seat * MAX_SETS + slot]
            ends += [f"{where}|{where} low" if kind else f"{where} low|{where}", f"{where} high"]
    return ends


_BLOCKS = actions({"players": MIN_SEATS})
DISCARD, KIND, RUN = _BLOCKS["discard"].start, _BLOCKS["kind"].start, _BLOCKS["run"].start
PLACE, LAY_OFF = _BLOCKS["place"].start, _BLOCKS["lay_off"].start
