"""Writes Karma tables as dicts; `reading.py` reads them."""

from __future__ import annotations

from ...core.game import Game, Position
from ...core.notation import expand, named
from ...core.state import States
from .material import CARD_NAMES
from .state import PHASES


def position(game: Game, state: States, full: bool) -> Position:
    """Return the table as a dict; `full` adds the random stream, which the other fields do not determine."""
    s, seats = state[0], range(game.players)
    written: Position = {
        "config": game.options.changed(game.config),
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "dealer": int(s["dealer"]),
        "hands": [expand(s["hands"][seat], CARD_NAMES) for seat in seats],
        "up": [expand(s["up"][seat], CARD_NAMES) for seat in seats],
        "down": [named(s["down"][seat][: s["down_n"][seat]][::-1], CARD_NAMES) for seat in seats],
        "known": [expand(s["known"][seat], CARD_NAMES) for seat in seats],
        "pile": named(s["pile"][: s["pile_n"]], CARD_NAMES),
        "run": int(s["run"]),
        "draw": named(s["draw"][: s["draw_n"]][::-1], CARD_NAMES),
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
