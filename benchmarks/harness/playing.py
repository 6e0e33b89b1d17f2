"""One engine plays for all studies: matches, shard by shard, into records, and on from where it was stopped.

A finished shard is a file, which depends on its match and on nothing else: so it is all the same how many workers
there are, when a run is stopped, and whether more deals are asked for later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tantra_envs.files import open_folder
from tantra_envs.matches.match import SIDE_BY_SIDE

from . import records, shards
from .shards import MatchSpec, Shard
from .workers import Run

T = TypeVar("T")
Enough = Callable[[int], bool]  # is it, with so many deals of every match played?


@dataclass(frozen=True)
class Plan:
    """What is to be played, and the folder that keeps the records."""

    folder: Path
    matches: Mapping[str, MatchSpec]  # by the beginning of their files' names
    deals: int
    shard: int = SIDE_BY_SIDE  # deals of a shard; part of the method: another number draws other random numbers

    def shards(self, name: str) -> dict[Path, Shard]:
        """A match in shards, each by its file."""
        sizes = {first: min(self.shard, self.deals - first) for first in range(0, self.deals, self.shard)}
        files = {first: self.folder / f"{name}_{first:07d}_{size}.parquet" for first, size in sizes.items()}
        return {files[first]: Shard(self.matches[name], first, size) for first, size in sizes.items()}

    def files(self, name: str, deals: int) -> list[Path]:
        """The records of the first `deals` deals of a match, in their order."""
        return [file for file, shard in self.shards(name).items() if shard.first < deals]

    def check(self) -> None:
        """Make the folder, the games and the agents; ValueError or OSError if anything is not as it should be.

        Records of other matches under the same names are left alone.
        """
        open_folder(self.folder)
        for name, match in self.matches.items():
            wanted = _label(match)
            for file in filter(Path.exists, self.shards(name)):
                _check_same(file, wanted)


def play(plan: Plan, run: Run, enough: Enough | None = None) -> int:
    """Play what is missing or damaged: the number of deals that all matches have now.

    With `enough`, some deals of all matches at a time until it says so. What is finished is kept, whatever ends this.
    """
    by_match = [plan.shards(name) for name in plan.matches]
    firsts = range(0, plan.deals, plan.shard)
    stages = [_of_deals(by_match, first) for first in firsts] if enough else [_merged(by_match)]
    with bar() as shown:
        task = shown.add_task("games", total=sum(_games(shard) for shard in _merged(by_match).values()))
        for stage, first in zip(stages, firsts, strict=False):
            missing = {shard: file for file, shard in stage.items() if not records.is_sound(file)}
            shown.advance(task, sum(_games(shard) for shard in stage.values() if shard not in missing))
            for shard, played in run(shards.play, list(missing)):
                records.write(missing[shard], _label(shard.match), played)
                shown.advance(task, _games(shard))
            deals = min(first + plan.shard, plan.deals)
            if enough and enough(deals):
                return deals
    return plan.deals


def count(function: Callable[[Path], T], files: Sequence[Path], run: Run) -> dict[Path, T]:
    """What a function of a module makes of each record, in the order of the files."""
    found: dict[Path, T] = {}
    with bar() as shown:
        task = shown.add_task("records", total=len(files))
        for file, result in run(function, files):
            found[file] = result
            shown.advance(task)
    return {file: found[file] for file in files}


def bar() -> Progress:
    """A bar that says how much is done, and how long it takes."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )


def _of_deals(by_match: Sequence[Mapping[Path, Shard]], first: int) -> dict[Path, Shard]:
    return {file: shard for shards in by_match for file, shard in shards.items() if shard.first == first}


def _merged(by_match: Sequence[Mapping[Path, Shard]]) -> dict[Path, Shard]:
    return {file: shard for shards in by_match for file, shard in shards.items()}


def _games(shard: Shard) -> int:
    return shard.deals * (shard.match.rotations or len(shard.match.lineup))


def _label(match: MatchSpec) -> dict[str, Any]:
    return records.label(shards.made(match)[0], shards.label(match))


def _check_same(file: Path, wanted: Mapping[str, Any]) -> None:
    """ValueError if a record is there of another match; a damaged one is none."""
    try:
        kept = records.read_label(file)
    except ValueError:
        return
    for field, value in wanted.items():
        if kept.get(field) != value:
            raise ValueError(
                f"{file.parent} holds other games, {field}={kept.get(field)!r} instead of {value!r}; "
                "choose another --name"
            )
