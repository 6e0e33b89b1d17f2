"""Measure the time to strength: the CPU minutes until a learner scores 0.5 and 0.6 against the scripted agent.

Every run measures its agent at growing times, in this process. The measurements do not count. A run ends when the agent
scores 0.6, or after --minutes. Learning rates stay as they begin, because the number of decisions is not known ahead.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import tantra_envs
from tantra_envs import adapters
from tantra_envs.core.options import Rule, Within, require
from tantra_envs.envs.views import View
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.match import check_opponents
from tantra_envs.programs import cli
from tantra_envs.programs.files import check_file

with cli.user_errors("bench,train"):  # polars or torch may be missing
    import polars as pl

    from agents import Agent
    from tantra_envs.programs import results as files
    from tantra_envs.programs.results import SCORE

    from .evaluate import evaluate
    from .options import Deals, Seed, load_agent
    from .ppo import PPO
    from .ppo import Args as PPOArgs
    from .run import cpu_minutes

PROGRAM, OPPONENT = "training strength", "scripted"
MARKS = (0.5, 0.6)  # scores to reach
FIRST, GROWTH = 0.1, 1.5  # CPU minutes of the first measurement, and the ratio of the next time to the last
SEED = 0  # of the measured deals
ENDLESS = 1 << 40  # decisions
MOST = "CPU minutes at most"  # a measure: those of every run
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
Learner = Annotated[str, Rule(lambda name: name in LEARNERS, ", ".join(LEARNERS))]


@dataclass(frozen=True)
class Args:
    """Measure the CPU minutes until learners score 0.5 and 0.6 against the scripted agent.

    Example: python -m training strength karma --learners ppo sb3 --seeds 1 --minutes 2
    """

    games: tuple[str, ...] = tuple(name for name, _ in BENCHMARKS.values())
    """Games, or GAME:VARIANT."""
    learners: tuple[Learner, ...] = field(default=tuple(LEARNERS), kw_only=True)
    """Learners to measure. Those whose library is not installed are skipped."""
    seeds: tuple[Seed, ...] = field(default=(1, 2, 3), kw_only=True)
    """Seeds of the learners: each is a run."""
    minutes: Annotated[float, Within(0.01, 1e5)] = field(default=3.0, kw_only=True)
    """CPU minutes of a run at most, without measurements."""
    deals: Deals = field(default=200, kw_only=True)
    """Deals of a measurement; each is played once for every seat or team."""
    results: Path = field(default=Path("runs/strength.csv"), kw_only=True)
    """File of the finished runs. The same command goes on with those that it lacks."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the learners, keep each finished run, and print the table."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        found = prepare(args)
    command, skipped = cli.command(PROGRAM, argv), set[str]()
    every = [(game, learner, seed) for seed in args.seeds for game in args.games for learner in args.learners]
    with cli.work("finished runs are kept; run the same command again to continue"):
        for game, learner, seed in every:
            if learner in skipped or len(found.filter(table=game, agent=learner, seed=seed)):
                continue
            try:
                run = files.table(list(measured(game, learner, seed, args)), "strength")
            except ImportError as error:
                skipped.add(learner)
                print(f"{learner}: skipped, because a library is missing: {error}", flush=True)
            else:
                found = pl.concat([found, run])
                files.write(args.results, found, command)
        asked = pl.struct("table", "agent", "seed").map_elements(lambda run: tuple(run.values()) in every, pl.Boolean)
        show(found.filter(asked | (pl.col("measure") == MOST)))


def prepare(args: Args) -> pl.DataFrame:
    """Return the lines of the finished runs; raise ValueError or OSError for options not allowed."""
    for name in args.games:
        check_opponents(game := cli.game(name))
        load_agent("opponents", OPPONENT, game)
    check_file("results", args.results)
    most = {"value": args.minutes, "deals": args.deals}
    if not args.results.is_file():
        return files.table([files.line({"version": tantra_envs.__version__}, MOST, most)], "strength")
    found = files.read(args.results)
    facts = found.filter(measure=MOST)
    fits = len(facts) == 1 and set(found["agent"]) <= {"", *LEARNERS}
    require("results", str(args.results), fits, "a file of this command")
    for name, own, there in zip(("minutes", "deals"), most.values(), facts.select(*most).row(0), strict=True):
        require(name, own, own == there, f"{there}, as in {args.results}, or a new file")
    return found


def measured(name: str, learner: str, seed: int, args: Args) -> Iterator[dict[str, Any]]:
    """Yield the scores of a learner at growing times as lines, until it scores the last mark or its time is over."""
    game, title = cli.game(name), f"{name}, {learner}, seed {seed}"
    facts = {"game": game.name, "table": name, "agent": learner, "others": OPPONENT, "seed": seed}
    opponent = load_agent("opponents", OPPONENT, game)
    print(f"{title}: one update before the clock starts, because the first one compiles", flush=True)
    next(LEARNERS[learner](name, seed))
    began, due = cpu_minutes(), FIRST
    for agent in LEARNERS[learner](name, seed):
        minutes = cpu_minutes() - began
        if minutes < min(due, args.minutes):
            continue
        score = evaluate(game, agent, opponent, args.deals, SEED).score
        ends = {"value": score.mean, "low": score.low, "high": score.high, "deals": score.n}
        yield files.line({**facts, "version": tantra_envs.__version__}, SCORE, ends, f"{minutes:.3f}")
        print(f"{title}: {score} after {minutes:.2f} CPU minutes", flush=True)
        if score.mean >= MARKS[-1] or minutes >= args.minutes:
            return
        due = GROWTH * minutes
        began = cpu_minutes() - minutes  # without the measurement


def rows(found: pl.DataFrame) -> list[list[str]]:
    """Return a row for each game and learner: the times of the slowest seeds, and the lowest of the last scores."""
    most, scores = found.filter(measure=MOST)["value"][0], found.filter(measure=SCORE)
    games, learners, table = list(dict.fromkeys(scores["table"])), list(LEARNERS), []
    groups = scores.partition_by("table", "agent", as_dict=True, maintain_order=True)
    for names in sorted(groups, key=lambda names: (games.index(names[0]), learners.index(names[1]))):
        runs = groups[names].partition_by("seed", maintain_order=True)
        times = [[reached(run, mark) for run in runs] for mark in MARKS]
        cells = [f"not in {most}" if None in column else f"{max(filter(None, column)):.2f}" for column in times]
        last = min((run.row(-1, named=True) for run in runs), key=lambda line: line["value"])
        table.append([*(f"`{name}`" for name in names), *cells, str(files.estimate(last)), str(len(runs))])
    return table


def reached(run: pl.DataFrame, mark: float) -> float | None:
    """Return the CPU minutes of the first measurement with this score or a higher one, or None."""
    return next((float(part) for part, score in run.select("part", "value").iter_rows() if score >= mark), None)


def show(found: pl.DataFrame) -> None:
    """Print the table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*HEAD, title=f"CPU minutes until a score against {OPPONENT}")
    for row in rows(found):
        table.add_row(*(cell.strip("`") for cell in row))
    Console().print(table)
