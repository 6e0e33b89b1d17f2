"""Train the agents of the page *Train your own agent* in every game: `python -m docs._site.train_your_own`.

Each program of the page runs as it is printed, with another game and seed. Its agent is then measured by the command of
the page. The tool keeps finished rows: run it again to continue.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

import tantra_envs
from tantra_envs.games import BENCHMARKS
from tantra_envs.programs import results as tables

from .results import ROOT

PAGE, FILE = ROOT / "docs/train-your-own.md", ROOT / "docs/results/train-your-own.csv"
AGENTS = {  # by the program that trains
    "train_self_play.py": "ppo:mine.safetensors",
    "train_sb3.py": "ppo:mine.safetensors",
    "train_observation.py": "my_agent.py:MyAgent",
}
SEEDS, DEALS, OPPONENTS = (1, 2, 3), 200, ("uniform", "greedy", "scripted", "learned")
SETTINGS = re.compile(r'^(GAME, STEPS, SEED = )"[^"]*", ([\d_]+), \d+( *#.*)?$', re.MULTILINE)
STEPS = {  # by program and game, where another number than the printed one takes about the same time
    "train_self_play.py": {
        "tarot:hand": "2_500_000",
        "kanastic:round": "2_500_000",
        "tantra": "2_700_000",
        "tantrix": "200_000",
    },
    "train_sb3.py": {"tantrix": "100_000"},
    "train_observation.py": {"tantrix": "100_000"},
}


def files(game: str, seed: int) -> dict[str, str]:
    """Return the files that the page prints, by name, with this game, its steps and this seed in the settings."""
    pieces = printed()
    for program in AGENTS:
        steps = STEPS[program].get(game, r"\g<2>")
        pieces[program], found = SETTINGS.subn(rf'\g<1>"{game}", {steps}, {seed}\g<3>', pieces[program])
        if found != 1:
            raise ValueError(f"{program} has {found} lines GAME, STEPS, SEED = ..; allowed: 1")
    return pieces


def printed() -> dict[str, str]:
    """Return the files that the page prints, by name."""
    page = PAGE.read_text(encoding="utf-8")
    return dict(re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```", page, re.MULTILINE | re.DOTALL))


def measure(program: str, game: str, seed: int) -> Iterator[dict[str, Any]]:
    """Train with a program of the page, measure its agent, and yield its lines."""
    with tempfile.TemporaryDirectory() as folder:
        for name, code in files(game, seed).items():
            Path(folder, name).write_text(code, encoding="utf-8")
        before = os.times()
        _run([program], folder)
        minutes = sum(after - start for after, start in zip(os.times()[2:4], before[2:4], strict=True)) / 60
        agent = ["--agent", AGENTS[program], "--opponents", *OPPONENTS, "--deals", str(DEALS)]
        _run(["-m", "training", "evaluate", game, *agent, "--json", "results.json"], folder)
        results = json.loads(Path(folder, "results.json").read_text(encoding="utf-8"))["results"]
    facts = {"game": tantra_envs.game(game).name, "table": game, "agent": program, "seed": seed}
    facts["version"] = tantra_envs.__version__
    yield tables.line(facts, "CPU minutes", {"value": round(minutes, 2)})
    for row in results:
        score = {**row["score"], "value": row["score"]["mean"], "deals": row["score"]["n"]}
        yield tables.line({**facts, "others": row["opponent"]}, tables.SCORE, score)


def _run(words: list[str], folder: str) -> None:
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    subprocess.run([sys.executable, *words], cwd=folder, env={**os.environ, "PYTHONPATH": paths}, check=True)


def main() -> None:
    """Measure the rows that the file lacks."""
    _run(["-m", "tantra_envs", "warmup", *BENCHMARKS], str(ROOT))  # compiling is no part of learning
    planned = [(program, game, seed) for seed in SEEDS for game, _ in BENCHMARKS.values() for program in AGENTS]
    found = tables.read(FILE) if FILE.exists() else tables.table([], "")
    for program, game, seed in planned:
        if found.filter(agent=program, table=game, seed=seed).is_empty():
            found = pl.concat([found, tables.table(measure(program, game, seed), "recipes")])
            tables.write(FILE, found, "python -m docs._site.train_your_own")


if __name__ == "__main__":
    main()
