"""The tables of the page on speed, from docs/results/speed.json. `python -m tests.tools.pages` writes them."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

import tantra_envs
from benchmarks.speed import engines
from tantra_envs.games import SHIPPED

from .results import RESULTS, ROOT

FILE = ROOT / RESULTS / "speed.json"
MEANINGS = {
    engines.SINGLE: "one PettingZoo table",
    engines.batch_name(1024): "1,024 tables as arrays, random actions from a recording",
    engines.vector_name("uniform"): "256 tables of one learner, random opponents",
    engines.vector_name("scripted"): "256 tables of one learner, scripted opponents",
    engines.PLAYOUTS: "random playouts inside compiled code",
    engines.SCRIPTED: "playouts of the scripted agent",
    engines.DECISIONS: "decisions of `search` with its defaults",
    engines.TREE: "simulations of `ismcts`",
}


def tables() -> str:
    """Return the tables of moves per second and of starts, and how they were measured."""
    results, games = _read(FILE), _games()
    spread = statistics.median(game["engines"][name]["spread"] for game in games.values() for name in MEANINGS)
    machine = results["machine"]
    return (
        f"Measured on {results['date']} with version {results['version']}, Python {machine['python']}, on one of "
        f"{machine['cores']} cores ({machine['machine']}). Each figure is the median of many short slices. Slices "
        f"differ from it by {100 * spread:.0f} % in the median.\n\n{rates(tuple(MEANINGS))}\n{_starts(games)}"
    )


def rates(names: tuple[str, ...]) -> str:
    """Return the table of moves per second of some engines in every game."""
    games = _games()
    rows = [
        [f"`{name}`: {MEANINGS[name]}", *(f"{game['engines'][name]['rate']:,}" for game in games.values())]
        for name in names
    ]
    return _table(["moves a second", *games], rows)


def _games() -> dict[str, Any]:
    """Return the figures of every game by its title."""
    played = [tantra_envs.game(name) for name in SHIPPED]
    return {game.title: _read(FILE)["games"][game.name] for game in played}


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _starts(games: dict[str, Any]) -> str:
    starts = {start: [game["starts"][start] for game in games.values()] for start in games[next(iter(games))]["starts"]}
    return _table(["seconds", *games], [[start, *(f"{s:.1f}" for s in seconds)] for start, seconds in starts.items()])


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
