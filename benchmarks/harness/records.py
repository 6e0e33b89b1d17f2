"""Records of games: files that say how games went, replay them, and are checked by doing so.

A file is Parquet. A row is a game: the seed it was dealt from, who sat where, all actions, and how it ended with a
digest of the last position. Game, version, configuration and match stand in the file's metadata.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States
from tantra_envs.matches.playing import Outcome
from tantra_envs.measures import Ints, Transitions

from .parquet import write_parquet

LABEL = "tantra_envs"  # the key of the metadata
SCHEMA: dict[str, Any] = {
    "deal": polars.Int64,  # game.new(deal)
    "seats": polars.List(polars.String),  # the agent of every seat
    "actions": polars.List(polars.Int32),
    "rewards": polars.List(polars.Float64),  # by seat, summed over the game
    "truncated": polars.Boolean,
    "digest": polars.String,  # of the last position
}
Label = dict[str, Any]
Observe = Callable[[Transitions], None]


@dataclass(frozen=True)
class Record:
    """The games of a file."""

    file: Path
    game: Game
    games: polars.DataFrame  # columns as in SCHEMA
    label: Label  # of the game, and of the match if they are of one

    @property
    def plies(self) -> Ints:
        """The length of every game in actions, shape (n,)."""
        return self.games["actions"].list.len().to_numpy().astype(np.int64)

    @property
    def seating(self) -> Ints:
        """The agent of every seat by its number among those of the match, shape (n, players)."""
        numbers = {name: i for i, name in enumerate(self.label["agents"])}
        return np.array([[numbers[name] for name in seats] for seats in self.games["seats"].to_list()])

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """What every seat was paid in all, shape (n, players)."""
        return np.array(self.games["rewards"].to_list())

    @property
    def paid(self) -> npt.NDArray[np.float64]:
        """What each seat of every team was paid in all, shape (n, teams)."""
        return self.rewards[:, self.game.speakers]

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Which games were cut off, shape (n,)."""
        return self.games["truncated"].to_numpy()


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


def label(game: Game, match: Mapping[str, Any] | None = None) -> Label:
    """What is written into a file beside its games, as it comes back from there; `match` names what it likes."""
    facts = {"game": game.name, "config": game.options.changed(game.config), "package": tantra_envs.__version__}
    content: Label = json.loads(json.dumps({**facts, **(match or {})}))
    return content


def write(file: Path, label: Label, played: polars.DataFrame) -> None:
    """Keep games of one configuration, whole or not at all."""
    write_parquet(file, played, {LABEL: json.dumps(label)})


def read(file: Path) -> Record:
    """The games of a file, unchecked; ValueError if it is no record, or one of another version of the game."""
    content = read_label(file)
    try:
        played = polars.read_parquet(file)
    except polars.exceptions.PolarsError as error:
        raise ValueError(f"{file} is damaged, or no record: {error}") from None
    if dict(played.schema) != SCHEMA:
        raise ValueError(f"{file} is no record: it has the columns {', '.join(played.columns)}")
    game = tantra_envs.game(content["game"].rpartition("_")[0], **content["config"])
    if game.name != content["game"]:
        raise ValueError(f"{file} was played under {content['game']}; this is {game.name}")
    return Record(file, game, played, content)


def read_label(file: Path) -> Label:
    """What was written beside the games; ValueError if there is no file, or it is no record."""
    if not file.is_file():
        raise ValueError(f"there is no record {str(file)!r}")
    try:
        content: Label = json.loads(polars.read_parquet_metadata(file)[LABEL])
    except (polars.exceptions.PolarsError, KeyError, ValueError) as error:
        raise ValueError(f"{file} is damaged, or no record: {error}") from None
    return content


def is_sound(file: Path) -> bool:
    """Is there a record that can be read? A damaged one is played again, and is the same then."""
    try:
        read(file)
    except ValueError:
        return False
    return True


def replay(record: Record, observe: Observe | None = None) -> tuple[States, npt.NDArray[np.float64]]:
    """Play all games again, side by side: the last positions, and the rewards (n, players).

    `observe` is shown what happens, one action at each table still going at a time. ValueError naming file and row
    where an action is no legal one.
    """
    game, states = record.game, dealt(record)
    rewards = np.zeros((len(states), game.players))
    for rows, actions in _plies(record):
        wrong = game.drivers.first_illegal(Observation(game, states, rows).action_mask, actions)
        if wrong >= 0:
            ply = int(states["plies"][rows[wrong]])
            raise ValueError(f"{record.file}: game {rows[wrong]}: action {actions[wrong]} at ply {ply} is illegal")
        before = states[rows]
        game.drivers.apply_rows(states, rows, actions)
        rewards[rows] += states["rewards"][rows, : game.players]
        if observe:
            observe(Transitions(game, rows, before, actions, states[rows]))
    return states, rewards


def dealt(record: Record) -> States:
    """The first positions of all games."""
    deals = record.games["deal"].to_numpy().astype(np.int64)
    states = record.game.blanks(len(deals))
    record.game.drivers.deal_rows(states, np.arange(len(deals)), deals)
    return states


def _plies(record: Record) -> Iterator[tuple[Ints, Ints]]:
    """For each ply the games that have it, and their actions."""
    lengths = record.plies
    actions = record.games["actions"].explode().drop_nulls().to_numpy().astype(np.int64)
    begins = np.cumsum(lengths) - lengths
    for ply in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > ply)
        yield rows, actions[begins[rows] + ply]


def verify(file: Path) -> int:
    """How many games a file holds; ValueError unless all of them replay to the ends that stand in it."""
    record = read(file)
    states, rewards = replay(record)
    replayed = {
        "over": (states["over"] != 0).tolist(),
        "truncated": (states["truncated"] != 0).tolist(),
        "rewards": rewards.tolist(),
        "digest": [_digest(state) for state in states],
    }
    stored = {"over": [True] * len(states), **{name: record.games[name].to_list() for name in list(replayed)[1:]}}
    for name, values in replayed.items():
        for row, (value, expected) in enumerate(zip(values, stored[name], strict=True)):
            if value != expected:
                raise ValueError(f"{file}: game {row}: {name} is {value} when played again, {expected} in the file")
    return len(states)


def _digest(state: Any) -> str:
    return hashlib.blake2b(state.tobytes(), digest_size=16).hexdigest()
