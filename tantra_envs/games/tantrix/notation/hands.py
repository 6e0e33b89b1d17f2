"""Read and write the hands and colours in positions of Strategy and Solitaire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....core import notation as read
from ....core.compiled.jit import entry_point
from ....core.game import Game, Position
from ....core.state import States
from ..material import COLOURS, EDGES, TILES
from ..modes import strategy
from ..state import PHASES, RANDOM, Mode, Phase
from .boards import read_tiles

START = "FREE"


def fields(s: Any) -> tuple[str, ...]:
    """Return the names of the fields that these modes add to a position."""
    return ("hand", "missing") if _is_alone(s) else ("hands", "colours")


def written(s: Any) -> Position:
    """Return the fields that these modes add to a position, with their values."""
    hands = [[int(tile) or None for tile in s["hands"][seat]] for seat in range(s["seats"])]
    if _is_alone(s):
        return {"hand": hands[0][0], "missing": COLOURS[s["colours"][-1] - 1]}
    return {"hands": hands, "colours": colours_of(s)}


def colours_of(s: Any) -> str:
    """Return the colours of the seats."""
    return "".join(COLOURS[s["colours"][seat] - 1] for seat in range(s["seats"]))


def _is_alone(s: Any) -> bool:
    return bool(s["opt"]["mode"] == Mode.SOLITAIRE)


def read_held(position: Mapping[str, Any], s: Any) -> list[int]:
    """Fill in the tiles of the hands, null for an empty slot; return all these tiles."""
    s["plies"] = s["placed"]
    if _is_alone(s):
        tile = position.get("hand")
        held = [] if tile is None else read_tiles("hand", [tile])
        s["hands"][0, : len(held)] = held
        return held
    seats, slots = int(s["seats"]), int(s["opt"]["slots"])
    hands = position.get("hands", [[]] * seats)
    if not isinstance(hands, (list, tuple)) or len(hands) != seats:
        raise read.refuse("hands", hands, f"a list of {seats} hands")
    for seat, hand in enumerate(hands):
        if not isinstance(hand, (list, tuple)) or len(hand) > slots:
            raise read.refuse(f"hands[{seat}]", hand, f"a list of at most {slots} tiles, null for an empty slot")
        for slot, tile in enumerate(hand):
            s["hands"][seat, slot] = 0 if tile is None else read_tiles(f"hands[{seat}]", [tile])[0]
    return list(s["hands"][s["hands"] > 0].tolist())


def read_rest(game: Game, position: Mapping[str, Any], s: Any) -> None:
    """Fill in the colours of the seats [S1], or the missing colour [T1]."""
    if _is_alone(s):
        _read_missing(game, position, s)
        return
    fixed = game.config["colours"]
    default = COLOURS if fixed == RANDOM else fixed
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
    if not isinstance(missing, str) or missing not in allowed:
        raise read.refuse(
            "missing", missing, f"a colour on none of the tiles: {', '.join(allowed) or 'no colour is left'}"
        )
    goal = int(s["opt"]["goal"])
    first = [goal] if goal else []
    number = COLOURS.index(missing) + 1
    s["colours"] = first + [c for c in range(1, len(COLOURS) + 1) if c not in (number, goal)] + [number]


def settle(position: Mapping[str, Any], state: States) -> None:
    """Skip steps without a decision, as in play.

    Raises:
        ValueError: The seat to decide has no legal action.
    """
    s = state[0]
    seat = int(s["seat"])
    if not s["hands"][seat].any():
        raise read.refuse("cur", seat, f"a seat with a tile in {fields(s)[0]}")
    steps = (Phase.FREE,) if _is_alone(s) else (Phase.FILL, Phase.FREE, Phase.REFILL)
    if s["phase"] not in steps:
        raise read.refuse("phase", PHASES[s["phase"]], ", ".join(PHASES[step] for step in steps))
    _run_on(state)
    if s["over"]:
        raise read.refuse("hands", position.get("hands"), "hands with a legal placement for some seat")


@entry_point
def _run_on(states: Any) -> None:
    if states[0].opt.mode == Mode.STRATEGY:
        strategy.run_on(states[0])
