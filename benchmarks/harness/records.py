"""Records of games: files that say how games went, replay them, and are checked by doing so.

    python -m benchmarks.harness.records verify runs/my-tournament/records/*.parquet
    python -m benchmarks.harness.records show runs/my-tournament/records/0-1_0000000_256.parquet --game 3

A file is Parquet. A row is a game: the seed it was dealt from, who sat where, all actions, and how it ended with a
digest of the last position. Game, version and configuration stand in the file's metadata.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars

import tantra_envs
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States
from tantra_envs.matches.playing import Ints, Look, Outcome

from . import run_folder as results

PROGRAM = "benchmarks.harness.records"
LABEL = "tantra_envs"  # the key of the metadata
SCHEMA = {
    "deal": polars.Int64,  # game.new(deal)
    "seats": polars.List(polars.String),  # the agent of every seat
    "actions": polars.List(polars.Int32),
    "rewards": polars.List(polars.Float64),  # by seat, summed over the game
    "truncated": polars.Boolean,
    "digest": polars.String,  # of the last position
}


@dataclass(frozen=True)
class Record:
    """The games of a file."""

    game: Game
    games: polars.DataFrame  # columns as in SCHEMA


def games(names: Sequence[str], seating: Ints, seeds: Ints, outcome: Outcome) -> polars.DataFrame:
    """A row for every table that was played with `record=True`."""
    rows = {
        "deal": seeds,
        "seats": [[names[agent] for agent in chairs] for chairs in seating],
        "actions": [actions.tolist() for actions in outcome.actions],
        "rewards": outcome.rewards.tolist(),
        "truncated": outcome.truncated,
        "digest": [_digest(state) for state in outcome.states],
    }
    return polars.DataFrame(rows, SCHEMA)


def write(file: Path, game: Game, played: polars.DataFrame) -> None:
    """Keep games of one configuration, whole or not at all."""
    label = {"game": game.name, "config": game.options.changed(game.config), "package": tantra_envs.__version__}
    results.replace(file, lambda part: played.write_parquet(part, metadata={LABEL: json.dumps(label)}))


def read(file: Path) -> Record:
    """The games of a file, unchecked; ValueError if it is no record, or one of another version of the game."""
    if not file.is_file():
        raise ValueError(f"there is no record {str(file)!r}")
    try:
        label = json.loads(polars.read_parquet_metadata(file)[LABEL])
        played = polars.read_parquet(file)
    except (polars.exceptions.PolarsError, KeyError, ValueError) as error:
        raise ValueError(f"{file} is damaged, or no record: {error}") from None
    if dict(played.schema) != SCHEMA:
        raise ValueError(f"{file} is no record: it has the columns {', '.join(played.columns)}")
    game = tantra_envs.game(label["game"].rpartition("_")[0], **label["config"])
    if game.name != label["game"]:
        raise ValueError(f"{file} was played under {label['game']}; this is {game.name}")
    return Record(game, played)


def replay(record: Record, look: Look | None = None) -> tuple[States, Ints]:
    """Play all games again, side by side: the last positions, and the rewards (n, players).

    Before every round `look` is shown (states, rows, actions): what is played at the tables still going. ValueError
    naming the row where an action is no legal one.
    """
    game, lists = record.game, record.games["actions"].to_list()
    lengths = np.array([len(actions) for actions in lists], np.int64)
    states = game.blanks(len(lists))
    rewards = np.zeros((len(lists), game.players))
    game.drivers.deal_rows(states, np.arange(len(lists)), record.games["deal"].to_numpy().astype(np.int64))
    for ply in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > ply)
        actions = np.array([lists[row][ply] for row in rows], np.int64)
        wrong = game.drivers.first_illegal(Observation(game, states, rows).action_mask, actions)
        if wrong >= 0:
            raise ValueError(f"game {rows[wrong]}: action {actions[wrong]} at ply {ply} is illegal")
        if look:
            look(states, rows, actions)
        game.drivers.apply_rows(states, rows, actions)
        rewards[rows] += states["rewards"][rows, : game.players]
    return states, rewards


def verify(file: Path) -> int:
    """How many games a file holds; ValueError unless all of them replay to the ends that stand in it."""
    record = read(file)
    try:
        states, rewards = replay(record)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    found = {
        "over": (states["over"] != 0).tolist(),
        "truncated": (states["truncated"] != 0).tolist(),
        "rewards": rewards.tolist(),
        "digest": [_digest(state) for state in states],
    }
    kept = {"over": [True] * len(states), **{name: record.games[name].to_list() for name in list(found)[1:]}}
    for name, values in found.items():
        for row, (value, wanted) in enumerate(zip(values, kept[name], strict=True)):
            if value != wanted:
                raise ValueError(f"{file}: game {row}: {name} is {value} when played again, {wanted} in the file")
    return len(states)


def story(record: Record, row: int) -> list[str]:
    """A game in words: who sat where, every action, the end."""
    one = Record(record.game, record.games.slice(row, 1))
    seats = one.games["seats"].to_list()[0]
    lines = [f"{record.game.title}, deal {one.games['deal'][0]}: " + ", ".join(f"{i} {n}" for i, n in enumerate(seats))]

    def look(states: States, rows: Ints, actions: Ints) -> None:
        seat = int(states["seat"][0])
        lines.append(f"{len(lines)}. {seat} {seats[seat]}: {record.game.action_name(states, int(actions[0]))}")

    _, rewards = replay(one, look)
    return [*lines, f"rewards: {', '.join(f'{reward:g}' for reward in rewards[0])}"]


def main(words: Sequence[str] | None = None) -> int:
    """`verify` files, or `show` a game of one."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {PROGRAM}", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="verify|show")
    checking = commands.add_parser("verify", help="replay all games and compare the ends")
    checking.add_argument("files", nargs="+", type=Path)
    checking.set_defaults(run=_verify)
    showing = commands.add_parser("show", help="print a game in words")
    showing.add_argument("file", type=Path)
    showing.add_argument("--game", type=int, default=0, help="which row, from 0")
    showing.set_defaults(run=_show)
    args = parser.parse_args(words)
    with cli.mistakes("bench,train"):
        args.run(args)
    return 0


def _verify(args: argparse.Namespace) -> None:
    for file in args.files:
        print(f"{file}: {verify(file)} games replay to the same ends")


def _show(args: argparse.Namespace) -> None:
    record = read(args.file)
    if args.game not in range(len(record.games)):
        raise ValueError(f"game={args.game} is not allowed; allowed: 0..{len(record.games) - 1}")
    print("\n".join(story(record, args.game)))


def _digest(state: Any) -> str:
    return hashlib.blake2b(state.tobytes(), digest_size=16).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
