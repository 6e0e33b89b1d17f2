"""Export recorded games as a data set: two Parquet tables, and their description in Croissant.

`games.parquet` has a row for every game, `decisions.parquet` one for every decision. What no seat may see is in columns
of its own, whose names begin with `hidden`. Croissant is a vocabulary for data sets (MLCommons, version 1.0).
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars

import tantra_envs
from tantra_envs.measures import Transitions
from tantra_envs.programs.files import open_folder, write_content, write_parquet, write_whole

from .harness import records
from .harness.records import Record

GAMES, DECISIONS, CROISSANT = "games", "decisions", "croissant.json"
ROWS = 20_000  # decisions of a part that is written at a time, which bounds the memory
INTEGER, NUMBER, TEXT, TRUTH = "sc:Integer", "sc:Float", "sc:Text", "sc:Boolean"


class Column(NamedTuple):
    """A column of a table."""

    kind: Any  # of polars
    words: str

    @property
    def is_list(self) -> bool:
        """Whether every row holds a list."""
        return isinstance(self.kind, polars.List)


TABLES: dict[str, dict[str, Column]] = {
    GAMES: {
        "game": Column(polars.Int64, "Number of the game, from 0."),
        "record": Column(polars.String, "Name of the record file, which is that of the match."),
        "environment": Column(polars.String, "Name and version of the rules, such as karma_v0."),
        "options": Column(polars.String, "Options that differ from the defaults of the rules, as JSON."),
        "agents": Column(polars.List(polars.String), "Agent of every seat."),
        "rewards": Column(polars.List(polars.Float64), "Reward of every seat, summed over the game."),
        "actions": Column(polars.Int64, "Number of actions of the game."),
        "truncated": Column(polars.Boolean, "Whether the game was ended by a limit."),
        "hidden_deal": Column(polars.Int64, "Seed of the deal. The rules deal all hidden cards again from it."),
    },
    DECISIONS: {
        "game": Column(polars.Int64, "Number of the game in the table of games."),
        "ply": Column(polars.Int64, "Number of the action in its game, from 0."),
        "seat": Column(polars.Int64, "Seat that decides, from 0."),
        "agent": Column(polars.String, "Agent that decides."),
        "observation": Column(
            polars.List(polars.Int32),
            "What the seat sees, as whole numbers. Divided by game.view.scale they are the observation.",
        ),
        "legal": Column(polars.List(polars.Int32), "Numbers of the legal actions, ascending."),
        "action": Column(polars.Int32, "Number of the action that was played."),
        "action_name": Column(polars.String, "The action in words."),
        "hidden_position": Column(
            polars.String, "The whole table as JSON, with all hidden cards: game.from_position reads it."
        ),
    },
}


def export(files: Sequence[Path], folder: Path) -> dict[str, int]:
    """Write the games of record files as a data set, and return the number of rows of each table.

    Every game is replayed, and must end as recorded.

    Raises:
        ValueError: The folder holds other files, or a game does not replay to its record.
        OSError: The folder cannot be written.
    """
    names = {f"{table}.parquet" for table in TABLES} | {CROISSANT}
    others = [path.name for path in sorted(folder.glob("*")) if path.name not in names] if folder.is_dir() else []
    if others:
        raise ValueError(f"out={str(folder)!r} is not allowed: it contains {others[0]}; allowed: a new folder")
    open_folder(folder)
    parts = folder / "parts"
    parts.mkdir(exist_ok=True)
    try:
        counts = _write(files, folder, parts)
    finally:
        shutil.rmtree(parts, ignore_errors=True)
    write_content(folder / CROISSANT, json.dumps(croissant(folder, counts), indent=1) + "\n")
    return counts


def _write(files: Sequence[Path], folder: Path, parts: Path) -> dict[str, int]:
    """Write both tables, by way of parts in a folder."""
    games: list[dict[str, Any]] = []
    decisions, part = 0, 0
    for file in files:
        records.verify(file)
        record = records.read(file)
        for table in _decisions(record, len(games)):
            write_parquet(parts / f"{part:06d}.parquet", table)
            decisions, part = decisions + len(table), part + 1
        games += _games(record, len(games))
    write_parquet(folder / f"{GAMES}.parquet", polars.DataFrame(games, _schema(GAMES)))
    whole = polars.scan_parquet([parts / f"{number:06d}.parquet" for number in range(part)])
    write_whole(folder / f"{DECISIONS}.parquet", whole.sink_parquet)
    return {GAMES: len(games), DECISIONS: decisions}


def _schema(table: str) -> dict[str, Any]:
    return {name: column.kind for name, column in TABLES[table].items()}


def _games(record: Record, first: int) -> list[dict[str, Any]]:
    """Return the rows of the games of a record, numbered from `first`."""
    facts = {
        "record": record.file.stem,
        "environment": record.game.name,
        "options": json.dumps(record.game.options.changed(record.game.config)),
    }
    return [
        {
            "game": first + row,
            **facts,
            "agents": game["seats"],
            "rewards": game["rewards"],
            "actions": len(game["actions"]),
            "truncated": game["truncated"],
            "hidden_deal": game["deal"],
        }
        for row, game in enumerate(record.games.iter_rows(named=True))
    ]


def _decisions(record: Record, first: int) -> Iterator[polars.DataFrame]:
    """Yield the decisions of a record by game and ply, up to about ROWS at a time."""
    per_game = max(1, int(record.plies.max(initial=1)))
    step = max(1, ROWS // per_game)
    for begin in range(0, len(record.games), step):
        some = Record(record.file, record.game, record.games.slice(begin, step), record.label)
        yield _replayed(some, first + begin)


def _replayed(record: Record, first: int) -> polars.DataFrame:
    """Return all decisions of a record by game and ply."""
    rows: list[dict[str, Any]] = []

    def observe(t: Transitions) -> None:
        rows.extend(_rows(t, record, first))

    records.replay(record, observe)
    return polars.DataFrame(rows, _schema(DECISIONS)).sort("game", "ply")


def _rows(t: Transitions, record: Record, first: int) -> Iterator[dict[str, Any]]:
    """Yield the decisions at all tables of one action number."""
    seats = t.before["seat"].astype(np.int64)
    compact, masks = t.game.views(t.before, seats)
    agents = record.games["seats"].to_list()
    for k, (row, action) in enumerate(zip(t.rows.tolist(), t.actions.tolist(), strict=True)):
        table = t.before[k : k + 1]
        yield {
            "game": first + row,
            "ply": int(table["plies"][0]),
            "seat": int(seats[k]),
            "agent": agents[row][int(seats[k])],
            "observation": compact[k].tolist(),
            "legal": np.flatnonzero(masks[k]).tolist(),
            "action": action,
            "action_name": t.game.action_name(table, action),
            "hidden_position": json.dumps(t.game.position(table, full=True)),
        }


def croissant(folder: Path, counts: dict[str, int]) -> dict[str, Any]:
    """Return the description of a data set in Croissant."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "tantra_envs_games",
        "description": (
            f"{counts[GAMES]:,} recorded games of tantra_envs with {counts[DECISIONS]:,} decisions: what the seat saw, "
            "its legal actions, and its action. Columns whose names begin with hidden contain what no seat may see."
        ),
        "version": tantra_envs.__version__,
        "license": "https://spdx.org/licenses/MIT.html",
        "creator": {"@type": "sc:Organization", "name": "The tantra_envs authors"},
        "datePublished": f"{date.today()}",
        "citeAs": "@software{tantra_envs, author = {{The tantra_envs authors}}, license = {MIT}}",
        "distribution": [_file(folder / f"{table}.parquet") for table in TABLES],
        "recordSet": [_record_set(table) for table in TABLES],
    }


def _file(file: Path) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }


def _record_set(table: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "field": [_field(table, name, column) for name, column in TABLES[table].items()],
    }


def _field(table: str, name: str, column: Column) -> dict[str, Any]:
    kinds = {polars.Int64: INTEGER, polars.Int32: INTEGER, polars.Float64: NUMBER, polars.Boolean: TRUTH}
    inner = column.kind.inner if column.is_list else column.kind
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{name}",
        "name": name,
        "description": column.words,
        "dataType": kinds.get(inner, TEXT),
        **({"repeated": True} if column.is_list else {}),
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": name}},
    }


CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
