"""`python -m tantra_envs replay`: turn the bytes of `env.save()` into a page to step through."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .. import cli
from ..configuration import game as configured
from ..envs.aec import TableEnv
from ..opponents import opponent


@dataclass(frozen=True)
class Options:
    """Turn a saved table into a page to step through.

    Example: python -m tantra_envs replay table.save --out game.html
    """

    file: Path
    """File with the bytes of env.save()."""
    out: Path = field(kw_only=True)
    """File of the page: .html."""
    seat: int | None = field(default=None, kw_only=True)
    """Seat whose view is shown. [default: all cards and every seat]"""
    names: tuple[str, ...] = field(default=(), kw_only=True)
    """Names of all seats."""
    thoughts: str | None = field(default=None, kw_only=True)
    """Agent that explains every action, such as search:64."""


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page that the command line describes."""
    with cli.user_errors("train"):
        options = cli.read(Options, "tantra_envs replay", argv)
        env = _opened(options.file)
        agents = [opponent(options.thoughts, env.game)] * env.game.players if options.thoughts else []
        env.replay(options.names or None, options.seat, agents).save(options.out)
    return 0


def _opened(file: Path) -> TableEnv:
    """Return the table of a file. Raise ValueError if the file is not a saved table."""
    data = file.read_bytes()
    try:
        saved = json.loads(data)
        name, config = saved["game"].rpartition("_")[0], dict(saved["config"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(f"{file} is not a saved table; allowed: a file with the bytes of env.save()") from None
    env = TableEnv(configured(name, **config))
    env.load(data)
    return env
