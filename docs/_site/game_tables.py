"""The tables on a game's page, printed from the game itself: `python -m docs._site.game_tables karma`.

Each table is between two marks, such as `<!-- actions -->` and `<!-- /actions -->`. Every game has `actions`, `view`,
`fields` (the options) and `state`. A game with action features has `action-features` and `table-features`. `TABLES`
has the tables of its cards or tiles, and of the modes of Tantrix. A clone has a command in place of each long table.
The site has them all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any

import tantra_envs
from benchmarks.harness.pages import table
from tantra_envs.core.game import Game
from tantra_envs.games import SHIPPED
from tantra_envs.games.kanastic import material as kanastic
from tantra_envs.games.karma import material as karma
from tantra_envs.games.tantra import material as tantra
from tantra_envs.games.tantrix import material as tantrix
from tantra_envs.games.tarot import material as tarot

from .figures import with_marked

# Tables on the site alone: how their names begin with the part of the game that prints them, and how those of other
# modes and encodings of Tantrix end
LONG = {"view-": "view", "action-features": "features.of_action", "table-features": "features.of_table"}
MODES: dict[str, dict[str, Any]] = {
    "solitaire": {"mode": "solitaire"},
    "gobble": {"mode": "gobble"},
    "puzzles": {"mode": "discovery", "puzzle": 10},
    "window": {"encoding": "window"},
}
OTHER_MODES = (
    *("view-solitaire", "view-gobble", "view-puzzles", "view-window", "action-features-solitaire"),
    *("table-features-solitaire", "action-features-gobble", "table-features-gobble"),
)
GAMES = Path(__file__).resolve().parents[2] / "tantra_envs/games"
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
SUIT_STARTS = tarot.FIRST_OF_SUIT[1:]


def readme(game: Game) -> Path:
    """The page of a game."""
    return GAMES / game.id / "README.md"


def with_tables(game: Game, page: str, *, whole: bool = False) -> str:
    """Return a page with its marked tables as `game` prints them; ValueError if one is not marked.

    A clone has a command in place of each long table. With `whole` the page has all tables, as on the site.
    """
    texts = {"actions": game.actions.table(), "view": game.view.table(), "fields": game.options.table()}
    phases = ", ".join(f"{index} {phase}" for index, phase in enumerate(game.phases))
    texts["state"] = game.fields.table().replace("index of the phase", phases)
    texts |= {name: make() for name, make in TABLES[game.id].items()}
    long = () if game.features is None else ("action-features", "table-features")
    long += OTHER_MODES if game.id == "tantrix" else ()
    texts |= {name: _long(game, name, whole) for name in long}
    return with_marked(page, {name: f"{text.rstrip()}\n" for name, text in texts.items()}, f"the page of {game.id}")


def _long(game: Game, name: str, whole: bool) -> str:
    """Return a long table, or the sentence with the command that prints it."""
    (part,) = (part for beginning, part in LONG.items() if name.startswith(beginning))
    options = MODES.get(name.rpartition("-")[2], {})
    if whole:
        return str(attrgetter(part)(tantra_envs.game(game.id, **options)).table())
    words = ", ".join([f"'{game.id}'", *(f"{option}={value!r}" for option, value in options.items())])
    return f'`python -c "import tantra_envs as t; print(t.game({words}).{part}.table())"` prints this table.'


def karma_types() -> str:
    """Return the types of cards by number."""
    rows = [(t, f"`{name}`") for t, name in enumerate(karma.CARD_NAMES)]
    return table(["t", "type"] * 4, [[cell for row in rows[i::5] for cell in row] for i in range(5)])


def tarot_cards() -> str:
    """Return the cards by number: the trumps, then each suit."""
    spans = zip(("the Fool and the trumps", *TAROT_SUITS), pairwise((0, *SUIT_STARTS)), strict=True)
    names = [f"`{card}`" for card in tarot.CARD_NAMES]
    rows = [(f"{first}..{last - 1}", suit, " ".join(names[first:last])) for suit, (first, last) in spans]
    return table(["c", "", "cards"], rows, right=(0,))


def tantra_types() -> str:
    """Return the types of cards by number, a row for each suit."""
    rows = [(SUITS[suit], *range(tantra.RANKS * i, tantra.RANKS * (i + 1))) for i, suit in enumerate(tantra.SUIT_NAMES)]
    return table(["t", *tantra.RANK_NAMES], rows)


def display_cards() -> str:
    """Return the Display Cards: their sets in printed order, and their special rules."""
    rows = []
    for number, (kinds, runs, flags) in enumerate(tantra.DISPLAY_CARDS, start=1):
        special = ", ".join(words for flag, words in SPECIAL_RULES.items() if flags & flag)
        rows.append((number, " ".join(map(str, kinds)), " ".join(map(str, runs)), sum(kinds + runs), special))
    return table(["card", "kinds of", "runs of", "cards in all", "special rules"], rows, right=(0,))


def kanastic_kinds() -> str:
    """Return the kinds of cards by number: a row for each rank, then the others, with their copies."""
    width = kanastic.VARIANTS
    rows = [(f"rank {r}: {name}", *range(width * r, width * (r + 1))) for r, name in enumerate(kanastic.RANK_NAMES)]
    rows.append(("copies", *kanastic.COPIES[0][:width]))
    return table(["i", "hearts `H`", "diamonds `D`", "spades `S`", "clubs `C`", "gold `G`"], rows)


def kanastic_specials() -> str:
    """Return the kinds without rank."""
    numbers = zip(range(kanastic.NATURALS, kanastic.KINDS), SPECIALS, strict=True)
    rows = [(i, name, f"`{kanastic.CARD_NAMES[i]}`", kanastic.COPIES[0][i]) for i, name in numbers]
    return table(["i", "card", "written", "copies"], rows, right=(0,))


def tiles() -> str:
    """Return the tiles: the colour of the number on the back, their sides at rotation 0, and their links."""
    numbers = enumerate(zip(tantrix.BACKS, tantrix.EDGES, strict=True), start=1)
    rows = [(number, COLOURS[back], " ".join(edges), ", ".join(_links(edges))) for number, (back, edges) in numbers]
    return table(["tile", "back", "sides 0 to 5", "links"], rows, right=(0,))


def _links(edges: str) -> Iterator[str]:
    """Yield each link as its colour and the two sides it joins."""
    return (f"{colour} {edges.index(colour)}-{edges.rindex(colour)}" for colour in tantrix.COLOURS if colour in edges)


# By game: the name of each table's marks, and the function that makes it.
TABLES: dict[str, dict[str, Callable[[], str]]] = {
    "karma": {"types": karma_types},
    "tarot": {"cards": tarot_cards},
    "tantra": {"types": tantra_types, "displays": display_cards},
    "kanastic": {"kinds": kanastic_kinds, "specials": kanastic_specials},
    "tantrix": {"tiles": tiles},
}


def main(names: list[str]) -> None:
    """Write the tables of the named games, all without names."""
    for name in names or SHIPPED:
        game = tantra_envs.game(name)
        page = readme(game)
        page.write_text(with_tables(game, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
