"""Tantrix tables as dicts: the entries of each mode, hands, colours, boards of puzzles, and what follows from them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ....core.compiled.starting import seldom
from ....core.game import Game, Position
from ....core.notation import read_int, read_seats, refuse
from ....core.positions import Entry, Positions
from ....core.state import States
from ..agents.standing import owned
from ..board.hexes import cell_at
from ..material import COLOURS, EDGES, MAX_SEATS, TILES
from ..modes import strategy
from ..state import FIELDS, PHASES, RANDOM, Deadlock, Encoding, Mode, Phase, read_tiles
from . import boards

ALIASES = {"player": "cur", "draw_order": "bag", "step": "phase"}
BY_PILE = ("hand", "penalty")  # entries that Gobble for one player writes without the list by seat


def position(game: Game, state: States, full: bool) -> Position:
    """Return the table as a dict; `full` adds the random stream, which completes the record."""
    written = _notation_of(game).write(game, state, full)
    if game.players == 1:
        written.update({name: written[name][0] for name in BY_PILE if name in written})
    return written


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes; raise ValueError with the field that is wrong."""
    given = _without_aliases(position)
    if game.players == 1:
        given.update({name: [given[name]] for name in BY_PILE if name in given})
    state, mode = game.blank.copy(), game.config["mode"]
    s, notation = state[0], _notation_of(game)
    board = boards.read_board(given.get("board", []), bool(s["opt"]["cells_n"]))
    boards.lay_out(state, _whole_board(board, s["opt"]) if s["opt"]["mode"] >= Mode.DISCOVERY else board)
    s["phase"], s["plies"] = Phase.PLACE if mode == "gobble" else Phase.FREE, s["placed"]
    if mode == "gobble":
        s["best"] = 0  # Gobble has no scores of lines
    notation.read(game, given, state)
    _read_colours(game, given, s)
    if mode == "gobble" and game.players > 1:
        _find_turn(given, s)
    if "outside_window" not in given and s["opt"]["encoding"] == Encoding.WINDOW and not s["over"]:
        s["outside_window"] = _outside_window(state)
    notation.compare(given, state)
    return state


def _without_aliases(position: Mapping[str, Any]) -> dict[str, Any]:
    """Return the position with the field names of `position`; `step` 1, 2, 3 becomes the phase."""
    named = dict(position)
    for alias, field in ALIASES.items():
        if alias in named and field in named:
            raise refuse(alias, named[alias], f"one of {alias} and {field}")
        if alias in named:
            named[field] = value = named.pop(alias)
            if alias == "step":
                if type(value) is not int or value not in (1, 2, 3):
                    raise refuse("step", value, "1, 2, 3")
                named[field] = PHASES[value - 1]
    return named


def _read_colours(game: Game, given: Mapping[str, Any], s: Any) -> None:
    """Read the colours; modes without them have all colours in their order."""
    if game.config["mode"] == "strategy":
        read_colours(game, given.get("colours"), s)
    elif game.config["mode"] == "solitaire":
        read_missing(game, given.get("missing"), s)
    else:
        s["colours"] = range(1, len(COLOURS) + 1)


def _find_turn(given: Mapping[str, Any], s: Any) -> None:
    """Fill in the actions left and the seats that are out of a race, where the position leaves them out."""
    if "acts" not in given:
        s["acts"] = s["opt"]["speeds"][s["seat"]]
    if "out" not in given:
        _put_out([seat for seat in range(s["seats"]) if not owned(s)[seat]], s)


@seldom
def _run_on(states: Any) -> None:
    if states[0].opt.mode == Mode.STRATEGY:
        strategy.run_on(states[0])


def _outside_window(state: States) -> int:
    """Return how many placements the window does not show when the turn begins."""
    begun = state.copy()
    _run_on(begun)
    return int(begun["outside_window"][0])


# The board of a puzzle


def _whole_board(entries: list[boards.Entry], opt: Any) -> list[boards.Entry]:
    """Return the sorted board of a puzzle; an empty list stands for the given tiles.

    Raises:
        ValueError: A tile is not in the kit or not in the shape, or a given tile has moved or is missing.
    """
    kit = opt["kit"][: opt["kit_n"]].tolist()
    shape = opt["cells"][: opt["cells_n"]].tolist()
    starts = zip(opt["kit"].tolist(), opt["given_cell"].tolist(), opt["given_rot"].tolist(), strict=True)
    given = [[tile, *boards.place_of(cell), rot] for tile, cell, rot in starts if cell]
    for entry in entries:
        if entry[0] not in kit:
            raise refuse("board", entry, f"tiles {', '.join(map(str, kit))}")
        if shape and cell_at(entry[1], entry[2]) not in shape:
            raise refuse("board", entry, "cells of the shape")
        if any(entry[0] == fixed[0] and entry != fixed for fixed in given):
            raise refuse("board", entry, "each tile given from the start in its own cell and rotation")
    missing = [fixed for fixed in given if fixed not in entries]
    if entries and missing:
        raise refuse("board", entries, f"a board that contains the tile given from the start: {missing[0]}")
    return sorted(entries or given)


# Colours of the seats (S1), and the missing colour of Solitaire (T1)


def colours_of(s: Any) -> str:
    """Return the colours of the seats."""
    return "".join(COLOURS[s["colours"][seat] - 1] for seat in range(s["seats"]))


def missing_of(s: Any) -> str:
    """Return the colour that none of the tiles has."""
    return COLOURS[s["colours"][-1] - 1]


def read_colours(game: Game, colours: Any, s: Any) -> None:
    """Read the colours of the seats; None = those of the game, or in the standard order."""
    fixed = game.config["colours"]
    default = (COLOURS if fixed == RANDOM else fixed)[: game.players]
    colours = default if colours is None else colours
    ok = isinstance(colours, str) and len(set(colours)) == len(colours) == game.players and set(colours) <= set(COLOURS)
    if not ok or (fixed != RANDOM and colours != default):
        raise refuse("colours", colours, f"{game.players} different letters of {COLOURS}, as the game has them")
    rest = [colour for colour in COLOURS if colour not in colours]
    s["colours"] = [COLOURS.index(colour) + 1 for colour in (*colours, *rest)]


def read_missing(game: Game, missing: Any, s: Any) -> None:
    """Read the missing colour; None = the first that no tile has."""
    used = {tile for tile in range(1, TILES + 1) if s["cell"][tile]} | set(s["bag"][: s["bag_n"]].tolist())
    used |= set(s["hands"][s["hands"] > 0].tolist())
    free = [colour for colour in COLOURS if all(colour not in EDGES[tile - 1] for tile in used)]
    fixed, goal = game.config["missing"], game.config["goal"]
    allowed = [colour for colour in free if fixed in (RANDOM, colour) and colour != goal]
    missing = next(iter(allowed), None) if missing is None else missing
    if not isinstance(missing, str) or missing not in allowed:
        raise refuse("missing", missing, f"a colour on none of the tiles: {', '.join(allowed) or 'no colour is left'}")
    number, first = COLOURS.index(missing) + 1, int(s["opt"]["goal"])
    others = [c for c in range(1, len(COLOURS) + 1) if c not in (number, first)]
    s["colours"] = [*([first] if first else []), *others, number]


# Entries of the modes


def _winners(s: Any) -> list[int]:
    """Return the seats with the highest score; none in a drawn deadlock, or in a game truncated or not over."""
    if not s["over"] or s["truncated"] or (s["deadlock"] and s["opt"]["deadlock"] == Deadlock.DRAW):
        return []
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return [0] if boards.is_solved(np.array([s])) else []
    values = _scores(s)
    if s["opt"]["mode"] == Mode.GOBBLE and s["seats"] > 1:
        values = [-int(s["out"][seat]) or score - MAX_SEATS for seat, score in enumerate(values)]
    return [seat for seat, value in enumerate(values) if value == max(values)]


def _scores(s: Any) -> list[int]:
    return boards.scores(np.array([s]))


def _hands(s: Any) -> list[list[int | None]]:
    return [[int(tile) or None for tile in hand] for hand in s["hands"][: s["seats"]]]


def _read_hands(hands: Any, s: Any) -> None:
    """Read the tiles of the hands by slot, null for an empty one; slots may be left out at the end."""
    seats, slots = int(s["seats"]), int(s["opt"]["slots"])
    if not isinstance(hands, (list, tuple)) or len(hands) != seats:
        raise refuse("hands", hands, f"a list of {seats} hands")
    for seat, hand in enumerate(hands):
        if not isinstance(hand, (list, tuple)) or len(hand) > slots:
            raise refuse(f"hands[{seat}]", hand, f"a list of at most {slots} tiles, null for an empty slot")
        tiles = [0 if tile is None else read_tiles(f"hands[{seat}]", [tile])[0] for tile in hand]
        s["hands"][seat, : len(tiles)] = tiles


def _read_hand(hand: Any, s: Any) -> None:
    """Read the tile that each seat has to place, or null."""
    seats = int(s["seats"])
    if hand is None:
        return
    if not isinstance(hand, (list, tuple)) or len(hand) != seats:
        raise refuse("hand", hand, f"a list of {seats} entries, a tile or null for each seat")
    s["hands"][:seats, 0] = [0 if tile is None else read_tiles("hand", [tile])[0] for tile in hand]


def _read_known(known: Any, s: Any) -> None:
    s["known"][read_tiles("known", known)] = 1


def _out(s: Any) -> list[int]:
    return [seat for _, seat in sorted((int(place), seat) for seat, place in enumerate(s["out"]) if place)]


def _put_out(seats: list[int], s: Any) -> None:
    for place, seat in enumerate(seats, start=1):
        s["out"][seat] = place
    s["gone"] = len(seats)


def _read_last(last: Any, s: Any) -> None:
    s["last"] = 0 if last is None else read_int({"last": last}, "last", 0, range(1, TILES + 1))


def _ignored(value: Any, s: Any) -> None:
    """Read nothing: `from_position` reads the entry."""


COMMON: tuple[tuple[str, Callable[[Any], Any], Callable[[Any, Any], None] | None], ...] = (
    ("board", boards.listed, _ignored),
    ("hands", _hands, _read_hands),
    ("hand", lambda s: [hand[0] for hand in _hands(s)], _read_hand),
    ("colours", colours_of, _ignored),
    ("missing", missing_of, _ignored),
    ("known", lambda s: np.flatnonzero(s["known"]).tolist(), _read_known),
    ("out", _out, lambda value, s: _put_out(read_seats({"out": value}, "out", [], int(s["seats"])), s)),
    ("last", lambda s: int(s["last"]) or None, _read_last),
    ("scores", _scores, None),
    ("winners", _winners, None),
)
OF_MODE = {"strategy": "hands colours", "solitaire": "hand missing", "gobble": "hand penalty"}
OF_RACE = "piles known first acts passes out moves"


def _notation_of(game: Game) -> Positions:
    mode, window = game.config["mode"], game.config["encoding"] == "window"
    extra = OF_MODE.get(mode, "") + ("" if mode in ("strategy", "solitaire") else " moves")
    if mode == "gobble" and game.players > 1:
        extra = f"{OF_MODE[mode]} {OF_RACE}"
    return _notation(f"{extra} last outside_window" if window else extra)


@functools.cache
def _notation(extra: str) -> Positions:
    """Return the notation with the entries of a mode."""
    names = f"config phase cur board bag {extra} scores deadlock winners rewards truncated"
    return Positions(FIELDS, names, *(Entry(*entry) for entry in COMMON))
