"""One Tantrix table as a record, and the configuration fields.

The board lies on a torus of 64 x 64 spots: a Tantrix of 56 tiles can never reach round it, so it may grow in any
direction. Beside the tiles it keeps its border, the empty spaces next to it with the colours shown to each; every
placement renews only the spaces round it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.options import Config, Matching, Option, Options
from ...core.state import States, header, record
from .actions import MAX_SPACES
from .material import COLOURS, HAND, MAX_SEATS, TILES

FILL, FREE, REFILL, OVER = range(4)
PHASES = ("FILL", "FREE", "REFILL", "OVER")
MODES = ("strategy", "solitaire")
STRATEGY, SOLITAIRE = range(2)
DEADLOCKS = ("draw", "score", "pass")
DRAW, SCORE, PASS = range(3)
REWARDS = ("place", "margin")
PLACE, MARGIN = range(2)
RANDOM = "random"
SPOTS = 64  # the side of the torus
ENDLESS = 1000  # more placements than any game has

OPTIONS = Options(
    "tantrix",
    Option("mode", "strategy", MODES, "the game played with the tiles"),
    Option("players", 2, range(1, MAX_SEATS + 1), "seats at the table: 2..4, in Solitaire 1"),
    Option("colours", "RYGB", Matching("[RYGB]{1,4}|random", "letters of RYGB or 'random'"), "Strategy: by seat (S1)"),
    Option("deadlock", "draw", DEADLOCKS, "Strategy: what happens without a free move (S15)"),
    Option(
        "missing",
        RANDOM,
        Matching("random|[RYGB]", "'random', a letter of RYGB"),
        "Solitaire: the colour left out (T1)",
    ),
    Option(
        "goal", "best", Matching("best|[RYGB]", "'best', a letter of RYGB"), "Solitaire: the colour that counts (T5)"
    ),
    Option("max_steps", 0, range(0, ENDLESS), "placements until the cut-off, 0 = none"),
    Option("reward", "place", REWARDS, "what the end pays: by place or by points (S17, T6)"),
)

OPT = record(
    [
        ("move_limit", np.int32),
        ("mode", np.int8),
        ("slots", np.int8),  # tiles in a hand
        ("colours", np.int8, (MAX_SEATS,)),  # by seat, 0 = drawn
        ("deadlock", np.int8),
        ("missing", np.int8),  # 0 = drawn
        ("goal", np.int8),  # 0 = the best of all
        ("reward", np.int8),
    ]
)

STATE = record(
    [
        *header(MAX_SEATS),
        ("opt", OPT),
        ("facing", np.int32, (MAX_SPACES,)),  # sides shown to each space of the border, three bits a direction
        ("border", np.int16, (MAX_SPACES,)),  # empty cells next to the Tantrix, sorted
        ("cell", np.int16, (TILES + 1,)),  # where each tile lies, 0 = not on the table
        ("touch", np.int8, (MAX_SPACES,)),  # tiles round each space of the border
        ("border_n", np.int16),
        ("placed", np.int8),
        ("bag_n", np.int8),
        ("deadlock", np.int8),  # 1 = ended by one
        ("colours", np.int8, (MAX_SEATS,)),  # of the seats, then the colours nobody has in their order
        ("best", np.int8, (len(COLOURS) + 1,)),  # score of each colour (D8)
        ("box", np.int8, (4,)),  # lowest q, highest q, lowest r, highest r of the tiles
        ("rot", np.int8, (TILES + 1,)),
        ("hands", np.int8, (MAX_SEATS, HAND)),  # tile numbers by slot, 0 = empty
        ("bag", np.int8, (TILES,)),  # tiles to come, next last
        ("lines", np.int8, (3 * SPOTS,)),  # tiles on each line of cells: q, r, s constant
        ("board", np.int8, (SPOTS * SPOTS,)),  # tile number; 0 = nothing near; border: see hexes.put
    ]
)


def resolve(given: Mapping[str, Any]) -> Config:
    """Every configuration field; ValueError for what the rules refuse."""
    alone = given.get("mode") == "solitaire"
    config = OPTIONS.resolve({"players": 1, **given} if alone else given)
    if (config["players"] == 1) != alone:
        allowed = "1" if alone else f"2..{MAX_SEATS}"
        raise ValueError(
            f"tantrix: players={config['players']} is not allowed with mode={config['mode']!r}; allowed: {allowed}"
        )
    colours = config["colours"]
    if colours != RANDOM and (len(set(colours)) < len(colours) or len(colours) < config["players"]):
        raise ValueError(f"tantrix: colours={colours!r} is not allowed; allowed: a different letter for each seat")
    if alone and config["goal"] == config["missing"]:
        raise ValueError(f"tantrix: goal={config['goal']!r} is not allowed; allowed: a colour that is not missing")
    return config


def blank(config: Config) -> States:
    """One table under `config` with nothing dealt, shape (1,)."""
    states = np.zeros(1, STATE)
    states["seats"] = config["players"]
    opt = states[0]["opt"]
    opt["move_limit"] = config["max_steps"] or ENDLESS
    opt["mode"] = MODES.index(config["mode"])
    opt["slots"] = hand_size(config["mode"])
    opt["deadlock"] = DEADLOCKS.index(config["deadlock"])
    opt["reward"] = REWARDS.index(config["reward"])
    opt["missing"] = COLOURS.find(config["missing"]) + 1
    opt["goal"] = COLOURS.find(config["goal"]) + 1
    if config["colours"] != RANDOM:
        named = config["colours"] + "".join(colour for colour in COLOURS if colour not in config["colours"])
        opt["colours"] = [COLOURS.index(colour) + 1 for colour in named]
    return states


def hand_size(mode: str) -> int:
    """Slots of a hand."""
    return 1 if mode == "solitaire" else HAND
