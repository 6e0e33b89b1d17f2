"""Karma in the player's language, both ways: actions, positions, and the table as text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import positions as read
from ...core.game import Game, Position
from ...core.rng import below, seed_stream, shuffle
from ...core.proxies import entry_point
from ...core.state import Record, States
from . import rules, sets
from .actions import DECLINE, FLIP, GIVE_TO, PICKUP
from .material import CARD_NAMES, DEALT, GIVE, TABLE, TABLE_CARDS, TYPES
from .state import FOLLOW, OVER, PHASES, PLAY, SETUP, TARGET

FIELDS = (
    *("config", "phase", "cur", "dealer", "hands", "up", "down", "known", "pile", "run", "draw", "out"),
    *("setup_left", "moves", "gone", "loser", "rewards", "truncated", "rng"),
)
_PLAY = re.compile(r"(place|play) ([a-z0-9]+?)(?:x([0-9]))?$")
_GIVE = re.compile(r"give ([0-9]+)$")


# Actions


def action_name(game: Game, state: States, action: int) -> str:
    """`place 9`, `play 7x2`, `flip`, `pickup`, `decline`, `give 2` (absolute seat)."""
    s = state[0]
    choice = action - game.actions["flip"].start
    if choice < 0:
        verb = "place" if s["phase"] == SETUP else "play"
        count = action // TYPES + 1
        return f"{verb} {CARD_NAMES[action % TYPES]}" + (f"x{count}" if count > 1 else "")
    if choice >= GIVE_TO:
        return f"give {(int(s['seat']) + 1 + choice - GIVE_TO) % game.players}"
    return {FLIP: "flip", PICKUP: "pickup", DECLINE: "decline"}[choice]


def parse_action(game: Game, state: States, text: str) -> int:
    """The id of an action in words; ValueError if no action of this game is called that."""
    if text in ("flip", "pickup", "decline"):
        return game.actions[text].start
    if play := _PLAY.fullmatch(text):
        card, count = play[2].upper(), int(play[3] or 1)
        most = 1 if play[1] == "place" else int(game.blank["opt"]["clear_set"][0])
        if card in CARD_NAMES and 1 <= count <= most:
            return TYPES * (count - 1) + CARD_NAMES.index(card)
    if (give := _GIVE.fullmatch(text)) and int(give[1]) < game.players:
        r = (int(give[1]) - int(state[0]["seat"]) - 1) % game.players
        if r < game.players - 1:
            return game.actions["give"].start + r
    raise ValueError(
        f"{game.name}: {text!r} names no action; actions: place CARD, play CARD, play CARDx2, flip, pickup, decline, "
        f"give SEAT (another seat of 0..{game.players - 1}); cards: {' '.join(CARD_NAMES)}"
    )


# Dealing what is given


def deal_given(game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
    """Deal with a given `deck` (all cards, front first) or `dealer`; what is given draws no random number."""
    for name in given:
        if name not in ("deck", "dealer"):
            raise ValueError(f"{game.name}: unknown field {name!r}; what may be given: deck, dealer")
    dealer = read.read_int(given, "dealer", game.config["dealer"], range(-1, game.players))
    deck = _given_deck(game, given["deck"]) if given.get("deck") is not None else np.zeros(0, np.int64)
    _deal_given(state, seed, dealer, deck)


def _given_deck(game: Game, deck: Any) -> np.ndarray[Any, Any]:
    if isinstance(deck, (list, tuple)) and len(deck) == 1 and isinstance(deck[0], (list, tuple)):
        deck = deck[0]  # a list of one deck for each hand; this game has one hand
    cards = read.read_cards("deck", deck, CARD_NAMES)
    copies = int(game.blank["opt"]["copies"][0])
    counts = np.bincount(cards, minlength=TYPES) if cards else np.zeros(TYPES, int)
    for card in range(TYPES):
        if counts[card] != copies:
            raise ValueError(f"{game.name}: deck has {counts[card]} of {CARD_NAMES[card]}; allowed: {copies} of each card")
    return np.array(cards, np.int64)


@entry_point
def _deal_given(states: Any, seed: int, dealer: int, deck: Any) -> None:
    s: Record = states[0]
    seed_stream(s.rng, seed)
    rules.clear_table(s)
    s.dealer = dealer if dealer >= 0 else below(s.rng, s.seats)
    rules.fill_deck(s)
    if len(deck) == 0:
        shuffle(s.rng, s.draw, s.draw_n)
    for i in range(len(deck)):
        s.draw[i] = deck[i]
    rules.hand_out(s)


# Positions


def position(game: Game, state: States, full: bool) -> Position:
    """The table as a dict; `full` adds the random stream, the one thing the rest does not say."""
    s, seats = state[0], range(game.players)
    written: Position = {
        "config": game.fields.changed(game.config),
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "dealer": int(s["dealer"]),
        "hands": [_expand(s["hands"][seat]) for seat in seats],
        "up": [_expand(s["up"][seat]) for seat in seats],
        "down": [_named(s["down"][seat][: s["down_n"][seat]][::-1]) for seat in seats],
        "known": [_expand(s["known"][seat]) for seat in seats],
        "pile": _named(s["pile"][: s["pile_n"]]),
        "run": int(s["run"]),
        "draw": _named(s["draw"][: s["draw_n"]][::-1]),
        "out": [int(seat) for seat in s["out"][: s["out_n"]]],
        "setup_left": int(s["setup_left"]),
        "moves": int(s["plies"]),
        "gone": {CARD_NAMES[card]: int(n) for card, n in enumerate(s["gone"]) if n},
        "loser": int(s["loser"]),
        "rewards": [float(s["rewards"][seat]) for seat in seats],
        "truncated": bool(s["truncated"]),
    }
    if full:
        written["rng"] = [int(word) for word in s["rng"]]
    return written


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """The table a position describes; ValueError naming the field that is wrong."""
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
    _read_rest(position, s)
    _read_out(position, s)
    if "rng" in position:
        _read_snapshot(position, s)
    else:
        _check_playable(position, s)
    return state


def _read_seats(position: Mapping[str, Any], s: Any) -> None:
    """Hands, face-up, face-down and known cards."""
    n = int(s["seats"])
    zones = {zone: read.read_cards_by_seat(position, zone, n, CARD_NAMES) for zone in ("hands", "up", "down", "known")}
    for seat in range(n):
        for zone in ("hands", "up", "known"):
            _count_into(s[zone][seat], zones[zone][seat], f"{zone}[{seat}]", s)
        for zone in ("up", "down"):
            if len(zones[zone][seat]) > TABLE_CARDS:
                raise read.refuse(f"{zone}[{seat}]", zones[zone][seat], f"at most {TABLE_CARDS} cards")
        if (s["known"][seat] > s["hands"][seat]).any():
            raise read.refuse(f"known[{seat}]", position["known"][seat], "cards of that hand")
        s["hand_n"][seat] = len(zones["hands"][seat])
        s["up_n"][seat] = len(zones["up"][seat])
        s["down_n"][seat] = len(zones["down"][seat])
        s["down"][seat][: len(zones["down"][seat])] = zones["down"][seat][::-1]


def _count_into(counts: Any, cards: list[int], field: str, s: Any) -> None:
    for card in cards:
        if counts[card] == s["opt"]["copies"]:
            raise read.refuse(field, [CARD_NAMES[c] for c in cards], f"at most {s['opt']['copies']} of {CARD_NAMES[card]}")
        counts[card] += 1


def _read_piles(position: Mapping[str, Any], s: Any) -> None:
    for field in ("pile", "draw"):
        cards = read.read_cards(field, position.get(field, []), CARD_NAMES)
        if len(cards) > s["opt"]["deck_size"]:
            raise read.refuse(field, position[field], f"at most {s['opt']['deck_size']} cards")
        if field == "pile" and GIVE in cards:
            raise read.refuse(field, position[field], "no GIVE: it leaves the game when it is played (K-60)")
        s[field][: len(cards)] = cards if field == "pile" else cards[::-1]
        s[f"{field}_n"] = len(cards)
    pile = [int(card) for card in s["pile"][: s["pile_n"]]]
    same = 0
    while same < len(pile) and pile[-1 - same] == pile[-1]:
        same += 1
    default = 1 if pile and s["phase"] != TARGET else 0
    s["run"] = read.read_int(position, "run", default, range(1 if s["phase"] == TARGET else same + 1))


def _read_rest(position: Mapping[str, Any], s: Any) -> None:
    """What is nowhere else is out of the game; what follows from other fields must agree with them."""
    n = int(s["seats"])
    used = s["hands"][:n].sum(0) + s["up"][:n].sum(0)
    for cards in (*[s["down"][seat][: s["down_n"][seat]] for seat in range(n)], s["pile"][: s["pile_n"]], s["draw"][: s["draw_n"]]):
        used = used + np.bincount(cards, minlength=TYPES)
    for card in range(TYPES):
        if used[card] > s["opt"]["copies"]:
            raise ValueError(f"position: hands, up, down, pile and draw have {used[card]} of {CARD_NAMES[card]}; the deck has {s['opt']['copies']}")
    s["gone"] = s["opt"]["copies"] - used
    gone = position.get("gone")
    if gone is not None:
        if not isinstance(gone, Mapping):
            raise read.refuse("gone", gone, "a dict of card: count")
        given = {read.read_card("gone", card, CARD_NAMES): count for card, count in gone.items()}
        if any(given.get(card, 0) != s["gone"][card] for card in range(TYPES)):
            rest = {CARD_NAMES[card]: int(count) for card, count in enumerate(s["gone"]) if count}
            raise read.refuse("gone", gone, f"the cards that are nowhere else: {rest}")
    choosing = (int(s["dealer"]) - int(s["seat"])) % n + 1 if s["phase"] == SETUP else 0
    s["setup_left"] = read.read_int(position, "setup_left", choosing, range(choosing, choosing + 1) if "rng" not in position else range(n + 1))


def _read_out(position: Mapping[str, Any], s: Any) -> None:
    n = int(s["seats"])
    empty = [seat for seat in range(n) if s["hand_n"][seat] + s["up_n"][seat] + s["down_n"][seat] == 0]
    out = read.read_seats(position, "out", empty, n)
    if sorted(out) != empty:
        raise read.refuse("out", out, f"the seats without cards, {empty}, in finishing order")
    s["out"][: len(out)] = out
    s["out_n"] = len(out)
    s["loser"] = -1


def _read_snapshot(position: Mapping[str, Any], s: Any) -> None:
    """A full position: also how a finished game ended, and the random stream."""
    n = int(s["seats"])
    words = read.read_numbers(position, "rng", len(s["rng"]))
    if words is None or any(not isinstance(word, int) or not 0 <= word < 1 << 32 for word in words):
        raise read.refuse("rng", position["rng"], "four integers of 32 bits")
    s["rng"] = words
    s["rewards"][:n] = read.read_numbers(position, "rewards", n) or 0.0
    s["truncated"] = read.read_flag(position, "truncated", False)
    s["loser"] = read.read_int(position, "loser", -1, range(-1, n))
    s["over"] = s["phase"] == OVER
    if not s["over"]:
        _check_playable(position, s)


def _check_playable(position: Mapping[str, Any], s: Any) -> None:
    """Refuse finished games and seats that can do nothing."""
    seat, n = int(s["seat"]), int(s["seats"])
    held = int(s["hand_n"][seat] + s["up_n"][seat] + s["down_n"][seat])
    if s["phase"] == OVER or n - s["out_n"] < 2:
        raise read.refuse("phase", position.get("phase", "PLAY"), "a game that goes on: at least two seats with cards, not OVER")
    if s["plies"] >= s["opt"]["move_limit"]:
        raise read.refuse("moves", int(s["plies"]), f"less than the cut-off {s['opt']['move_limit']}")
    if s["phase"] in (PLAY, FOLLOW) and held == 0:
        raise read.refuse("cur", seat, "a seat with cards")
    if s["phase"] == SETUP:
        for chooser in range(n):
            missing = TABLE_CARDS - s["up_n"][chooser]
            done = (chooser - seat) % n >= s["setup_left"]
            if (missing != 0 if done else missing > s["hand_n"][chooser]) or (chooser == seat and missing == 0):
                raise read.refuse(f"up[{chooser}]", position.get("up"), "3 cards of seats that have chosen, less for cur, and hands to choose from")
    if s["phase"] == FOLLOW and (s["pile_n"] == 0 or s["pile"][s["pile_n"] - 1] != TABLE):
        raise read.refuse("pile", position.get("pile", []), "TABLE on top in FOLLOW")
    if s["phase"] == TARGET:
        others = [p for p in range(n) if p != seat and (s["opt"]["give_to_out"] or p not in s["out"][: s["out_n"]])]
        if s["pile_n"] == 0 or len(others) < 2:
            raise read.refuse("phase", "TARGET", "a pile to give, and two or more seats to choose from")


def _expand(counts: Any) -> list[str]:
    return [CARD_NAMES[card] for card, count in enumerate(counts) for _ in range(count)]


def _named(cards: Any) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


# Pictures


def picture(game: Game, state: States, seat: int | None) -> str:
    """The table as text. `seat` sees its own hand and what is public; without a seat everything is open."""
    s = state[0]
    pile = _named(s["pile"][: s["pile_n"]])
    lines = [f"Karma, move {s['plies']}, {PHASES[s['phase']]}" + (f", seat {s['seat']} to decide" if not s["over"] else "")]
    lines.append(f"pile ({len(pile)}, run {s['run']}): {' '.join(pile) or 'empty'}")
    draw = "" if seat is not None or not s["draw_n"] else ": " + " ".join(_named(s["draw"][: s["draw_n"]][::-1]))
    lines.append(f"draw pile ({s['draw_n']}){draw}")
    lines.append("gone: " + (_grouped(s["gone"]) or "nothing"))
    lines += [_picture_of_seat(game, s, p, seat) for p in range(game.players)]
    if s["over"]:
        lines.append("cut off: nobody wins" if s["truncated"] else f"seat {s['loser']} loses")
    return "\n".join(lines)


def _picture_of_seat(game: Game, s: Any, seat: int, observer: int | None) -> str:
    mark = ">" if seat == s["seat"] and not s["over"] else " "
    if seat in s["out"][: s["out_n"]]:
        return f"{mark} seat {seat}  out, place {list(s['out']).index(seat) + 1}"
    own = observer is None or observer == seat
    hidden_up = not own and s["setup_left"] > 0 and s["opt"]["setup_hidden"]
    hand = _grouped(s["hands"][seat]) if own else _grouped(s["known"][seat], int(s["hand_n"][seat] - s["known"][seat].sum()))
    up = "?" if hidden_up else _grouped(s["up"][seat]) or "-"
    down = " ".join(_named(s["down"][seat][: s["down_n"][seat]][::-1])) if observer is None else "# " * int(s["down_n"][seat])
    return f"{mark} seat {seat}  hand ({s['hand_n'][seat]}): {hand or '-'}  |  face up: {up}  |  face down: {down.strip() or '-'}"


def _grouped(counts: Any, unknown: int = 0) -> str:
    """`4 7x2 GIVE ?x3`"""
    cards = [(CARD_NAMES[card], int(count)) for card, count in enumerate(counts)] + [("?", unknown)]
    return " ".join(name + (f"x{count}" if count > 1 else "") for name, count in cards if count)
