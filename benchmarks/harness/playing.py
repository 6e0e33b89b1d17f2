"""Play the matches of a study into record files, shard by shard, and continue interrupted runs.

A finished shard is a file that depends only on its match. So the results do not depend on the number of workers, on
interruptions, or on later requests for more deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tantra_envs.files import open_folder
from tantra_envs.matches.match import SIDE_BY_SIDE
from tantra_envs.progress import progress
from tantra_envs.workers import Run

from . import records, shards
from .shards import MatchSpec, Shard

PROGRAMS = "programs"  # key of the label of a record with the usage of agents that are programs
Enough = Callable[[int], bool]  # takes the number of deals that every match has played; returns whether they suffice


@dataclass(frozen=True)
class Plan:
    """The matches to play, and the folder of their records."""

    folder: Path
    matches: Mapping[str, MatchSpec]  # by the prefix of their file names
    deals: int
    shard: int = SIDE_BY_SIDE  # deals of a shard; part of the method: another number draws other random numbers
    fewer: Mapping[str, int] = field(default_factory=dict)  # deals of the matches that play fewer than `deals`

    def shards(self) -> dict[Path, Shard]:
        """Return all shards by their files, match by match, in the order of their deals."""
        return {file: shard for name in self.matches for file, shard in self._shards_of(name).items()}

    def _shards_of(self, name: str) -> dict[Path, Shard]:
        match, deals = self.matches[name], self.deals_of(name)
        return {
            self.folder / f"{name}_{first:07d}_{size}.parquet": Shard(match, first, size)
            for first in range(0, deals, self.shard)
            for size in [min(self.shard, deals - first)]
        }

    def deals_of(self, name: str) -> int:
        """Return the number of deals of a match."""
        return min(self.deals, self.fewer.get(name, self.deals))

    def files(self, name: str, deals: int) -> list[Path]:
        """Return the records of the first `deals` deals of a match in order, or all if it has fewer."""
        return [file for file, shard in self._shards_of(name).items() if shard.first < deals]

    def check(self) -> None:
        """Create the folder, build the games and agents, and compare them with existing records.

        Raises:
            ValueError: An agent does not fit its game, or the folder holds records of another match with the name of
                one of these, of any number of deals. They are not changed.
            OSError: The folder cannot be written.
        """
        open_folder(self.folder)
        labels = {name: shards.label(match) for name, match in self.matches.items()}
        for file in sorted(self.folder.glob("*.parquet")):
            name = file.stem.rsplit("_", 2)[0]
            if name in labels:
                _check_same(file, labels[name])


def play(plan: Plan, run: Run, enough: Enough | None = None) -> int:
    """Play all missing or damaged shards, and return the number of deals that all matches without a limit have played.

    With `enough`, play one shard of every match at a time until `enough` returns true. Finished shards are kept when
    the run is interrupted.
    """
    whole = plan.shards()
    stages: dict[int, dict[Path, Shard]] = {}  # by the number of their first deal; without `enough` there is only one
    for file, shard in whole.items():
        stages.setdefault(shard.first if enough else 0, {})[file] = shard
    with progress("games played", sum(shard.games for shard in whole.values())) as advance:
        for first, stage in sorted(stages.items()):
            missing: dict[Shard, list[Path]] = {}  # equal matches with other names are played once
            for file, shard in stage.items():
                if records.is_sound(file):
                    advance(shard.games)
                else:
                    missing.setdefault(shard, []).append(file)
            for shard, (played, usage) in run(shards.play_counted, list(missing)):
                facts = {PROGRAMS: usage} if usage else {}
                for file in missing[shard]:
                    records.write(file, {**shards.label(shard.match), **facts}, played)
                    advance(shard.games)
            if enough and enough(deals := min(first + plan.shard, plan.deals)):
                return deals
    return plan.deals


def until(precision: float | None, half_width: Callable[[int], float]) -> Enough | None:
    """Return a function that compares the widest half interval with `precision`; None without a precision."""
    return None if precision is None else lambda deals: half_width(deals) <= precision


def _check_same(file: Path, expected: records.Label) -> None:
    """Raise ValueError if the file is a record of another match. A damaged record counts as missing."""
    try:
        stored = records.read_label(file)
    except ValueError:
        return
    for name, value in expected.items():
        if stored.get(name) != value:
            difference = f"{name}={stored.get(name)!r} instead of {value!r}"
            raise ValueError(f"{file.parent} contains other games: {difference}; choose another --name")
