"""`python -m tantra_envs replay`: turn a game that `play` saved into a page to step through, or into a GIF."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from ..core.opinions import Adviser
from ..drawing.drawings import check_reader
from ..drawing.replays import film
from ..opponents import opponent
from ..programs import cli
from ..programs.files import check_file, ending, write_content
from ..table.history import saved_in
from ..table.lobby import saved_agents
from ..table.replays import replay_of


@dataclass(frozen=True)
class Args:
    """Turn a saved game into a page to step through, or into a moving picture.

    Example: python -m tantra_envs replay runs/play/game.json --out game.html
    """

    file: Path
    """File of a game that `play` saved."""
    out: Annotated[Path, ending(".html", ".gif")] = field(kw_only=True)
    """File of the page: .html, or .gif for 24 tables of the game as a moving picture."""
    seat: int | None = field(default=None, kw_only=True)
    """Seat whose view is shown. [default: all cards and every seat]"""
    names: tuple[str, ...] = field(default=(), kw_only=True)
    """Names of all seats. [default: those of the table]"""
    judge: str | None = field(default=None, kw_only=True)
    """Agent that rates every action, such as search:64."""


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page that the command line describes."""
    with cli.user_errors("train"):
        options = cli.read(Args, "tantra_envs replay", argv)
        history = saved_in(options.file)
        game, is_film = history.game, options.out.suffix == ".gif"
        _check(options)
        seat, names = check_reader(game, options.seat, options.names or history.facts.names or None)
        if is_film:
            actions = [past.action for past in history.moves]
            write_content(options.out, film(game, history.start, actions, names, seat=seat))
            return 0
        judge = opponent(options.judge, game) if options.judge else None
        if judge is not None and not isinstance(judge, Adviser):
            raise ValueError(f"judge={options.judge!r} rates no actions; allowed: search:64, learned or ppo:FILE")
        replay_of(history, seat, names, judge, saved_agents(history)).save(options.out)
    return 0


def _check(options: Args) -> None:
    """Check the file of the page before the actions are rated.

    Raises:
        ValueError: The file is a picture, which shows no ratings.
        OSError: The folder cannot be written.
    """
    out = options.out
    if out.suffix == ".gif":
        if options.judge:
            raise ValueError(f"judge={options.judge!r} is not allowed with a .gif, which shows no ratings")
        with cli.user_errors("render"):
            importlib.import_module("resvg_py")
    check_file("out", out)
