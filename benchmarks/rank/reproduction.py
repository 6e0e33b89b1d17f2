"""The command `python -m benchmarks reproduce`: play rows of the benchmark again, and compare all points."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents import AGENTS, AgentSpec, origin
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
        _check_opponents(args.against)
        tables = experiment.tables_of(args.games)
        chosen = _chosen({name: _row(name) for name in args.rows}, tables, args)
        home = args.runs / "reproduce"
        open_folder(home)
        executor = workers.executor(args.workers, args.ray)
    with cli.work("finished shards are kept; run the same command again to continue"):
        try:
            with locked(home), executor as run:
                equal = [_redo(name, table, row, own, home, run) for (name, table), (row, own) in chosen.items()]
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


def _chosen(
    rows: Mapping[str, Json], tables: Sequence[str], args: Args
) -> dict[tuple[str, str], tuple[Json, list[suite.Meeting]]]:
    """Return by row and table the results there and the meetings to play again.

    Raises:
        ValueError: A row has no game of the options, or its agent is another one now.
    """
    chosen = {}
    for name, row in rows.items():
        for table in (table for table in tables if table in row["tables"]):
            own = row["tables"][table]
            every = replaying.meetings_of(row["agent"], table, own)
            meetings = [meeting for meeting in every if not args.against or meeting.other in args.against]
            if meetings:
                chosen[name, table] = own, [_renamed(name, each, args.shards * suite.SHARD) for each in meetings]
                _check_same_agent(name, table, row["agent"], own["origin"])
        if not any(own == name for own, _ in chosen):
            words = f"games={' '.join(args.games) or 'all'} and against={' '.join(args.against) or 'all'}"
            allowed = f"games and opponents that the row has: {', '.join(row['tables'])}, each without itself"
            raise ValueError(f"rows={name!r} has no game with {words}; allowed: {allowed}")
    return chosen


def _check_same_agent(name: str, table: str, word: str, expected: Mapping[str, Any]) -> None:
    """Raise ValueError if an agent has other weights or settings now than in its row."""
    with warnings.catch_warnings(action="ignore", category=AgentWarning):
        _, agent = experiment.seated(table, word)
    now = json.loads(json.dumps(origin(agent)))
    for field in dict.fromkeys(("digest", *expected, *now)):
        if now.get(field) != expected.get(field):
            words = f"at {table} the row has {field}={expected.get(field)}, and {word} has {field}={now.get(field)} now"
            raise ValueError(f"rows={name!r} cannot be played again: {words}; allowed: rows of agents as they are now")


def _redo(name: str, table: str, row: Json, meetings: Sequence[suite.Meeting], home: Path, run: workers.Run) -> bool:
    """Play the meetings of a row at a table again, and return whether all points are equal."""
    points, games = _played(meetings, home, run)
    words = [difference for key, new in points.items() if (difference := _difference(row, key, new))]
    print(f"{name}, {table}: {games:,} games: {'; '.join(words) or 'equal'}", flush=True)
    return not words


def _renamed(name: str, meeting: suite.Meeting, most: int) -> suite.Meeting:
    """Return a meeting with records of its own for a row, and `most` deals at most (0 = all)."""
    matches = {slug(f"{name} {records}"): match for records, match in meeting.matches.items()}
    return replace(meeting, matches=matches, deals=min(meeting.deals, most or meeting.deals))


def _played(meetings: Sequence[suite.Meeting], home: Path, run: workers.Run) -> tuple[dict[tuple[str, str], Json], int]:
    """Return the points of meetings by part and other agent, and the number of games."""
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
