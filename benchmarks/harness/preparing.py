"""Checks that all studies make before they play. They raise ValueError or OSError with a message for the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import tantra_envs
from agents import Agent, AgentSpec
from tantra_envs import cli
from tantra_envs.core.game import Game

from . import shards
from .formatting import slug
from .options import MOST, PlayOptions
from .playing import Plan
from .shards import MatchSpec, OptionValues


def check(args: PlayOptions, fewest_deals: int = 1) -> None:
    """Raise ValueError for numbers out of range."""
    cli.check_ranges(args, deals=(fewest_deals, MOST), seed=(0, MOST), shard=(1, MOST))
    precision = getattr(args, "precision", None)
    if precision is not None and not 0 < precision < 1:
        raise ValueError(f"precision={precision} is not allowed; allowed: above 0, below 1")


def check_agents(words: Iterable[str], names: Sequence[str], fewest: int = 1, option: str = "agents") -> None:
    """Raise ValueError if two agents have the same name, or if there are too few agents."""
    for name in names:
        if names.count(name) > 1:
            clashing = " ".join(word for word, own in zip(words, names, strict=False) if own == name)
            problem = f"{option}={clashing!r} is not allowed: each has the name {name!r}"
            raise ValueError(f"{problem}; allowed: agents that differ in their names, such as ppo:FILE,name=NAME")
    if len(names) < fewest:
        raise ValueError(f"{option}={' '.join(words)!r} is not allowed; allowed: two or more that differ")


def deals_by_agent(words: Iterable[str], deals: int, option: str = "agents", fewest: int = 1) -> dict[str, int]:
    """Return the deals of every agent: those of `AGENT@DEALS`, else `deals`; raise ValueError for too few."""
    limits: dict[str, int] = {}
    for word in words:
        spec = AgentSpec.parse(word)
        limit = deals if spec.deals is None else spec.deals
        if not fewest <= limit <= MOST:
            raise ValueError(f"{option}={word!r} is not allowed; allowed: {fewest} deals or more")
        if spec.text in limits:
            raise ValueError(f"{option}={' '.join(words)!r} is not allowed; allowed: every agent once")
        limits[spec.text] = limit
    return limits


def without_limits(words: Iterable[str], option: str = "agents") -> list[str]:
    """Return the agents of a study in which all play the same deals; raise ValueError for `AGENT@DEALS`."""
    specs = [AgentSpec.parse(word) for word in words]
    for spec in specs:
        if spec.deals is not None:
            raise ValueError(f"{option}={spec.text}@{spec.deals} is not allowed; allowed: agents without @DEALS")
    return [spec.text for spec in specs]


def check_same(records: str, known: MatchSpec, match: MatchSpec) -> None:
    """Raise ValueError if two different matches would have the same records."""
    if match != known:
        raise ValueError(
            f"agents {' '.join(match.agents)!r} would share the records {records} with others; "
            "allowed: agents whose names differ in letters, digits or points"
        )


def table(args: PlayOptions, agents: Iterable[str], options: OptionValues = ()) -> MatchSpec:
    """Return the game and the agents of the options as a match without a line-up."""
    players: OptionValues = () if args.players is None else (("players", args.players),)
    return MatchSpec(args.game, tuple(dict(players + options).items()), tuple(agents), (), args.seed)


def build(match: MatchSpec) -> tuple[Game, list[Agent]]:
    """Build the game and the agents; raise ValueError for a game with fewer than two teams."""
    game, agents = shards.build(match)
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} is not allowed: no opponents; allowed: 2 or more")
    return game, agents


def settings(args: PlayOptions, game: Game, agents: Sequence[Agent]) -> dict[str, Any]:
    """Return the facts except the deals that the scores of agents depend on, for files of results."""
    return {
        "game": game.name,
        "config": game.options.changed(game.config),
        "package": tantra_envs.__version__,
        "seed": args.seed,
        "shard": args.shard,
        "origins": shards.origins(agents),
    }


def plan(
    args: PlayOptions, default_name: Sequence[object], matches: Mapping[str, MatchSpec], deals: Mapping[str, int]
) -> tuple[Path, Plan]:
    """Create the folder of a study, --name or `default_name`; return it and its checked plan.

    `deals` holds the deals of every match.
    """
    most = max(deals.values(), default=args.deals)
    folder = args.runs / (args.name or slug("-".join(map(str, default_name))))
    planned = Plan(folder / "records", matches, most, args.shard, deals)
    planned.check()
    return folder, planned
