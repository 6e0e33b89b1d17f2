"""Writes Tarot tables as dicts; `reading.py` reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.game import Game, Position
from ...core.notation import named
from ...core.state import States
from .material import CARD_NAMES
from .state import CLASSES, PHASES, Phase, Place


def position(game: Game, state: States, full: bool) -> Position:
    """Return the table as a dict; `full` adds the random stream and the decks for later hands."""
    s = state[0]
    written: Position = {
        "config": game.options.changed(game.config),
        **_turn(s),
        **_places(s),
        **_knowledge(s),
        **_scores(s),
        **_reckoning(s),
        **_end(s),
    }
    if full:
        written["rng"] = [int(word) for word in s["rng"]]
        written["decks"] = [named(deck, CARD_NAMES) for deck in s["decks"][: s["decks_n"]]]
    return written


def _turn(s: Any) -> Position:
    return {
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "dealer": int(s["dealer"]),
        "leader": int(s["leader"]),
    }


def _places(s: Any) -> Position:
    return {
        "hands": [cards_at(s, seat) for seat in range(s["seats"])],
        "trick": trick_names(s),
        "trick_no": int(s["trick_no"]),
        "discards": cards_at(s, Place.DISCARDED),
        "talon": cards_at(s, Place.TALON),
        "dead": cards_at(s, Place.THIRD),
    }


def cards_at(s: Any, place: int) -> list[str]:
    """Return the names of the cards in a place, ascending."""
    return named(np.flatnonzero(s["loc"] == place), CARD_NAMES)


def trick_names(s: Any) -> list[str]:
    """Return the names of the cards of the trick, in order of play."""
    return named(s["trick"][: s["trick_n"]], CARD_NAMES)


def _knowledge(s: Any) -> Position:
    n = s["seats"]
    return {
        "exposed": named(np.flatnonzero(s["exposed"]), CARD_NAMES),
        "giver": {CARD_NAMES[card]: int(seat) for card, seat in enumerate(s["giver"]) if seat >= 0},
        "void": s["void"][:n].tolist(),
        "no_tarot": s["no_tarot"][:n].tolist(),
    }


def _scores(s: Any) -> Position:
    n = s["seats"]
    return {
        "points": s["points"][:n].tolist(),
        "totals": s["totals"][:n].tolist(),
        "taken": s["taken"][:n].tolist(),
        "hand_no": int(s["hand_no"]),
        "history": [_net_scores(s, hand) for hand in range(s["hand_no"])],
    }


def _net_scores(s: Any, hand: int) -> list[int]:
    gain, scorer = int(s["scored"][hand]), int(s["scorer"][hand])
    return [gain if seat == scorer else 0 for seat in range(s["seats"])]


def _reckoning(s: Any) -> Position:
    calling = s["phase"] in (Phase.ANSWER, Phase.RETURN)
    return {
        "declarer_no": int(s["declarer_no"]),
        "class": CLASSES[s["cls"]] if s["cls"] >= 0 else None,
        "asker": declarer_of(s) if calling else -1,
        "replier": int(s["replier"]),
        "tarots_shown": bool(s["tarots_shown"]),
    }


def declarer_of(s: Any) -> int:
    """Return the seat that declares, and in a call asks."""
    return (int(s["dealer"]) + 1 + int(s["declarer_no"])) % int(s["seats"])


def _end(s: Any) -> Position:
    return {
        "moves": int(s["plies"]),
        "winner": int(s["winner"]),
        "rewards": s["rewards"][: s["seats"]].tolist(),
        "truncated": bool(s["truncated"]),
    }
