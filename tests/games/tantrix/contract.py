"""What the checks for all games need to know about Tantrix: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantrix import legal_placements

from .model import STEPS, gobbles, match, sound

BASE = {}  # Strategy for two reaches every phase
TABLES = [
    {"players": 2},
    {"mode": "solitaire"},
    {"players": 4},
    {"players": 3},
    *[{"mode": "solitaire", "missing": colour} for colour in "RYGB"],
    *[{"mode": "solitaire", "goal": colour} for colour in "RYGB"],
]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return game.config["mode"] == "strategy"


def invariants(game: Game, state: States) -> None:
    """Every tile in exactly one place, all sides match, and what the restraints promise [R5, S10]."""
    s, position = state[0], game.position(state)
    board = {(q, r): (tile, rot) for tile, q, r, rot in position["board"]}
    hands = [tile for hand in position.get("hands", [[position.get("hand")]]) for tile in hand if tile]
    tiles = sorted([tile for tile, *_ in position["board"]] + hands + position["bag"])
    assert len(set(tiles)) == len(tiles) == (14 if game.config["mode"] == "solitaire" else 56), tiles
    assert match(board), "touching sides of different colours"
    _check_border(s, board)
    if game.config["mode"] == "strategy" and position["bag"]:
        assert sound(board), "the Tantrix breaks a restraint"
        assert all(len(gobble) == 3 for gobble in gobbles(board).values()), "a double gobble with tiles in the bag"
        if position["phase"] == "FREE":
            forced = gobbles(board)
            assert not any((q, r) in forced for _, q, r, _ in legal_placements(state)), "a free move fills a gobble"


def _check_border(s: np.void, board: dict) -> None:
    """The border is the empty cells beside the tiles, sorted, and its tail is zero."""
    beside = {(q + dq, r + dr) for q, r in board for dq, dr in STEPS} - set(board) or {(0, 0)}
    cells = [(cell % 128 - 64, cell // 128 - 64) for cell in s["border"][: s["border_n"]].tolist()]
    assert cells == sorted(beside, key=lambda cell: cell[::-1])
    for name in ("border", "facing", "touch"):
        assert not s[name][s["border_n"] :].any(), f"{name} behind the end of the border"
    assert not s["bag"][s["bag_n"] :].any(), "tiles behind the end of the bag"
