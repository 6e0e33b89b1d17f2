"""Draw tables as SVG pictures of what a seat sees.

    draw(game, state, seat=1)                    the picture as text
    show(game, state, seat=1)                    the picture as an object that notebooks display
    move(game, state, action)                    a record of an action, for `last` of the next picture
    raster.rgb_array(svg, 600)                   pixels, with the extra `render`
    replay(game, start, actions)                 a whole game as one HTML file to step through

Every game has a module `words/drawing.py` that uses the shared parts of this package:

- `paint(sheet, game, state)` draws the table.
- `result(game, state, names)` returns the result of a finished game as text.
- `standing(game, state)` returns the standing of every team.
- `ORDERS` is optional: what hands can be sorted by, such as `("suit", "rank")`. `sheet.order` is one of them, or "".
- `stays(game, before, action, after, previous)` is optional. It returns what later drawings show of earlier actions,
  such as the last trick. `previous` is what it returned for the action before.

The text of a picture contains nothing that its seat cannot know.
"""

from __future__ import annotations

from ..core.game import Game
from .drawings import Drawing, draw, is_drawn, move, sheet_of, show
from .replays import Replay, Thoughts, replay
from .sheet import Move

__all__ = ["Drawing", "Move", "Replay", "Thoughts", "draw", "is_drawn", "move", "replay", "sheet_of", "show"]

Game.drawn_by = show  # for `game.show(state)` in notebooks: the core does not import drawings
