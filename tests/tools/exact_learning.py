"""Measure how exploitable learners are in the mini games while they learn, and draw the picture of the page.

    python -m tests.tools.exact_learning karma:mini             # all learners, three seeds each
    python -m tests.tools.exact_learning karma:mini cfr+ ppo    # some of them
    python -m tests.tools.exact_learning picture

A run is a training of a minute of CPU time in a process of its own; CFR+ runs here. The models that it kept are
measured as they play in training: policies draw their actions, values play the best one. Results are written after
every run, and runs that are there already are not repeated.
"""

import json
import shlex
import subprocess
import sys
import time
from collections import defaultdict
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import tantra_envs
from agents import load
from benchmarks.exact import solve, tree
from benchmarks.exact.policies import Looks, policy_of
from benchmarks.harness.pages import finish, write_both
from tantra_envs.programs.files import write_json

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs/results/exact-learning.json"
PICTURE = ROOT / "docs/pictures/exact-learning"
RUNS = Path("runs/exact-learning")
SEEDS = (1, 2, 3)
PPO = (
    "python -m training ppo {game} --name {name} --runs {runs} --seed {seed} --total-decisions {decisions} --keep "
    "--eval-every {every} --eval-deals 20 --final-deals 20 --eval-opponents uniform"
)
BASELINE = (
    "python -m training examples baselines {algorithm} {game} --name {name} --runs {runs} --seed {seed} "
    "--decisions 4_000_000 --cpu-minutes 1"
)
DECISIONS = {"tantrix:mini": 1_000_000}  # of PPO in a CPU minute; elsewhere it has USUAL
USUAL = 4_000_000
CFR = "cfr+"
LEARNERS = {  # the command of each; CFR+ has none
    CFR: "",
    "ppo": PPO,
    "ppo-entropy": f"{PPO} --entropy 0.2 0.02",
    "ppo-magnet": f"{PPO} --magnet 0.1 --entropy 0.05 0.05",
    "q-learning": BASELINE.replace("{algorithm}", "learn"),
    "maskable-ppo": BASELINE.replace("{algorithm}", "ppo"),
}
MEASURED = (1, 3, 6, 10)  # models of `training ppo`, by their numbers
CFR_MINUTES = 1.0
DRAWS = ("ppo", "ppo-entropy", "ppo-magnet", "maskable-ppo")  # learners whose policy draws its actions


@cache
def built(name):
    """Return the tree of a game and its observations."""
    game = tantra_envs.game(name)
    home = Path("runs/exact") / tree.digest_of(game)
    home.mkdir(parents=True, exist_ok=True)
    whole = tree.build(game, home)
    return whole, Looks(whole)


def gap_of(name, agent):
    """Return the exploitability of an agent."""
    whole, looks = built(name)
    policy = policy_of(whole, looks, load(agent, whole.game), draws=1)
    return solve.exploitability(whole.part, policy.strategy(whole, looks))[1]


def solved(name):
    """Return points of CFR+: iterations, CPU minutes and exploitability."""
    whole, _ = built(name)
    solver, spent, points = solve.CFRPlus(whole.part), 0.0, []
    while spent < 60 * CFR_MINUTES:
        begin = time.process_time()
        for _ in range(max(1, solver.iteration)):
            solver.iterate()
        spent += time.process_time() - begin
        gap = solve.exploitability(whole.part, solver.average())[1]
        points.append({"decisions": solver.iteration, "minutes": spent / 60, "gap": gap})
    return points


def models_of(learner, folder):
    """Return decisions, CPU minutes and the agent of the models that a training has kept."""
    end = ",temperature=1" if learner in DRAWS else ""
    if (folder / "training.json").exists():
        curve = json.loads((folder / "training.json").read_text(encoding="utf-8"))["curve"]
        return [(point["decisions"], point["cpu_minutes"], f"{point['agent']}{end}") for point in curve[1:]]
    history = json.loads((folder / "results.json").read_text(encoding="utf-8"))["history"]
    numbers = [number for number in MEASURED if (folder / f"model-{number}.safetensors").exists()]
    return [
        (history[n - 1]["decisions"], history[n - 1]["minutes"], f"ppo:{folder / f'model-{n}.safetensors'}{end}")
        for n in numbers
    ]


def trained(name, learner, seed):
    """Train a learner unless that is done, and return its command and its points."""
    run = f"{name.partition(':')[0]}-{learner}-{seed}"
    decisions = DECISIONS.get(name, USUAL)
    budget = {"decisions": decisions, "every": decisions // 10}
    command = LEARNERS[learner].format(game=name, name=run, runs=RUNS, seed=seed, **budget)
    folder = RUNS / run
    if not any((folder / file).exists() for file in ("training.json", "results.json")):
        subprocess.run([sys.executable, *shlex.split(command)[1:]], check=True)
    points = []
    for decisions, minutes, agent in models_of(learner, folder):
        points.append({"decisions": decisions, "minutes": minutes, "gap": gap_of(name, agent)})
        print(f"{run}: {points[-1]}", flush=True)
    return command, points


def measure(name, learners):
    """Measure the missing runs of some learners, the first seed of all of them first."""
    for seed in SEEDS:
        for learner in learners:
            content = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"runs": []}
            key = {"game": name, "learner": learner, "seed": seed}
            if any(key.items() <= run.items() for run in content["runs"]) or (learner == CFR and seed > 1):
                continue
            command, points = ("", solved(name)) if learner == CFR else trained(name, learner, seed)
            runs = [*content["runs"], {**key, "training": command, "points": points}]
            runs.sort(key=lambda run: (run["game"], list(LEARNERS).index(run["learner"]), run["seed"]))
            head = {"command": f"python -m tests.tools.exact_learning {name}", "version": tantra_envs.__version__}
            write_json(FILE, {**head, "date": f"{date.today()}", "seed": SEEDS[0], "runs": runs})


def curves(runs):
    """Return the runs by game and learner."""
    by = defaultdict(lambda: defaultdict(list))
    for run in runs:
        by[run["game"]][run["learner"]].append(run["points"])
    return by


def draw():
    """Draw exploitability against CPU time: a panel for each game, a colour and a mark for each learner."""
    by = curves(json.loads(FILE.read_text(encoding="utf-8"))["runs"])
    figure = Figure(figsize=(7, 2.9 * -(-len(by) // 2)), layout="constrained")
    panels = figure.subplots(-(-len(by) // 2), 2, squeeze=False).ravel()
    for axes, (game, learners) in zip(panels, by.items(), strict=False):
        for learner, seeds in learners.items():
            place = list(LEARNERS).index(learner)
            for number, points in enumerate(seeds):
                minutes, gaps = (np.array([point[part] for point in points]) for part in ("minutes", "gap"))
                style = {"color": f"C{place % 4}", "marker": "os^Dvx"[place], "markersize": 4, "linewidth": 1}
                axes.plot(minutes, gaps, label=learner if number == 0 else None, **style)
        axes.set(title=game, xlabel="CPU minutes", ylabel="exploitability", xscale="log", yscale="log")
        finish(axes, "both")
    for axes in panels[len(by) :]:
        axes.set_axis_off()
    panels[0].legend(fontsize=7)
    return figure


def main(name, *learners):
    """Measure the learners in a game, or draw the picture."""
    if name != "picture":
        measure(name, learners or LEARNERS)
    write_both(PICTURE, PICTURE.name, draw, "exact-learning")


if __name__ == "__main__":
    main(*sys.argv[1:])
