"""Tantrix as text: words of placements, fixed draw orders, and the table as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core import notation as read
from ....core.actions import ActionBlocks, Hole
from ....core.compiled.starting import seldom
from ....core.game import Game
from ....core.rng import seed_stream
from ....core.state import Record, States
from .. import rules
from ..actions import actions as numbered
from ..board.hexes import FORCED
from ..material import COLOURS, EDGES, SMALL_DECKS, TILES, turned, without
from ..puzzles.daily import puzzle_of
from ..state import PHASES, RANDOM, Mode, read_tiles
from ..state import placements as number_of_placements
from . import boards, placements
from .positions import colours_of, from_position, position

__all__ = ["actions", "deal_given", "deck", "from_position", "picture", "position"]

_PLACEMENT = re.compile(r"([0-9]{1,2}):(-?[0-9]{1,2}),(-?[0-9]{1,2})/([0-5])")
_NOTHING = re.compile(r"none ([0-9]{1,6})")


# Actions


class _Placement(Hole):
    """`7:1,-1/5` is tile 7 on the cell q = 1, r = -1 with rotation 5; `none 13` is an id without a placement."""

    def __init__(self, size: int, prefix: str = "") -> None:
        super().__init__((), size)
        self._prefix, self._first = prefix, size if prefix else 0

    def write(self, state: States, index: int) -> str:
        """Return the words of a placement."""
        placement = placements.placement_of(state, index, bool(self._prefix))
        if placement is None:
            return f"none {self._first + index}"
        tile, q, r, rot = placement
        return f"{self._prefix}{tile}:{q},{r}/{rot}"

    def read(self, state: States, text: str) -> int | None:
        """Return the number of a placement in words, or None if this table has no such placement."""
        stack = bool(self._prefix)
        if words := _NOTHING.fullmatch(text):
            index = int(words[1]) - self._first
            is_free = 0 <= index < self.size and placements.placement_of(state, index, stack) is None
            return index if is_free else None
        if text.startswith(self._prefix) and (words := _PLACEMENT.fullmatch(text.removeprefix(self._prefix))):
            tile, q, r, rot = map(int, words.groups())
            index = placements.index_of(state, (tile, q, r, rot), stack)
            return index if 0 <= index < self.size else None
        return None

    def hint(self, state: States) -> str:
        """Return the form of a placement."""
        return f"{self._prefix}TILE:Q,R/ROT, as {self._prefix}7:1,-1/5"


def actions(config: Mapping[str, Any]) -> ActionBlocks:
    """Return the actions of a configuration with their words."""
    puzzle = puzzle_of(config)
    size, kit = number_of_placements(config, puzzle), len(puzzle.kit) if puzzle else 0
    holes = {"placement": _Placement(size), "penalty": _Placement(size, "penalty "), "cell": Hole(_cells_of_kit, kit)}
    return numbered(config, **holes)


def _cells_of_kit(state: States) -> list[str]:
    """Return the cell of every tile of the kit, such as `1,-1`, or `none 13` if tile 13 is not placed."""
    s = state[0]
    cells = [(int(tile), int(s["cell"][tile])) for tile in s["opt"]["kit"][: s["opt"]["kit_n"]]]
    return ["{},{}".format(*boards.place_of(cell)) if cell else f"none {tile}" for tile, cell in cells]


# Fixed decks


def deal_given(game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
    """Deal. With a fixed `deck`, all tiles in the order of drawing, the order of the tiles uses no random number."""
    decks = [given[name] for name in game.deal_options if given.get(name) is not None]
    if len(decks) > 1:
        raise ValueError(f"{game.name}: deck and draw_order are two names of one option; give one of them")
    if not decks:
        game.drivers.deal_rows(state, np.zeros(1, np.int64), np.array([seed]))
        return
    _deal_given(state, seed, np.array(_read_deck(game, decks[0]), np.int64))


def _read_deck(game: Game, given: Any) -> list[int]:
    (whole,) = read.split_decks(game.name, given, 1)
    tiles = read_tiles("deck", whole)
    if game.config["mode"] == "solitaire":
        missing, goal = game.config["missing"], game.config["goal"]
        colours = [c for c in COLOURS if missing in (RANDOM, c) and c != goal]
        if sorted(tiles) not in [without(colour) for colour in colours]:
            raise ValueError(f"{game.name}: deck is not the 14 tiles without one colour of {', '.join(colours)}")
    elif sorted(tiles) != (whole := [int(tile) for tile in deck(game)]):
        words = f"1..{TILES}" if len(whole) == TILES else ", ".join(map(str, whole))
        raise ValueError(f"{game.name}: deck has {len(set(tiles))} different tiles; allowed: each of {words} once")
    return tiles


def deck(game: Game) -> list[str]:
    """Return all tiles of the deck, ascending; in Solitaire all tiles of all colours."""
    small = int(game.blank["opt"]["deck_tiles"][0])
    return [str(tile) for tile in range(1, TILES + 1) if not small or SMALL_DECKS[small, tile]]


@seldom
def _deal_given(states: Any, seed: int, deck: Any) -> None:
    s: Record = states[0]
    seed_stream(s.rng, seed)
    rules.clear_table(s)
    s.bag_n = len(deck)
    for i in range(len(deck)):
        s.bag[i] = deck[len(deck) - 1 - i]
    rules.begin(s)


# Pictures


def picture(game: Game, state: States, seat: int | None) -> str:
    """Draw the Tantrix as text with the colours of all sides, and the hands; without a seat also the bag."""
    s = state[0]
    deciding = "" if s["over"] else f", seat {s['seat']} to decide"
    bag = s["bag"][: s["bag_n"]][::-1].tolist()
    seen = bag if seat is None else bag[: s["opt"]["lookahead"]]
    come = f": {' '.join(map(str, seen))}" if seen else ""
    laid = "  ".join(f"{tile}:{q},{r}/{rot}" for tile, q, r, rot in boards.listed(s))  # the drawing has no coordinates
    return "\n".join(
        [
            f"Tantrix {game.config['mode']}, {s['placed']} placed, {PHASES[s['phase']]}{deciding}",
            *([_task(s)] if s["opt"]["mode"] >= Mode.DISCOVERY else [f"to come ({len(bag)}){come}"]),
            *_drawn(s),
            *([f"laid: {laid}"] if laid else []),
            *[_picture_of_seat(state, shown) for shown in range(game.players)],
            *([_end(state)] if s["over"] else []),
        ]
    )


def _task(s: Any) -> str:
    """Describe the goal of the puzzle."""
    colour = f" in {COLOURS[s['opt']['colour'] - 1]}" if s["opt"]["colour"] else ""
    task = ("one loop", "one line", "a full shape")[s["opt"]["task"]]
    return f"wanted: {task}{colour} of all {s['opt']['kit_n']} tiles"


def _picture_of_seat(state: States, seat: int) -> str:
    s = state[0]
    mark = ">" if seat == s["seat"] and not s["over"] else " "
    hand = "  ".join(f"{tile} {EDGES[tile - 1]}" for tile in s["hands"][seat].tolist() if tile)
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        kit = [tile for tile in s["opt"]["kit"].tolist() if tile and not s["cell"][tile]]
        return f"to lay: {'  '.join(f'{tile} {EDGES[tile - 1]}' for tile in kit) or '-'}"
    if s["opt"]["mode"] == Mode.GOBBLE:
        return f"{mark} seat {seat}, hand: {hand or '-'}, {_stacks(s, seat)}"
    if s["opt"]["mode"] == Mode.SOLITAIRE:
        name = f"without {COLOURS[s['colours'][-1] - 1]}"
    else:
        name = colours_of(s)[seat]
    return f"{mark} seat {seat} {name}, score {boards.scores(state)[seat]}, hand: {hand or '-'}"


def _stacks(s: Any, seat: int) -> str:
    """Describe the known tiles of a pile, next first, and a penalty stack from the top."""
    pile = s["piles"][seat][: s["piles_n"][seat]][::-1].tolist()
    known = [str(tile) for tile in pile if tile]
    stack = s["penalty"][seat][: s["penalty_n"][seat]][::-1].tolist()
    open_ones = f", of them known {' '.join(known)}" if known else ""
    out = f", out as number {s['out'][seat]}" if s["out"][seat] else ""
    return f"pile of {len(pile)}{open_ones}, penalty: {' '.join(map(str, stack)) or '-'}{out}"


def _end(state: States) -> str:
    s = state[0]
    if s["truncated"]:
        return "cut off"
    if s["deadlock"]:
        return "deadlock"
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return "solved" if boards.is_solved(state) else "not solved"
    return f"final scores {boards.scores(state)}"


def _drawn(s: Any) -> list[str]:
    """Draw each row as three lines, with the sides of a tile round its number.

    Forced spaces are marked with the number of tiles round them.

          R Y
        B 12  G        NW NE, W number E, SW SE
          G B
    """
    drawn = {_corner(q, r): _tile(tile, rot) for tile, q, r, rot in boards.listed(s)}
    for cell, touch in zip(s["border"].tolist(), s["touch"].tolist(), strict=True):
        if touch >= FORCED:
            drawn[_corner(*boards.place_of(cell))] = ("", f" <{touch}>", "")
    if not drawn:
        return []
    left, top = min(x for x, _ in drawn), min(y for _, y in drawn)
    lines = [[" "] * (max(x for x, _ in drawn) - left + 6) for _ in range(max(y for _, y in drawn) - top + 3)]
    for (x, y), rows in drawn.items():
        _write(lines, x - left, y - top, rows)
    return ["".join(line).rstrip() for line in lines]


def _corner(q: int, r: int) -> tuple[int, int]:
    """Return the column and line at which the drawing of a cell begins."""
    return 3 * (2 * q + r), 3 * r


def _tile(tile: int, rot: int) -> tuple[str, str, str]:
    ne, e, se, sw, w, nw = list(turned(tile, rot))
    return f" {nw} {ne}", f"{w} {tile:<2}{e}", f" {sw} {se}"


def _write(lines: list[list[str]], x: int, y: int, rows: tuple[str, str, str]) -> None:
    for dy, row in enumerate(rows):
        for dx, letter in enumerate(row):
            if letter != " ":
                lines[y + dy][x + dx] = letter
