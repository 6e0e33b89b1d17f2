"""The one check of Tantrix tables that come from outside: records that are loaded, and positions.

The places of the tiles are checked first. Everything that follows from them, such as the border and the longest
lines, is computed again and compared.
"""

from __future__ import annotations

import numpy as np

from ....core.compiled.jit import kernel
from ....core.compiled.starting import seldom
from ....core.consistency import Tables
from ....core.fields import Array
from ....core.game import Game
from ....core.state import Record
from ..agents.standing import owned
from ..board.hexes import OPEN, close_start, facing_at, put, spot
from ..board.lines import follow, score_lines
from ..board.tiles import matches, shown
from ..material import COLOURS, TILES
from ..modes import puzzle, strategy
from ..modes.walk import side_of
from ..rules import clear_table
from ..state import ORIGIN, ROW, Encoding, Mode, Phase
from .boards import FAR

# Computed from the cells of the tiles.
DERIVED = ("board", "border", "facing", "touch", "lines", "box", "best", "border_n", "placed")


def check(game: Game, tables: Tables) -> None:
    """Check all records of a game.

    Raises:
        ValueError: A tile is in two places, the board does not follow from its tiles, or the turn is impossible.
    """
    _check_board(game, tables)
    _check_held(game, tables)
    _check_derived(game, tables)
    _check_kit(game, tables)
    _check_colours(game, tables)
    _check_turn(game, tables)
    _check_race(game, tables)


def _check_board(game: Game, tables: Tables) -> None:
    """Check that the placed tiles are on different cells that have numbers."""
    cell, rot = tables["cell"].astype(int), tables["rot"]
    lies = cell != 0
    q, r = np.abs(cell % ROW - ORIGIN), np.abs(cell // ROW - ORIGIN)
    near = (cell > 0) & (np.maximum(q, r) <= FAR)
    tables.require((~lies | near) & ~(lies & (np.arange(TILES + 1) == 0)), "cell", f"cells at most {FAR} from (0, 0)")
    tables.require(lies | (rot == 0), "rot", "0 off the board")
    ordered = np.sort(np.where(lies, cell, -np.arange(TILES + 1)), axis=1)
    tables.require(ordered[:, 1:] != ordered[:, :-1], "cell", "at most one tile on a cell")


def _check_held(game: Game, tables: Tables) -> None:
    """Check that no tile is in two places, counting board, hands, bag, piles and penalty stacks."""
    slots = int(game.blank["opt"]["slots"][0])
    held = game.config["hand_size"] if game.config["mode"] == "strategy" else 0 if _is_puzzle(game) else 1
    tables.require(tables["hands"][:, :, min(held, slots) :] == 0, "hands", f"at most {min(held, slots)} tiles")
    counts = game.fields.cards(tables.states)
    twice = np.flatnonzero((counts > 1).any(axis=0))
    places = "on the board, in hands, bag, piles and penalty stacks together"
    tables.require((counts <= 1).all(axis=1), "cell", f"each tile once {places}; there twice: {twice.tolist()}")
    tables.require(tables["known"] <= tables.counted("piles", TILES + 1).sum(1), "known", "tiles in the piles")


def _is_puzzle(game: Game) -> bool:
    return bool(game.blank["opt"]["mode"][0] >= Mode.DISCOVERY)


def _check_kit(game: Game, tables: Tables) -> None:
    """Check that a puzzle has only tiles of its kit, inside its shape, with the given tiles in their cells."""
    if not _is_puzzle(game):
        return
    opt = game.blank["opt"][0]
    kit, shape = opt["kit"][: opt["kit_n"]], opt["cells"][: opt["cells_n"]]
    others = np.setdiff1d(np.arange(TILES + 1), kit)
    tables.require(tables["cell"][:, others] == 0, "cell", "tiles of the kit")
    if len(shape):
        tables.require(np.isin(tables["cell"], [0, *shape]), "cell", "cells of the shape")
    for tile, cell, rot in zip(kit, opt["given_cell"], opt["given_rot"], strict=False):
        right = (tables["cell"][:, tile] == cell) & (tables["rot"][:, tile] == rot) | (cell == 0)
        tables.require(right, "cell", "each tile given from the start in its own cell and rotation")
    ends, lined = np.zeros(tables.n, bool), np.ones(tables.n, bool)
    _look_at_puzzles(tables.states, ends, lined)
    tables.require(~ends | (tables["over"] == 1), "cell", "an unsolved puzzle with a legal action")
    tables.require(lined | (tables["over"] == 1), "cell", "tiles on one line from the first tile (W7)")


@seldom
def _look_at_puzzles(states: Record, ends: Array, lined: Array) -> None:
    """Find out which puzzles are solved or have no action, and in which walks all tiles are on one line."""
    for i in range(len(states)):
        s = states[i]
        ends[i] = puzzle.is_solved(s) or not puzzle.can_go_on(s)
        if s.opt.walk:
            first = int(s.opt.kit[0])
            lined[i] = 1 + abs(follow(s, int(s.cell[first]), side_of(s, first, 0))) == s.placed


def _check_colours(game: Game, tables: Tables) -> None:
    """Check the colours of the seats and the order of the other colours; in Solitaire the missing one is last."""
    mode, opt, n, colours = game.config["mode"], game.blank["opt"][0], game.players, tables["colours"]
    every = np.arange(1, len(COLOURS) + 1)
    tables.require(np.sort(colours, axis=1) == every, "colours", "each colour once")
    if mode == "strategy":
        fits = (opt["colours"][:n] == 0) | (colours[:, :n] == opt["colours"][:n])
        tables.require(fits, "colours", "the colours of the option `colours`")
        tables.require(np.diff(colours[:, n:], axis=1) > 0, "colours", "colours without a seat ascending")
    elif mode != "solitaire":
        tables.require(colours == every, "colours", "all colours ascending")


def _check_turn(game: Game, tables: Tables) -> None:
    opt, going, mode = game.blank["opt"][0], tables["over"] == 0, game.config["mode"]
    tables.require(~going | (tables["deadlock"] == 0), "deadlock", "false while the game goes on")
    tables.require(~going[:, None] | (tables["rewards"] == 0), "rewards", "zeros before the end")
    shows = opt["encoding"] == Encoding.WINDOW
    last = tables["last"]
    lies = np.take_along_axis(tables["cell"], last[:, None].astype(int), 1)[:, 0] != 0
    tables.require((last == 0) | (lies & shows), "last", "null, or a tile on the board")
    tables.require(shows | (tables["outside_window"] == 0), "outside_window", "0 without a window")
    allowed = [Phase.FREE, Phase.OVER]
    if mode == "strategy":
        allowed += [Phase.FILL, Phase.REFILL]
    elif mode == "gobble":
        allowed = [Phase.PLACE, Phase.OVER, Phase.BONUS if game.players == 1 else Phase.OFFLOAD]
    names = ", ".join(phase.name for phase in sorted(allowed) if phase != Phase.OVER)
    tables.require(np.isin(tables["phase"], allowed), "phase", names)
    if mode == "gobble":
        bonus = (tables["hands"][:, 0, 0] == 0) & (tables["penalty_n"][:, 0] > 0)
        words = f"{names}; BONUS only with an empty hand and a penalty stack"
        tables.require((tables["phase"] != Phase.BONUS) | bonus, "phase", words)
    elif mode in ("strategy", "solitaire"):
        tables.follows("plies", tables["placed"])
        holds = (tables["hands"][np.arange(tables.n), tables["seat"]] > 0).any(axis=1)
        tables.require(~going | holds, "seat", "a seat with a tile in hands")


def _check_race(game: Game, tables: Tables) -> None:
    """Check the round of a race, and that exactly the seats without tiles are out."""
    n, races = game.players, game.config["mode"] == "gobble" and game.players > 1
    if not races:
        for field in ("first", "acts", "passes", "out", "gone"):
            tables.require(tables[field] == 0, field, "0 outside a race")
        return
    tables.within("passes", 0, n)
    out = tables["out"][:, :n]
    empty: Array = owned(tables.states)[:, :n] == 0
    tables.follows("gone", (out > 0).sum(1))
    places = np.sort(np.where(out > 0, out, n + 1), axis=1)
    in_order = np.where(np.arange(n) < tables["gone"][:, None], np.arange(1, n + 1), n + 1)
    right = ((out > 0) == empty).all(axis=1) & (places == in_order).all(axis=1)
    tables.require(right, "out", "the seats without tiles in their order")
    going, row, seat = tables["over"] == 0, np.arange(tables.n), tables["seat"]
    decides = ~empty[row, seat] & (tables["gone"] < n - 1)
    tables.require(~going | decides, "seat", "a seat that owns a tile, with an opponent who does")
    turned_up = (tables["hands"][row, seat, 0] > 0) | (tables["piles_n"][row, seat] == 0)
    allowed = "a tile for the seat to decide, which still has a pile"
    tables.require((tables["phase"] != Phase.PLACE) | turned_up, "hand", allowed)


def _check_derived(game: Game, tables: Tables) -> None:
    """Place all tiles again and compare the fields that follow from them."""
    again, right = game.blanks(tables.n), np.zeros(tables.n, bool)
    _lay_out(again, tables.states, right)
    tables.require(right, "cell", "connected tiles with touching sides of the same colour")
    if game.config["mode"] == "gobble":
        again["best"] = 0  # Gobble has no scores of lines
    for field in DERIVED:
        tables.follows(field, again[field])


@seldom
def settle_all(states: Record) -> None:
    """Skip the steps of a turn without a legal placement. What the window did not show is counted already."""
    for i in range(len(states)):
        s = states[i]
        if s.opt.mode == Mode.STRATEGY and s.over == 0:
            outside = int(s.outside_window)
            strategy.run_on(s)
            s.outside_window = outside


@seldom
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
