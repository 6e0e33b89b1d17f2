"""`python -m tantra_envs replay`: turn a game that `play` saved into a page to step through."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import drawing
from ..cli import user_errors
from ..opinions import opinions_on
from ..opponents import opponent
from ..table.history import saved_history
from .parsing import Parser


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page that the command line describes."""
    parser = Parser("replay", "Turn a saved game into a page to step through.", "runs/play/game.json --out game.html")
    parser.add_argument("file", type=Path, help="File of `play --save` or `play --record`.")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="File of the page: .html.")
    parser.add_argument("--seat", type=int, help="Seat whose view is shown. [default: all cards and every seat]")
    parser.add_argument("--names", nargs="+", metavar="NAME", help="Names of all seats.")
    parser.add_argument("--judge", metavar="AGENT", help="Agent that rates every action, such as search:64.")
    asked = parser.parse_args(argv)
    with user_errors("train"):
        try:
            history = saved_history(asked.file.read_bytes())
        except ValueError as error:
            raise ValueError(f"{asked.file}: {error}") from None
        game, actions = history.game, [past.action for past in history.moves]
        judges = [opponent(asked.judge, game)] * game.players if asked.judge else [None] * game.players
        thoughts = opinions_on(game, history.start, actions, judges)
        page = drawing.replay(game, history.start, actions, asked.names, seat=asked.seat, thoughts=thoughts)
        page.save(asked.out)
    return 0
