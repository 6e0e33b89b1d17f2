"""A study of behaviour: checked before it begins, its games recorded piece by piece, taken up where it was stopped.

The records of an agent lie in a folder of its own, so that others may be added later, and are parted like the pieces
of a tournament: what they hold depends on the settings and on nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import Progress

import tantra_envs
from benchmarks.harness import records
from benchmarks.harness import run_folder as results
from benchmarks.harness import shards as pieces
from benchmarks.harness.shards import Contest, Piece
from benchmarks.harness.workers import Run
from benchmarks.tournament.run import COLUMNS, weights
from tantra_envs.core.game import Game
from tantra_envs.matches.match import BLOCK

from .figures import Section
from .games import About, about
from .observer import RESULTS

if TYPE_CHECKING:
    from .__main__ import Args


@dataclass(frozen=True)
class Player:
    """An agent that is told of."""

    name: str
    contest: Contest  # between it and those it plays among
    settings: dict[str, Any]  # what its records depend on
    folder: Path

    @property
    def made(self) -> Mapping[str, Any]:
        """How it was made, as far as it says so."""
        found: Mapping[str, Any] = self.settings["made"]
        return found


@dataclass(frozen=True)
class Study:
    """What is to be told, and where it is kept."""

    game: Game
    about: About
    players: list[Player]
    among: str
    deals: int
    seed: int
    folder: Path
    page: Path

    @property
    def sections(self) -> tuple[Section, ...]:
        """What is told of every game, then of this one."""
        return (RESULTS, *self.about.SECTIONS)

    @property
    def pieces(self) -> list[Piece]:
        """The deals in blocks: an agent alone, the others together."""
        lineup = (0,) + (1,) * (len(self.game.teams) - 1)
        return [Piece(lineup, first, min(BLOCK, self.deals - first)) for first in range(0, self.deals, BLOCK)]

    def records(self, player: Player) -> list[Path]:
        """The files of a player, a piece each."""
        return [_record(player, piece) for piece in self.pieces]


def prepare(args: Args) -> Study:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    for field, least in (("deals", 1), ("seed", 0)):
        if not least <= getattr(args, field) < 1 << 31:
            raise ValueError(f"{field}={getattr(args, field)} is not allowed; allowed: {least}..{(1 << 31) - 1}")
    game = tantra_envs.game(args.game, **({} if args.players is None else {"players": args.players}))
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; allowed: 2 or more")
    asked = about(game)
    folder = args.runs / (args.name or _slug(f"behaviour-{args.game}-{game.players}p-{args.among}-{args.seed}"))
    words = [word.strip() for word in (args.agents or f"learned:{game.id},scripted,uniform").split(",")]
    players = [_player(args, word, folder) for word in words]
    names = [player.name for player in players]
    if len(set(names)) < len(names):
        raise ValueError(f"agents={args.agents!r} is not allowed; allowed: agents that differ")
    page = args.page or folder / f"{game.id}.md"
    results.open_folder(page.parent)
    return Study(game, asked, players, args.among, args.deals, args.seed, folder, page)


def play(study: Study, run: Run) -> None:
    """Play what is missing or damaged. Whatever ends this early, the pieces recorded until then are kept."""
    games = {piece: piece.deals * len(study.game.teams) for piece in study.pieces}
    for player in study.players:
        results.write(player.folder / "settings.json", player.settings)
    with Progress(*COLUMNS) as bar:
        task = bar.add_task("games", total=sum(games.values()) * len(study.players))
        for player in study.players:
            missing = [piece for piece in games if not _sound(_record(player, piece))]
            bar.advance(task, sum(games.values()) - sum(games[piece] for piece in missing))
            for (_, piece), played in run(pieces.play, [(player.contest, piece) for piece in missing]):
                records.write(_record(player, piece), study.game, played.games)
                bar.advance(task, games[piece])


def _player(args: Args, word: str, folder: Path) -> Player:
    """An agent and its folder; ValueError if there is none such, or if the folder holds other games."""
    contest = Contest(args.game, args.players, f"{word},{args.among}", args.seed, BLOCK, shuffled=False, recorded=True)
    game, agents = pieces.made(contest)
    if len(agents) != 2:
        raise ValueError(f"among={args.among!r} is not allowed; allowed: one agent")
    agent, other = agents
    settings = {
        **{"game": game.name, "config": dict(game.config), "package": tantra_envs.__version__},
        **{"agent": agent.name, "among": other.name, "weights": weights(agents)},
        **{"made": dict(getattr(agent, "made", {})), "seed": args.seed, "piece": BLOCK},
    }
    own = folder / "records" / _slug(agent.name)
    results.open_folder(own)
    results.check_same(own, results.read(own / "settings.json"), settings, "record")
    return Player(agent.name, contest, settings, own)


def _record(player: Player, piece: Piece) -> Path:
    return player.folder / f"{piece}.parquet"


def _sound(file: Path) -> bool:
    """Is there a record that can be read? A damaged one is played again, and is the same then."""
    try:
        records.read(file)
    except ValueError:
        return False
    return True


def _slug(words: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", words)
