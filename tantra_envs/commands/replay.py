"""`python -m tantra_envs replay`: turn a game that `play` saved into a page to step through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..core.opinions import Adviser
from ..drawing.drawings import check_reader
from ..opponents import opponent
from ..programs import cli
from ..programs.files import check_file
from ..table.history import saved_history
from ..table.lobby import saved_agents
from ..table.replays import replay_of


@dataclass(frozen=True)
class Args:
    """Turn a saved game into a page to step through.

    Example: python -m tantra_envs replay runs/play/game.json --out game.html
    """

    file: Path
    """File of `play --save` or `play --record`."""
    out: Path = field(kw_only=True)
    """File of the page: .html."""
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
        try:
            history = saved_history(options.file.read_bytes())
        except ValueError as error:
            raise ValueError(f"{options.file}: {error}") from None
        game = history.game
        if options.out.suffix != ".html":
            raise ValueError(f"out={str(options.out)!r} is not allowed; allowed: a file name that ends in .html")
        check_file("out", options.out)
        seat, names = check_reader(game, options.seat, options.names or history.facts.names or None)
        judge = opponent(options.judge, game) if options.judge else None
        if judge is not None and not isinstance(judge, Adviser):
            raise ValueError(f"judge={options.judge!r} rates no actions; allowed: search:64, learned or ppo:FILE")
        replay_of(history, seat, names, judge, saved_agents(history)).save(options.out)
    return 0
