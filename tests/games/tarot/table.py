"""A Tarot table set up by a position and played in words."""

from __future__ import annotations

from typing import Any

import tantra_envs

RANKS = ("A", *map(str, range(2, 11)), "Kv", "Kn", "Q", "K")
SUITS = {
    "T": [f"T{i}" for i in range(22)],
    **{suit: [suit + rank for rank in RANKS] for suit in "WCSP"},
}
DECK = [card for suit in SUITS.values() for card in suit]
TAROTS = ["T0", "T1", "T21", "WK", "CK", "SK", "PK"]


class Table:
    """`Table(config, hands=["WA T0", "C3 T5"])`; then `do("WA")`, `legal`, `table["points"]`.

    The number of players is that of the hands. With `seed` the table is dealt instead, from what may be given.
    """

    def __init__(self, config: dict[str, Any] | None = None, *, seed: int | None = None, **position: Any) -> None:
        config = dict(config or {})
        if seed is None:
            self.game = tantra_envs.game("tarot", **{"players": len(position["hands"]), **config})
            self.state = self.game.from_position(position)
        else:
            self.game = tantra_envs.game("tarot", **config)
            self.state = self.game.new(seed, **position)

    def do(self, *words: str) -> Table:
        for text in " ".join(words).split():
            self.game.apply_action(self.state, self.game.parse_action(self.state, text))
        return self

    @property
    def legal(self) -> set[str]:
        return {self.game.action_name(self.state, action) for action in self.game.legal(self.state)}

    def __getitem__(self, field: str) -> Any:
        return self.game.position(self.state)[field]

    def hand(self, seat: int) -> list[str]:
        return self["hands"][seat]

    def seen(self, seat: int, block: str) -> list[float]:
        return self.game.observation(self.state, seat)[self.game.view[block].slice].tolist()

    def seen_cards(self, seat: int, block: str) -> set[str]:
        return {card for card, there in zip(DECK, self.seen(seat, block), strict=True) if there}

    def play_on(self, skip: str = "NO") -> Table:
        """Say NO to every question, until a card is to be played."""
        while self["phase"] in ("DECLARE", "CALL"):
            self.do(skip)
        return self


def cards(text: str) -> set[str]:
    return set(text.split())


def others(*hands: str, count: int = 25) -> str:
    """`count` cards that are in none of the hands: those left over first."""
    used = set(" ".join(hands).split())
    return " ".join([card for card in DECK[::-1] if card not in used][:count])
