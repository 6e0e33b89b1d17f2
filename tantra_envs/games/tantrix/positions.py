"""Write Tantrix tables as dicts and read them, to set up a position or to save a table exactly.

The fields of each mode are in `notation`: `hands` for Strategy and Solitaire, `stacks` for Gobble, `kits` for
puzzles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import notation as read
from ...core.game import Game, Position
from ...core.state import States
from .material import MAX_SEATS, TILES
from .notation import boards, hands, kits, stacks
from .state import PHASES, Deadlock, Encoding, Mode, Phase

FIELDS = ("config", "phase", "cur", "board", "bag", "scores", "deadlock", "winners", "rewards", "truncated", "rng")
ALIASES = {"player": "cur", "draw_order": "bag", "step": "phase"}


def position(game: Game, state: States, full: bool) -> Position:
    """Return the table as a dict; `full` adds the random stream, which completes the record."""
    s = state[0]
    written: Position = {
        "config": game.options.changed(game.config),
        "phase": PHASES[s["phase"]],
        "cur": int(s["seat"]),
        "board": boards.listed(s),
        "bag": s["bag"][: s["bag_n"]][::-1].tolist(),
        **_of_mode(s).written(s),
        **_of_window(s),
        "scores": boards.scores(state),
        "deadlock": bool(s["deadlock"]),
        "winners": _winners(state),
        "rewards": s["rewards"][: game.players].tolist(),
        "truncated": bool(s["truncated"]),
    }
    if full:
        written["rng"] = s["rng"].tolist()
    return written


def _of_mode(s: Any) -> Any:
    """Return the module with the fields of the mode."""
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return kits
    return stacks if s["opt"]["mode"] == Mode.GOBBLE else hands


def _of_window(s: Any) -> Position:
    """Return the fields that only the encoding `window` needs."""
    if s["opt"]["encoding"] != Encoding.WINDOW:
        return {}
    return {"last": int(s["last"]) or None, "outside_window": int(s["outside_window"])}


def _winners(state: States) -> list[int]:
    """Return the seats with the highest score; none in a drawn deadlock, or in a game truncated or not over."""
    s = state[0]
    if not s["over"] or s["truncated"] or (s["deadlock"] and s["opt"]["deadlock"] == Deadlock.DRAW):
        return []
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return [0] if boards.is_solved(state) else []
    values = boards.scores(state)
    if s["opt"]["mode"] == Mode.GOBBLE and s["seats"] > 1:
        values = [-int(s["out"][seat]) or score - MAX_SEATS for seat, score in enumerate(values)]
    return [seat for seat, value in enumerate(values) if value == max(values)]


def from_position(game: Game, position: Mapping[str, Any]) -> States:
    """Return the table that a position describes.

    Raises:
        ValueError: A field is wrong; the message names it.
    """
    position = _without_aliases(position)
    state = game.blank.copy()
    s = state[0]
    read.check_fields(position, (*FIELDS, *_of_window(s), *_of_mode(s).fields(s)))
    read.check_config(position.get("config", {}), game.config)
    _read_table(game, position, state)
    _read_end(position, s)
    read.read_stream(position, s)
    if not s["over"]:
        _settle(position, state)
    if s["opt"]["encoding"] == Encoding.WINDOW:
        _read_window(position, s)
    _check_written(game, position, state)
    return state


def _without_aliases(position: Mapping[str, Any]) -> dict[str, Any]:
    """Return the position with the field names of `position`; `step` 1, 2, 3 becomes the phase."""
    named = dict(position)
    for alias, field in ALIASES.items():
        if alias in named and field in named:
            raise read.refuse(alias, named[alias], f"one of {alias} and {field}")
        if alias in named:
            value = named.pop(alias)
            named[field] = _phase_of_step(value) if alias == "step" else value
    return named


def _phase_of_step(step: Any) -> str:
    if type(step) is not int or step not in (1, 2, 3):
        raise read.refuse("step", step, "1, 2, 3")
    return PHASES[step - 1]


def _read_table(game: Game, position: Mapping[str, Any], state: States) -> None:
    """Read the places of all tiles, the seat to decide and the phase."""
    s = state[0]
    mode, shape = _of_mode(s), bool(s["opt"]["cells_n"])
    board = boards.read_board(position.get("board", []), shape)
    boards.lay_out(state, kits.whole_board(board, s["opt"]) if mode is kits else board)
    s["phase"] = read.read_choice(position, "phase", mode.START, PHASES)
    s["seat"] = read.read_int(position, "cur", 0, range(game.players))
    if mode is stacks:
        s["best"] = 0  # Gobble has no scores of lines
    held = mode.read_held(position, s)
    bag = boards.read_tiles("bag", position.get("bag", []))
    _check_once([tile for tile, *_ in board] + held + bag)
    s["bag"][: len(bag)] = bag[::-1]
    s["bag_n"] = len(bag)
    mode.read_rest(game, position, s)


def _check_once(tiles: list[int]) -> None:
    for tile in tiles:
        if tiles.count(tile) > 1:
            raise ValueError(
                f"position: board, hands and bag have tile {tile} {tiles.count(tile)} times; allowed: once"
            )


def _read_end(position: Mapping[str, Any], s: Any) -> None:
    """Read the end of a finished game."""
    n = int(s["seats"])
    read.read_end(position, s, Phase.OVER)
    s["deadlock"] = read.read_flag(position, "deadlock", False)
    s["rewards"][:n] = read.read_numbers(position, "rewards", n) or 0.0
    if s["deadlock"] and not s["over"]:
        raise read.refuse("deadlock", True, "false while the game goes on")
    if s["rewards"].any() and not s["over"]:
        raise read.refuse("rewards", position["rewards"], "zeros before the end")


def _settle(position: Mapping[str, Any], state: States) -> None:
    """Skip steps without a decision; raise ValueError without a decision."""
    s = state[0]
    if s["plies"] >= s["opt"]["move_limit"]:
        raise read.refuse("board, moves", int(s["plies"]), f"less than the limit of actions, {s['opt']['move_limit']}")
    _of_mode(s).settle(position, state)


def _read_window(position: Mapping[str, Any], s: Any) -> None:
    """Read the tile placed last, if known, and the number of placements outside the window."""
    last = position.get("last")
    if last is not None and (type(last) is not int or not 1 <= last <= TILES or not s["cell"][last]):
        raise read.refuse("last", last, "null, or a tile on the board")
    s["last"] = last or 0
    s["outside_window"] = read.read_int(position, "outside_window", int(s["outside_window"]), range(1 << 20))


def _check_written(game: Game, position: Mapping[str, Any], state: States) -> None:
    """Check that the scores and winners agree with the other fields."""
    scores, winners = boards.scores(state), _winners(state)
    if (read.read_integers(position, "scores", game.players) or scores) != scores:
        raise read.refuse("scores", position["scores"], f"{scores}, which follows from the other fields")
    if read.read_seats(position, "winners", winners, game.players) != winners:
        raise read.refuse("winners", position["winners"], f"{winners}, which follows from the other fields")
