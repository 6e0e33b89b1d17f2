"""Measure the time to strength: the CPU minutes until a learner scores 0.5 and 0.6 against the scripted agent.

    python -m training strength karma tarot:hand --learners ppo sb3

Every run measures its agent at growing times, in this process. The measurements do not count. A run ends when the agent
scores 0.6, or after --minutes. Learning rates stay as they begin, because the number of decisions is not known ahead.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import tantra_envs
from tantra_envs import adapters
from tantra_envs.core.options import require
from tantra_envs.envs.views import View
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.intervals import Estimate
from tantra_envs.programs import cli
from tantra_envs.programs.files import check_file, write_json

with cli.user_errors("train"):  # torch may be missing
    from agents import Agent

    from .evaluate import evaluate
    from .options import DEALS, load_agent
    from .ppo import PPO
    from .ppo import Args as PPOArgs

PROGRAM, OPPONENT = "training strength", "scripted"
MARKS = (0.5, 0.6)  # scores to reach
FIRST, GROWTH = 0.1, 1.5  # CPU minutes of the first measurement, and the ratio of the next time to the last
SEED = 0  # of the measured deals
ENDLESS = 1 << 40  # decisions
KEY = itemgetter("game", "learner", "seed")  # of a run
HEAD = ("game", "learner", *(f"minutes to {mark}" for mark in MARKS), "score at the end", "seeds")


def ppo(game: str, seed: int) -> Iterator[Agent]:
    """Yield the agent after every update of `training ppo`, in self-play."""
    run = PPO(PPOArgs(game=game, seed=seed, total_decisions=ENDLESS, eval_every=ENDLESS, eval_opponents=(OPPONENT,)))
    while True:
        run.update()
        yield run.agent()


def sb3(game: str, seed: int, view: View = "features") -> Iterator[Agent]:
    """Yield the agent after every update of MaskablePPO."""
    adapters.check_versions("sb3")
    from .examples.sb3 import agents

    return agents(cli.game(game), seed, OPPONENT, view)


def jax(game: str, seed: int) -> Iterator[Agent]:
    """Yield the agent after every update of the example in JAX, in self-play."""
    adapters.check_versions("jax")
    from .examples.jax import agent_of, weights_of_updates

    return map(agent_of, itertools.islice(weights_of_updates(cli.game(game), seed), 1, None))


LEARNERS: dict[str, Callable[[str, int], Iterator[Agent]]] = {
    "ppo": ppo,
    "sb3": sb3,
    "sb3-observation": partial(sb3, view="observation"),
    "jax": jax,
}


@dataclass(frozen=True)
class Args:
    """Measure the CPU minutes until learners score 0.5 and 0.6 against the scripted agent.

    Example: python -m training strength karma --learners ppo sb3 --seeds 1 --minutes 2
    """

    games: tuple[str, ...] = tuple(name for name, _ in BENCHMARKS.values())
    """Games, or GAME:VARIANT."""
    learners: tuple[str, ...] = field(default=tuple(LEARNERS), kw_only=True)
    """Learners to measure. Those whose library is not installed are skipped."""
    seeds: tuple[int, ...] = field(default=(1, 2, 3), kw_only=True)
    """Seeds of the learners: each is a run."""
    minutes: float = field(default=3.0, kw_only=True)
    """CPU minutes of a run at most, without measurements."""
    deals: int = field(default=200, kw_only=True)
    """Deals of a measurement; each is played once for every seat or team."""
    json: Path = field(default=Path("runs/strength.json"), kw_only=True)
    """File of the finished runs. The same command goes on with those that it lacks."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the learners, keep each finished run, and print the table."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        settings = {"minutes": args.minutes, "deals": args.deals, "seed": SEED}
        runs = prepare(args, settings)
    command = cli.command(PROGRAM, argv)
    with cli.work("finished runs are kept; run the same command again to continue"):
        keys = [(game, learner, seed) for seed in args.seeds for game in args.games for learner in args.learners]
        skipped: set[str] = set()
        for key in keys:
            if key in map(KEY, runs) or key[1] in skipped:
                continue
            try:
                run = measured(*key, args)
            except ImportError as error:
                skipped.add(key[1])
                print(f"{key[1]}: skipped, because a library is missing: {error}", flush=True)
            else:
                about = {"version": tantra_envs.__version__, "date": f"{date.today()}"}
                runs.append({**run, **about})
                write_json(args.json, {"command": command, **about, **settings, "runs": runs})
        show([run for run in runs if KEY(run) in keys], args.minutes)


def prepare(args: Args, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the finished runs in the file of the results; raise ValueError or OSError for options not allowed."""
    cli.check_ranges(args, minutes=(0.01, 1e5), deals=DEALS, seeds=(0, (1 << 31) - 2))
    for learner in args.learners:
        require("learners", learner, learner in LEARNERS, ", ".join(LEARNERS))
    for name in args.games:
        if len((game := cli.game(name)).teams) == 1:
            raise ValueError(f"games={name!r} is not allowed: {game.name} for one has no opponents")
        load_agent("opponents", OPPONENT, game)
    check_file("json", args.json)
    if not args.json.is_file():
        return []
    try:
        content = json.loads(args.json.read_text(encoding="utf-8"))
        before = {name: content[name] for name in settings}
        runs = [
            {"version": content["version"], "date": content["date"], **run, "seed": run["seed"]}
            for run in content["runs"]
        ]
        rows(runs, args.minutes)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        problem = f"it is damaged, or has no runs of this command ({type(error).__name__}: {error})"
        raise ValueError(f"json={str(args.json)!r} is not allowed: {problem}; allowed: a new file") from None
    for name, value in settings.items():
        if value != (there := before[name]):
            raise ValueError(f"{name}={value} is not allowed; allowed: {there}, as in {args.json}, or a new file")
    return runs


def measured(name: str, learner: str, seed: int, args: Args) -> dict[str, Any]:
    """Return a run: the scores of a learner at growing times, until it scores the last mark or its time is over."""
    game, title = cli.game(name), f"{name}, {learner}, seed {seed}"
    opponent = load_agent("opponents", OPPONENT, game)
    print(f"{title}: one update before the clock starts, because the first one compiles", flush=True)
    next(LEARNERS[learner](name, seed))
    began, due, history = cpu_minutes(), FIRST, list[dict[str, Any]]()
    for agent in LEARNERS[learner](name, seed):
        minutes = cpu_minutes() - began
        if minutes < min(due, args.minutes):
            continue
        score = evaluate(game, agent, opponent, args.deals, SEED).score
        history.append({"minutes": round(minutes, 3), "score": asdict(score)})
        print(f"{title}: {score} after {minutes:.2f} CPU minutes", flush=True)
        if score.mean >= MARKS[-1] or minutes >= args.minutes:
            break
        due = GROWTH * minutes
        began = cpu_minutes() - minutes  # without the measurement
    return {"game": name, "players": game.players, "learner": learner, "seed": seed, "history": history}


def cpu_minutes() -> float:
    """Return the CPU minutes of this process so far, summed over all cores."""
    return time.process_time() / 60


def rows(runs: Sequence[dict[str, Any]], minutes: float) -> list[list[str]]:
    """Return a row for each game and learner: the times of the slowest seeds, and the lowest of the last scores."""
    games, learners = list(dict.fromkeys(run["game"] for run in runs)), list(LEARNERS)
    groups: dict[tuple[str, str], list[list[dict[str, Any]]]] = {}
    for run in sorted(runs, key=lambda run: (games.index(run["game"]), learners.index(run["learner"]))):
        groups.setdefault((run["game"], run["learner"]), []).append(run["history"])
    table = []
    for names, histories in groups.items():
        times = [[reached(history, mark) for history in histories] for mark in MARKS]
        cells = [f"not in {minutes}" if None in column else f"{max(filter(None, column)):.2f}" for column in times]
        last = min((history[-1]["score"] for history in histories), key=itemgetter("mean"))
        table.append([*(f"`{name}`" for name in names), *cells, str(Estimate(**last)), str(len(histories))])
    return table


def reached(history: Sequence[dict[str, Any]], mark: float) -> float | None:
    """Return the CPU minutes of the first measurement with this score or a higher one, or None."""
    return next((row["minutes"] for row in history if row["score"]["mean"] >= mark), None)


def show(runs: Sequence[dict[str, Any]], minutes: float) -> None:
    """Print the table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*HEAD, title=f"CPU minutes until a score against {OPPONENT}")
    for row in rows(runs, minutes):
        table.add_row(*(cell.strip("`") for cell in row))
    Console().print(table)
