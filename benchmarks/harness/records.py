"""Record games in files that can be replayed, and read their outcomes as one frame.

A file is Parquet. A row is a game: the seed of its deal, the agent of every seat, all actions, the result, and a digest
of the last position. The metadata of the file contain game, version, configuration and match.

`outcomes` returns a row for every team of every game. A line-up may fill seats in place of teams of several seats. Then
a row is a seat, with the score of its team. Columns:

    deal, rotation, team    numbers of the deal, of its game, and of the team (or seat)
    agent, alone            name of the agent; whether it is the first one of the line-up
    score, reward           share of the other teams that the team beat; its reward in the game
    plies, truncated        of the whole game

A study adds columns: see `benchmarks.study.tally`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars
from polars.exceptions import PanicException

import tantra_envs
from tantra_envs import Game, Observation
from tantra_envs.core.state import States
from tantra_envs.matches.match import DEALS, team_scores
from tantra_envs.matches.playing import Outcome
from tantra_envs.measures import Ints, Transitions
from tantra_envs.programs.files import write_parquet

LABEL = "tantra_envs"  # key in the metadata of the file
SCHEMA: dict[str, Any] = {
    "deal": polars.Int64,  # argument of game.new
    "seats": polars.List(polars.String),  # agent of every seat
    "actions": polars.List(polars.Int32),
    "rewards": polars.List(polars.Float64),  # by seat, summed over the game
    "truncated": polars.Boolean,
    "digest": polars.String,  # digest of the last position
}
OUTCOMES: dict[str, Any] = {
    **dict.fromkeys(("deal", "rotation", "team"), polars.Int64),
    "agent": polars.String,
    "alone": polars.Boolean,
    **dict.fromkeys(("score", "reward"), polars.Float64),
    "plies": polars.Int64,
    "truncated": polars.Boolean,
}
OF_MATCH = ("agents", "lineup", "seed", "rotations", "shuffled")  # facts of a label
BY_SEAT = ("seats", "rewards")  # columns with an entry for every seat
Label = dict[str, Any]
Observe = Callable[[Transitions], None]


@dataclass(frozen=True)
class Record:
    """The games of a file."""

    file: Path
    game: Game
    games: polars.DataFrame  # columns as in SCHEMA
    label: Label  # facts about the game, and about the match if there is one

    @property
    def deals(self) -> Ints:
        """The number of every game's deal among the deals of its seed, shape (n,)."""
        return self.games["deal"].to_numpy() % DEALS

    @property
    def plies(self) -> Ints:
        """The length of every game in actions, shape (n,)."""
        return self.games["actions"].list.len().to_numpy().astype(np.int64)

    @property
    def seating(self) -> Ints:
        """The agent of every seat as its number among the agents of the match, shape (n, players)."""
        numbers = {name: i for i, name in enumerate(self.label["agents"])}
        return np.array([[numbers[name] for name in seats] for seats in self.games["seats"].to_list()])

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """The total reward of every seat, shape (n, players)."""
        return np.array(self.games["rewards"].to_list())

    @property
    def paid(self) -> npt.NDArray[np.float64]:
        """The total reward of each seat of every team, shape (n, teams). Partners have equal rewards."""
        return self.rewards[:, self.game.team_representatives]


def games(names: Sequence[str], seating: Ints, seeds: Ints, outcome: Outcome) -> polars.DataFrame:
    """Return a row for every table of an outcome that was played with `record=True`."""
    rows = {
        "deal": seeds,
        "seats": [[names[agent] for agent in chairs] for chairs in seating],
        "actions": [actions.tolist() for actions in outcome.actions],
        "rewards": outcome.rewards.tolist(),
        "truncated": outcome.truncated,
        "digest": [hashlib.blake2b(state.tobytes(), digest_size=16).hexdigest() for state in outcome.states],
    }
    return polars.DataFrame(rows, SCHEMA)


def label(game: Game, match: Mapping[str, Any] | None = None) -> Label:
    """Return the facts that are saved in the metadata of a file, in JSON types. `match` may add any facts."""
    facts = {"game": game.name, "config": game.options.changed(game.config), "package": tantra_envs.__version__}
    content: Label = json.loads(json.dumps({**facts, **(match or {})}))
    return content


def write(file: Path, label: Label, played: polars.DataFrame) -> None:
    """Write games of one configuration. The file is either complete or absent."""
    write_parquet(file, played, {LABEL: json.dumps(label)})


def read(file: Path) -> Record:
    """Return the games of a file without replaying them.

    Raises:
        ValueError: The file is not a record, or was played under another version of the game.
    """
    content = read_label(file)
    with _reading(file):
        played = polars.read_parquet(file)
    if dict(played.schema) != SCHEMA:
        raise ValueError(
            f"{file} is not a record: its columns are {', '.join(played.columns)}, not {', '.join(SCHEMA)}"
        )
    game = tantra_envs.game(content["game"].rpartition("_")[0], **content["config"])
    if game.name != content["game"]:
        raise ValueError(f"{file} was played under {content['game']}, but this version has {game.name}; play it again")
    for name, size in ((name, game.players if name in BY_SEAT else None) for name in SCHEMA):
        column = played[name]
        if column.null_count() or (size and (column.list.len() != size).any()):
            wanted = f"{size} entries in every row" if size else "a value in every row"
            raise ValueError(f"{file} is damaged: its column {name} must have {wanted}")
    if played.is_empty():
        raise ValueError(f"{file} has no games")
    agents = content.get("agents")
    if agents and (strangers := set(played["seats"].explode()) - set(agents)):
        raise ValueError(f"{file} is damaged: {min(strangers)!r} is not an agent of its match; they are {agents}")
    return Record(file, game, played, content)


def read_label(file: Path) -> Label:
    """Return the facts in the metadata of a file; raise ValueError if the file is missing or not a record."""
    if not file.is_file():
        raise ValueError(f"record file {str(file)!r} does not exist")
    with _reading(file):
        content: Label = json.loads(polars.read_parquet_metadata(file)[LABEL])
        if not isinstance(content["game"], str) or not isinstance(content["config"], dict):
            raise ValueError("its metadata have no game with options")
    return content


@contextlib.contextmanager
def _reading(file: Path) -> Iterator[None]:
    """Raise ValueError if a file cannot be read. The library panics at some damage, and prints its stack on its own."""
    sys.stderr.flush()
    shown, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    except (polars.exceptions.PolarsError, PanicException, LookupError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"{file} is damaged, or not a record: {reason}") from None
    finally:
        os.dup2(shown, 2)
        os.close(shown)
        os.close(nowhere)


def files_of(folder: Path) -> list[Path]:
    """Return the records in the folder of a run, without smaller shards that larger ones have replaced."""
    every = sorted((folder / "records").glob("*.parquet"), key=lambda file: int(file.stem.rpartition("_")[2]))
    return sorted({file.stem.rpartition("_")[0]: file for file in every}.values())


def outcomes(record: Record) -> polars.DataFrame:
    """Return a row for every team of every game, by OUTCOMES; raise ValueError for games of no match."""
    if missing := [name for name in OF_MATCH if name not in record.label]:
        raise ValueError(f"{record.file} is not a record of a match: its metadata have no {missing[0]}")
    game, lineup, n = record.game, record.label["lineup"], len(record.games)
    if not set(lineup) <= set(range(len(record.label["agents"]))):
        raise ValueError(f"{record.file} is damaged: lineup={lineup} has numbers of no agent")
    of_seats = len(lineup) != len(game.teams)
    seats = np.arange(game.players) if of_seats else np.array(game.team_representatives)
    agents, entries = record.seating[:, seats], len(seats)
    columns = {
        "deal": np.repeat(record.deals, entries),
        "rotation": np.repeat(np.arange(n) % record.label["rotations"], entries),
        "team": np.tile(np.arange(entries), n),
        "agent": np.array(record.label["agents"])[agents].ravel(),
        "alone": (agents == lineup[0]).ravel(),
        "score": team_scores(record.paid)[:, np.array(game.team_numbers)[seats]].ravel(),
        "reward": record.rewards[:, seats].ravel(),
        "plies": np.repeat(record.plies, entries),
        "truncated": np.repeat(record.games["truncated"].to_numpy(), entries),
    }
    return polars.DataFrame(columns, OUTCOMES)


def means_of_deals(games: polars.DataFrame, *key: str) -> polars.DataFrame:
    """Return the mean score and reward over the rotations of a deal: a row for every deal of every key."""
    return games.group_by(*key, "deal", maintain_order=True).agg(polars.col("score", "reward").mean())


def is_sound(file: Path) -> bool:
    """Return whether the file is a readable record. A damaged one is played again with the same result."""
    try:
        read(file)
    except ValueError:
        return False
    return True


def replay(record: Record, observe: Observe | None = None) -> tuple[States, npt.NDArray[np.float64]]:
    """Replay all games side by side, and return the last positions (n,) and the rewards (n, players).

    Args:
        record: The games.
        observe: Called for each action number, with the transitions of all tables still in play.

    Raises:
        ValueError: An action is illegal. The message names the file and the row.
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
    """Return the first positions of all games, shape (n,)."""
    deals = record.games["deal"].to_numpy().astype(np.int64)
    states = record.game.blanks(len(deals))
    record.game.drivers.deal_rows(states, np.arange(len(deals)), deals)
    return states


def _plies(record: Record) -> Iterator[tuple[Ints, Ints]]:
    """Yield for each action number the games that are long enough, and their actions."""
    lengths = record.plies
    actions = record.games["actions"].explode().drop_nulls().to_numpy().astype(np.int64)
    begins = np.cumsum(lengths) - lengths
    for ply in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > ply)
        yield rows, actions[begins[rows] + ply]


def keep(make: Callable[[Path], polars.DataFrame], folder: Path, form: str, file: Path) -> Path:
    """Write the table that `make` returns of a record into a folder, unless that is done; return its file."""
    kept = folder / f"{file.stem}_{form}.parquet"
    if not kept.exists():
        folder.mkdir(exist_ok=True)
        write_parquet(kept, make(file))
    return kept
