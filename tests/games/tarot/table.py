"""A Tarot table set up by a position and played by the names of actions."""

from __future__ import annotations

from ..loop_bounds import bounded_while
from ..table import GameTable

RANKS = ("A", *map(str, range(2, 11)), "Kv", "Kn", "Q", "K")
SUITS = {"T": [f"T{i}" for i in range(22)], **{suit: [suit + rank for rank in RANKS] for suit in "WCSP"}}
DECK = [card for suit in SUITS.values() for card in suit]
TAROTS = ["T0", "T1", "T21", "WK", "CK", "SK", "PK"]


class Table(GameTable):
    """`Table(config, hands=["WA T0", "C3 T5"])`; then `do("WA")`, `legal`, `table["points"]`."""

    id = "tarot"

    def do(self, *words: str) -> Table:
        """Actions one by one, or in one text with blanks between them."""
        return super().do(*" ".join(words).split())

    def seen_cards(self, seat: int, block: str) -> set[str]:
        return {card for card, there in zip(DECK, self.seen(seat, block), strict=True) if there}

    def play_on(self, skip: str = "NO") -> Table:
        """Say NO to every question, until a card is to be played."""
        for _ in bounded_while(lambda: self["phase"] in ("DECLARE", "CALL")):
            self.do(skip)
        return self


def cards(text: str) -> set[str]:
    return set(text.split())


def others(*hands: str, count: int = 25) -> str:
    """`count` cards that are in none of the hands: those left over first."""
    used = set(" ".join(hands).split())
    return " ".join([card for card in DECK[::-1] if card not in used][:count])
