"""What studies note about some games, in golden.txt. Write it again with `python -m tests.benchmarks.study.golden`."""

import tempfile
from pathlib import Path

import polars as pl

import tantra_envs
from benchmarks.harness import plans, records
from benchmarks.harness.plans import MatchSpec, Shard
from benchmarks.study.tally import measures_of, tally

FILE = Path(__file__).with_name("golden.txt")
DEALS = 4
GAMES = {  # options of the game
    "karma": {"players": 3},
    "kanastic:round": {"reward": "score", "reward_scale": 1.0},
    "tantra": {"players": 3},
    "tantrix:strategy": {},
    "tarot:hand": {},
}


def lines(name: str, folder: Path) -> list[str]:
    """Return the notes about some deals of a game: one greedy team among random ones."""
    game, file = tantra_envs.game(name, **GAMES[name]), folder / "games.parquet"
    match = MatchSpec(name, tuple(GAMES[name].items()), ("greedy", "uniform"), (0, *(1,) * (len(game.teams) - 1)), 0)
    records.write(file, plans.match_label(match), plans.play_shard(Shard(match, 0, DEALS)))
    measures, noted = measures_of(game), tally(file)
    sums = noted.group_by("place").agg(pl.col("final", "score", r"^\d+\.\d+\.\d+$").sum()).unpivot(index="place")
    found = []
    for place, column, value in sums.filter(pl.col("value") != 0).rows():
        number, *rest = column.split(".")
        measure = f"{measures[int(number)].name} {measures[int(number)].names[int(rest[0])]}" if rest else column
        found.append(f"{name}, place {place}, {measure}, sum {rest[1] if rest else 0}: {value:.6g}")
    return sorted(found)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        every = [line for name in GAMES for line in lines(name, Path(folder))]
    FILE.write_text("\n".join([*every, ""]), encoding="utf-8")
