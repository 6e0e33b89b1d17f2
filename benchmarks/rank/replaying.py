"""Replay the games of a submission from its records: deals, actions of the panel, results, and points.

The games of every shard are played again. The agents of the panels decide anew, with the same random numbers, and
the submitted agent plays its recorded actions. Every action of a panel agent and every result must be the recorded one.
Games with exploiters are replayed from their actions alone: any opponent shows a lower bound.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tantra_envs.core.asking import AgentError, AgentWarning
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Agent, Observation
from tantra_envs.core.past import Past
from tantra_envs.core.state import States
from tantra_envs.matches.match import duplicate_deals
from tantra_envs.matches.playing import Ints, play_tables
from tantra_envs.programs import cli, workers
from tantra_envs.programs.files import Json
from tantra_envs.programs.progress import progress
from tantra_envs.programs.workers import Run

from ..harness import records, schema
from ..harness.plans import MatchSpec, Outcomes, build
from . import exploiters, ranking, submission, suite

NONE = -1  # in place of an action after the end of a game


@dataclass(frozen=True)
class Job:
    """A shard of a match between the submitted agent and one of the panels, and the file of its games."""

    file: Path
    match: MatchSpec  # with the opponent in place of the submitted agent
    names: tuple[str, ...]  # of the agents
    first: int
    deals: int

    @property
    def submitted(self) -> str:
        """The name of the submitted agent."""
        (name,) = set(self.names) - set(self.match.agents)
        return name


class _Places(Observation):
    """An observation that knows the tables it shows, and the number of their actions so far."""

    def __init__(self, game: Game, states: States, rows: Ints, past: Past | None = None) -> None:
        super().__init__(game, states, rows, past)
        self.places = rows, states["plies"][rows].astype(np.int64)


class _Recorded:
    """An agent that plays the recorded actions."""

    def __init__(self, name: str, actions: npt.NDArray[np.int64]) -> None:
        self.name, self._actions = name, actions

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the recorded action of every table, NONE after the end of its record."""
        assert isinstance(obs, _Places)
        return self._actions[obs.places]


@dataclass(frozen=True)
class FileOptions:
    """Option that comes first on the command line."""

    file: Path
    """File of results that rank has saved."""


@dataclass(frozen=True, kw_only=True)
class SubmissionOptions(cli.WorkerOptions, FileOptions):
    """Validate results of the benchmark, and replay all their games, before you submit them.

    Example: python -m benchmarks submit runs/rank-my-agent.py-MyAgent/results.json

    The agents of the panels decide again in every game, so this takes about as long as the ranking.
    """

    records: Path | None = None
    """Folder of the records of the games. [default: records, beside the file]"""


def main(argv: Sequence[str]) -> int:
    """Print what the file holds, or what is wrong with it or with its games."""
    with cli.user_errors("bench,train"), warnings.catch_warnings(action="ignore", category=AgentWarning):
        args = cli.read(SubmissionOptions, "benchmarks submit", argv)
        words = submission.validate(args.file)
        executor = workers.executor(args.workers, args.ray)
    with cli.work():
        try:
            with executor as run:
                games = check(schema.read(args.file), args.records or args.file.parent / "records", run)
        except ValueError as wrong:
            raise cli.UserError(str(wrong)) from wrong
    print(f"{words}; {games:,} games replay to it; copy it to docs/results/rank")
    return 0


def check(results: Json, folder: Path, run: Run) -> int:
    """Replay all games of results from a folder of records, and return their number.

    Raises:
        ValueError: A record is missing, a game differs from its record, or the results differ from the games.
    """
    jobs = [job for table, row in results["tables"].items() for job in _jobs(results["agent"], table, row, folder)]
    with progress("games replayed", sum(job.deals * len(job.match.lineup) for job in jobs)) as advance:
        for _, games in run(replay, jobs):
            advance(games)
    total = sum(job.deals * len(job.match.lineup) for job in jobs)
    for table, row in results["tables"].items():
        _check_points(results["agent"], table, row, folder)
        for name, score in row["exploiters"].items():
            total += _check_exploiter(results["agent"], table, name, score, folder) if score else 0
    return total


def _jobs(agent: str, table: str, row: Json, folder: Path) -> list[Job]:
    """Return all shards of a table; raise ValueError if a record is missing."""
    jobs = []
    for meeting in meetings_of(agent, table, row):
        for file, shard in suite.plan_of_meetings([meeting], folder).shards().items():
            _check_exists(file)
            names = shard.match.agents
            match = replace(shard.match, agents=(meeting.other,) * len(names))
            jobs.append(Job(file, match, names, shard.first, shard.deals))
    return jobs


def meetings_of(agent: str, table: str, row: Json) -> list[suite.Meeting]:
    """Return the meetings of the results at a table with their deals."""
    return [
        suite.meeting(table, part, agent, other, score["n"])
        for part in suite.others(table)
        for other, score in row[part].items()
        if score
    ]


def replay(job: Job) -> int:
    """Play the games of a record again, and return their number; raise ValueError if one of them differs."""
    record, match = records.read(job.file), job.match
    game, agents = build(match)
    _check_label(job.file, record, game, match, job.names)
    seating, seeds = duplicate_deals(game, match.lineup, job.first, job.deals, match.seed)
    actions = _padded(record)
    if len(actions) != len(seeds):
        raise ValueError(f"{job.file}: {len(actions)} games are not allowed; allowed: {len(seeds)}")
    players: list[Agent] = [
        _Recorded(name, actions) if name == job.submitted else agent
        for name, agent in zip(job.names, agents, strict=True)
    ]
    look = _comparison(job, actions, seating)
    try:
        outcome = play_tables(
            game, players, seating, seeds, (match.seed, job.first), record=True, look=look, observation=_Places
        )
    except AgentError as error:
        raise ValueError(f"{job.file}: {error}") from None
    played = records.games(job.names, seating, seeds, outcome)
    for name in records.SCHEMA:
        for row, (own, kept) in enumerate(zip(played[name].to_list(), record.games[name].to_list(), strict=True)):
            if own != kept:
                words = f"{name} is {own!s:.80} in the replay, but {kept!s:.80} in the file"
                raise ValueError(f"{job.file}: game {row}: {words}")
    return len(seeds)


def _check_exists(file: Path) -> None:
    if not file.is_file():
        raise ValueError(f"{file} is missing; allowed: the records of rank, or --records with their folder")


def _check_label(file: Path, record: records.Record, game: Game, match: MatchSpec, names: Sequence[str]) -> None:
    """Raise ValueError if a record is one of another match."""
    facts = {"lineup": list(match.lineup), "seed": match.seed, "agents": list(names), "shuffled": False}
    label = {**record.label, "game": record.game.name, "config": record.game.config}
    for name, value in {**facts, "game": game.name, "config": game.config}.items():
        if label.get(name) != value:
            raise ValueError(f"{file}: {name}={label.get(name)!s:.80} is not allowed; allowed: {value!s:.80}")


def _padded(record: records.Record) -> npt.NDArray[np.int64]:
    """Return the actions of all games, (games, longest + 1), with NONE after the end of each."""
    lengths = record.plies
    actions = np.full((len(lengths), int(lengths.max(initial=0)) + 1), NONE, np.int64)
    actions[np.arange(actions.shape[1]) < lengths[:, None]] = record.games["actions"].explode().drop_nulls().to_numpy()
    return actions


def _comparison(job: Job, actions: Ints, seating: Ints) -> Callable[[States, Ints, Ints], None]:
    """Return a function that raises ValueError at the first action that is not the recorded one."""

    def compare(states: States, rows: Ints, chosen: Ints) -> None:
        plies = states["plies"][rows].astype(np.int64)
        differ = np.flatnonzero(actions[rows, plies] != chosen)
        if len(differ):
            row, ply, action = (int(values[differ[0]]) for values in (rows, plies, chosen))
            name = job.names[seating[row, int(states["seat"][row])]]
            recorded = int(actions[row, ply])
            what = f"plays {action} at ply {ply}, but {'nothing' if recorded == NONE else recorded} in the file"
            raise ValueError(f"{job.file}: game {row}: {name} {what}")

    return compare


def _check_points(agent: str, table: str, row: Json, folder: Path) -> None:
    """Raise ValueError if the points or the share of truncated games are not those of the records."""
    for meeting in meetings_of(agent, table, row):
        games = Outcomes(suite.plan_of_meetings([meeting], folder)).of(meeting.matches, meeting.deals)
        kept = row[meeting.part][meeting.other]
        _check_row(f"{table}: {meeting.part}: {meeting.other}", kept, ranking.points_of(meeting, games))


def _check_row(where: str, row: Json, expected: Json) -> None:
    for name, value in expected.items():
        if row[name] != value:
            words = f"{name}={row[name]!s:.80} is not allowed; allowed: {value!s:.80}, as in the records"
            raise ValueError(f"{where}: {words}")


def _check_exploiter(agent: str, table: str, name: str, score: Json, folder: Path) -> int:
    """Return the number of games of an exploiter; raise ValueError if they do not replay to its score."""
    plan, games = exploiters.plan_of_exploiter(folder, table, name, name, agent), 0
    for file, shard in plan.shards().items():
        _check_exists(file)
        games += records.verify(file)
        record, match = records.read(file), shard.match
        game = build(suite.match(table, ()))[0]
        exploiter = record.label.get("agents", [""])[0]
        _check_label(file, record, game, match, [exploiter, agent])
        seating, seeds = duplicate_deals(game, match.lineup, shard.first, shard.deals, match.seed)
        if record.games["deal"].to_list() != seeds.tolist() or record.seating.tolist() != seating.tolist():
            raise ValueError(f"{file}: its deals or seats are not allowed; allowed: those of the suite")
    expected = exploiters.score_of(plan)
    _check_row(f"{table}: exploiters: {name}", score, expected)
    return games
