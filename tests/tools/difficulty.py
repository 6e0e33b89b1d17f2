"""Measure which settings of the games are easy or hard to learn: `python -m tests.tools.difficulty`.

Every learner gets the same small budget in all settings. It is measured in its setting, and in the standard setting too
if the seats, observations and actions are equal. The command keeps finished rows: run it again to continue.
"""

import json
import tempfile
import warnings
from dataclasses import asdict
from pathlib import Path

import tantra_envs
from agents import load
from tantra_envs.games import BENCHMARKS
from training.evaluate import evaluate
from training.examples.baselines import course, learn, ppo

from .rows import measure_missing

FILE = Path(__file__).resolve().parents[2] / "docs/results/difficulty.json"
LEARNERS = {"ppo": ppo.learn, "learn": learn.learn}
BUDGET = {"decisions": 100_000, "cpu_minutes": 1.0}
SEEDS, DEALS = (1, 2, 3), 100
# Options that are examined one by one: they change the standard setting.
OPTIONS = {
    "karma": (
        {"voluntary_pickup": False, "follow_optional": False},
        {"auto_setup": True, "voluntary_pickup": False, "follow_optional": False},
        {"copies": 3},
        {"players": 4},
        {"players": 4, "copies": 3},
        {"copies": 3, "decks": 2},
    ),
    "tarot": (
        {"trick_points": "cards"},
        {"must_trump": True},
        {"auto_declare": True},
        {"auto_declare": True, "trick_points": "cards", "must_trump": True},
        {"reward": "win"},
        {"episode": "game"},
        {"players": 3},
    ),
    "kanastic": (
        {"auto_draw": True},
        {"dense": True},
        {"suit_rule": "any"},
        {"players": 2},
        {"players": 2, "suit_rule": "any", "auto_draw": True, "dense": True},
        {"reward": "win"},
        {"start_scores": (6000, 6000)},
        {"target_score": 2000, "max_rounds": 4, "episode": "game", "reward": "win"},
        {"episode": "game", "reward": "win"},
    ),
    "tantra": ({"shaping": "deficit"}, {"display_cards": (41,)}),
    "tantrix": ({"deadlock": "score", "reward": "margin"}, {"mode": "gobble"}),
}


def named():
    """Return the standard, easy and hard settings of all games, as variants and the options that change them."""
    variants = [(f"{name}:{label}", {}) for name in BENCHMARKS for label in ("easy", "hard")]
    return [(variant, {"players": players}) for variant, players in BENCHMARKS.values()] + variants


def plan():
    """Yield the rows in the order of measuring: learner, variant, its changed options, seed."""
    examined = [
        (variant, {"players": players, **options})
        for name, (variant, players) in BENCHMARKS.items()
        for options in OPTIONS[name]
    ]
    yield from (("uniform", *setting, 0) for setting in (*named(), *examined))
    for seed in SEEDS:
        yield from ((learner, *setting, seed) for learner in LEARNERS for setting in named())
    yield from (("ppo", *setting, SEEDS[0]) for setting in examined)


def measure(learner, variant, options, seed):
    """Train a learner in a setting, unless it is an agent by name, and return its row."""
    game = tantra_envs.game(variant, **options)
    standard = tantra_envs.game(BENCHMARKS[game.id][0], players=BENCHMARKS[game.id][1])
    row, agent = facts(learner, variant, options, seed), learner
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the agent warns in the standard setting that it was trained in another
        if learner in LEARNERS:
            args = course.Args(game=variant, players=game.players, seed=seed, **BUDGET)
            run = course.Course(game, args, Path(folder))
            LEARNERS[learner](run)
            agent = run.checkpoints[-1]["agent"]
            row |= {name: run.checkpoints[-1][name] for name in ("decisions", "cpu_minutes")}
        row["scores"] = {other: score(game, agent, other) for other in ("uniform", "scripted")}
        if learner in LEARNERS and shape(game) == shape(standard) and game.config != standard.config:
            row["scores"]["standard"] = score(standard, agent, "scripted")
    return row


def facts(learner, variant, options, seed):
    """Return the part of a row by which it is found again: the options count, not the name of the variant."""
    game = tantra_envs.game(variant, **options)
    config = json.loads(json.dumps(game.options.changed(game.config)))
    return {"game": game.id, "config": config, "players": game.players, "learner": learner, "seed": seed}


def score(game, agent, other):
    """Return the score of an agent against another one, and the share of truncated games."""
    result = evaluate(game, load(agent, game), load(other, game), DEALS, course.CURVE_SEED)
    figures = {**asdict(result.score), "truncated": result.truncated}
    return {name: round(value, 4) for name, value in figures.items()}


def shape(game):
    """Return the numbers that a network needs: seats, observation entries, actions."""
    return game.players, game.view.size, game.actions.size


def main():
    """Measure the rows that the file lacks."""
    measure_missing(FILE, "difficulty", {"seed": course.CURVE_SEED, **BUDGET}, plan(), facts, measure)


if __name__ == "__main__":
    main()
