"""Tables as dicts, written and read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import notation as read
from ...core.game import Game
from ...core.state import States
from .actions import MOST
from .state import PHASES, Phase

FIELDS = ("config", "phase", "cur", "rewards", "truncated", "left", "last", "moves")


def position(game: Game, state: States, full: bool) -> dict[str, Any]:
    """The table as a dict; `full` adds what rebuilds it byte for byte."""
    s = state[0]
    found: dict[str, Any] = {
        "config": game.options.changed(game.config),
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "rewards": s["rewards"].tolist(),
        "truncated": bool(s["truncated"]),
        "left": int(s["left"]),
        "last": int(s["last"]),
        "moves": int(s["plies"]),
    }
    return {**found, "rng": s["rng"].tolist()} if full else found


def from_position(game: Game, given: Mapping[str, Any]) -> States:
    """The table of a position; ValueError naming the field that is wrong."""
    read.check_fields(given, [*FIELDS, "rng"])
    read.check_config(given.get("config", {}), game.config)
    state = game.blank.copy()
    s = state[0]
    s["phase"] = read.read_choice(given, "phase", "TAKE", PHASES)
    s["seat"] = read.read_int(given, "cur", 0, range(2))
    read.read_end(given, s, Phase.OVER)
    lowest = 1 - int(s["over"] and not s["truncated"])
    s["left"] = read.read_int(given, "left", game.config["heap"], range(lowest, game.config["heap"] + 1))
    s["last"] = read.read_int(given, "last", MOST, range(1, MOST + 1))
    s["plies"] = read.read_int(given, "moves", 0, range(game.config["max_moves"] + 1))
    s["rewards"] = read.read_numbers(given, "rewards", 2) or 0.0
    read.read_stream(given, s)
    return state
