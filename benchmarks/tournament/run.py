"""A tournament: checked before it begins, played piece by piece, and taken up again where it was stopped.

Every finished piece is a file in `pieces/`, which depends on the settings and on nothing else: so it is all the same
how many workers there are, when a run is stopped, and whether more deals are asked for later.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

import tantra_envs
from agents import Agent
from tantra_envs.core.game import Game
from tantra_envs.matches.match import Match, join

from ..harness import lineups, records
from ..harness import run_folder as results
from ..harness import shards as pieces
from ..harness.lineups import Lineup
from ..harness.shards import Contest, Piece, Played
from ..harness.workers import Run

if TYPE_CHECKING:
    from .__main__ import Args

Matches = dict[Lineup, Match]
Enough = Callable[[Matches], bool]
COLUMNS = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())


@dataclass(frozen=True)
class Tournament:
    """What is to be played, and where it is kept."""

    game: Game
    names: list[str]  # of the agents
    form: str
    lineups: list[Lineup]
    contest: Contest
    deals: int
    settings: dict[str, Any]  # what the pieces depend on
    folder: Path

    def file(self, piece: Piece) -> Path:
        """Where a finished piece is kept."""
        return self.folder / "pieces" / f"{piece}.json"

    def record(self, piece: Piece) -> Path:
        """Where its games are kept, if they are recorded."""
        return self.folder / "records" / f"{piece}.parquet"

    def rounds(self) -> list[list[Piece]]:
        """Pieces of the same deals, one for every line-up, together."""
        block = self.contest.block
        firsts = range(0, self.deals, block)
        return [[Piece(lineup, first, min(block, self.deals - first)) for lineup in self.lineups] for first in firsts]


def prepare(args: Args) -> Tournament:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    for field, least in (("deals", 1), ("seed", 0), ("piece", 1)):
        if not least <= getattr(args, field) < 1 << 31:
            raise ValueError(f"{field}={getattr(args, field)} is not allowed; allowed: {least}..{(1 << 31) - 1}")
    if args.precision is not None and not 0 < args.precision < 1:
        raise ValueError(f"precision={args.precision} is not allowed; allowed: above 0, below 1")
    shuffled = args.form == "mixed"
    contest = Contest(args.game, args.players, args.agents, args.seed, args.piece, shuffled, args.record)
    game, agents = pieces.made(contest)
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; allowed: 2 or more")
    names = [agent.name for agent in agents]
    if len(set(names)) != len(names) or len(names) < 2:
        raise ValueError(f"agents={args.agents!r} is not allowed; allowed: two or more that differ")
    settings = {
        **{"game": game.name, "config": dict(game.config), "package": tantra_envs.__version__},
        **{"agents": names, "weights": weights(agents)},
        **{"form": args.form, "seed": args.seed, "piece": args.piece, "record": args.record},
    }
    table = lineups.lineups(args.form, len(names), len(game.teams))
    folder = args.runs / (args.name or _folder_name(args, game))
    results.open_folder(folder)
    results.check_same(folder, results.read(folder / "settings.json"), settings, "tournament")
    return Tournament(game, names, args.form, table, contest, args.deals, settings, folder)


def play(tournament: Tournament, run: Run, enough: Enough | None = None) -> Matches:
    """Play what is missing: the matches of the line-ups, all over the same deals.

    With `enough`, round by round until it says so. Whatever ends this early, the pieces finished until then are kept.
    """
    _open(tournament)
    rounds, teams = tournament.rounds(), len(tournament.game.teams)
    found: dict[Piece, Match] = {}
    with Progress(*COLUMNS) as bar:
        task = bar.add_task("games", total=tournament.deals * teams * len(tournament.lineups))
        for stage in rounds if enough else [[piece for together in rounds for piece in together]]:
            found |= _kept(tournament, stage)
            bar.update(task, completed=sum(piece.deals * teams for piece in found))
            missing = [(tournament.contest, piece) for piece in stage if piece not in found]
            for (_, piece), played in run(pieces.play, missing):
                _keep(tournament, piece, played)
                found[piece] = played.match
                bar.advance(task, piece.deals * teams)
            if enough and enough(_joined(tournament, found)):
                break
    return _joined(tournament, found)


def weights(agents: Sequence[Agent]) -> dict[str, str]:
    """A digest of every file agents are made from: trained on, it is another player of the same name."""
    files = {agent.name: getattr(agent, "file", None) for agent in agents}
    return {name: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for name, file in files.items() if file}


def _open(tournament: Tournament) -> None:
    """Make the folders; from now on they belong to this tournament."""
    for folder in ("pieces", "records") if tournament.contest.recorded else ("pieces",):
        results.open_folder(tournament.folder / folder)
    results.write(tournament.folder / "settings.json", tournament.settings)


def _joined(tournament: Tournament, found: Mapping[Piece, Match]) -> Matches:
    """The finished pieces of every line-up, in the order of their deals."""
    ordered = sorted(found, key=lambda piece: piece.first)
    return {
        lineup: join([found[piece] for piece in ordered if piece.lineup == lineup]) for lineup in tournament.lineups
    }


def _kept(tournament: Tournament, stage: Sequence[Piece]) -> dict[Piece, Match]:
    """What was finished before. A damaged piece counts as missing: played again it is the same."""
    found: dict[Piece, Match] = {}
    for piece in stage:
        if tournament.contest.recorded and not tournament.record(piece).exists():
            continue
        with contextlib.suppress(ValueError, KeyError, TypeError, FileNotFoundError):
            found[piece] = _from_json(json.loads(tournament.file(piece).read_text(encoding="utf-8")))
    return found


def _keep(tournament: Tournament, piece: Piece, played: Played) -> None:
    if played.games is not None:
        records.write(tournament.record(piece), tournament.game, played.games)
    results.write(tournament.file(piece), _to_json(played.match))


def _to_json(match: Match) -> dict[str, Any]:
    whole = {"least": match.least, "most": match.most, "plies": match.plies, "truncated": match.truncated}
    return {**whole, "scores": match.scores.T.tolist(), "rewards": match.rewards.T.tolist()}


def _from_json(kept: Mapping[str, Any]) -> Match:
    scores, rewards = np.array(kept["scores"]).T, np.array(kept["rewards"]).T
    return Match(scores, rewards, kept["least"], kept["most"], kept["plies"], kept["truncated"])


def _folder_name(args: Args, game: Game) -> str:
    words = [args.game, f"{game.players}p", args.form, args.agents, str(args.seed)]
    return re.sub(r"[^A-Za-z0-9.]+", "-", "tournament-" + "-".join(words))
