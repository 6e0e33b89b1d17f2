"""The lobby: the games that people can choose, and the tables that they open.

A table is opened by its game, its variant, its seats and a seed. `make` builds it, so the lobby knows neither files
nor the agents of a checkout.
"""

from __future__ import annotations

import functools
import re
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import configuration
from ..core.game import Game
from ..drawing.drawings import is_drawn
from ..games import GAMES
from .history import MAX_SEED
from .table import RefusedError, Table

MOST_TABLES = 8  # one is closed when one more is opened
PERSON = "me"
_NAMED = re.compile(rf"{PERSON}:[^\x00-\x1f]{{1,20}}")
LEVELS = {  # agents that a seat can have, and what they do
    "uniform": ("random", "plays any legal action at random"),
    "greedy": ("greedy", "takes what looks best at once"),
    "scripted": ("usual", "follows rules of thumb"),
    "learned": ("trained", "a network that has learned from many games"),
    "search": ("strong", "tries its best actions out in sampled deals and takes its time"),
}
FOR_AGENTS = ("For training agents", "For exact results")  # texts of variants that are not for people begin so
TEXTS = {  # one paragraph for each game, the easiest first; other games follow
    "karma": "Get rid of your cards. Play a card as high as the last one or higher, or pick up the whole pile. Four "
    "special cards turn the tables, and whoever holds cards last loses. Ten minutes.",
    "tarot": "Tricks with 78 cards, after the rules of 1888. Show sequences, hold your trumps, catch the other side's "
    "kings. In the usual game the first with 100 points wins.",
    "tantrix": "Hexagonal tiles with three lines each. Lay them so that touching colours match, and make the longest "
    "line or loop in your colour. The variants hold puzzles for one player.",
    "kanastic": "Rummy in teams, like canasta. Lay down ranks and runs, build canastas of seven cards with swords and "
    "artifacts as wild cards, and collect the golden suit.",
    "tantra": "Rummy in which a Display Card says what everybody needs this round. Lay it all down at once, buy "
    "discards from the others for an extra card, and go out first.",
}
PICTURES = (
    Path(__file__).with_name("pictures"),
    Path(__file__).resolve().parents[2] / "docs/pictures",
)  # wheel, checkout
_WORDS = re.compile(rb'<text\b.*?</text>|<use href="#[^"]*-badge[^>]*/>', re.DOTALL)  # too small in a preview
Make = Callable[[Game, Sequence[str], int | None], Table]


@dataclass(eq=False)
class Lobby:
    """The tables of one server, and the games for new ones.

    Args:
        make: Returns a dealt table of a game, with a word for each seat, from a seed or None.
        tables: The tables so far.
        token: The token of the lobby's page.
    """

    make: Make
    tables: list[Table] = field(default_factory=list)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    _opening: threading.Lock = field(default_factory=threading.Lock)

    def open(self, game: str, seats: list[Any], variant: str = "", seed: int | None = None) -> Table:
        """Open a table and let its agents play. Close one if there are too many, a finished or watched one first.

        Args:
            game: Name of the game.
            seats: One word for each seat: `me`, `me:NAME` or one of LEVELS. Nobody is a person at a table to watch.
            variant: Name of the variant; "" = the usual rules.
            seed: Seed of the deal; None = random.

        Raises:
            RefusedError: A word is not allowed, or the table cannot be opened.
        """
        _check_wish(game, seats, seed)
        try:
            with self._opening:
                table = self.make(configuration.game(game, variant or None, players=len(seats)), seats, seed)
                self.tables.append(table)
                self._make_room(table)
        except (ValueError, OSError) as error:
            raise RefusedError(str(error)) from None
        table.start()
        return table

    def _make_room(self, new: Table) -> None:
        """Close tables until there are few enough: finished ones first, then watched ones, then the oldest game."""
        while len(self.tables) > MOST_TABLES:
            olds = [table for table in self.tables if table is not new]
            old = min(olds, key=lambda table: (not table.is_over, bool(table.people)))
            old.close()
            self.tables.remove(old)


def _check_wish(game: str, seats: list[Any], seed: int | None) -> None:
    """Raise RefusedError for an unknown game, seat or seed."""
    names = [entry["id"] for entry in catalogue()]
    if game not in names:
        raise RefusedError(f"game={game!r} is not allowed; allowed: {', '.join(names)}")
    for word in seats:
        if word not in (PERSON, *LEVELS) and not (isinstance(word, str) and _NAMED.fullmatch(word)):
            raise RefusedError(f"seat {word!r} is not allowed; allowed: {PERSON}, {PERSON}:NAME, {', '.join(LEVELS)}")
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise RefusedError(f"seed={seed} is not allowed; allowed: 0..{MAX_SEED}")


@functools.cache
def catalogue() -> list[dict[str, Any]]:
    """Return all games that have a drawing, with their texts, and the seats of every variant."""
    return [
        {
            "id": name,
            "title": configuration.game(name).title,
            "text": TEXTS.get(name, ""),
            "picture": picture(name) is not None,
            "variants": _variants(name),
        }
        for name in dict.fromkeys((*TEXTS, *GAMES))
        if is_drawn(configuration.game(name))
    ]


def _variants(name: str) -> list[dict[str, Any]]:
    """Return the usual rules of a game and its variants for people.

    A variant without changes is the usual rules: it describes them.
    """
    texts = configuration.variant_texts(name)
    games = {variant: configuration.game(name, variant or None) for variant in ("", *configuration.variants(name))}
    usual = games[""]
    same = [variant for variant, game in games.items() if variant and game.config == usual.config]
    texts[""] = texts[same[0]] if same else "The usual rules, without changes. The table explains them under Rules."
    return [
        {"name": variant, "text": texts[variant], "seats": list(game.seats), "players": game.players}
        for variant, game in games.items()
        if variant not in same and not texts[variant].startswith(FOR_AGENTS)
    ]


@functools.cache
def picture(name: str) -> bytes | None:
    """Return the picture of a game as an SVG in light and dark, or None if it has no picture."""
    if name not in GAMES:
        return None
    file = next((folder / f"{name}.svg" for folder in PICTURES if (folder / f"{name}.svg").is_file()), None)
    return None if file is None else _WORDS.sub(b"", file.read_bytes().replace(b'class="te light"', b'class="te"', 1))
