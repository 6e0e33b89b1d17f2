"""Read and write the colours of the seats (S1), and the missing colour of Solitaire (T1)."""

from __future__ import annotations

from typing import Any

from ....core.game import Game
from ....core.notation import refuse
from ..material import COLOURS, EDGES, TILES
from ..state import RANDOM


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
