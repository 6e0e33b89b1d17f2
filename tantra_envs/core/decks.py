"""Read whole decks for deals and positions, and deal them.

Games with decks for later rounds have the fields `decks`, the next one first, and `decks_n`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled.jit import kernel
from .game import Game
from .notation import Reader, check_deck, named, read_cards, read_int, refuse, split_decks
from .positions import Entry
from .rng import reverse
from .state import Record

Cards = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Decks:
    """The whole decks of a game.

    Attributes:
        names: The names of the cards.
        copies: Returns how many of each card a whole deck of a table has.
        reader: Reads a list of cards, if the game has more ways to write it.
    """

    names: Sequence[str]
    copies: Callable[[Any], Sequence[int]]
    reader: Reader | None = None

    def ascending(self, s: Any) -> Cards:
        """Return all cards of a deck of the table `s`, ascending."""
        return np.repeat(np.arange(len(self.names)), self.copies(s))

    def read_deal(self, game: Game, options: Mapping[str, Any], most: int = 1) -> tuple[int, Cards]:
        """Return the dealer, -1 = to be drawn, and at most `most` decks of a deal, shape (decks, cards)."""
        fixed = {name: value for name, value in options.items() if value is not None}
        dealer = read_int(fixed, "dealer", game.config["dealer"], range(-1, game.players))
        s = game.blank[0]
        decks = [self._whole("deck", deck, s, game.name) for deck in split_decks(game.name, options.get("deck"), most)]
        return dealer, np.array(decks, np.int64).reshape(len(decks), sum(self.copies(s)))

    @property
    def entry(self) -> Entry:
        """Return the entry `decks` of positions."""
        return Entry("decks", self._write, self._read)

    def _whole(self, label: str, value: Any, s: Any, owner: str = "position") -> list[int]:
        """Return the cards of a deck; raise ValueError unless it is whole."""
        cards = self.reader(label, value, s) if self.reader else read_cards(label, value, self.names)
        check_deck(f"{owner}: {label}", cards, self.copies(s), self.names)
        return cards

    def _write(self, s: Any) -> list[list[str]]:
        return [named(deck[: sum(self.copies(s))], self.names) for deck in s["decks"][: s["decks_n"]]]

    def _read(self, value: Any, s: Any) -> None:
        most = len(s["decks"])
        if not isinstance(value, (list, tuple)) or len(value) > most:
            raise refuse("decks", value, f"a list of at most {most} decks")
        for i, deck in enumerate(value):
            cards = self._whole(f"decks[{i}]", deck, s)
            s["decks"][i, : len(cards)] = cards
        s["decks_n"] = len(value)


# Kernels


@kernel
def give_decks(s: Record, decks: Any) -> None:
    """Store given decks (n, cards) for the next rounds."""
    for i in range(len(decks)):
        for k in range(decks.shape[1]):
            s.decks[i, k] = decks[i, k]
    s.decks_n = len(decks)


@kernel
def take_deck(s: Record, cards: Any, size: int) -> None:
    """Move the first given deck of `size` cards to `cards`, and the other decks up."""
    last = len(s.decks) - 1
    for k in range(size):
        cards[k] = s.decks[0, k]
        for i in range(last):
            s.decks[i, k] = s.decks[i + 1, k]
        s.decks[last, k] = 0
    s.decks_n -= 1


@kernel
def drop_decks(s: Record) -> None:
    """Forget the decks given for later rounds."""
    for i in range(s.decks_n):
        for k in range(s.decks.shape[1]):
            s.decks[i, k] = 0
    s.decks_n = 0


@kernel
def turn_over(cards: Any, size: int, dealt: int) -> None:
    """Drop the first `dealt` of `size` cards and reverse the rest, so that the next card is the last one."""
    for i in range(dealt):
        cards[i] = 0
    reverse(cards, size)
