"""The tables in a game's README, printed from the game itself: `python -m tests.tools.tables karma`.

Each table is between two marks, such as `<!-- actions -->` and `<!-- /actions -->`. Every game has `actions`, `view`,
`fields` (the options) and `state`; `material_tables.py` has those of its cards or tiles.
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
    tables |= {name: make() for name, make in TABLES[game.id].items()}
    for name, table in tables.items():
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        parts = re.split(f"{first}.*?{last}", page, flags=re.DOTALL)
        if len(parts) != 2:
            raise ValueError(f"the page of {game.id} has {len(parts) - 1} tables marked {first} .. {last}; wanted: 1")
        page = f"{first}\n{table}\n{last}".join(parts)
    return page


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
