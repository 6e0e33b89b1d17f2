"""Tantrix tables as dicts, written and read: to set up any position, and to keep one exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import notation as read
from ...core.compiled.jit import entry_point
from ...core.game import Game, Position
from ...core.state import States
from . import placements, strategy
from .hexes import STEPS, cell_at
from .material import COLOURS, EDGES, HAND, MAX_SEATS, SIDES, TILES, turned
from .stacks import ALONE_FIELDS, RACE_FIELDS, TILE_NAMES, check_stacks, read_stacks, stacks
from .state import (
    DISCOVERY,
    DRAW,
    ENDLESS,
    FILL,
    FREE,
    GOBBLE,
    OVER,
    PHASES,
    RANDOM,
    REFILL,
    SOLITAIRE,
    STRATEGY,
    WINDOW,
)

FIELDS = (*("config", "phase", "cur", "board", "bag", "scores", "deadlock", "winners", "rewards", "truncated", "rng"),)
ALIASES = {"player": "cur", "draw_order": "bag", "step": "phase"}


def position(game: Game, state: States, full: bool) -> Position:
    """The table as a dict; `full` adds the random stream, the one thing the rest does not say."""
    s = state[0]
    written: Position = {
        "config": game.options.changed(game.config),
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "board": [
            [tile, *placements.place_of(int(s["cell"][tile])), int(s["rot"][tile])]
            for tile in range(1, TILES + 1)
            if s["cell"][tile]
        ],
        "bag": [int(tile) for tile in s["bag"][: s["bag_n"]][::-1]],
        **_of_mode(s),
        **_of_window(s),
        "scores": placements.scores(state),
        "deadlock": bool(s["deadlock"]),
        "winners": _winners(state),
        "rewards": [float(s["rewards"][seat]) for seat in range(game.players)],
        "truncated": bool(s["truncated"]),
    }
    if full:
        written["rng"] = [int(word) for word in s["rng"]]
    return written


def _of_mode(s: Any) -> Position:
    """What the mode adds."""
    if s["opt"]["mode"] >= DISCOVERY:
        return {"moves": int(s["plies"])}
    if s["opt"]["mode"] == GOBBLE:
        return stacks(s)
    hands = [[int(tile) or None for tile in s["hands"][seat]] for seat in range(s["seats"])]
    if _alone(s):
        return {"hand": hands[0][0], "missing": _colour(s["colours"][-1])}
    return {"hands": hands, "colours": colours_of(s)}


def _of_window(s: Any) -> Position:
    """What the window shows or counts beside."""
    return {"last": int(s["last"]) or None, "cut_off": int(s["cut_off"])} if s["opt"]["encoding"] == WINDOW else {}


def _fields(s: Any) -> tuple[str, ...]:
    fields = (*FIELDS, *_of_window(s))
    if s["opt"]["mode"] >= DISCOVERY:
        return (*fields, "moves")
    if s["opt"]["mode"] == GOBBLE:
        return (*fields, *(ALONE_FIELDS if s["seats"] == 1 else RACE_FIELDS))
    return (*fields, *(("hand", "missing") if _alone(s) else ("hands", "colours")))


def colours_of(s: Any) -> str:
    """The colours of the seats."""
    return "".join(_colour(s["colours"][seat]) for seat in range(s["seats"]))


def _colour(number: int) -> str:
    return COLOURS[number - 1]


def _alone(s: Any) -> bool:
    return bool(s["opt"]["mode"] == SOLITAIRE)


def _winners(state: States) -> list[int]:
    """Seats with the highest score once the game is decided; nobody in a drawn deadlock or a game cut off."""
    s = state[0]
    if not s["over"] or s["truncated"] or (s["deadlock"] and s["opt"]["deadlock"] == DRAW):
        return []
    if s["opt"]["mode"] >= DISCOVERY:
        return [0] if placements.is_solved(state) else []
    if s["opt"]["mode"] == GOBBLE and s["seats"] > 1:
        values = [-int(s["out"][seat]) or score - MAX_SEATS for seat, score in enumerate(placements.scores(state))]
    else:
        values = placements.scores(state)
    return [seat for seat, value in enumerate(values) if value == max(values)]


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """The table a position describes; ValueError naming the field that is wrong."""
    position = _without_aliases(position)
    state = game.blank.copy()
    s = state[0]
    read.check_fields(position, _fields(s))
    read.check_config(position.get("config", {}), game.config)
    board = _read_board(position, s)
    placements.lay_out(state, board)
    raced = s["opt"]["mode"] == GOBBLE
    s["phase"] = read.read_choice(position, "phase", "PLACE" if raced else "FREE", PHASES)
    s["seat"] = read.read_int(position, "cur", 0, range(game.players))
    if raced:
        s["best"] = 0  # nobody counts lines
        held = read_stacks(position, s)
    elif s["opt"]["mode"] >= DISCOVERY:
        held = []
        s["plies"] = read.read_int(position, "moves", len(board), range(ENDLESS + 1))
    else:
        s["plies"] = len(board)
        s["hands"][: game.players] = _read_hands(position, s)
        held = s["hands"][s["hands"] > 0].tolist()
    bag = _read_tiles("bag", position.get("bag", []))
    s["bag"][: len(bag)] = bag[::-1]
    s["bag_n"] = len(bag)
    _check_once([tile for tile, *_ in board] + held + bag)
    _read_colours(game, position, s)
    _read_end(position, s)
    _read_stream(position, s)
    if not s["over"]:
        _check_playable(state)
        _run_on(state)
        if s["over"]:
            raise read.refuse("hands", position.get("hands"), "a table at which some seat has a placement")
    if s["opt"]["encoding"] == WINDOW:
        _read_window(position, s)
    _check_written(position, state)
    return state


def _without_aliases(position: Mapping[str, Any]) -> dict[str, Any]:
    """The same under the names `position` writes; `step` 1, 2, 3 is the phase."""
    named = dict(position)
    for alias, field in ALIASES.items():
        if alias in named and field in named:
            raise read.refuse(alias, named[alias], f"one of {alias} and {field}")
        if alias in named:
            value = named.pop(alias)
            if alias == "step":
                if value not in (1, 2, 3):
                    raise read.refuse("step", value, "1, 2, 3")
                value = PHASES[value - 1]
            named[field] = value
    return named


def _read_board(position: Mapping[str, Any], s: Any) -> list[list[int]]:
    """Tiles on the table: connected and matching [D1, D3]; in a puzzle tiles of the kit, in its shape."""
    board = position.get("board", [])
    shaped = isinstance(board, (list, tuple)) and all(
        isinstance(entry, (list, tuple)) and len(entry) == 4 and all(type(n) is int for n in entry) for entry in board
    )
    if not shaped:
        raise read.refuse("board", board, "a list of [tile, q, r, rot]")
    entries = [list(entry) for entry in board]
    room = placements.FAR - (TILES - len(entries))
    for entry in entries:
        tile, q, r, rot = entry
        if not (1 <= tile <= TILES and 0 <= rot < SIDES):
            raise read.refuse("board", entry, f"tiles 1..{TILES} and rotations 0..{SIDES - 1}")
        if max(abs(q), abs(r)) > room:
            raise read.refuse("board", entry, f"cells within {room} of the middle: move the whole board")
    sides = {cell_at(q, r): turned(tile, rot) for tile, q, r, rot in entries}
    if len(sides) < len(entries):
        raise read.refuse("board", board, "at most one tile on a cell")
    for cell, shown in sides.items():
        for d, step in enumerate(STEPS):
            beside = sides.get(cell + step)
            if beside and beside[(d + 3) % SIDES] != shown[d]:
                q, r = placements.place_of(cell)
                raise read.refuse("board", f"the tile at {q},{r}", "touching sides of the same colour")
    if s["opt"]["mode"] >= DISCOVERY:
        entries = _check_puzzle(entries, s["opt"])
    if not s["opt"]["cells_n"] and len(placements.parts(entries)) > 1:
        raise read.refuse("board", board, "tiles that are all connected")
    return entries


def _check_puzzle(entries: list[list[int]], opt: Any) -> list[list[int]]:
    """Only tiles of the kit, only in the shape; those given from the start lie where they should, named or not."""
    kit = opt["kit"][: opt["kit_n"]].tolist()
    shape = opt["cells"][: opt["cells_n"]].tolist()
    given = [
        [tile, *placements.place_of(int(cell)), int(rot)]
        for tile, cell, rot in zip(kit, opt["given_cell"], opt["given_rot"], strict=False)
        if cell
    ]
    for entry in entries:
        if entry[0] not in kit:
            raise read.refuse("board", entry, f"tiles {', '.join(map(str, kit))}")
        if shape and cell_at(entry[1], entry[2]) not in shape:
            raise read.refuse("board", entry, "cells of the shape")
        if any(entry[0] == fixed[0] and entry != fixed for fixed in given):
            raise read.refuse("board", entry, "tiles given from the start where they lie")
    missing = [fixed for fixed in given if fixed not in entries]
    if entries and missing:
        raise read.refuse("board", entries, f"a board with the tile given from the start: {missing[0]}")
    return sorted(entries or given)


def _read_tiles(field: str, value: Any) -> list[int]:
    tiles = read.read_cards(field, value, TILE_NAMES)
    if 0 in tiles:
        raise read.refuse(field, value, f"tiles 1..{TILES}")
    return tiles


def _read_hands(position: Mapping[str, Any], s: Any) -> np.ndarray[Any, Any]:
    """Tiles by seat and slot; null for an empty slot."""
    seats, slots = int(s["seats"]), int(s["opt"]["slots"])
    hands = [[position.get("hand")]] if slots == 1 else position.get("hands", [[]] * seats)
    if not isinstance(hands, (list, tuple)) or len(hands) != seats:
        raise read.refuse("hands", hands, f"a list of {seats} hands")
    tiles = np.zeros((seats, HAND), np.int8)
    for seat, hand in enumerate(hands):
        if not isinstance(hand, (list, tuple)) or len(hand) > slots:
            raise read.refuse(f"hands[{seat}]", hand, f"a list of at most {slots} tiles, null for an empty slot")
        for slot, tile in enumerate(hand):
            if tile is not None:
                tiles[seat, slot] = _read_tiles(f"hands[{seat}]", [tile])[0]
    return tiles


def _check_once(tiles: list[int]) -> None:
    for tile in tiles:
        if tiles.count(tile) > 1:
            raise ValueError(f"position: board, hands and bag have tile {tile} {tiles.count(tile)} times; there is one")


def _read_colours(game: Game, position: Mapping[str, Any], s: Any) -> None:
    """Colours of the seats [S1], or the colour left out [T1]."""
    if s["opt"]["mode"] >= GOBBLE:
        s["colours"] = range(1, len(COLOURS) + 1)
        return
    if _alone(s):
        _read_missing(game, position, s)
        return
    fixed = game.config["colours"]
    default = "RYGB" if fixed == RANDOM else fixed
    colours = position.get("colours", default[: game.players])
    ok = isinstance(colours, str) and len(set(colours)) == len(colours) == game.players and set(colours) <= set(COLOURS)
    if not ok or (fixed != RANDOM and colours != fixed[: game.players]):
        raise read.refuse("colours", colours, f"{game.players} different letters of {COLOURS}, as the game has them")
    rest = [colour for colour in COLOURS if colour not in colours]
    s["colours"] = [COLOURS.index(colour) + 1 for colour in (*colours, *rest)]


def _read_missing(game: Game, position: Mapping[str, Any], s: Any) -> None:
    used = {tile for tile in range(1, TILES + 1) if s["cell"][tile]} | set(s["bag"][: s["bag_n"]].tolist())
    used |= set(s["hands"][s["hands"] > 0].tolist())
    allowed = [
        colour
        for colour in COLOURS
        if game.config["missing"] in (RANDOM, colour)
        and colour != game.config["goal"]
        and all(colour not in EDGES[tile - 1] for tile in used)
    ]
    missing = position.get("missing", allowed[0] if allowed else None)
    if missing not in allowed:
        raise read.refuse("missing", missing, f"a colour on none of the tiles: {', '.join(allowed) or 'there is none'}")
    goal = int(s["opt"]["goal"])
    first = [goal] if goal else []
    number = COLOURS.index(missing) + 1
    s["colours"] = first + [c for c in range(1, len(COLOURS) + 1) if c not in (number, goal)] + [number]


def _read_end(position: Mapping[str, Any], s: Any) -> None:
    """How a finished game ended. Only a full position may be one: there is nothing left to play."""
    n = int(s["seats"])
    s["over"] = s["phase"] == OVER
    if s["over"] and "rng" not in position:
        raise read.refuse("phase", "OVER", "a game that goes on, or a full position with its rng")
    s["truncated"] = read.read_flag(position, "truncated", False)
    s["deadlock"] = read.read_flag(position, "deadlock", False)
    s["rewards"][:n] = read.read_numbers(position, "rewards", n) or 0.0
    for field in ("truncated", "deadlock"):
        if s[field] and not s["over"]:
            raise read.refuse(field, True, "false while the game goes on")
    if s["rewards"].any() and not s["over"]:
        raise read.refuse("rewards", position["rewards"], "zeros before the end")


def _read_stream(position: Mapping[str, Any], s: Any) -> None:
    words = read.read_numbers(position, "rng", len(s["rng"]))
    if words is None:
        return
    if any(not isinstance(word, int) or not 0 <= word < 1 << 32 for word in words):
        raise read.refuse("rng", position["rng"], "four integers of 32 bits")
    s["rng"] = words


def _read_window(position: Mapping[str, Any], s: Any) -> None:
    """The tile placed last, if that is known, and what the window has cut off, at least now."""
    last = position.get("last")
    if last is not None and (type(last) is not int or not 1 <= last <= TILES or not s["cell"][last]):
        raise read.refuse("last", last, "null, or a tile on the board")
    s["last"] = last or 0
    s["cut_off"] = read.read_int(position, "cut_off", int(s["cut_off"]), range(1 << 20))


def _check_playable(state: States) -> None:
    s = state[0]
    seat = int(s["seat"])
    if s["plies"] >= s["opt"]["move_limit"]:
        raise read.refuse("board, moves", int(s["plies"]), f"less than the cut-off {s['opt']['move_limit']}")
    if s["opt"]["mode"] == GOBBLE:
        check_stacks(state)
        return
    if s["opt"]["mode"] >= DISCOVERY:
        if placements.is_solved(state) or not placements.can_go_on(state):
            raise read.refuse("board", "this one", "a puzzle that can go on")
        if s["opt"]["walk"] and placements.walked(state) != s["placed"]:
            raise read.refuse("board", "this one", "tiles on one line from the first tile (W7)")
        return
    if not s["hands"][seat].any():
        raise read.refuse("cur", seat, "a seat that holds a tile")
    steps = (FREE,) if _alone(s) else (FILL, FREE, REFILL)
    if s["phase"] not in steps:
        raise read.refuse("phase", PHASES[s["phase"]], ", ".join(PHASES[step] for step in steps))


def _check_written(position: Mapping[str, Any], state: States) -> None:
    """What follows from the rest must agree with it."""
    for field, true in (("scores", placements.scores(state)), ("winners", _winners(state))):
        if field in position and list(position[field]) != true:
            raise read.refuse(field, position[field], f"what follows from the rest: {true}")


@entry_point
def _run_on(states: Any) -> None:
    """Steps without a decision are passed over, as in play."""
    if states[0].opt.mode == STRATEGY:
        strategy.run_on(states[0])
