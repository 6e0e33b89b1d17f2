"""List matches, play them into record files shard by shard, and continue interrupted runs.

A `MatchSpec` describes a line-up as text and numbers. A `Shard` is some of its deals: a worker builds the game and the
agents from it and plays it. A finished shard is a file that depends only on its match. So the results do not depend on
the process that plays it, on the number of workers, on interruptions, or on later requests for more deals. A `Row` is
a match over some deals. A `Plan` lists all shards of its rows, and `play_plan` plays those that are missing. `outcomes`
reads the results of its rows as one frame.

Functions that begin with `check` raise ValueError with a message for the user.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars

import tantra_envs
from agents import load, origin
from tantra_envs import Agent, Game, Observation
from tantra_envs.adapters.programs import COUNTS, TextAgent
from tantra_envs.matches.match import SIDE_BY_SIDE, check_opponents, duplicate_deals
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.scripted import Scripted
from tantra_envs.programs.files import open_folder
from tantra_envs.programs.progress import progress
from tantra_envs.programs.workers import Run

from . import records
from .command import PlayOptions
from .oracle import ORACLE, OpenObservation, Oracle

OptionValues = tuple[tuple[str, Any], ...]
Usage = dict[str, dict[str, float]]  # by the name of an agent that is a program: its COUNTS
PROGRAMS = "programs"  # key of the label of a record with the usage of agents that are programs
LONGEST_NAME = 150  # characters: systems allow 255 for a file, with what is put around the name
HASH_DIGITS = 16


@dataclass(frozen=True)
class MatchSpec:
    """A line-up over duplicate deals as text and numbers. Every worker builds the game and the agents from it."""

    game: str  # game, or game:variant
    options: OptionValues  # further options of the game
    agents: tuple[str, ...]  # the number of an agent here selects its random stream
    lineup: tuple[int, ...]  # number of the agent of every team, or of every seat in place of teams
    seed: int
    rotations: int | None = None  # games of a deal; None = one for each entry of the line-up
    shuffled: bool = False  # whether every deal shuffles the line-up
    ceiling: bool = False  # whether the open-card search may play, as in ladders

    @property
    def rules(self) -> Game:
        """The game with its options."""
        return _game(self.game, self.options)


@dataclass(frozen=True)
class Shard:
    """The deals `first` to `first + deals - 1` of a match."""

    match: MatchSpec
    first: int
    deals: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.deals * (self.match.rotations or len(self.match.lineup))


@dataclass(frozen=True)
class Row:
    """A line-up over some deals: in most rows one agent, or one team of it, alone among copies of another."""

    name: str  # prefix of the names of its records
    match: MatchSpec
    deals: int
    tags: tuple[str, ...] = ()  # what a view calls the row
    # The words of `python -m training` that make the first agent, a model file, if it is missing.
    make: tuple[str, ...] = ()

    @property
    def table(self) -> str:
        """The game with its options, as in `play karma players=4`."""
        others = [f"{name}={value}" for name, value in self.match.options if name != "players"]
        return " ".join([self.match.game, f"players={self.match.rules.players}", *others])


@dataclass(frozen=True)
class Plan:
    """Rows with different names, and the folder of their records."""

    folder: Path
    rows: Sequence[Row]
    shard: int = SIDE_BY_SIDE  # deals of a shard; part of the method: another number draws other random numbers

    def shards(self, row: Row) -> dict[Path, Shard]:
        """Return the shards of a row by their files, in the order of their deals."""
        return {
            self.folder / f"{row.name}_{first:07d}_{size}.parquet": Shard(row.match, first, size)
            for first in range(0, row.deals, self.shard)
            for size in [min(self.shard, row.deals - first)]
        }

    @property
    def files(self) -> dict[str, list[Path]]:
        """The records of every row by its name, in the order of their deals."""
        return {row.name: list(self.shards(row)) for row in self.rows}

    def check(self) -> None:
        """Create the folder, and raise ValueError for agents that do not fit, or records of another match in it."""
        open_folder(self.folder)
        labels = {row.name: match_label(row.match) for row in self.rows}
        for file in sorted(self.folder.glob("*.parquet")):
            name = file.stem.rsplit("_", 2)[0]
            if name in labels:
                _check_label(file, labels[name])


def new_plan(args: Any, default_name: Sequence[object], rows: Sequence[Row]) -> Plan:
    """Create the folder of an experiment, --name or `default_name`; return its checked plan."""
    plan = Plan(folder_of(args, default_name) / "records", rows, args.shard)
    plan.check()
    return plan


def slug(words: str) -> str:
    """Return `words` as the name of a file. The end of a long name is a hash of all of it."""
    name = re.sub(r"[^A-Za-z0-9.]+", "-", words).strip("-")
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - HASH_DIGITS - 1]}-{hashlib.sha256(words.encode()).hexdigest()[:HASH_DIGITS]}"


# Plans that follow from options


def table(args: PlayOptions, agents: Iterable[str], options: OptionValues = ()) -> MatchSpec:
    """Return the game and the agents of the options as a match without a line-up."""
    players: OptionValues = () if args.players is None else (("players", args.players),)
    return MatchSpec(args.game, tuple(dict(players + options).items()), tuple(agents), (), args.seed)


def folder_of(args: Any, default_name: Sequence[object]) -> Path:
    """Return the folder of an experiment: --name or `default_name` in --runs."""
    return Path(args.runs) / (args.name or slug("-".join(map(str, default_name))))


def one_vs_rest(alone: int, rest: int, teams: int) -> tuple[int, ...]:
    """Return the teams of one agent alone among copies of another."""
    return (alone, *(rest,) * (teams - 1))


# Playing a plan


def play_plan(plan: Plan, run: Run) -> None:
    """Play all missing or damaged shards. Finished shards are kept when the run is interrupted."""
    whole = {file: shard for row in plan.rows for file, shard in plan.shards(row).items()}
    with progress("games played", sum(shard.games for shard in whole.values())) as advance:
        missing: dict[Shard, list[Path]] = {}  # equal matches with other names are played once
        for file, shard in whole.items():
            if records.is_sound(file):
                advance(shard.games)
            else:
                missing.setdefault(shard, []).append(file)
        for shard, (played, used) in run(play_counted, list(missing)):
            facts = {PROGRAMS: used} if used else {}
            for file in missing[shard]:
                records.write(file, {**match_label(shard.match), **facts}, played)
                advance(shard.games)


def outcomes(plan: Plan) -> polars.DataFrame:
    """Return the outcomes of all rows of a plan, with the name of each as the column `match`."""
    return polars.concat(
        records.outcomes(records.read(file)).select(polars.lit(name).alias("match"), polars.all())
        for name, files in plan.files.items()
        for file in files
    )


def usage(plan: Plan) -> Usage:
    """Return the number of decisions of every agent that is a program, and all other counts for each decision."""
    counts: dict[str, Counter[str]] = {}
    for file in (file for files in plan.files.values() for file in files):
        for agent, used in records.read_label(file).get(PROGRAMS, {}).items():
            counts.setdefault(agent, Counter()).update(used)
    return {
        agent: {**{name: used[name] / max(used["decisions"], 1) for name in COUNTS}, "decisions": used["decisions"]}
        for agent, used in counts.items()
    }


def play_counted(shard: Shard) -> tuple[polars.DataFrame, Usage]:
    """Play a shard, and return its games and what the agents that are programs were asked for them."""
    programs = {agent.name: agent for agent in build(shard.match)[1] if isinstance(agent, TextAgent)}
    before = {own: {name: getattr(program, name) for name in COUNTS} for own, program in programs.items()}
    games = play_shard(shard)
    return games, {
        own: {name: getattr(programs[own], name) - count for name, count in counts.items()}
        for own, counts in before.items()
    }


def play_shard(shard: Shard) -> polars.DataFrame:
    """Play a shard and return its games as `records.games` does.

    Networks use one thread, because more threads would round differently.
    """
    match = shard.match
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    shown = OpenObservation if match.ceiling and ORACLE in match.agents else Observation
    return play_games(*build(match), shard, shown)


def scripted_games(game: Game, first: int, deals: int) -> records.Record:
    """Return games of the scripted agent in all seats: some deals of seed 0, each once."""
    match = MatchSpec(game.name, (), (), (0,) * len(game.teams), seed=0, rotations=1)
    return records.Record(Path(), game, play_games(game, [Scripted(game)], Shard(match, first, deals)), {})


def play_games(
    game: Game, agents: Sequence[Agent], shard: Shard, observation: type[Observation] = Observation
) -> polars.DataFrame:
    """Play a shard with these agents, which see this kind of observation, and return its games."""
    match = shard.match
    seating, seeds = duplicate_deals(
        game, match.lineup, shard.first, shard.deals, match.seed, rotations=match.rotations, shuffled=match.shuffled
    )
    start = (match.seed, shard.first)
    outcome = play_tables(game, agents, seating, seeds, start, record=True, observation=observation)
    return records.games([agent.name for agent in agents], seating, seeds, outcome)


def build(match: MatchSpec) -> tuple[Game, list[Agent]]:
    """Build the game and the agents; raise ValueError for names that are unknown or do not fit."""
    return match.rules, [_agent(word, match.game, match.options, match.ceiling) for word in match.agents]


def fits(match: MatchSpec) -> bool:
    """Return whether the agents can play the game. The weights of a trained agent may not fit."""
    with contextlib.suppress(ValueError):
        return bool(build(match))
    return False


def build_with_opponents(match: MatchSpec) -> tuple[Game, list[Agent]]:
    """Build the game and the agents; raise ValueError for a game with fewer than two teams."""
    game, agents = build(match)
    check_opponents(game)
    return game, agents


def match_label(match: MatchSpec) -> records.Label:
    """Return all facts except the deals that the games of a match depend on."""
    game, agents = build(match)
    facts = {
        "agents": [agent.name for agent in agents],
        "origins": origins(agents),
        **{name: getattr(match, name) for name in ("lineup", "seed", "shuffled")},
        "rotations": match.rotations or len(match.lineup),
    }
    return records.label(game, facts)


def origins(agents: Sequence[Agent]) -> dict[str, dict[str, Any]]:
    """Return the origins of the agents that have one. An agent that was trained further has another origin."""
    by_name = {agent.name: origin(agent) for agent in agents}
    return {name: facts for name, facts in by_name.items() if facts}


def _check_label(file: Path, expected: records.Label) -> None:
    """Raise ValueError if the file is a record of another match. A damaged record counts as missing."""
    try:
        stored = records.read_label(file)
    except ValueError:
        return
    for name, value in expected.items():
        if stored.get(name) != value:
            difference = f"{name}={stored.get(name)!r} instead of {value!r}"
            raise ValueError(f"{file.parent} contains other games: {difference}; choose another --name")


@functools.lru_cache(maxsize=256)
def _game(name: str, options: OptionValues) -> Game:
    return tantra_envs.game(name, **dict(options))


@functools.lru_cache(maxsize=256)
def _agent(word: str, game: str, options: OptionValues, ceiling: bool) -> Agent:
    table = _game(game, options)
    if ceiling and word == ORACLE:
        return Oracle(table, ceiling=True)
    return load(word, table)
