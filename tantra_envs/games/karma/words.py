"""Karma in the player's language: actions both ways, given decks, and the table as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game
from ...core.rng import below, seed_stream, shuffle
from ...core.state import Record, States
from . import rules
from .actions import DECLINE, FLIP, GIVE_TO, PICKUP
from .material import CARD_NAMES, TYPES
from .positions import from_position, named, position
from .state import PHASES, SETUP

__all__ = ["action_name", "deal_given", "from_position", "parse_action", "picture", "position"]

_PLAY = re.compile(r"(place|play) ([a-z0-9]+?)(?:x([0-9]))?$")
_GIVE = re.compile(r"give ([0-9]+)$")


# Actions


def action_name(game: Game, state: States, action: int) -> str:
    """`place 9`, `play 7x2`, `flip`, `pickup`, `decline`, `give 2` (absolute seat)."""
    s = state[0]
    choice = action - game.actions["flip"].start
    if choice < 0:
        count = action // TYPES + 1
        verb = "place" if s["phase"] == SETUP and count == 1 else "play"
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
        if name not in game.deal_options:
            raise ValueError(f"{game.name}: unknown field {name!r}; what may be given: {', '.join(game.deal_options)}")
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
            raise ValueError(
                f"{game.name}: deck has {counts[card]} of {CARD_NAMES[card]}; allowed: {copies} of each card"
            )
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


# Pictures


def picture(game: Game, state: States, seat: int | None) -> str:
    """The table as text. `seat` sees its own hand and what is public; without a seat everything is open."""
    s = state[0]
    deciding = "" if s["over"] else f", seat {s['seat']} to decide"
    pile = named(s["pile"][: s["pile_n"]])
    draw = " ".join(named(s["draw"][: s["draw_n"]][::-1])) if seat is None else ""
    lines = [
        f"Karma, move {s['plies']}, {PHASES[s['phase']]}{deciding}",
        f"pile ({len(pile)}, run {s['run']}): {' '.join(pile) or 'empty'}",
        f"draw pile ({s['draw_n']})" + (f": {draw}" if draw else ""),
        f"gone: {_grouped(s['gone']) or 'nothing'}",
        *[_picture_of_seat(s, shown, seat) for shown in range(game.players)],
    ]
    if s["over"]:
        lines.append("cut off: nobody wins" if s["truncated"] else f"seat {s['loser']} loses")
    return "\n".join(lines)


def _picture_of_seat(s: Any, seat: int, observer: int | None) -> str:
    mark = ">" if seat == s["seat"] and not s["over"] else " "
    out = s["out"][: s["out_n"]].tolist()
    if seat in out:
        return f"{mark} seat {seat}  out, place {out.index(seat) + 1}"
    known, held = s["known"][seat], int(s["hand_n"][seat])
    own = observer is None or observer == seat
    hand = _grouped(s["hands"][seat]) if own else _grouped(known, held - int(known.sum()))
    choosing = not own and s["setup_left"] > 0 and s["opt"]["setup_hidden"]
    up = "?" if choosing else _grouped(s["up"][seat])
    down = named(s["down"][seat][: s["down_n"][seat]][::-1])
    shown = " ".join(down if observer is None else "#" * len(down))
    return f"{mark} seat {seat}  hand ({held}): {hand or '-'}  |  face up: {up or '-'}  |  face down: {shown or '-'}"


def _grouped(counts: Any, unknown: int = 0) -> str:
    """The cards counted by type, ascending, then unknown ones: `4 7x2 GIVE ?x3`."""
    cards = [*zip(CARD_NAMES, counts.tolist(), strict=True), ("?", unknown)]
    return " ".join(name + (f"x{count}" if count > 1 else "") for name, count in cards if count)
