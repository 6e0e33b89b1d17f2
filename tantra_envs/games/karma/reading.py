"""Reads Karma tables from dicts, to set up a position or to restore one exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.game import Game
from ...core.notation import expand, named
from ...core.state import States
from .material import CARD_NAMES, GIVE, TABLE, TABLE_CARDS, TYPES
from .state import PHASES, Phase

FIELDS = (
    *("config", "phase", "cur", "dealer", "hands", "up", "down", "known", "pile", "run", "draw", "out"),
    *("setup_left", "moves", "gone", "loser", "rewards", "truncated", "rng"),
)


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes; raise ValueError with the field that is wrong."""
    read.check_fields(position, FIELDS)
    read.check_config(position.get("config", {}), game.config)
    state = game.blank.copy()
    s = state[0]
    s["phase"] = read.read_choice(position, "phase", "PLAY", PHASES)
    s["seat"] = read.read_int(position, "cur", 0, range(game.players))
    s["dealer"] = read.read_int(position, "dealer", (int(s["seat"]) - 1) % game.players, range(game.players))
    s["plies"] = read.read_int(position, "moves", 0, range(int(s["opt"]["move_limit"]) + 1))
    _read_seats(position, s)
    _read_piles(position, s)
    _read_run(position, s)
    _read_gone(position, s)
    _read_end(position, s)
    _read_setup_left(position, s)
    _read_out(position, s)
    read.read_stream(position, s)
    if not s["over"]:
        _check_playable(position, s)
    return state


def _read_seats(position: Mapping[str, Any], s: Any) -> None:
    """Read hands, face-up, face-down and known cards."""
    n = int(s["seats"])
    zones = {zone: read.read_cards_by_seat(position, zone, n, CARD_NAMES) for zone in ("hands", "up", "down", "known")}
    for seat in range(n):
        hand, up, down, known = (zones[zone][seat] for zone in ("hands", "up", "down", "known"))
        for zone, cards in (("up", up), ("down", down)):
            if len(cards) > TABLE_CARDS:
                raise read.refuse(f"{zone}[{seat}]", named(cards, CARD_NAMES), f"at most {TABLE_CARDS} cards")
        for zone, cards in (("hands", hand), ("up", up), ("known", known)):
            _count_into(s[zone][seat], cards, f"{zone}[{seat}]", s)
        if (s["known"][seat] > (s["hands"][seat] if s["phase"] != Phase.SETUP else 0)).any():
            allowed = "cards of that hand" if s["phase"] != Phase.SETUP else "none before the first play"
            raise read.refuse(f"known[{seat}]", named(known, CARD_NAMES), allowed)
        s["hand_n"][seat], s["up_n"][seat], s["down_n"][seat] = len(hand), len(up), len(down)
        s["down"][seat][: len(down)] = down[::-1]


def _count_into(counts: Any, cards: list[int], field: str, s: Any) -> None:
    copies = int(s["opt"]["copies"])
    for card in cards:
        if counts[card] == copies:
            raise read.refuse(field, named(cards, CARD_NAMES), f"at most {copies} of {CARD_NAMES[card]}")
        counts[card] += 1


def _read_piles(position: Mapping[str, Any], s: Any) -> None:
    for field in ("pile", "draw"):
        cards = read.read_cards(field, position.get(field, []), CARD_NAMES)
        if len(cards) > s["opt"]["deck_size"]:
            raise read.refuse(field, f"{len(cards)} cards", f"at most {s['opt']['deck_size']} cards")
        if field == "pile" and GIVE in cards:
            raise read.refuse(field, named(cards, CARD_NAMES), "no GIVE: it leaves the game when it is played (K-60)")
        s[field][: len(cards)] = cards if field == "pile" else cards[::-1]
        s[f"{field}_n"] = len(cards)
        if field == "pile":
            s["piled"] = np.bincount(cards, minlength=TYPES)


def _read_run(position: Mapping[str, Any], s: Any) -> None:
    """Read the run: at most the identical cards on top of the pile, 0 while the pile is given away."""
    pile = s["pile"][: s["pile_n"]].tolist()
    same = 0
    while same < len(pile) and pile[-1 - same] == pile[-1]:
        same += 1
    if s["phase"] == Phase.TARGET:
        same = 0
    s["run"] = read.read_int(position, "run", min(same, 1), range(same + 1))


def _read_gone(position: Mapping[str, Any], s: Any) -> None:
    """Compute the cards that left the game: those in no other place. If the position lists them, compare."""
    n, copies = int(s["seats"]), int(s["opt"]["copies"])
    down = [s["down"][seat][: s["down_n"][seat]] for seat in range(n)]
    lists = np.concatenate([*down, s["pile"][: s["pile_n"]], s["draw"][: s["draw_n"]]])
    used = s["hands"][:n].sum(0) + s["up"][:n].sum(0) + np.bincount(lists, minlength=TYPES)
    for card in np.flatnonzero(used > copies):
        places = f"hands, up, down, pile and draw have {used[card]} of {CARD_NAMES[card]}"
        raise ValueError(f"position: {places}; the deck has {copies}")
    s["gone"] = copies - used
    gone = position.get("gone")
    if gone is None:
        return
    if not isinstance(gone, Mapping):
        raise read.refuse("gone", gone, "a dict of card: count")
    given = {read.read_card("gone", card, CARD_NAMES): count for card, count in gone.items()}
    counts = [given.get(card, 0) for card in range(TYPES)]
    if any(type(count) is not int for count in counts) or counts != s["gone"].tolist():
        rest = {CARD_NAMES[card]: int(count) for card, count in enumerate(s["gone"]) if count}
        raise read.refuse("gone", gone, f"the cards that are nowhere else: {rest}")


def _read_end(position: Mapping[str, Any], s: Any) -> None:
    """Read how a finished game ended."""
    n = int(s["seats"])
    read.read_end(position, s, Phase.OVER)
    s["loser"] = read.read_int(position, "loser", -1, range(-1, n))
    s["rewards"][:n] = read.read_numbers(position, "rewards", n) or 0.0
    cut_off = s["truncated"] or not s["over"]
    if cut_off != (s["loser"] == -1):
        raise read.refuse("loser", int(s["loser"]), "a seat at the end of a game, -1 before or when it was cut off")
    if s["rewards"].any() and not s["over"]:
        raise read.refuse("rewards", position["rewards"], "zeros before the end")


def _read_setup_left(position: Mapping[str, Any], s: Any) -> None:
    """Read the seats that still choose face-up cards: from `cur` on, up to the dealer (K-10)."""
    n = int(s["seats"])
    if s["over"]:
        allowed = range(n + 1)  # the game may have been truncated while they were chosen
    else:
        left = (int(s["dealer"]) - int(s["seat"])) % n + 1 if s["phase"] == Phase.SETUP else 0
        allowed = range(left, left + 1)
    s["setup_left"] = read.read_int(position, "setup_left", allowed[0], allowed)


def _read_out(position: Mapping[str, Any], s: Any) -> None:
    """Read the finishing order. A seat that still has to choose who gets the pile is not out yet (K-80)."""
    n, cur = int(s["seats"]), int(s["seat"])
    empty = [seat for seat in range(n) if _cards_of(s, seat) == 0]
    others = [seat for seat in empty if seat != cur]
    expected = others if s["phase"] == Phase.TARGET else empty
    out = read.read_seats(position, "out", expected, n)
    if sorted(out) != expected and not (s["truncated"] and sorted(out) == others):
        raise read.refuse("out", out, f"the seats without cards, {expected}, in finishing order")
    s["out"][: len(out)] = out
    s["out_n"] = len(out)


def _cards_of(s: Any, seat: int) -> int:
    return int(s["hand_n"][seat]) + int(s["up_n"][seat]) + int(s["down_n"][seat])


def _check_playable(position: Mapping[str, Any], s: Any) -> None:
    """Refuse games that are finished and seats that cannot act."""
    seat, phase = int(s["seat"]), int(s["phase"])
    if s["seats"] - s["out_n"] < 2:
        raise read.refuse("hands", position.get("hands"), "cards for at least two seats, in hands, up or down")
    if s["plies"] >= s["opt"]["move_limit"]:
        raise read.refuse("moves", int(s["plies"]), f"less than the cut-off {s['opt']['move_limit']}")
    if phase in (Phase.PLAY, Phase.FOLLOW) and _cards_of(s, seat) == 0:
        raise read.refuse("cur", seat, "a seat with cards")
    if phase == Phase.SETUP:
        _check_choosers(s)
    elif phase == Phase.FOLLOW and (s["pile_n"] == 0 or s["pile"][s["pile_n"] - 1] != TABLE):
        raise read.refuse("pile", position.get("pile", []), "TABLE on top in FOLLOW")
    elif phase == Phase.TARGET and s["pile_n"] == 0:
        raise read.refuse("pile", [], "a pile to give in TARGET")
    elif phase == Phase.TARGET and int(s["seats"]) - 1 - (0 if s["opt"]["give_to_out"] else int(s["out_n"])) < 2:
        raise read.refuse("phase", "TARGET", "two or more seats to choose from")


def _check_choosers(s: Any) -> None:
    """Check that seats that have chosen have three cards face up, and others fewer and a hand to choose from."""
    for ahead in range(int(s["seats"])):
        seat = (int(s["seat"]) + ahead) % int(s["seats"])
        missing, cards = TABLE_CARDS - int(s["up_n"][seat]), expand(s["up"][seat], CARD_NAMES)
        if ahead >= s["setup_left"] and missing:
            raise read.refuse(f"up[{seat}]", cards, f"{TABLE_CARDS} cards: the seat has chosen")
        if ahead < s["setup_left"] and not 0 < missing <= s["hand_n"][seat]:
            raise read.refuse(
                f"up[{seat}]", cards, f"less than {TABLE_CARDS} cards, and a hand to choose the rest from"
            )
