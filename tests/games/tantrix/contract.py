"""What the checks for all games need to know about Tantrix: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantrix import legal_placements
from tantra_envs.games.tantrix.agents.standing import owned

from .reference import STEPS, board_of, gobbles, match, sound

BASE = {}  # Strategy for two reaches every phase
TABLES = [
    {"players": 2},
    {"mode": "gobble", "players": 3, "rotate_start": True, "speeds": [1, 2, 1], "encoding": "frontier"},
    {"mode": "solitaire", "encoding": "window", "window": 15},
    {"players": 4},
    {"mode": "gobble", "players": 1},
    {"mode": "gobble", "players": 6, "handicap": [0, 3, 0, 0, 1, 0]},
    {"mode": "gobble", "free_discard": True, "reward": "margin"},
    {"mode": "solitaire", "missing": "R", "goal": "G", "lookahead": 3},
    {"mode": "discovery", "puzzle": 7, "allow_remove": True, "holes": "single", "max_steps": 30},
    {"mode": "discovery", "puzzle": 6, "walk": True, "allow_remove": True, "max_steps": 25},
    {"mode": "rainbow", "puzzle": "blue", "reward": "margin"},
    {"players": 3, "hand_size": 4, "loop_factor": 3, "unrestrained": 10},
]
PUZZLES = ("discovery", "rainbow", "daily")

# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [
    ({}, 1),
    ({"players": 3, "colours": "random", "encoding": "window", "window": 15}, 1),
    ({"players": 2, "max_steps": 12}, 1),
    ({"mode": "solitaire", "lookahead": 2}, 1),
    ({"mode": "gobble", "players": 1}, 1),
    ({"mode": "gobble", "players": 3}, 1),
    ({"mode": "discovery", "puzzle": 6, "allow_remove": True, "max_steps": 20}, 1),
    ({"mode": "discovery", "puzzle": 6, "walk": True}, 1),
    ({"mode": "rainbow", "puzzle": "blue"}, 1),
    ({"mode": "daily"}, 1),
]
SET_UP = [({}, {"board": [[1, 0, 0, 0], [2, 1, 0, 2]], "hands": [[3, 4], [5]], "bag": [6, 7]})]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return game.players > 1


def hides(game: Game) -> bool:
    """Is anything hidden? In puzzles nothing is. With five tiles, samples of a game may show every order by chance."""
    return game.config["mode"] not in PUZZLES and game.config["deck_tiles"] == "all"


def invariants(game: Game, state: States) -> None:
    """Check that every tile is in one place, all sides match, and what the restraints promise [R5, S10]."""
    s, position = state[0], game.position(state)
    board = board_of(position["board"])
    cards = game.fields.cards(state)[0]
    tiles = np.flatnonzero(cards).tolist()
    assert len(tiles) == cards.sum(), f"tiles in two places: {np.flatnonzero(cards > 1)}"
    if game.config["mode"] in PUZZLES:
        assert set(tiles) <= set(s["opt"]["kit"].tolist()), "a tile that is not in the kit"
    else:
        whole = 5 if game.config["deck_tiles"] == "mini" and game.config["mode"] == "strategy" else 56
        assert len(tiles) == (14 if game.config["mode"] == "solitaire" else whole), tiles
    assert match(board), "touching sides of different colours"
    check_border(s, board)
    if game.config["mode"] == "strategy" and len(position["bag"]) > game.config["unrestrained"]:
        assert sound(board), "the Tantrix breaks a restraint"
        assert all(len(gobble) == 3 for gobble in gobbles(board).values()), "a double gobble with tiles in the bag"
        if position["phase"] == "FREE":
            forced = gobbles(board)
            assert not any((q, r) in forced for _, q, r, _ in legal_placements(state)), "a free move fills a gobble"


def check_border(s: np.void, board: dict) -> None:
    """The border is the empty cells beside the tiles, sorted, and its tail is zero."""
    start = set() if s["opt"]["cells_n"] else {(0, 0)}
    beside = {(q + dq, r + dr) for q, r in board for dq, dr in STEPS} - set(board) or start
    cells = [(cell % 128 - 64, cell // 128 - 64) for cell in s["border"][: s["border_n"]].tolist()]
    assert cells == sorted(beside, key=lambda cell: cell[::-1])
    for name in ("border", "facing", "touch"):
        assert not s[name][s["border_n"] :].any(), f"{name} behind the end of the border"


def winners(game: Game, state: States) -> list[int]:
    """The seats with the longest line, or in Gobble those that went out first or own the fewest tiles."""
    s = state[0]
    if s["truncated"] or game.players == 1 or (s["deadlock"] and game.config["deadlock"] == "draw"):
        return []
    if game.config["mode"] == "strategy":
        values = [-int(s["best"][s["colours"][seat]]) for seat in range(game.players)]
    else:
        values = [int(tiles) for tiles in owned(s)[: game.players]]
        if game.config["reward"] == "place":
            values = [int(out) or 100 + tiles for out, tiles in zip(s["out"], values, strict=False)]
    return [seat for seat, value in enumerate(values) if value == min(values)]
