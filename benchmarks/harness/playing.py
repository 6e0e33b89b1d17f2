"""One engine plays for all studies: matches, shard by shard, into records, and on from where it was stopped.

A finished shard is a file, which depends on its match and on nothing else: so it is all the same how many workers
there are, when a run is stopped, and whether more deals are asked for later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tantra_envs.files import open_folder
from tantra_envs.matches.match import SIDE_BY_SIDE
from tantra_envs.workers import Run

from . import records, shards
from .shards import MatchSpec, Shard

T = TypeVar("T")
Enough = Callable[[int], bool]  # is it, with so many deals of every match played?


@dataclass(frozen=True)
class Plan:
    """What is to be played, and the folder that keeps the records."""

    folder: Path
    matches: Mapping[str, MatchSpec]  # by the beginning of their files' names
    deals: int
    shard: int = SIDE_BY_SIDE  # deals of a shard; part of the method: another number draws other random numbers
    fewer: Mapping[str, int] = field(default_factory=dict)  # deals of the matches that do not have all of them

    def shards(self) -> dict[Path, Shard]:
        """All shards by their files, match by match, in the order of their deals."""
        return {
            self.folder / f"{name}_{first:07d}_{size}.parquet": Shard(match, first, size)
            for name, match in self.matches.items()
            for first in range(0, self.deals_of(name), self.shard)
            for size in [min(self.shard, self.deals_of(name) - first)]
        }

    def deals_of(self, name: str) -> int:
        """How many deals a match has."""
        return min(self.deals, self.fewer.get(name, self.deals))

    def files(self, name: str, deals: int) -> list[Path]:
        """The records of the first `deals` deals of a match, or of all if it has fewer, in their order."""
        match = self.matches[name]
        return [file for file, shard in self.shards().items() if shard.match is match and shard.first < deals]

    def check(self) -> None:
        """Make the folder, the games and the agents; ValueError or OSError if anything is not as it should be.

        Records of other matches under the same names are left alone.
        """
        open_folder(self.folder)
        labels = {match: shards.label(match) for match in self.matches.values()}
        for file, shard in self.shards().items():
            if file.exists():
                _check_same(file, labels[shard.match])


def play(plan: Plan, run: Run, enough: Enough | None = None) -> int:
    """Play what is missing or damaged: the number of deals that all matches have now, but for those with `fewer`.

    With `enough`, some deals of all matches at a time until it says so. What is finished is kept, whatever ends this.
    """
    whole = plan.shards()
    firsts = range(0, plan.deals, plan.shard)
    stages = [{f: shard for f, shard in whole.items() if shard.first == first} for first in firsts]
    with bar() as shown:
        task = shown.add_task("games", total=sum(shard.games for shard in whole.values()))
        for first, stage in zip(firsts, stages if enough else [whole], strict=False):
            missing = {shard: file for file, shard in stage.items() if not records.is_sound(file)}
            shown.advance(task, sum(shard.games for shard in stage.values() if shard not in missing))
            for shard, played in run(shards.play, list(missing)):
                records.write(missing[shard], shards.label(shard.match), played)
                shown.advance(task, shard.games)
            if enough and enough(deals := min(first + plan.shard, plan.deals)):
                return deals
    return plan.deals


def count(function: Callable[[Path], T], files: Sequence[Path], run: Run) -> dict[Path, T]:
    """What a function of a module makes of each record, in the order of the files."""
    counts: dict[Path, T] = {}
    with bar() as shown:
        task = shown.add_task("records", total=len(files))
        for file, result in run(function, files):
            counts[file] = result
            shown.advance(task)
    return {file: counts[file] for file in files}


def bar() -> Progress:
    """A bar that says how much is done, and how long it takes."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )


def _check_same(file: Path, expected: records.Label) -> None:
    """ValueError if a record is there of another match; a damaged one is none."""
    try:
        stored = records.read_label(file)
    except ValueError:
        return
    for name, value in expected.items():
        if stored.get(name) != value:
            difference = f"{name}={stored.get(name)!r} instead of {value!r}"
            raise ValueError(f"{file.parent} holds other games, {difference}; choose another --name")
