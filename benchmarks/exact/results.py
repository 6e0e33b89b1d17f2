"""The file of `benchmarks exact --results`: the figures of agents by game, each with its command and version."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import tantra_envs
from tantra_envs.programs.files import Json, only_writer, write_json

SOURCE = "python -m benchmarks exact GAME:mini --agents AGENT --results FILE"
SIZES = ("deals", "histories", "plays", "sets", "longest")


def read(file: Path) -> dict[str, Json]:
    """Return the games of a file of results by name; raise ValueError if it is no such file."""
    try:
        games: dict[str, Json] = json.loads(file.read_text(encoding="utf-8"))["games"]
        for game in games.values():
            _ = [(row["name"], float(row["exploitability"])) for row in game["strategies"]]
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ValueError(f"{file} is damaged, or not written by {SOURCE}: {error!r:.200}") from None
    return games


def write(file: Path, command: str, game: str, facts: Json, rows: Sequence[Json]) -> None:
    """Write the figures of a game into a file of results.

    Those of other games in it stay, and those of other agents unless the game has changed. Another process that writes
    the file waits.
    """
    origin = {"command": command, "version": tantra_envs.__version__, "date": f"{date.today()}"}
    names = {row["name"] for row in rows}
    with only_writer(file):
        games = read(file) if file.is_file() else {}
        before = games.get(game, {})
        if any(before.get(name) != facts[name] for name in SIZES):
            before = {}
        others = [row for row in before.get("strategies", []) if row["name"] not in names]
        own = [{**origin, **row} for row in rows]
        games[game] = {**before, **facts, "strategies": others + own}
        write_json(file, {"games": dict(sorted(games.items()))})
