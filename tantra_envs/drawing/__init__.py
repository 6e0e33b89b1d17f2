"""Tables as pictures: an SVG of what a seat sees, made by each game's `drawing.py` from one kit.

    draw(game, state, seat=1)                    the picture as text
    show(game, state, seat=1)                    the same as an object that notebooks display
    move(game, state, action)                    what is about to be played, for `last` of the next picture
    raster.rgb_array(svg, 600)                   pixels, with the extra `render`
    replay(game, start, actions)                 a whole game as one HTML file to step through

A game's `drawing.py` has `paint(sheet, game, state)`, which draws; `result(game, state, names)`, how a game that is
over ended; `standing(game, state)`, who is ahead; and `SECRET`, the phases in which others do not see what a seat
does. Nothing that the seat cannot know enters the text of its picture.
"""

from __future__ import annotations

from ..core.game import draw_with
from .drawings import Drawing, draw, is_drawn, move, sheet_of, show
from .replays import Replay, Thoughts, replay
from .sheet import Move

__all__ = ["Drawing", "Move", "Replay", "Thoughts", "draw", "is_drawn", "move", "replay", "sheet_of", "show"]

draw_with(show)
