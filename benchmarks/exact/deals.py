"""All deals of a game with their probabilities: every order of the deck that makes a different deal."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tantra_envs.configuration import game as configured
from tantra_envs.configuration import variants
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games import GAMES

MOST_DEALS = 2_000_000
MOST_ORDERS = 10**15  # of a deck
TRIALS = 40  # decks in which two places are compared
Classes = list[list[int]]


def all_deals(game: Game) -> tuple[States, npt.NDArray[np.float64]]:
    """Return every distinct deal, (n,) tables, and its probability, (n,).

    Raises:
        ValueError: See `check`; or there are too many deals.
    """
    check(game)
    deck = deck_of(game)
    classes = classes_of(game, deck)
    number = sum(1 for _ in itertools.islice(arrangements(deck, classes), MOST_DEALS + 1))
    if number > MOST_DEALS:
        raise ValueError(f"{game.name} is too large: it has more than {MOST_DEALS:,} deals; {small_editions(game)}")
    records, ways = bytearray(), []
    for order, weight in arrangements(deck, classes):
        records += dealt(game, order).tobytes()  # copying a record field by field would take longer than the deal
        ways.append(weight)
    return np.frombuffer(records, game.blank.dtype), np.array(ways) / sum(ways)


def check(game: Game) -> None:
    """Raise ValueError if a game has no deck that can be given, too many orders of it, or a dealer that is drawn."""
    deck = deck_of(game)
    if not deck:
        raise ValueError(f"{game.name}: exact play needs deals by `new(deck=...)`, which this game does not have")
    if _orders(deck) > MOST_ORDERS:
        words = f"is too large: its {len(deck)} cards have too many orders"
        raise ValueError(f"{game.name} {words}; {small_editions(game)}")
    dealer = game.config.get("dealer", 0)
    game.check("dealer", dealer, dealer >= 0, "a fixed dealer, such as dealer=0")


def small_editions(game: Game) -> str:
    """Return the variants of a game with few enough orders of their deck, as the end of an error."""
    names = [f"{game.id}:{name}" for name in variants(game.id)] if game.id in GAMES else []
    small = [name for name in names if 0 < _orders(deck_of(configured(name))) <= MOST_ORDERS]
    return f"allowed: {', '.join(small) or 'a game with fewer cards'}"


def deck_of(game: Game) -> list[str]:
    """Return the cards of a game whose deck can be given, else none."""
    write = getattr(game.words, "deck", None)
    return list(write(game)) if write and "deck" in game.deal_options else []


def _orders(deck: Sequence[str]) -> int:
    """Return the number of orders of a deck; 0 without cards."""
    return math.factorial(len(deck)) // math.prod(map(math.factorial, Counter(deck).values())) if deck else 0


def dealt(game: Game, deck: Sequence[str]) -> States:
    """Return the table of a deck (1,). Its random stream is the same for every deck."""
    return game.new(0, deck=list(deck))


def classes_of(game: Game, deck: Sequence[str]) -> Classes:
    """Return the places of the deck in classes: cards may be exchanged within a class without any effect on the deal.

    Two places are in one class if exchanging their cards changes nothing in many shuffled decks.
    """
    rng = np.random.default_rng(0)
    decks = [[deck[i] for i in rng.permutation(len(deck))] for _ in range(TRIALS)]
    tables = [dealt(game, order).tobytes() for order in decks]
    classes: Classes = []
    for place in range(len(deck)):
        for members in classes:
            if all(_exchanged(game, order, place, members[0]) == t for order, t in zip(decks, tables, strict=True)):
                members.append(place)
                break
        else:
            classes.append([place])
    return classes


def _exchanged(game: Game, order: Sequence[str], one: int, other: int) -> bytes:
    changed = list(order)
    changed[one], changed[other] = changed[other], changed[one]
    return dealt(game, changed).tobytes()


def arrangements(deck: Sequence[str], classes: Classes) -> Iterator[tuple[list[str], int]]:
    """Yield the decks that differ by more than exchanges within classes, and how many orders each stands for."""
    kinds, counts = zip(*Counter(deck).items(), strict=True)
    order = [""] * len(deck)

    def place(at: int, left: list[int], weight: int) -> Iterator[tuple[list[str], int]]:
        if at == len(classes):
            yield list(order), weight
            return
        size = len(classes[at])
        for chosen in _choices(left, size, 0):
            cards = [kind for kind, n in zip(kinds, chosen, strict=True) for _ in range(n)]
            for spot, card in zip(classes[at], cards, strict=True):
                order[spot] = card
            ways = math.factorial(size) // math.prod(map(math.factorial, chosen))
            yield from place(at + 1, [a - b for a, b in zip(left, chosen, strict=True)], weight * ways)

    return place(0, list(counts), 1)


def _choices(left: Sequence[int], size: int, kind: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to choose `size` cards from `left` of each kind, kinds from `kind` on."""
    if kind == len(left) - 1:
        if left[kind] >= size:
            yield (size,)
        return
    for n in range(min(left[kind], size) + 1):
        for rest in _choices(left, size - n, kind + 1):
            yield (n, *rest)
