"""Define the record of one Tantrix table and the options of the game.

The board is a torus of 64 x 64 spots. A Tantrix of 56 tiles can never reach round it, so it can grow in any
direction. The record also holds the border: the empty spaces next to the Tantrix and the colours shown to each.
Every placement updates only the spaces round it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from ...core.compiled.jit import kernel
from ...core.fields import Field, Fields, header, seats_ahead
from ...core.notation import Cards, Flag, Number, read_cards, refuse
from ...core.options import SWITCH, Config, ListOf, Matching, OneOf, Option, Options, words_of
from ...core.state import Record, States
from .material import (
    COLOURS,
    DISCOVERY_SIZES,
    HAND,
    LOOP,
    MAX_SEATS,
    MAX_SPACES,
    MOST_LOOP,
    RAINBOW_PUZZLES,
    ROTATIONS,
    SIDES,
    SOLITAIRE_SPACES,
    STRATEGY_SPACES,
    TILES,
    Puzzle,
    Task,
    most_spaces,
)
from .puzzles.daily import puzzle_of


class Phase(IntEnum):
    """The kind of the next decision: FILL, FREE, REFILL in Strategy [S7]; PLACE, BONUS, OFFLOAD in Gobble.

    Solitaire and puzzles have only FREE.
    """

    FILL = 0
    FREE = 1
    REFILL = 2
    OVER = 3
    PLACE = 4
    BONUS = 5
    OFFLOAD = 6


class Mode(IntEnum):
    """The game played with the tiles; DISCOVERY and all later modes are puzzles."""

    STRATEGY = 0
    SOLITAIRE = 1
    GOBBLE = 2
    DISCOVERY = 3
    RAINBOW = 4
    DAILY = 5


class Deadlock(IntEnum):
    """The rule for a turn without a legal free move [S15]."""

    DRAW = 0
    SCORE = 1
    PASS = 2


class Reward(IntEnum):
    """The basis of the rewards: places, or the margin in points."""

    PLACE = 0
    MARGIN = 1


class Encoding(IntEnum):
    """The numbering of placements."""

    COMPACT = 0
    FRONTIER = 1
    WINDOW = 2


class Holes(IntEnum):
    """The holes that a loop must not have [W3]: enclosed areas of any size, or only single cells."""

    NONE = 0
    SINGLE = 1


PHASES = tuple(Phase.__members__)
ENCODINGS, HOLES = words_of(Encoding), words_of(Holes)
PUZZLES = {"discovery": tuple(DISCOVERY_SIZES), "rainbow": RAINBOW_PUZZLES}  # allowed values of the option `puzzle`
WALKED = ("green", "yellow")  # puzzles of Rainbow with a loop in a fixed colour
SEATS = {"strategy": range(2, len(COLOURS) + 1), "gobble": range(1, MAX_SEATS + 1)}  # all other modes have one seat
WINDOWS = range(15, 58, 2)  # widths of the window: odd, so that it has a middle; 57 holds every Tantrix with its border
GOBBLE_WINDOW = 31  # a Gobble Tantrix is never wider than 28 cells, as every tile touches two
RANDOM = "random"
WAYS = 2  # sides with which a tile can continue from the open end of a loop
MOST_KIT, MOST_CELLS = 30, 19  # most tiles of a puzzle, most cells of its shape
PILED = TILES - 2  # tiles dealt to the piles of a race: two are placed at the start
ORIGIN, ROW = 64, 128  # numbering of cells: see hexes.py
SPOTS = 64  # width and height of the torus
ENDLESS = 1000  # more placements than any game has

MOST_ACTS = 9  # most actions of a seat in one turn of a race
_SIZES = (0, *range(2, MAX_SEATS + 1))
STRATEGY, GOBBLE, SOLITAIRE = (("mode", mode) for mode in ("strategy", "gobble", "solitaire"))

OPTIONS = Options(
    "tantrix",
    Option("mode", "strategy", words_of(Mode), "the game played with the tiles"),
    Option("players", 2, range(1, MAX_SEATS + 1), "seats at the table: Strategy 2..4, Gobble 1..6, else 1"),
    Option("colours", "RYGB", Matching("[RYGB]{1,4}|random", "letters of RYGB or 'random'"), "Strategy: by seat (S1)",
           stored=(np.int8, len(COLOURS)), needs=STRATEGY),
    Option("hand_size", HAND, range(1, HAND + 1), "Strategy: tiles in a hand (S2)", stored=np.int8, needs=STRATEGY),
    Option("loop_factor", LOOP, range(1, MOST_LOOP + 1), "Strategy, Solitaire: how many times a loop counts (D8)",
           stored=np.int8),
    Option("unrestrained", 0, range(TILES), "Strategy: tiles in the bag from which on the restraints end (S12)",
           stored=np.int8, needs=STRATEGY),
    Option("deadlock", "draw", words_of(Deadlock), "Strategy: what happens without a free move (S15)", needs=STRATEGY),
    Option("missing", RANDOM, Matching("random|[RYGB]", "'random', a letter of RYGB"),
           "Solitaire: the colour left out (T1)", stored=np.int8, needs=SOLITAIRE),
    Option("goal", "best", Matching("best|[RYGB]", "'best', a letter of RYGB"),
           "Solitaire: the colour that counts (T5)", stored=np.int8, needs=SOLITAIRE),
    Option("lookahead", 0, range(TILES // len(COLOURS)), "Solitaire: tiles to come that lie open (T2)",
           stored=np.int8, needs=SOLITAIRE),
    Option("handicap", (), ListOf(range(PILED), _SIZES), "Gobble race: extra tiles at the start by seat (V1)",
           stored=(np.int8, MAX_SEATS), needs=GOBBLE),
    Option("speeds", (), ListOf(range(1, MOST_ACTS + 1), _SIZES),
           "Gobble race: actions in a turn by seat, () = one each (V10)", stored=(np.int8, MAX_SEATS), needs=GOBBLE),
    Option("rotate_start", False, SWITCH, "Gobble race: each round another seat begins (V1)", needs=GOBBLE),
    Option("free_discard", False, SWITCH, "Gobble race: a tile may be discarded though it fits (V3)", needs=GOBBLE),
    Option("puzzle", 3, OneOf((*DISCOVERY_SIZES, *RAINBOW_PUZZLES), "Discovery 3..30, Rainbow green, .., red"),
           "the puzzle of Discovery (W1) or Rainbow (X1), there 'green' at first"),
    Option("seed_date", 20260101, range(1, 99991232), "daily: the date, as YYYYMMDD (Y1)"),
    Option("holes", "none", HOLES, "puzzles of loops: no enclosed empty place, or no single cell (W3)"),
    Option("allow_remove", False, SWITCH, "puzzles: tiles may be taken up again (W6)"),
    Option("walk", False, SWITCH, "puzzles of loops: tile after tile along the loop (W7)"),
    Option("encoding", "compact", ENCODINGS, "how placements are numbered, and what goes with it in the observation"),
    Option("window", 29, WINDOWS, "side of the window; Gobble 31 at least, and by default", stored=np.int8),
    Option("max_steps", 0, range(0, ENDLESS), "actions until the game is truncated, 0 = no limit"),
    Option("reward", "place", words_of(Reward), "reward at the end: by place or by points (S17, T6, U5, V8)"),
    Option("deck_tiles", "all", ("all", "mini"), "Strategy: all tiles, or the few of a game for exact play (S19)",
           needs=STRATEGY),
)  # fmt: skip

OPT = OPTIONS.record(  # 0 means: a drawn colour of a seat, a drawn `missing`, a `goal` of any colour
    ("move_limit", np.int32),
    ("placements", np.int32),  # number of actions that place a tile of the hand or kit; they come first
    ("slots", np.int8),  # number of tiles in a hand, or in the kit of a puzzle
    ("kit", np.int8, (MOST_KIT,)),  # tiles of a puzzle, ascending
    ("kit_n", np.int8),
    ("given_cell", np.int16, (MOST_KIT,)),  # cell of a tile of the kit placed at the start, 0 = none
    ("given_rot", np.int8, (MOST_KIT,)),
    ("cells", np.int16, (MOST_CELLS,)),  # the shape to fill
    ("cells_n", np.int8),  # 0 = any shape
    ("task", np.int8),  # LOOP, LINE or FILLED
    ("colour", np.int8),  # colour of the loop or line, 0 = any
    order="mode slots encoding window colours deadlock missing goal reward handicap speeds lookahead rotate_start "
    "free_discard kit kit_n given_rot cells_n task colour",
)


@kernel
def _reveal(s: Record, observer: int, first: int, known: Record) -> None:
    """Fill in the board, the colours by seat, the known tiles of the piles, and the tiles to come without their order.

    The result is equal for every observer, except that seats are counted from `first`.
    """
    _reveal_board(s, known)
    seats = int(s.seats) if s.opt.mode == Mode.STRATEGY else 0
    for i in range(len(COLOURS)):
        known.colours[seats_ahead(i, first, seats)] = s.colours[i]
    bag_n, unseen = int(s.bag_n), 0  # a bit for each tile
    hidden = max(0, bag_n - int(s.opt.lookahead))
    for i in range(TILES):
        unseen |= int(i < hidden or i >= bag_n) << int(s.bag[i])
    for seat in range(s.seats if s.opt.mode == Mode.GOBBLE else 0):
        row = seats_ahead(seat, first, int(s.seats))
        for i in range(TILES):
            tile = int(s.piles[seat, i])
            known.piles[row, i] = tile * s.known[tile]
            unseen |= (1 - s.known[tile]) << tile
    n = 0
    for tile in range(1, TILES + 1):
        known.bag[n] = tile
        n += (unseen >> tile) & 1
    for i in range(n, TILES):
        known.bag[i] = s.bag[i] if hidden <= i < bag_n else 0


TILE_NAMES = tuple(str(tile) for tile in range(TILES + 1))
OUTSIDE = 1 << 20  # limit of placements outside the window, far more than any game has


class Tiles(Cards):
    """A list of tiles in their order, which are numbers."""

    def bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest number of a tile."""
        return 1, TILES

    def write(self, entry: Any) -> list[Any]:
        """Return the numbers."""
        return [int(tile) for tile in (entry[::-1] if self.reverse else entry)]


def read_tiles(label: str, value: Any, s: Any = None) -> list[int]:
    """Return a list of tile numbers."""
    tiles = read_cards(label, value, TILE_NAMES)
    if 0 in tiles:
        raise refuse(label, value, f"tiles 1..{TILES}")
    return tiles


@kernel
def _reveal_board(s: Record, known: Record) -> None:
    """Copy the rows of the board with a tile or a space in `s` or in the table that `known` held before.

    All other rows are empty in both, and copying 4,096 numbers would take longer than everything else.
    """
    first = min(int(s.box[2]), int(known.box[2])) - 1
    last = max(int(s.box[3]), int(known.box[3])) + 1
    for r in range(first, last + 1):
        row = SPOTS * (r & (SPOTS - 1))
        for i in range(row, row + SPOTS):
            known.board[i] = s.board[i]
    for i in range(len(s.box)):
        known.box[i] = s.box[i]


FIELDS = Fields(
    "tantrix",
    *header(MAX_SEATS, "move_limit"),
    Field("opt", OPT, seen_by="all", doc="the options of the game; in lists by seat, seats as they are numbered"),
    Field("facing", np.int32, (MAX_SPACES,), seen_by="all",
          doc="sides shown to each space of the border, three bits a direction"),
    Field("border", np.int16, (MAX_SPACES,), seen_by="all", doc="empty cells next to the Tantrix, sorted"),
    Field("outside_window", np.int32, within=(0, OUTSIDE), notation=Number(), seen_by="all",
          doc="legal placements that the window did not show, so far"),
    Field("cell", np.int16, (TILES + 1,), notation="board", zone=lambda states: states["cell"] != 0, seen_by="all",
          doc="where each tile lies, 0 = not on the table"),
    Field("touch", np.int8, (MAX_SPACES,), seen_by="all", doc="tiles round each space of the border"),
    Field("border_n", np.int16, seen_by="all", doc="spaces of the border"),
    Field("placed", np.int8, seen_by="all", doc="tiles on the table"),
    Field("bag_n", np.int8, seen_by="all", doc="tiles in the bag"),
    Field("deadlock", np.int8, notation=Flag(), seen_by="all", doc="1 = ended by a deadlock"),
    Field("last", np.int8, within=(0, TILES), seen_by="all", doc="the tile placed last, for the window"),
    Field("colours", np.int8, (len(COLOURS),), reveals="all", seen_by="rule",
          doc="colours of the seats, then the colours nobody has in their order"),
    Field("best", np.int8, (len(COLOURS) + 1,), seen_by="all", doc="score of each colour (D8)"),
    Field("box", np.int8, (4,), seen_by="rule", reveals="all",
          doc="lowest q, highest q, lowest r, highest r of the tiles"),
    Field("rot", np.int8, (TILES + 1,), within=(0, SIDES - 1), notation="board", seen_by="all",
          doc="rotation of each tile on the table"),
    Field("hands", np.int8, (MAX_SEATS, HAND), by="seat", within=(0, TILES), zone="cards", seen_by="all",
          doc="tile numbers by slot, 0 = empty"),
    Field("bag", np.int8, (TILES,), length="bag_n", notation=Tiles(TILE_NAMES, read_tiles, reverse=True),
          zone="cards", seen_by="rule",
          doc="tiles to come, next last; agents see those that lie open (T2), and before them, ascending, all tiles "
              "that nobody has seen, with those of the piles"),
    Field("lines", np.int8, (3 * SPOTS,), seen_by="all", doc="tiles on each line of cells: q, r, s constant"),
    Field("piles", np.int8, (MAX_SEATS, TILES), by="seat", length="piles_n",
          notation=Tiles(TILE_NAMES, read_tiles, reverse=True),
          zone="cards", seen_by="rule",
          doc="race: tiles to come by seat, next last; agents see those that have lain open, and 0 for others"),
    Field("piles_n", np.int8, (MAX_SEATS,), by="seat", seen_by="all", doc="race: tiles in each pile"),
    Field("known", np.int8, (TILES + 1,), within=(0, 1), seen_by="all",
          doc="race: 1 = a tile in a pile that has lain open before"),
    Field("penalty", np.int8, (MAX_SEATS, TILES), by="seat", length="penalty_n", notation=Tiles(TILE_NAMES, read_tiles),
          zone="cards", seen_by="all", doc="Gobble: penalty stacks by seat, top last"),
    Field("penalty_n", np.int8, (MAX_SEATS,), by="seat", seen_by="all", doc="Gobble: tiles on each penalty stack"),
    Field("first", np.int8, holds="seat", notation=Number(), seen_by="all", doc="race: the seat that begins the round"),
    Field("acts", np.int8, within=(-1, MOST_ACTS), notation=Number(), seen_by="all",
          doc="race: actions left in this turn"),
    Field("passes", np.int8, within=(0, MAX_SEATS), notation=Number(), seen_by="all", doc="race: passes in a row"),
    Field("gone", np.int8, seen_by="all", doc="race: seats that are out"),
    Field("out", np.int8, (MAX_SEATS,), by="seat", within=(0, MAX_SEATS), seen_by="all",
          doc="race: k = the k-th to go out, 0 = still in"),
    Field("board", np.int8, (SPOTS * SPOTS,), notation="board", seen_by="rule", reveals="all",
          doc="by spot: tile number; 0 = nothing near; below 0 a space of the border: see board/hexes.py"),
    reveal=_reveal,
    cards=TILE_NAMES,
)  # fmt: skip
STATE, clear = FIELDS.dtype, FIELDS.clear


def resolve(given: Mapping[str, Any]) -> Config:
    """Return all options with their values.

    Raises:
        ValueError: An option has a value that the rules do not allow.
    """
    mode = given.get("mode", "strategy")
    config = OPTIONS.resolve({**(_usual(mode) if isinstance(mode, str) else {}), **given})
    allowed = SEATS.get(mode, range(1, 2))
    if config["players"] not in allowed:
        raise _refuse(config, "players", "1" if len(allowed) == 1 else f"{allowed[0]}..{allowed[-1]}", "mode")
    _check_colours(config)
    if mode in PUZZLES:
        _check_puzzle(config)
    if mode == "gobble":
        _check_gobble(config)
    return config


def _usual(mode: str) -> Config:
    """Return the defaults that differ in a mode."""
    usual: Config = {} if mode in SEATS else {"players": 1}
    if mode == "gobble":
        usual["window"] = GOBBLE_WINDOW
    if mode == "rainbow":
        usual["puzzle"] = "green"
    return usual


def _refuse(config: Config, field: str, allowed: str, beside: str = "") -> ValueError:
    """Return the error for an option that the rules, or the option `beside`, do not allow."""
    with_it = f" with {beside}={config[beside]!r}" if beside else ""
    return ValueError(f"tantrix: {field}={config[field]!r} is not allowed{with_it}; allowed: {allowed}")


def _check_colours(config: Config) -> None:
    """Check that every seat has its own colour [S1] and that the goal is not the missing colour [T1]."""
    mode, colours = config["mode"], config["colours"]
    too_few = mode == "strategy" and len(colours) < config["players"]
    if colours != RANDOM and (too_few or len(set(colours)) < len(colours)):
        raise _refuse(config, "colours", "a different letter for each seat")
    if mode == "solitaire" and config["goal"] == config["missing"]:
        raise _refuse(config, "goal", "a colour that is not missing")


def _check_puzzle(config: Config) -> None:
    """Check that the puzzle belongs to the mode, and that a walk has a loop with a fixed colour."""
    mode = config["mode"]
    if config["puzzle"] not in PUZZLES[mode]:
        raise _refuse(config, "puzzle", ", ".join(map(repr, PUZZLES[mode])), "mode")
    if mode == "rainbow" and config["walk"] and config["puzzle"] not in WALKED:
        raise _refuse(config, "walk", ", ".join(map(repr, WALKED)), "puzzle")


def _check_gobble(config: Config) -> None:
    """Check the lengths of lists by seat, the size of the piles and the size of the window."""
    players = config["players"]
    for name in ("handicap", "speeds"):
        if len(config[name]) not in (0, players):
            raise _refuse(config, name, f"() or {players} entries")
    if config["window"] < GOBBLE_WINDOW:
        raise _refuse(config, "window", f"{GOBBLE_WINDOW}..{WINDOWS[-1]} in steps of 2 with mode='gobble'")
    if PILED - sum(config["handicap"]) < players:
        raise _refuse(config, "handicap", f"at most {PILED - players} tiles in all")


def blank(config: Config) -> States:
    """Return one table with these options and nothing dealt, shape (1,)."""
    puzzle = puzzle_of(config)
    states = FIELDS.blank(
        OPTIONS,
        config,
        move_limit=config["max_steps"] or ENDLESS,
        placements=placements(config, puzzle),
        slots=hand_size(config["mode"]),
        loop_factor=config["loop_factor"] if config["mode"] in ("strategy", "solitaire") else LOOP,
        walk=walks(config, puzzle),
        missing=COLOURS.find(config["missing"]) + 1,
        goal=COLOURS.find(config["goal"]) + 1,
        lookahead=config["lookahead"] if config["mode"] == "solitaire" else 0,
        deck_tiles=int(config["mode"] == "strategy" and config["deck_tiles"] == "mini"),
    )
    opt = states[0]["opt"]
    if not config["speeds"]:
        opt["speeds"][: config["players"]] = 1
    if config["colours"] != RANDOM:
        named = config["colours"] + "".join(colour for colour in COLOURS if colour not in config["colours"])
        opt["colours"] = [COLOURS.index(colour) + 1 for colour in named]
    if puzzle is not None:
        _write_puzzle(opt, puzzle)
    return states


def placements(config: Mapping[str, Any], puzzle: Puzzle | None) -> int:
    """Return the number of actions that place a tile of the hand, or of the kit of a puzzle."""
    if puzzle is not None and walks(config, puzzle):
        return len(puzzle.kit) * WAYS
    if puzzle is not None:
        return puzzle_spaces(puzzle) * len(puzzle.kit) * (SIDES if puzzle.cells else ROTATIONS)
    slots, encoding = hand_size(config["mode"]), config["encoding"]
    if encoding == "window":
        return int(config["window"]) ** 2 * slots * SIDES
    spaces = SOLITAIRE_SPACES if config["mode"] == "solitaire" else STRATEGY_SPACES
    return spaces * slots * (ROTATIONS if encoding == "compact" else SIDES)


def puzzle_spaces(puzzle: Puzzle) -> int:
    """Return the number of spaces that the actions of a puzzle count."""
    return len(puzzle.cells) or most_spaces(len(puzzle.kit))


def walks(config: Mapping[str, Any], puzzle: Puzzle | None) -> bool:
    """Return whether the tiles of a loop puzzle are placed along the loop."""
    return puzzle is not None and puzzle.task == Task.LOOP and config["walk"]


def _write_puzzle(opt: Any, puzzle: Puzzle) -> None:
    n = len(puzzle.kit)
    opt["kit_n"], opt["cells_n"], opt["task"] = n, len(puzzle.cells), puzzle.task
    opt["kit"][:n] = puzzle.kit
    opt["colour"] = COLOURS.find(puzzle.colour) + 1 if puzzle.colour else 0
    opt["cells"][: len(puzzle.cells)] = [_number(q, r) for q, r in puzzle.cells]
    for tile, q, r, rot in puzzle.given:
        opt["given_cell"][puzzle.kit.index(tile)] = _number(q, r)
        opt["given_rot"][puzzle.kit.index(tile)] = rot
    opt["slots"] = n
    opt["encoding"] = Encoding.FRONTIER if puzzle.cells else Encoding.COMPACT  # all rotations on the cells of a shape


def _number(q: int, r: int) -> int:
    return (r + ORIGIN) * ROW + q + ORIGIN


def hand_size(mode: str) -> int:
    """Return the number of slots of a hand."""
    return HAND if mode == "strategy" else 1


def phases(config: Config) -> tuple[str, ...]:
    """Return the names of the phases of a mode."""
    return PHASES if config["mode"] == "gobble" else PHASES[: Phase.OVER + 1]
