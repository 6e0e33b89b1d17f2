"""Measure the puzzles: `python -m docs._site.puzzles` writes docs/results/puzzles.json.

It has for each kind the CPU time of a puzzle and the share of puzzles that each agent solves.
"""

import argparse
import json
import time
from datetime import date
from pathlib import Path

import numpy as np

import tantra_envs
from tantra_envs import puzzles
from tantra_envs.games import SHIPPED
from tantra_envs.opponents import opponent
from tantra_envs.programs.files import write_json
from tantra_envs.puzzles import making

FILE = Path(__file__).resolve().parents[2] / "docs/results/puzzles.json"


def main() -> None:
    """Measure the kinds of the named games, and keep the other rows."""
    parser = argparse.ArgumentParser("python -m docs._site.puzzles", description="Measure the puzzles.")
    parser.add_argument("--number", type=int, default=100, help="puzzles of each kind, from seed 0 on")
    parser.add_argument("--attempts", type=int, default=4, help="attempts of each agent at a puzzle")
    parser.add_argument("--games", nargs="+", default=list(SHIPPED), help="games to measure; other rows stay (all)")
    asked = parser.parse_args()
    before = json.loads(FILE.read_text(encoding="utf-8"))["rows"] if FILE.exists() else []
    rows = {row["kind"]: row for row in before}
    for kind in (kind for game in asked.games for kind in puzzles.kinds(game)):
        rows[kind] = row_of(kind, asked.number, asked.attempts)
    command = f"python -m docs._site.puzzles --number {asked.number} --attempts {asked.attempts}"
    head = {"command": command, "seed": 0, "version": tantra_envs.__version__, "date": f"{date.today()}"}
    write_json(FILE, {**head, "rows": [rows[kind] for kind in puzzles.kinds() if kind in rows]})


def row_of(kind: str, number: int, attempts: int) -> dict:
    """Return the figures of a kind."""
    puzzles.make(kind, 0).difficulty(attempts=1)  # compiles
    making._made.cache_clear()
    began = time.process_time()
    chosen = [puzzles.make(kind, seed) for seed in range(number)]
    milliseconds = 1000 * (time.process_time() - began) / number
    shares = {}
    for name in puzzles.AGENTS:
        agents = {puzzle.posed.game: opponent(name, puzzle.posed.game) for puzzle in chosen}
        solved = [np.equal(p.attempt(agents[p.posed.game], attempts), 1.0).mean() for p in chosen]
        shares[name] = round(float(np.mean(solved)), 3)
    row = {"kind": kind, "task": puzzles.kinds()[kind], "milliseconds": round(milliseconds, 1), "solved": shares}
    row |= {"puzzles": number, "attempts": attempts}
    print(json.dumps(row), flush=True)
    return row


if __name__ == "__main__":
    main()
