"""Games of people as records: collect the files of `play --record`, and let agents play the same deals.

A game counts if one person played a numbered deal to its end against agents, without hints and undone decisions, and
for the first time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import polars

from tantra_envs.core.observation import Agent
from tantra_envs.matches.comparison import Comparison, PersonalGame, compare
from tantra_envs.programs.files import open_folder
from tantra_envs.table.contest import recorded, why_not
from tantra_envs.table.history import History, people_at

from . import records

REPEATS = "repeats a deal"


def collect(folder: Path, out: Path) -> tuple[dict[Path, int], Counter[str]]:
    """Write the games of `play --record folder` as one record file for each configuration.

    Returns:
        The number of games in each file, and the number of games that were left out for each reason.

    Raises:
        ValueError: The folder does not exist, or a file is no saved game.
    """
    if not folder.is_dir():
        raise ValueError(f"folder={str(folder)!r} is not allowed: it does not exist")
    groups: dict[str, list[History]] = {}
    left_out, played = Counter[str](), set[tuple[str, str, int | None]]()
    for history in recorded(folder):
        reason, name = why_not(history), _name(history)
        deal = (name, "" if reason else _person(history.facts.seats), history.facts.deal)
        if reason or deal in played:
            left_out[reason or REPEATS] += 1
            continue
        played.add(deal)
        groups.setdefault(name, []).append(history)
    open_folder(out)
    files = {}
    for name, histories in sorted(groups.items()):
        agents = sorted({word for history in histories for word in history.facts.seats})
        label = records.label(histories[0].game, {"agents": agents})
        file = out / f"{name}.parquet"
        records.write(file, label, _rows(histories))
        files[file] = len(histories)
    return files, left_out


def comparisons(
    record: records.Record, names: Sequence[str], load: Callable[[str], Agent], seed: int = 0
) -> dict[str, Comparison]:
    """Let agents play the deals of the people of a record, and return the comparison for each person.

    Args:
        record: Games of one person each.
        names: The agents that play the deals in the seat of the person.
        load: Returns the agent of a name.
        seed: Seed of the agents.

    Raises:
        ValueError: A game has no person, or several.
    """
    games: dict[str, list[PersonalGame]] = {}
    for deal, seats, rewards in record.games.select("deal", "seats", "rewards").iter_rows():
        people = people_at(seats)
        if len(people) != 1:
            raise ValueError(f"{record.file}: deal {deal} has {len(people)} people; allowed: games of one person")
        games.setdefault(_person(seats), []).append(PersonalGame(deal, tuple(seats), people[0], rewards))
    agents = {name: load(name) for name in names}
    others = {
        word: load(word)
        for played in games.values()
        for game in played
        for seat, word in enumerate(game.seats)
        if seat != game.seat
    }
    return {person: compare(record.game, played, agents, others, seed=seed) for person, played in games.items()}


def _person(seats: Sequence[str]) -> str:
    """Return the word of the only person."""
    (seat,) = people_at(seats)
    return seats[seat]


def _name(history: History) -> str:
    """Return the name of the file for the configuration of a game."""
    changed = history.game.options.changed(history.game.config)
    words = [history.game.name, *(f"{option}={value}" for option, value in sorted(changed.items()))]
    return re.sub(r"[^\w=.-]+", "_", "-".join(words))


def _rows(histories: Sequence[History]) -> polars.DataFrame:
    """Return a row of a record for each game."""
    rows = {
        "deal": [history.facts.deal for history in histories],
        "seats": [history.facts.seats for history in histories],
        "actions": [[past.action for past in history.moves] for history in histories],
        "rewards": [history.totals.tolist() for history in histories],
        "truncated": [bool(history.state["truncated"][0]) for history in histories],
        "digest": [records.digest(history.state[0]) for history in histories],
    }
    return polars.DataFrame(rows, records.SCHEMA)
