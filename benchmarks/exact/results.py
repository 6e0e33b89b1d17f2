"""The file of `benchmarks exact --results`: the figures of agents by game, each with its command and version."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import tantra_envs
from tantra_envs.programs.files import Json, only_writer, write_json

from ..harness import schema
from ..harness.schema import AMOUNT, DATE, LINE, NUMBER, OBJECT, RELEASE, WHOLE, check_fields, lists, one_of

SOURCE = "python -m benchmarks exact GAME:mini --agents AGENT --results FILE"
ROUNDING = 1e-9  # by which the exploitability of optimal play may be below 0
LISTS = {"sets": WHOLE, "rewards": NUMBER, "responses": NUMBER}
SIZES = {"deals": WHOLE, "histories": WHOLE, "plays": WHOLE, "longest": WHOLE}
SOLVED = {"value": NUMBER, "within": AMOUNT, "iterations": WHOLE}
ORIGIN = {"command": LINE, "version": RELEASE, "date": DATE}
STRATEGY = {
    **ORIGIN,
    "name": LINE,
    "form": one_of("fixed", "probabilities", "drawn", "solved"),
    "exploitability": schema.between(-ROUNDING, schema.MOST, int, float),
    "worst": lists(OBJECT, "a list of objects"),
}
DECISION = {"seat": WHOLE, "gain": AMOUNT, "plays": OBJECT, "better": schema.TEXT, "table": schema.TEXT}


def read(file: Path) -> dict[str, Json]:
    """Return the games of a file of results by name.

    Raises:
        ValueError: The file cannot be read, or a field is missing or not allowed.
    """
    content = schema.read(file)
    check_fields(str(file), content, {"games": OBJECT}, SOURCE)
    for name, game in content["games"].items():
        _check_game(f"{file}: {name}", game)
    games: dict[str, Json] = content["games"]
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
        if any(before.get(name) != facts[name] for name in (*SIZES, "sets")):
            before = {}
        others = [row for row in before.get("strategies", []) if row["name"] not in names]
        own = [{**origin, **row} for row in rows]
        games[game] = {**before, **facts, "strategies": others + own}
        write_json(file, {"games": dict(sorted(games.items()))})


def _check_game(where: str, game: Any) -> None:
    """Raise ValueError unless these are the sizes of a game and the figures of strategies."""
    seats = len(game["sets"]) if isinstance(game, dict) and isinstance(game.get("sets"), list) else 1
    by_seat = {name: lists(values, f"a list of {seats} numbers", seats) for name, values in LISTS.items()}
    solved = SOLVED if isinstance(game, dict) and game.keys() & SOLVED else {}
    strategies = lists(OBJECT, "a list of objects")
    check_fields(where, game, {**SIZES, "sets": by_seat["sets"], **solved, "strategies": strategies}, SOURCE)
    for row in game["strategies"]:
        own = f"{where}: {row.get('name')!s:.40}"
        check_fields(own, row, {**STRATEGY, "rewards": by_seat["rewards"], "responses": by_seat["responses"]}, SOURCE)
        for decision in row["worst"]:
            check_fields(f"{own}: worst", decision, DECISION, SOURCE)
