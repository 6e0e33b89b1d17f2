"""The command `python -m benchmarks reproduce`: play rows of the benchmark again, and compare all points."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents import AGENTS, AgentSpec
from tantra_envs.core.asking import AgentWarning
from tantra_envs.programs import cli, workers
from tantra_envs.programs.cli import WorkerOptions
from tantra_envs.programs.files import Json, locked, open_folder

from ..harness import plans
from ..harness.plans import Outcomes, slug
from . import experiment, ranking, replaying, submission, suite


@dataclass(frozen=True)
class RowOptions:
    """Option that comes first on the command line."""

    rows: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Rows to play again: names of files in docs/results/rank."""


@dataclass(frozen=True, kw_only=True)
class Args(WorkerOptions, RowOptions):
    """Play rows of the benchmark again, and report whether every deal has the same points.

    Example: python -m benchmarks reproduce scripted --games karma --shards 1

    The three rows of the default take about an hour of one core. Run the same command again to continue.
    """

    games: tuple[str, ...] = ()
    """Games of the suite, or single tables such as karma-2. [default: all that the rows have]"""
    against: tuple[str, ...] = ()
    """Opponents of these games. [default: all that the rows have]"""
    shards: int = 0
    """Shards of 100 deals to play of every match; 0 = all."""
    runs: Path = Path("runs")
    """Parent folder of the games."""


def main(argv: Sequence[str]) -> int:
    """Play the rows again; return 1 if one of them differs."""
    with cli.user_errors("bench,train"):
        args = cli.read(Args, "benchmarks reproduce", argv)
        cli.check_ranges(args, shards=(0, suite.DEALS))
        rows = {name: _row(name) for name in args.rows}
        tables = experiment.tables_of(args.games)
        _check_opponents(args.against)
        home = args.runs / "reproduce"
        open_folder(home)
        executor = workers.executor(args.workers, args.ray)
    with cli.work("finished shards are kept; run the same command again to continue"):
        try:
            with locked(home), executor as run:
                equal = [_redo(name, row, tables, args, home, run) for name, row in rows.items()]
        except ValueError as wrong:  # games of older rules in the folder
            raise cli.UserError(str(wrong)) from wrong
    print("all points are equal" if all(equal) else "some points differ", flush=True)
    return 0 if all(equal) else 1


def _row(name: str) -> Json:
    """Return a row of the project; raise ValueError unless its agent can be loaded by name, and the row is valid."""
    rows = {name: row for name, row in ranking.references().items() if AgentSpec.parse(row["agent"]).name in AGENTS}
    if name not in rows:
        raise ValueError(f"rows={name!r} is not allowed; allowed: {', '.join(rows)}")
    with warnings.catch_warnings(action="ignore", category=AgentWarning):  # of agents that the suite has chosen
        submission.validate(ranking.FOLDER / f"{name}.json")
    return rows[name]


def _check_opponents(names: Sequence[str]) -> None:
    for name in names:
        if name not in suite.PANEL:
            raise ValueError(f"against={name!r} is not allowed; allowed: {', '.join(suite.PANEL)}")


def _redo(name: str, row: Json, tables: Sequence[str], args: Args, home: Path, run: workers.Run) -> bool:
    """Play a row again, and return whether all points are equal."""
    equal = True
    for table in (table for table in tables if table in row["tables"]):
        own = row["tables"][table]
        every = replaying.meetings_of(row["agent"], table, own)
        most = args.shards * suite.SHARD
        chosen = [_renamed(name, each, most) for each in every if not args.against or each.other in args.against]
        points, games = _played(chosen, home, run)
        words = [difference for key, new in points.items() if (difference := _difference(own, key, new))]
        equal = equal and not words
        print(f"{name}, {table}: {games:,} games: {'; '.join(words) or 'equal'}", flush=True)
    return equal


def _renamed(name: str, meeting: suite.Meeting, most: int) -> suite.Meeting:
    """Return a meeting with records of its own for a row, and `most` deals at most (0 = all)."""
    matches = {slug(f"{name} {records}"): match for records, match in meeting.matches.items()}
    return replace(meeting, matches=matches, deals=min(meeting.deals, most or meeting.deals))


def _played(meetings: Sequence[suite.Meeting], home: Path, run: workers.Run) -> tuple[dict[tuple[str, str], Json], int]:
    """Return the points of meetings by part and other agent, and the number of games."""
    if not meetings:
        return {}, 0
    plan = suite.plan_of_meetings(meetings, home / "records")
    plan.check()
    plans.play_plan(plan, run)
    read = Outcomes(plan)
    points = {(own.part, own.other): ranking.points_of(own, read.of(own.matches, plan.deals)) for own in meetings}
    return points, sum(shard.games for shard in plan.shards().values())


def _difference(row: Mapping[str, Any], key: tuple[str, str], new: Json) -> str:
    """Return the first deal whose points differ, in words; "" if there is none."""
    part, other = key
    for old_text, new_text in zip(row[part][other]["points"], new["points"], strict=True):
        for deal, (old, again) in enumerate(zip(old_text, new_text, strict=False)):
            if old != again:
                unit = "with" if part == suite.TOGETHER else "against"
                return f"deal {deal} {unit} {other} has {again} points in place of {old}"
    return ""
