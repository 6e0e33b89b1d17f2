"""Writing Tantra tables as dicts; reading.py reads them back."""

from __future__ import annotations

from typing import Any

from ...core.game import Game, Position
from ...core.notation import expand, named
from ...core.state import States
from .material import (
    CARD_NAMES,
    DISPLAYS,
    JOKER,
    MAX_SEATS,
    MAX_SETS,
    NATURALS,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUITS,
    WILD,
)
from .state import ENDINGS, ENDLESS, PHASES, Mode, Phase, Role, SetType

PILES = {"display_pile": ("displays", "display_at", "displays_seen"), "wild_pile": ("wilds", "wild_at", "wilds_seen")}
COUNTED = range(2**15)
COUNTS = {"peek_public": range(2), "declined": range(2), "sales": COUNTED, "refusals": COUNTED, "plies": range(ENDLESS)}
EXACT = ("rng", *PILES, *(name for _, *names in PILES.values() for name in names), *COUNTS)  # only in full positions
LAST = {  # fields of the last finished round: numbers, then by seat
    **{"display": range(DISPLAYS + 1), "wild": range(-1, RANKS), "out": range(-1, MAX_SEATS)},
    **{"ending": range(len(ENDINGS)), "turns": range(ENDLESS), "sales": COUNTED, "refusals": COUNTED},
}
LAST_BY_SEAT = {
    "scores": range(-ENDLESS, ENDLESS),
    "laid_turn": range(-1, ENDLESS),
    "hand_points": range(-(2**15), 2**15),
}


def position(game: Game, state: States, full: bool) -> Position:
    """Return the table as a dict; `full` adds the random stream, the order of the piles and the public knowledge."""
    s = state[0]
    written: Position = {
        "config": game.options.changed(game.config),
        **_round(s),
        **_cards(s),
        **_seats(s),
        **_question(s),
    }
    return {**written, **_exact(s)} if full else written


def _round(s: Any) -> Position:
    return {
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "turn": int(s["turn"]),
        "display": int(s["display"]),
        "wild": RANK_NAMES[s["wild"]] if s["wild"] >= 0 else None,
        "dealer": int(s["dealer"]),
    }


def _cards(s: Any) -> Position:
    seats = range(s["seats"])
    return {
        "hands": [expand(s["hands"][seat], CARD_NAMES) for seat in seats],
        "stock": named(s["stock"][: s["stock_n"]][::-1], CARD_NAMES),
        "discard": named(s["discard"][: s["discard_n"]], CARD_NAMES),
        "sets": [_written_set(s, seat, slot) for seat in seats for slot in range(MAX_SETS) if _is_done(s, seat, slot)],
    }


def _seats(s: Any) -> Position:
    n = s["seats"]
    return {
        "turns": int(s["turns"]),
        "laid_turn": s["laid_turn"][:n].tolist(),
        "buys_used": s["buys_used"][:n].tolist(),
        "scores": s["scores"][:n].tolist(),
        "recycles": int(s["recycles"]),
        "round": int(s["round"]),
        "game_turns": int(s["game_turns"]),
        "known": [[expand(s["known"][observer, seat], CARD_NAMES) for seat in range(n)] for observer in range(n)],
        "rewards": s["rewards"][:n].tolist(),
        "truncated": bool(s["truncated"]),
    }


def _question(s: Any) -> Position:
    """Return the entries that only some phases have."""
    written: Position = {}
    if s["phase"] == Phase.ASK:
        written["asked"] = int(s["seat"])
    if s["requester"] >= 0:
        written["requester"] = int(s["requester"])
    if s["peeked"] >= 0:
        written["peeked"] = CARD_NAMES[s["peeked"]]
    if s["mode"] == Mode.LAYING_OFF:
        written["build"] = _written_lay_off(s)
    elif s["mode"] == Mode.LAYING_DOWN:
        written["build"] = _written_lay_down(s)
    return written


def _exact(s: Any) -> Position:
    n, size = s["seats"], cards_in_packs(s)
    last: Position = {name: int(s["last"][name]) for name in LAST}
    return {
        **{name: s[name].tolist() for name in EXACT},
        "last_round": {**last, **{name: s["last"][name][:n].tolist() for name in LAST_BY_SEAT}},
        "public": [expand(s["public"][seat], CARD_NAMES) for seat in range(n)],
        "decks": [named(s["decks"][k][:size], CARD_NAMES) for k in range(s["decks_n"])],
    }


def cards_in_packs(s: Any) -> int:
    """Return the number of cards in all packs of a table."""
    return int(s["opt"]["n_packs"]) * (NATURALS + int(s["opt"]["jokers_per_pack"]))


# Sets


def _is_done(s: Any, seat: int, slot: int) -> bool:
    building = s["mode"] == Mode.LAYING_DOWN and s["target"] == seat and s["slot"] == slot
    return bool(s["sets"][seat * MAX_SETS + slot]["kind"] != SetType.NONE and not building)


def _written_set(s: Any, seat: int, slot: int) -> Position:
    """Return a set without the cards of an unfinished lay-off."""
    lies = s["sets"][seat * MAX_SETS + slot]
    cards, start = cards_of(lies), int(lies["lo"])
    if s["mode"] == Mode.LAYING_OFF and (s["target"], s["slot"]) == (seat, slot):
        placed = len(_placed_off(s))
        low = placed if s["direction"] < 0 else 0
        cards, start = cards[low : len(cards) - placed + low], start + low
    head: Position = {"seat": seat, "slot": slot}
    if lies["kind"] == SetType.KIND:
        return {**head, "kind": RANK_NAMES[lies["rank"]], "cards": cards}
    return {**head, "run": SUIT_NAMES[lies["suit"]], "start": start, "cards": cards}


def cards_of(lies: Any) -> list[str]:
    """Return the names of the cards of a set, in their order."""
    if lies["kind"] == SetType.KIND:
        classes = [*(suit * RANKS + int(lies["rank"]) for suit in range(SUITS)), WILD, JOKER]
        return [
            CARD_NAMES[card] for card, count in zip(classes, lies["fill"].tolist(), strict=False) for _ in range(count)
        ]
    return [CARD_NAMES[_card_in(lies, place)] for place in range(int(lies["lo"]), int(lies["hi"]) + 1)]


def _card_in(lies: Any, place: int) -> int:
    role, suit = Role(int(lies["fill"][place - 1])), int(lies["suit"])
    if role in (Role.JOKER, Role.WILD):
        return JOKER if role == Role.JOKER else WILD
    return suit * RANKS + (place + {Role.LOWER_MATE: -1, Role.UPPER_MATE: 1}.get(role, 0) - 1) % RANKS


# An unfinished set


def _written_lay_off(s: Any) -> Position:
    lies = s["sets"][s["target"] * MAX_SETS + s["slot"]]
    end = "" if lies["kind"] == SetType.KIND else " high" if s["direction"] > 0 else " low"
    return {"mode": "lay off", "on": f"{s['target']}.{s['slot']}{end}", "placed": _placed_off(s)}


def _placed_off(s: Any) -> list[str]:
    """Return the placed cards of an unfinished lay-off: the duplicates at the end, where no finished run has one."""
    lies, way = s["sets"][s["target"] * MAX_SETS + s["slot"]], int(s["direction"])
    placed: list[str] = []
    place = int(s["place"]) - way
    while way and lies["fill"][place - 1] in (Role.LOWER_MATE, Role.UPPER_MATE):
        placed.insert(0, CARD_NAMES[_card_in(lies, place)])
        place -= way
    return placed


def _written_lay_down(s: Any) -> Position:
    lies = s["sets"][s["turn"] * MAX_SETS + s["slot"]]
    template = None
    if lies["kind"] == SetType.KIND:
        template = f"kind {RANK_NAMES[lies['rank']]}"
    elif lies["kind"] == SetType.RUN:
        template = f"run {SUIT_NAMES[lies['suit']]} {lies['lo']}"
    placed = cards_of(lies) if template else []
    return {"mode": "lay down", "slot": int(s["slot"]), "template": template, "placed": placed}
