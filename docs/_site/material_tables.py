"""The tables of single games on their pages: cards and tiles from `material.py`, and the modes of Tantrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import tantra_envs
from tantra_envs.core.blocks import Blocks
from tantra_envs.games.kanastic import material as kanastic
from tantra_envs.games.karma import material as karma
from tantra_envs.games.tantra import material as tantra
from tantra_envs.games.tantrix import material as tantrix
from tantra_envs.games.tarot import material as tarot

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SPECIAL_RULES = {
    tantra.NO_BUYING: "no buying",
    tantra.NO_JOKERS: "no jokers",
    tantra.NO_WILD_CARDS: "no wild cards",
    tantra.IDENTICAL: "identical cards",
    tantra.NINETEEN: "19 cards allowed",
}
SPECIALS = ("Sword", "Artifact", "Shield", "Treasure Pot")  # of Kanastic, as they are numbered
COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "W": "white"}
TAROT_SUITS = ("Wands", "Cups", "Swords", "Pentacles")


def markdown(head: Iterable[str], numeric: int, rows: Iterable[Iterable[object]]) -> str:
    """Return a table; its first `numeric` columns are aligned to the right."""
    head = list(head)
    rule = ["---:" if column < numeric else "---" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in (head, rule, *rows)).replace("|  |", "| |")


def _spelled(cards: Iterable[str]) -> str:
    return " ".join(f"`{card}`" for card in cards)


# [Karma, Tarot]


def karma_types() -> str:
    """Return the types of cards by number."""
    rows = [(t, f"`{name}`") for t, name in enumerate(karma.CARD_NAMES)]
    return markdown(["t", "type"] * 4, 0, [[cell for row in rows[i::5] for cell in row] for i in range(5)])


def tarot_cards() -> str:
    """Return the cards by number: the trumps, then each suit."""
    trumps = _span(0, tarot.TRUMPS - 1), "the Fool and the trumps", _spelled(tarot.CARD_NAMES[: tarot.TRUMPS])
    starts = tarot.FIRST_OF_SUIT[1:-1]
    suits = [
        (_span(first, first + tarot.SUIT_CARDS - 1), name, _spelled(tarot.CARD_NAMES[first : first + tarot.SUIT_CARDS]))
        for first, name in zip(starts, TAROT_SUITS, strict=True)
    ]
    return markdown(["c", "", "cards"], 1, [trumps, *suits])


def _span(first: int, last: int) -> str:
    return f"{first}..{last}"


# [Tantra]


def tantra_types() -> str:
    """Return the types of cards by number, a row for each suit."""
    rows = [(SUITS[suit], *range(tantra.RANKS * i, tantra.RANKS * (i + 1))) for i, suit in enumerate(tantra.SUIT_NAMES)]
    return markdown(["t", *tantra.RANK_NAMES], 0, rows)


def display_cards() -> str:
    """Return the Display Cards: their sets in printed order, and their special rules."""
    rows = [
        (number, " ".join(map(str, kinds)), " ".join(map(str, runs)), sum(kinds + runs), _special_rules(flags))
        for number, (kinds, runs, flags) in enumerate(tantra.DISPLAY_CARDS, start=1)
    ]
    return markdown(["card", "kinds of", "runs of", "cards in all", "special rules"], 1, rows)


def _special_rules(flags: int) -> str:
    return ", ".join(words for flag, words in SPECIAL_RULES.items() if flags & flag)


# [Kanastic]


def kanastic_kinds() -> str:
    """Return the kinds of cards by number: a row for each rank, then the others, with their copies."""
    ranks = [
        (f"rank {r}: {name}", *range(kanastic.VARIANTS * r, kanastic.VARIANTS * (r + 1)))
        for r, name in enumerate(kanastic.RANK_NAMES)
    ]
    copies = [("copies", *kanastic.COPIES[0][: kanastic.VARIANTS])]
    head = ["i", "hearts `H`", "diamonds `D`", "spades `S`", "clubs `C`", "gold `G`"]
    return markdown(head, 0, ranks + copies)


def kanastic_specials() -> str:
    """Return the kinds without rank."""
    numbers = range(kanastic.NATURALS, kanastic.KINDS)
    rows = [
        (i, name, f"`{kanastic.CARD_NAMES[i]}`", kanastic.COPIES[0][i])
        for i, name in zip(numbers, SPECIALS, strict=True)
    ]
    return markdown(["i", "card", "written", "copies"], 1, rows)


# [Tantrix]


def tiles() -> str:
    """Return the tiles: the colour of the number on the back, their sides at rotation 0, and their links."""
    rows = [
        (number, COLOURS[back], " ".join(edges), ", ".join(_links(edges)))
        for number, (back, edges) in enumerate(zip(tantrix.BACKS, tantrix.EDGES, strict=True), start=1)
    ]
    return markdown(["tile", "back", "sides 0 to 5", "links"], 1, rows)


def _links(edges: str) -> list[str]:
    """Return each link as its colour and the two sides it joins."""
    return [f"{colour} {edges.index(colour)}-{edges.rindex(colour)}" for colour in tantrix.COLOURS if colour in edges]


def tantrix_view(**options: Any) -> str:
    """Return the observation of another mode or encoding."""
    return tantra_envs.game("tantrix", **options).view.table()


def tantrix_features(part: str, **options: Any) -> str:
    """Return the action features of another mode, or the features of its table: of_action, of_table."""
    blocks: Blocks = getattr(tantra_envs.game("tantrix", **options).features, part)
    return blocks.table()


# By game: the name of each table's marks, and the function that makes it.
TABLES: dict[str, dict[str, Callable[[], str]]] = {
    "karma": {"types": karma_types},
    "tarot": {"cards": tarot_cards},
    "tantra": {"types": tantra_types, "displays": display_cards},
    "kanastic": {"kinds": kanastic_kinds, "specials": kanastic_specials},
    "tantrix": {
        "tiles": tiles,
        "view-solitaire": partial(tantrix_view, mode="solitaire"),
        "view-gobble": partial(tantrix_view, mode="gobble"),
        "view-puzzles": partial(tantrix_view, mode="discovery", puzzle=10),
        "view-window": partial(tantrix_view, encoding="window"),
        "action-features-solitaire": partial(tantrix_features, "of_action", mode="solitaire"),
        "table-features-solitaire": partial(tantrix_features, "of_table", mode="solitaire"),
        "action-features-gobble": partial(tantrix_features, "of_action", mode="gobble"),
        "table-features-gobble": partial(tantrix_features, "of_table", mode="gobble"),
    },
}
