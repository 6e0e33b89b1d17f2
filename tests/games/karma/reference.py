"""The cards of Karma and its deal in plain Python, without any code of the package."""

from __future__ import annotations

from .. import sfc32

NUMBERS = [str(number) for number in range(1, 17)]
KARMA = ["GIVE", "TABLE", "BOTTOMS", "FIVE"]
CARDS = NUMBERS + KARMA


def deck_from_seed(seed: int, players: int, copies: int, dealer: int = -1) -> tuple[int, list[str]]:
    """Dealer and shuffled deck, front first, from the random stream sfc32."""
    words = sfc32.stream(seed)
    dealer = sfc32.below(words, players) if dealer < 0 else dealer
    deck = [card for card in CARDS for _ in range(copies)]
    sfc32.shuffle(words, deck)
    return dealer, deck
