"""The unfinished set of a position. To read it, the set is started again on the table, and its cards are placed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core import notation as read
from ....core.compiled.jit import kernel
from ....core.compiled.starting import seldom
from ....core.notation import named
from ....core.state import Record, States
from ..actions import KIND, RUN
from ..material import CARD_NAMES, KINDS, MAX_SETS, PLACES, RANK_NAMES, RANKS, SETS, SIZES, SUIT_NAMES, TYPES, SetType
from ..sets.building import (
    begin_lay_down,
    begin_lay_off,
    choose_template,
    first_choice,
    is_choice,
    look_at_build,
    place_card,
)
from ..state import Mode, Phase, read_list
from .position_sets import cards_of, count, placed_off

KEYS = {"lay off": ("mode", "on", "placed"), "lay down": ("mode", "slot", "template", "placed")}
ON = re.compile(r"([0-9])\.([0-9])( low| high)?")
KIND_TEMPLATE = re.compile(r"KIND (\S+)")
RUN_TEMPLATE = re.compile(r"RUN ([CDHS]) ([0-9]{1,2})")


def write_build(s: Any) -> dict[str, Any] | None:
    """Return the unfinished set, or None."""
    if s["mode"] == Mode.NOT_BUILDING:
        return None
    if s["mode"] == Mode.LAYING_DOWN:
        return _written_lay_down(s)
    lies = s["sets"][s["target"] * MAX_SETS + s["slot"]]
    end = "" if lies["kind"] == SetType.KIND else " high" if s["direction"] > 0 else " low"
    return {"mode": "lay off", "on": f"{s['target']}.{s['slot']}{end}", "placed": placed_off(s)}


def _written_lay_down(s: Any) -> dict[str, Any]:
    lies = s["sets"][s["turn"] * MAX_SETS + s["slot"]]
    template = None
    if lies["kind"] == SetType.KIND:
        template = f"kind {RANK_NAMES[lies['rank']]}"
    elif lies["kind"] == SetType.RUN:
        template = f"run {SUIT_NAMES[lies['suit']]} {lies['lo']}"
    placed = named(cards_of(lies), CARD_NAMES) if template else []
    return {"mode": "lay down", "slot": int(s["slot"]), "template": template, "placed": placed}


def read_build(given: Any, state: States) -> None:
    """Read the unfinished lay-down or lay-off: return its placed cards to the hand and place them again."""
    s = state[0]
    if not isinstance(given, Mapping) or not isinstance(given.get("mode"), str) or given["mode"] not in KEYS:
        raise read.refuse("build", given, "a dict with mode: lay down, lay off")
    if unknown := [key for key in given if key not in KEYS[given["mode"]]]:
        raise read.refuse("build", unknown[0], ", ".join(KEYS[given["mode"]]))
    placed = read_list("build placed", given.get("placed", []), s)
    if len(placed) > PLACES:
        raise read.refuse("build placed", f"{len(placed)} cards", f"at most {PLACES} cards")
    s["hands"][s["turn"]] += count(placed).astype(np.int8)
    s["hand_n"][s["turn"]] += len(placed)
    if given["mode"] == "lay off":
        _read_lay_off(given, state, placed)
    else:
        _read_lay_down(given, state, placed)


def _read_lay_off(given: Mapping[str, Any], state: States, placed: list[int]) -> None:
    s, words = state[0], given.get("on")
    on = ON.fullmatch(words) if isinstance(words, str) else None
    if on is None or int(on[1]) >= s["seats"] or int(on[2]) >= MAX_SETS:
        raise read.refuse("build on", words, "SEAT.SLOT with low or high for runs")
    owner, slot = int(on[1]), int(on[2])
    if s["sets"][owner * MAX_SETS + slot]["kind"] == SetType.NONE or s["phase"] != Phase.PLACE:
        raise read.refuse("build on", words, "a set on the table, in phase PLACE")
    if s["laid_turn"][s["turn"]] < 0:
        raise read.refuse("build", dict(given), f"no lay-off, because seat {s['turn']} has not laid down (R-31)")
    done = _lay_off(state, owner, slot, 1 if on[3] == " high" else -1, np.array(placed, np.int64))
    if done < len(placed) or s["phase"] != Phase.PLACE:
        raise read.refuse("build placed", named(placed, CARD_NAMES), "cards of an unfinished lay-off (R-32, R-33)")


@seldom
def _lay_off(states: Any, owner: int, slot: int, way: int, placed: Any) -> int:
    s: Record = states[0]
    begin_lay_off(s, owner, slot, way)
    return _place_all(s, placed)


@kernel
def _place_all(s: Record, placed: Any) -> int:
    """Place the cards while it is legal, and return the number of cards placed; fill in the choices after the last."""
    for i in range(len(placed)):
        if s.phase != Phase.PLACE:
            return i
        look_at_build(s, False)
        if not is_choice(s, int(placed[i])):
            return i
        place_card(s, placed[i])
    if s.phase in (Phase.TEMPLATE, Phase.PLACE):
        look_at_build(s, False)
    return len(placed)


def _read_lay_down(given: Mapping[str, Any], state: States, placed: list[int]) -> None:
    s, phase = state[0], int(state[0]["phase"])
    slot = read.read_int({"build slot": given.get("slot", 0)}, "build slot", 0, range(MAX_SETS))
    if not _is_next(s, slot):
        allowed = f"the next set of Display Card {s['display']}, after the sets on the table"
        raise read.refuse("build slot", slot, allowed)
    template = _read_template(given.get("template"))
    if (template < 0) != (phase == Phase.TEMPLATE) or (placed and template < 0):
        allowed = "kind RANK or run SUIT START in PLACE, null in TEMPLATE"
        raise read.refuse("build template", given.get("template"), allowed)
    done = _lay_down(state, slot, template, np.array(placed, np.int64))
    if done < 0:
        raise read.refuse("build template", given.get("template"), "a set that can be completed, with all later sets")
    if done < len(placed) or s["phase"] != phase or s["slot"] != slot:
        allowed = "legal cards in this order, fewer than the set needs"
        raise read.refuse("build placed", named(placed, CARD_NAMES), allowed)


def _is_next(s: Any, slot: int) -> bool:
    """Return whether this slot is next: the seat in turn has all sets of the Display Card before it, and no others."""
    display = int(s["display"])
    for k in range(MAX_SETS):
        lies = s["sets"][s["turn"] * MAX_SETS + k]
        wanted = SetType.KIND if k < KINDS[display] else SetType.RUN
        if (lies["kind"], lies["size"]) != ((wanted, SIZES[display, k]) if k < slot else (SetType.NONE, 0)):
            return False
    return slot < int(SETS[display])


def _read_template(words: Any) -> int:
    """Return the action of a template given as text, or -1 for None."""
    if words is None:
        return -1
    text = " ".join(words.upper().split()) if isinstance(words, str) else ""
    if (kind := KIND_TEMPLATE.fullmatch(text)) and kind[1] in RANK_NAMES:
        return KIND + RANK_NAMES.index(kind[1])
    if (run := RUN_TEMPLATE.fullmatch(text)) and 1 <= int(run[2]) <= RANKS:
        return RUN + SUIT_NAMES.index(run[1]) * RANKS + int(run[2]) - 1
    raise read.refuse("build template", words, "kind RANK, run SUIT START or null")


@seldom
def _lay_down(states: Any, slot: int, template: int, placed: Any) -> int:
    """Begin a lay-down and place the cards; return the number of cards placed, or -1 if the template is not legal."""
    s: Record = states[0]
    turns = int(s.laid_turn[s.turn])
    begin_lay_down(s)
    if turns >= 0:
        s.laid_turn[s.turn] = turns
    s.slot = slot
    if template >= 0:
        look_at_build(s, False)
        chosen = template - first_choice(s)
        if not 0 <= chosen < TYPES or not is_choice(s, chosen):
            return -1
        choose_template(s, template)
    return _place_all(s, placed)
