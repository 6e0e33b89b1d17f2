"""The parts of pages in docs/ that are made from code and results: `python -m tests.tools.pages`.

Each part is between two marks, such as `<!-- scores -->` and `<!-- /scores -->`. The page of the benchmark is one of
them, with its pictures.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from benchmarks.ladder.overview import overview
from benchmarks.rank.page import write_page
from docs._site import api_page, command_page, results, speed_page
from tantra_envs.games import BENCHMARKS

ROOT = Path(__file__).resolve().parents[2]
DOCS, RESULTS, NIM = ROOT / "docs", ROOT / "docs/results", ROOT / "tests/new_game"
TABLES = {name: variant for name, (variant, _) in BENCHMARKS.items()}


def with_parts(name: str) -> str:
    """Return the page `name` with its marked parts as the commands make them now; ValueError if a mark is missing."""
    text = (DOCS / name).read_text(encoding="utf-8")
    for mark, part in _parts(name).items():
        first, last = f"<!-- {mark} -->", f"<!-- /{mark} -->"
        pieces = re.split(f"{re.escape(first)}.*?{re.escape(last)}", text, flags=re.DOTALL)
        if len(pieces) != 2:
            raise ValueError(f"docs/{name} has {len(pieces) - 1} parts marked {first} .. {last}; wanted: 1")
        text = f"{first}\n{part}{last}".join(pieces)
    return text


PAGES = (
    "trained-agents.md",
    "choose-a-game.md",
    "add-a-game.md",
    "search/README.md",
    "speed.md",
    "commands.md",
    "api.md",
)


def _parts(name: str) -> dict[str, str]:
    if name == "choose-a-game.md":
        return {"scores": _scores()}
    if name == "trained-agents.md":
        return _trained_agents()
    if name == "search/README.md":
        return {"strengths": overview(results.read("ladder"))}
    if name == "speed.md":
        return {"speed": speed_page.tables()}
    if name == "commands.md":
        return {"commands": command_page.page()}
    if name == "api.md":
        return {"api": api_page.page()}
    files = [file for ending in ("py", "toml") for file in NIM.rglob(f"*.{ending}") if file != NIM / "__init__.py"]
    return {file.relative_to(NIM).as_posix(): _code(file) for file in sorted(files)}


def _code(file: Path) -> str:
    kind = file.suffix.removeprefix(".").replace("py", "python")
    return f"```{kind}\n{file.read_text(encoding='utf-8')}```\n"


def _scores() -> str:
    """Return the rows of the agents: how each scores against the scripted agent at the table of the ladder."""
    ladders = {name: json.loads((RESULTS / f"ladder/{name}.json").read_text(encoding="utf-8")) for name in TABLES}
    rows = {f"`{agent}`": _ranked(agent) for agent in ("uniform", "greedy")}
    rows["`scripted`"] = ["0.5" for _ in ladders]
    rows["`learned`"] = [_trained(table, ladders[name]["players"]) for name, table in TABLES.items()]
    rows["best search"] = [_best(ladder) for ladder in ladders.values()]
    head = "| score against the scripted agent | Karma | Tarot, a hand | Kanastic, a round | Tantra | Tantrix |\n"
    lines = [f"| {name} | {' | '.join(cells)} |\n" for name, cells in rows.items()]
    return "".join([head, "|---|---:|---:|---:|---:|---:|\n", *lines])


def _ranked(agent: str) -> list[str]:
    """Return the scores of an agent of the benchmark against the scripted agent, one for each game."""
    games = json.loads((RESULTS / f"rank/{agent}.json").read_text(encoding="utf-8"))["games"]
    return [f"{games[name]['panel']['scripted']['mean']:.2f}" for name in TABLES]


def _trained_agents() -> dict[str, str]:
    """Return the tables of the trained agents: all their scores, and those against other opponents and exploiters."""
    content = json.loads((RESULTS / "trained-agents.json").read_text(encoding="utf-8"))
    rows = [
        [*_match(row), f"{100 * row['truncated']:.0f} %", "no" if row["warned"] else "yes"] for row in content["rows"]
    ]
    others = [[*_match(row)[:2], f"`{row['opponent']}`", *_match(row)[2:]] for row in content["others"]]
    exploited = [
        [*_match(row)[:2], f"`{row['agent']}`", row["exploiter"], f"{row.get('minutes', '-')}", *_match(row)[2:]]
        for row in content["exploited"]
    ]
    return {
        "rows": _table(["game", "players", "deals", "score", "truncated", "trained for it"], rows),
        "others": _table(["game", "players", "opponent", "deals", "score"], others),
        "exploited": _table(
            ["game", "players", "agent", "exploiter", "CPU minutes", "deals", "score of the exploiter"], exploited
        ),
    }


def _match(row: dict) -> list[str]:
    score = f"{row['score']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
    return [f"`{row['game']}`", str(row["players"]), f"{row['deals']:,}", score]


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _trained(table: str, players: int) -> str:
    rows = json.loads((RESULTS / "trained-agents.json").read_text(encoding="utf-8"))["rows"]
    (score,) = (row["score"] for row in rows if (row["game"], row["players"]) == (table, players))
    return f"{score:.2f}"


def _best(ladder: dict) -> str:
    searches = [rung for rung in ladder["rungs"] if rung["agent"].startswith("search") and rung["score"]["n"] >= 100]
    best = max(searches, key=lambda rung: rung["score"]["mean"])
    return f"{best['score']['mean']:.2f} (`{best['agent']}`)"


if __name__ == "__main__":
    for page in PAGES:
        (DOCS / page).write_text(with_parts(page), encoding="utf-8")
    write_page()
