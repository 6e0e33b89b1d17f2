"""The tables on a game's page, printed from the game itself: `python -m docs._site.tables karma`.

Each table is between two marks, such as `<!-- actions -->` and `<!-- /actions -->`. Every game has `actions`, `view`,
`fields` (the options) and `state`. A game with action features has `action-features` and `table-features`.
`material_tables.py` has the tables of its cards or tiles, and of the modes of Tantrix. A clone has a line in
place of each long table; the site has them all.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.games import SHIPPED

from .material_tables import TABLES

# Tables on the site alone: how their names begin, and what prints them
LONG = {
    "view": "game.view.table()",
    "state": "game.fields.table()",
    "action-features": "game.features.of_action.table()",
    "table-features": "game.features.of_table.table()",
}
GAMES = Path(__file__).resolve().parents[2] / "tantra_envs/games"


def readme(game: Game) -> Path:
    """The page of a game."""
    return GAMES / game.id / "README.md"


def with_tables(game: Game, page: str) -> str:
    """`page` with the marked tables of a clone as `game` prints them; ValueError if one is not marked."""
    return _filled(game, page, {name: _reference(name) or text for name, text in tables(game).items()})


def with_all_tables(game: Game, page: str) -> str:
    """`page` with all marked tables, as the site shows it."""
    return _filled(game, page, tables(game))


def _filled(game: Game, page: str, texts: dict[str, str]) -> str:
    return with_marked(page, texts, f"the page of {game.id}")


def _reference(name: str) -> str:
    """Return the line in place of a long table, or "" for another one."""
    calls = [call for beginning, call in LONG.items() if name.startswith(beginning)]
    return f"(`{calls[0]}` prints this table; the site shows it here.)\n" if calls else ""


def tables(game: Game) -> dict[str, str]:
    """Return the tables of a game by the names of their marks."""
    texts = {"actions": game.actions.table(), "view": game.view.table(), "fields": game.options.table()}
    phases = ", ".join(f"{index} {phase}" for index, phase in enumerate(game.phases))
    texts["state"] = game.fields.table().replace("index of the phase", phases)
    if game.features is not None:
        texts["action-features"] = game.features.of_action.table()
        texts["table-features"] = game.features.of_table.table()
    texts |= {name: make() for name, make in TABLES[game.id].items()}
    return {name: f"{text}\n" for name, text in texts.items()}


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
