"""Records of finished games: best results of games for one, and the games themselves."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

from ..core.game import Game
from ..files import new_file, write_content, write_json
from .table import Table

KEPT = 5  # results per puzzle or game
_entering = threading.Lock()  # tables of one server can end at the same time


def enter(file: Path, table: Table) -> str:
    """Enter the finished game into the lists of best results. Return a message for the person."""
    score, seconds = float(table.history.totals.sum()), round(table.seconds, 1)
    if table.history.state["truncated"][0] or not table.fresh or table.hints:
        why = "was truncated" if table.history.state["truncated"][0] else "had hints" if table.hints else "was resumed"
        return f"Score {score:g}. The game {why}, so it is not in the list of best results."
    new = {"score": score, "seconds": seconds, "actions": len(table.history.moves), "when": time.strftime("%Y-%m-%d")}
    with _entering:
        lists = read(file)
        entries = lists.setdefault(name(table.game), [])
        entries.append(new)
        entries.sort(key=lambda result: (-result["score"], result["seconds"]))
        place = entries.index(new) + 1
        del entries[KEPT:]
        write_json(file, lists)
    best = entries[0]
    return f"Score {score:g} in {seconds:g} s, place {place}. Best: {best['score']:g} in {best['seconds']:g} s."


def read(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the lists of best results by game name. Raise ValueError if the file holds something else."""
    if not file.exists():
        return {}
    try:
        lists = json.loads(file.read_text(encoding="utf-8"))
        for entries in lists.values():
            for result in entries:
                float(result["score"]), float(result["seconds"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{file} holds no results: {error!r}; move it away") from None
    return lists  # type: ignore[no-any-return]


def name(game: Game) -> str:
    """Return the name of a game with its options that differ from the defaults."""
    fields = game.options.changed(game.config)
    return " ".join((game.name, *(f"{field}={value}" for field, value in sorted(fields.items()))))


def record(folder: Path, table: Table) -> None:
    """Save the game as start and actions, which `saved_history` plays again and verifies."""
    write_content(new_file(folder, table.game.id), table.history.save())
