"""Measure how exploitable PPO is in a mini game while it learns.

    python -m tests.tools.exact_learning karma:mini runs/karma-mini-1 runs/karma-mini-2

A run is a folder of `python -m training ppo .. --keep`. Every model that it kept is measured as it plays in training:
it draws its actions. The models of a run and their exploitability are written among those of other runs.
"""

import json
import sys
from datetime import date
from pathlib import Path

import tantra_envs
from agents import load
from benchmarks.exact import solve, tree
from benchmarks.exact.policies import Looks, policy_of
from tantra_envs.files import write_json

FILE = Path(__file__).resolve().parents[2] / "docs/results/exact-learning.json"
MEASURED = (1, 2, 4, 7, 10)  # models of a run, by their numbers


def measure(built, looks, folder):
    """Return the run in a folder: its command, and decisions, CPU minutes and exploitability of its models."""
    history = json.loads((folder / "results.json").read_text(encoding="utf-8"))["history"]
    points = []
    for number in MEASURED:
        model = folder / f"model-{number}.safetensors"
        if model.exists():
            policy = policy_of(built, looks, load(f"ppo:{model},temperature=1", built.game), draws=1)
            _, gap = solve.exploitability(built.part, policy.strategy(built, looks))
            points.append({**{name: history[number - 1][name] for name in ("decisions", "minutes")}, "gap": gap})
            print(f"{folder.name}: {points[-1]}", flush=True)
    return {"training": (folder / "command.txt").read_text(encoding="utf-8").strip(), "points": points}


def main(name, *folders):
    """Measure runs of a game, and write them among the others."""
    game = tantra_envs.game(name)
    home = Path("runs/exact") / tree.digest_of(game)
    home.mkdir(parents=True, exist_ok=True)
    built = tree.build(game, home)
    looks = Looks(built)
    content = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"runs": {}}
    for folder in map(Path, folders):
        content["runs"][folder.name] = {"game": name, **measure(built, looks, folder)}
        command = f"python -m tests.tools.exact_learning {name} {' '.join(folders)}"
        head = {"command": command, "version": tantra_envs.__version__, "date": f"{date.today()}", "seed": 1}
        write_json(FILE, {**head, "runs": dict(sorted(content["runs"].items()))})


if __name__ == "__main__":
    main(*sys.argv[1:])
