"""Measure how exploitable learners are in the mini games while they learn, and draw the picture of the page.

    python -m tests.tools.exact_learning all                    # all games and learners, one seed after the other
    python -m tests.tools.exact_learning karma:mini cfr+ ppo    # some learners in one game
    python -m tests.tools.exact_learning picture

A run is a training with the budget of BUDGETS. The models that it kept are measured as they play in training: policies
draw their actions, values play the best one. Results are written after every run, and runs that are there already are
not repeated. In games that pay points our learners get them almost in proportion (tanh of a small number), because
exploitability is counted in points.

`maskable-ppo` needs the extra `train`, and `nfsp` the extra `openspiel`.
"""

import itertools
import json
import shlex
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
from training import __main__ as training

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs/results/exact-learning.json"
PICTURE = ROOT / "docs/pictures/exact-learning"
RUNS = Path("runs/exact-learning")
SEEDS = (1, 2, 3)
BUDGETS = {  # decisions of our learners, and CPU minutes of the others, which are about those of our PPO
    "karma": (4_000_000, 0.8),
    "kanastic": (1_000_000, 0.25),
    "tantrix": (300_000, 0.3),
    "tantra": (1_000_000, 0.25),
    "tarot": (2_000_000, 0.25),
}
SCALES = {"kanastic": 0.6, "tantrix": 20.0, "tantra": 20.0, "tarot": 1.5}  # about 4 x the largest reward of a game
GAMES = [f"{game}:mini" for game in BUDGETS]
MODELS = 10  # models that a run of `training` keeps
OWN = (
    "{program} {game} --name {name} --runs {runs} --seed {seed} --total-decisions {decisions} --keep "
    "--eval-every {every} --eval-deals 20 --final-deals 20 --eval-opponents uniform"
)
BASELINE = (
    "examples baselines {program} {game} --name {name} --runs {runs} --seed {seed} "
    "--decisions 4_000_000 --cpu-minutes {minutes}"
)
CFR, MEAN = "cfr+", "ppo-mean"
LEARNERS = {  # the command of each, and its program; CFR+ and the mean of policies have none
    CFR: ("", ""),
    "ppo": (OWN, "ppo"),
    "ppo-entropy": (f"{OWN} --entropy 0.2 0.02", "ppo"),
    "ppo-magnet": (f"{OWN} --magnet 0.1 --entropy 0.05 0.05", "ppo"),
    MEAN: ("", ""),
    "ppo-last": (f"{OWN} --average-weights 0", "ppo"),
    "q-learning": (OWN, "q-learning"),
    "maskable-ppo": (BASELINE, "ppo"),
    "nfsp": (BASELINE, "openspiel"),
}
FIRST = ("ppo-last", "nfsp")  # learners that are measured with the first seed only
MEASURED = (1, 3)  # models by their numbers, besides the last one


@cache
def built(name):
    """Return the tree of a game and its observations."""
    game = tantra_envs.game(name)
    home = Path("runs/exact") / tree.digest_of(game)
    home.mkdir(parents=True, exist_ok=True)
    whole = tree.build(game, home)
    return whole, Looks(whole)


def strategy_of(name, model):
    """Return the strategy of a model file in a game."""
    whole, looks = built(name)
    policy = policy_of(whole, looks, load(model, whole.game), draws=1, find_leaks=False)  # networks read features only
    return policy.strategy(whole, looks)


def solved(name):
    """Return points of CFR+: iterations, CPU minutes and exploitability."""
    (whole, _), (_, minutes) = built(name), BUDGETS[name.partition(":")[0]]
    solver, spent, points = solve.CFRPlus(whole.part), 0.0, []
    while spent < 60 * minutes:
        begin = time.process_time()
        for _ in range(max(1, solver.iteration)):
            solver.iterate()
        spent += time.process_time() - begin
        gap = solve.exploitability(whole.part, solver.average())[1]
        points.append({"decisions": solver.iteration, "minutes": spent / 60, "gap": gap})
    return points


def models_of(learner, folder):
    """Return decisions, CPU minutes and the agent of the models that a training has kept."""
    draws = "" if learner == "q-learning" else ",temperature=1"
    if (folder / "training.json").exists():
        curve = json.loads((folder / "training.json").read_text(encoding="utf-8"))["curve"]
        files = [point["agent"].removeprefix("ppo:").replace(".py:Agent", ".safetensors") for point in curve]
        pairs = zip(curve, files, strict=True)
        return [(point["decisions"], point["cpu_minutes"], f"ppo:{file}{draws}") for point, file in pairs]
    history = json.loads((folder / "results.json").read_text(encoding="utf-8"))["history"]
    return [
        (point["decisions"], point["minutes"], f"ppo:{folder / f'model-{number}.safetensors'}{draws}")
        for number, point in enumerate(history, 1)
    ]


def trained(name, learner, seed):
    """Train a learner unless that is done, and return its command and its models."""
    folder, game = RUNS / f"{name.partition(':')[0]}-{learner}-{seed}", name.partition(":")[0]
    command, program = LEARNERS[learner]
    decisions, minutes = BUDGETS[game]
    words = {"game": name, "name": folder.name, "runs": RUNS, "seed": seed, "program": program, "minutes": minutes}
    command = command.format(decisions=decisions, every=decisions // MODELS, **words)
    if game in SCALES and command.startswith(program):
        command += f" --reward points --reward-scale {SCALES[game]:g}"
    if not any((folder / file).exists() for file in ("training.json", "results.json")):
        training.main(shlex.split(command))
    return f"python -m training {command}", models_of(learner, folder)


def points_of(name, learner, seed):
    """Return the command of a learner, and its points: decisions, CPU minutes and exploitability.

    The mean of policies is that of all models that a run of PPO has kept so far.
    """
    is_mean, points, total = learner == MEAN, [], 0.0
    part = built(name)[0].part
    command, models = trained(name, "ppo" if is_mean else learner, seed)
    numbers = {*MEASURED, len(models)}
    for number, (decisions, minutes, model) in enumerate(models, 1):
        if is_mean or number in numbers:
            strategy = strategy_of(name, model)
            total = total + solve.weights_of(part, strategy)
            gap = solve.exploitability(part, solve.strategy_of(part, total) if is_mean else strategy)[1]
            points += [{"decisions": decisions, "minutes": minutes, "gap": gap}] * (number in numbers)
    return command, points


def measure(names, learners):
    """Measure the missing runs of some learners in some games, the first seed of all of them first."""
    for seed, name, learner in itertools.product(SEEDS, names, learners):
        content = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"runs": []}
        key = {"game": name, "learner": learner, "seed": seed}
        once = learner == CFR or learner in FIRST
        if any(key.items() <= run.items() for run in content["runs"]) or (once and seed > SEEDS[0]):
            continue
        if learner == CFR:
            command, points = "", solved(name)
        else:
            command, points = points_of(name, learner, seed)
        print(f"{name}, {learner}, seed {seed}: {points[-1]}", flush=True)
        runs = [*content["runs"], {**key, "training": command, "points": points}]
        runs.sort(key=lambda run: (run["game"], list(LEARNERS).index(run["learner"]), run["seed"]))
        head = {"command": "python -m tests.tools.exact_learning all", "version": tantra_envs.__version__}
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
                style = {"color": f"C{place % 4}", "marker": "os^DvxP*h"[place], "markersize": 4, "linewidth": 1}
                axes.plot(minutes, gaps, label=learner if number == 0 else None, **style)
        axes.set(title=game, xlabel="CPU minutes", ylabel="exploitability", xscale="log", yscale="log")
        gaps = [point["gap"] for name in learners if name != CFR for points in learners[name] for point in points]
        axes.set_ylim(bottom=min(gaps) / 5 if gaps else None)  # CFR+ goes on far below the others
        finish(axes, "both")
    for axes in panels[len(by) :]:
        axes.set_axis_off()
    panels[0].legend(fontsize=7)
    return figure


def main(name, *learners):
    """Measure the learners in a game, or in all, or draw the picture."""
    if name != "picture":
        measure(GAMES if name == "all" else [name], learners or LEARNERS)
    write_both(PICTURE, PICTURE.name, draw, "exact-learning")


if __name__ == "__main__":
    main(*sys.argv[1:])
