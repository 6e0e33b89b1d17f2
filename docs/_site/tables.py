"""The tables in a game's README, printed from the game itself: `python -m docs._site.tables karma`.

Each table is between two marks, such as `<!-- actions -->` and `<!-- /actions -->`. Every game has `actions`, `view`,
`fields` (the options) and `state`. A game with action features has `action-features` and `table-features`.
`material_tables.py` has the tables of its cards or tiles, and of the modes of Tantrix.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.games import SHIPPED

from .material_tables import TABLES

GAMES = Path(__file__).resolve().parents[2] / "tantra_envs/games"


def readme(game: Game) -> Path:
    """The page of a game."""
    return GAMES / game.id / "README.md"


def with_tables(game: Game, page: str) -> str:
    """`page` with its marked tables as `game` prints them; ValueError if one is not marked."""
    tables = {"actions": game.actions.table(), "view": game.view.table(), "fields": game.options.table()}
    phases = ", ".join(f"{index} {phase}" for index, phase in enumerate(game.phases))
    tables["state"] = game.fields.table().replace("index of the phase", phases)
    if game.features is not None:
        tables["action-features"] = game.features.of_action.table()
        tables["table-features"] = game.features.of_table.table()
    tables |= {name: make() for name, make in TABLES[game.id].items()}
    return with_marked(page, {name: f"{table}\n" for name, table in tables.items()}, f"the page of {game.id}")


def with_marked(text: str, parts: dict[str, str], where: str) -> str:
    """Return `text` with each part between its marks, `<!-- NAME -->` and `<!-- /NAME -->`.

    Raises:
        ValueError: A mark is missing or there twice.
    """
    for name, part in parts.items():
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        pieces = re.split(f"{re.escape(first)}.*?{re.escape(last)}", text, flags=re.DOTALL)
        if len(pieces) != 2:
            raise ValueError(f"{where} has {len(pieces) - 1} parts marked {first} .. {last}; wanted: 1")
        text = f"{first}\n{part}{last}".join(pieces)
    return text


def main(names: list[str]) -> None:
    """Write the tables of the named games, all without names."""
    for name in names or SHIPPED:
        game = tantra_envs.game(name)
        page = readme(game)
        if not page.is_file():
            raise SystemExit(f"{name}: page {page} is missing; wanted: a page with the marked tables")
        page.write_text(with_tables(game, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
