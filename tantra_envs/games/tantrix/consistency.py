"""Check records of Tantrix that come from outside.

The places of the tiles are checked first. Everything that follows from them, such as the border and the longest
lines, is computed again and compared.
"""

from __future__ import annotations

import numpy as np

from ...core.compiled.jit import entry_point, kernel
from ...core.consistency import Array, Tables
from ...core.game import Game
from ...core.state import Record
from .board.hexes import OPEN, close_start, facing_at, put, spot
from .board.lines import score_lines
from .board.tiles import matches, shown
from .material import COLOURS, HAND, SIDES, TILES
from .notation.boards import FAR
from .rules import clear_table
from .state import ENDLESS, MOST_ACTS, ORIGIN, ROW, Encoding, Mode, Phase

# Computed from the cells of the tiles.
DERIVED = ("board", "border", "facing", "touch", "lines", "box", "best", "border_n", "placed")
OUTSIDE = 1 << 20  # limit of placements outside the window, far more than any game has


def check(game: Game, tables: Tables) -> None:
    """Check all records of a game.

    Raises:
        ValueError: A tile is in two places, the board does not follow from its tiles, or the turn is impossible.
    """
    _check_board(game, tables)
    _check_held(game, tables)
    _check_kit(game, tables)
    _check_colours(game, tables)
    _check_turn(game, tables)
    _check_race(game, tables)
    _check_derived(game, tables)


def _check_board(game: Game, tables: Tables) -> None:
    """Check that the placed tiles are on different cells that have numbers."""
    cell, rot = tables["cell"].astype(int), tables["rot"]
    lies = cell != 0
    q, r = np.abs(cell % ROW - ORIGIN), np.abs(cell // ROW - ORIGIN)
    tables.require(
        ~lies | ((cell > 0) & (np.maximum(q, r) <= FAR)), f"the cell of a tile is more than {FAR} from (0, 0)"
    )
    tables.require(
        (rot >= 0) & (rot < SIDES) & (lies | (rot == 0)),
        f"the rotation of a tile is not 0..{SIDES - 1}, or not 0 off the board",
    )
    tables.require(~lies[:, 0], "tile 0 is on the board")
    spots = np.where(lies, cell, -np.arange(TILES + 1))
    ordered = np.sort(spots, axis=1)
    tables.require(ordered[:, 1:] != ordered[:, :-1], "two tiles are on one cell")


def _check_held(game: Game, tables: Tables) -> None:
    """Check that no tile is in two places, counting board, hands, bag, piles and penalty stacks."""
    n, slots = game.players, int(game.blank["opt"]["slots"][0])
    tables.within("hands", 0, TILES)
    tables.nobody(n, "hands", "piles", "piles_n", "penalty", "penalty_n")
    held = HAND if game.config["mode"] == "strategy" else 0 if _is_puzzle(game) else 1
    tables.require(tables["hands"][:, :, min(held, slots) :] == 0, "a hand has more tiles than slots")
    counts = (tables["cell"] != 0).astype(int)
    hands = tables["hands"].reshape(tables.n, -1)
    counts += tables.tally(hands, hands > 0, TILES + 1)
    for tiles in ("bag", "piles", "penalty"):
        inside = tables.listed(tiles, f"{tiles}_n", 1, TILES).reshape(tables.n, -1)
        counts += tables.tally(tables[tiles].reshape(tables.n, -1), inside, TILES + 1)
    tables.require(counts <= 1, "a tile is in two places")
    piled = tables.tally(tables["piles"].reshape(tables.n, -1), tables["piles"].reshape(tables.n, -1) > 0, TILES + 1)
    tables.flags("known")
    tables.require(tables["known"] <= piled, "known tiles are not in the piles")


def _is_puzzle(game: Game) -> bool:
    return bool(game.blank["opt"]["mode"][0] >= Mode.DISCOVERY)


def _check_kit(game: Game, tables: Tables) -> None:
    """Check that a puzzle has only tiles of its kit, inside its shape, with the given tiles in their cells."""
    if not _is_puzzle(game):
        return
    opt = game.blank["opt"][0]
    kit, shape = opt["kit"][: opt["kit_n"]], opt["cells"][: opt["cells_n"]]
    others = np.setdiff1d(np.arange(TILES + 1), kit)
    tables.require(tables["cell"][:, others] == 0, "a tile on the board is not in the kit")
    if len(shape):
        tables.require(np.isin(tables["cell"], [0, *shape]), "a tile is outside the shape")
    for tile, cell, rot in zip(kit, opt["given_cell"], opt["given_rot"], strict=False):
        if cell:
            tables.require(
                (tables["cell"][:, tile] == cell) & (tables["rot"][:, tile] == rot), "a given tile has moved"
            )


def _check_colours(game: Game, tables: Tables) -> None:
    """Check the colours of the seats and the order of the other colours; in Solitaire the missing one is last."""
    mode, opt, n = game.config["mode"], game.blank["opt"][0], game.players
    every = np.arange(1, len(COLOURS) + 1)
    tables.require(np.sort(tables["colours"], axis=1) == every, "colours must contain each colour once")
    if mode == "strategy":
        tables.require(
            (opt["colours"][:n] == 0) | (tables["colours"][:, :n] == opt["colours"][:n]),
            "the colours of the seats differ from the option colours",
        )
        tables.require(np.diff(tables["colours"][:, n:], axis=1) > 0, "the colours without a seat are not ascending")
    elif mode != "solitaire":
        tables.require(tables["colours"] == every, "colours are not ascending")


def _check_turn(game: Game, tables: Tables) -> None:
    opt, going = game.blank["opt"][0], tables["over"] == 0
    tables.within("plies", 0, ENDLESS)
    tables.require(
        ~going | (tables["plies"] < opt["move_limit"]),
        "plies has reached the limit of actions, but the game is not over",
    )
    tables.flags("deadlock")
    tables.require(~going | (tables["deadlock"] == 0), "deadlock is set, but the game is not over")
    tables.require(~going[:, None] | (tables["rewards"] == 0), "rewards are not 0 before the end")
    shows = opt["encoding"] == Encoding.WINDOW
    tables.within("last", 0, TILES if shows else 0)
    lies = np.take_along_axis(tables["cell"], np.maximum(tables["last"], 0)[:, None].astype(int), 1)[:, 0] != 0
    tables.require((tables["last"] == 0) | lies, "the last tile is not on the board")
    tables.within("outside_window", 0, OUTSIDE if shows else 0)
    if game.config["mode"] == "strategy":
        tables.require(tables["phase"] <= Phase.OVER, "phase belongs to another mode")
    elif game.config["mode"] != "gobble":
        tables.require(np.isin(tables["phase"], (Phase.FREE, Phase.OVER)), "phase belongs to another mode")
    else:
        phases = (Phase.PLACE, Phase.OVER, Phase.BONUS if game.players == 1 else Phase.OFFLOAD)
        tables.require(np.isin(tables["phase"], phases), "phase belongs to another mode")
        bonus = (tables["hands"][:, 0, 0] == 0) & (tables["penalty_n"][:, 0] > 0)
        tables.require((tables["phase"] != Phase.BONUS) | bonus, "phase BONUS needs an empty hand and a penalty tile")
    if game.config["mode"] in ("strategy", "solitaire"):
        tables.require(tables["plies"] == tables["placed"], "plies is not the number of placed tiles")


def _check_race(game: Game, tables: Tables) -> None:
    """Check the round of a race, and that exactly the seats without tiles are out."""
    n, races = game.players, game.config["mode"] == "gobble" and game.players > 1
    tables.within("first", 0, n - 1 if races else 0)
    tables.within("acts", -1 if races else 0, MOST_ACTS if races else 0)
    tables.within("passes", 0, n if races else 0)
    tables.nobody(n if races else 0, "out")
    tables.within("out", 0, n)
    if not races:
        tables.require(tables["gone"] == 0, "gone is not 0 outside a race")
        return
    owned = tables["piles_n"].astype(int) + tables["penalty_n"] + (tables["hands"][:, :, 0] > 0)
    out = tables["out"][:, :n]
    tables.require((out > 0) == (owned[:, :n] == 0), "out must be set for exactly the seats without tiles")
    tables.require(tables["gone"] == (out > 0).sum(1), "gone is not the number of seats that are out")
    going, row, seat = tables["over"] == 0, np.arange(tables.n), tables["seat"]
    tables.require(~going | ((owned[row, seat] > 0) & (tables["gone"] < n - 1)), "no seat is left to decide")
    turned_up = (tables["hands"][row, seat, 0] > 0) | (tables["piles_n"][row, seat] == 0)
    tables.require(
        (tables["phase"] != Phase.PLACE) | turned_up, "in phase PLACE the seat has a pile but no tile in hand"
    )
    places = np.sort(np.where(out > 0, out, n + 1), axis=1)
    in_order = np.where(np.arange(n) < tables["gone"][:, None], np.arange(1, n + 1), n + 1)
    tables.require(places == in_order, "out must count 1, 2, .. in the order of going out")


def _check_derived(game: Game, tables: Tables) -> None:
    """Place all tiles again and compare the fields that follow from them."""
    again, right = game.blanks(tables.n), np.zeros(tables.n, bool)
    _lay_out(again, tables.states, right)
    tables.require(right, "the tiles are not connected, or touching sides differ")
    if game.config["mode"] == "gobble":
        again["best"] = 0  # Gobble has no scores of lines
    for field in DERIVED:
        tables.require(tables[field] == again[field], f"{field} does not follow from the tiles on the board")


@entry_point
def _lay_out(again: Record, states: Record, right: Array) -> None:
    """Place the tiles of `states` on the empty tables `again`; set `right` where all tiles match and have a place."""
    for i in range(len(states)):
        right[i] = _lay_tiles(again[i], states[i])


@kernel
def _lay_tiles(s: Record, given: Record) -> bool:
    """Place each tile next to a placed one, so that the border stays short; return whether all could be placed."""
    clear_table(s)
    shape, left = int(s.opt.cells_n), 0
    for tile in range(1, TILES + 1):
        left += given.cell[tile] != 0
    if shape > 0 or left > 0:
        close_start(s)
    first = left > 0
    while left > 0:
        before = left
        for tile in range(1, TILES + 1):
            cell = int(given.cell[tile])
            if cell != 0 and s.cell[tile] == 0 and (first or shape > 0 or s.board[spot(cell)] <= OPEN):
                if not matches(shown(tile, int(given.rot[tile])), facing_at(s, cell)):
                    return False
                put(s, tile, cell, int(given.rot[tile]))
                score_lines(s, tile)
                left -= 1
                first = False
        if left == before:
            return False
    return True
