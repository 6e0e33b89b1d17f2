"""A tournament: checked before it begins, played pairing by pairing, and taken up again where it was stopped."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import Progress

import tantra_envs
from agents.agent import parse
from tantra_envs.core.game import Game
from tantra_envs.core.sight import Agent

from . import pairings, results

if TYPE_CHECKING:
    from .tournament import Args


@dataclass
class Tournament:
    """A tournament under way: its settings, and the results so far, as they stand in the file."""

    game: Game
    agents: list[Agent]
    settings: dict[str, Any]
    folder: Path
    pairings: dict[str, Any]  # "alone|field": what `pairings.to_json` writes

    @property
    def file(self) -> Path:
        """Settings, command and every pairing."""
        return self.folder / "results.json"

    def key(self, pairing: tuple[int, int]) -> str:
        """The name of a pairing in the file."""
        return "|".join(self.agents[i].name for i in pairing)


def prepare(args: Args) -> Tournament:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    seats = {} if args.players is None else {"players": args.players}
    game = tantra_envs.game(args.game, **seats)
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; allowed: 2 or more")
    for field, value, allowed in (("deals", args.deals, range(1, 1 << 31)), ("seed", args.seed, range(1 << 31))):
        if value not in allowed:
            raise ValueError(f"{field}={value} is not allowed; allowed: {allowed[0]}..{allowed[-1]}")
    entrants = parse(args.agents, game)
    names = [agent.name for agent in entrants]
    if len(set(names)) != len(names) or len(names) < 2:
        raise ValueError(f"agents={args.agents!r} is not allowed; allowed: two or more that differ")
    settings = {
        **{"game": game.name, "config": game.config, "agents": names, "deals": args.deals, "seed": args.seed},
        "weights": weights(args.agents),
    }
    folder = args.runs / (args.name or _folder_name(args, game))
    results.open_folder(folder)
    tournament = Tournament(game, entrants, settings, folder, {})
    tournament.pairings = _kept(tournament)
    return tournament


def play(tournament: Tournament, command: str) -> None:
    """Play what is missing; the file is written anew after every pairing."""
    game, settings = tournament.game, tournament.settings
    with Progress() as bar:
        for pairing in pairings.pairings(len(tournament.agents), len(game.teams)):
            key = tournament.key(pairing)
            total = settings["deals"] * len(game.teams)
            task = bar.add_task(" - ".join(key.split("|")), total=total)
            if key in tournament.pairings:
                bar.advance(task, total)
                continue
            pair = [tournament.agents[i] for i in pairing]
            match = pairings.play(
                *(game, pair, settings["deals"]),
                seed=settings["seed"],
                progress=lambda ended, task=task: bar.advance(task, ended),
            )
            tournament.pairings[key] = pairings.to_json(match)
            results.write(tournament.file, {"command": command, "settings": settings, "pairings": tournament.pairings})


def _kept(tournament: Tournament) -> dict[str, Any]:
    """Pairings that the same tournament has finished before; ValueError if the folder holds another one."""
    before = results.read(tournament.file)
    if before is None:
        return {}
    for field, value in tournament.settings.items():
        if before["settings"].get(field) != value:
            raise ValueError(
                f"{tournament.folder} holds another tournament, {field}={before['settings'].get(field)!r} "
                f"instead of {value!r}; choose another --name"
            )
    finished: dict[str, Any] = before["pairings"]
    return finished


def weights(agents: str) -> dict[str, str]:
    """A digest of every file the agents are made from: trained on, it is another player of the same name."""
    files = [Path(word.partition(":")[2]) for word in agents.split(",") if ":" in word]
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in files if file.is_file()}


def _folder_name(args: Args, game: Game) -> str:
    words = [args.game, f"{game.players}p", args.agents, str(args.deals), str(args.seed)]
    return re.sub(r"[^A-Za-z0-9.]+", "-", "tournament-" + "-".join(words))
