"""What all studies check before they play; ValueError or OSError tell what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from agents import Agent
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.files import open_folder
from tantra_envs.matches.match import SIDE_BY_SIDE
from tantra_envs.opponents import apart

from . import shards
from .args import MOST, PageArgs, StudyArgs
from .formatting import slug
from .playing import Plan
from .shards import MatchSpec, Options
from .worded import over_deals


def check(args: StudyArgs, fewest_deals: int = 1) -> None:
    """The numbers of a study."""
    cli.check_ranges(args, deals=(fewest_deals, MOST), seed=(0, MOST))
    if args.precision is not None and not 0 < args.precision < 1:
        raise ValueError(f"precision={args.precision} is not allowed; allowed: above 0, below 1")


def plays_all_deals(args: StudyArgs) -> None:
    """Of a study that cannot stop before its last deal."""
    if args.precision is not None:
        raise ValueError(f"precision={args.precision} is not allowed; allowed: None, all deals are played")


def check_agents(words: object, names: Sequence[str], fewest: int = 1, option: str = "agents") -> None:
    """Two agents of one name could not be told apart."""
    if len(set(names)) < len(names) or len(names) < fewest:
        allowed = "agents that differ" if fewest == 1 else "two or more that differ"
        raise ValueError(f"{option}={words!r} is not allowed; allowed: {allowed}")


def table(args: StudyArgs, agents: str, options: Options = ()) -> MatchSpec:
    """The game and the agents that the options name, as a match without a line-up."""
    players: Options = () if args.players is None else (("players", args.players),)
    return MatchSpec(args.game, tuple(dict(players + options).items()), tuple(apart(agents)), (), args.seed)


def made(match: MatchSpec) -> tuple[Game, list[Agent]]:
    """The game, for two teams or more, and the agents."""
    game, agents = shards.made(match)
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; allowed: 2 or more")
    return game, agents


def plan(
    args: StudyArgs,
    made_from: Sequence[object],
    matches: Mapping[str, MatchSpec],
    shard: int = SIDE_BY_SIDE,
    fewer: Mapping[str, int] | None = None,
) -> tuple[Path, Plan]:
    """The folder of a study, by its `name`, else by what it is `made_from`; and its plan, checked."""
    folder = args.runs / (args.name or slug("-".join(map(str, made_from))))
    open_folder(folder)
    found = Plan(folder / "records", matches, args.deals, shard, fewer or {})
    found.check()
    return folder, found


def players(args: PageArgs, words: Sequence[str], fewest_deals: int = 1) -> tuple[MatchSpec, Game, dict[str, int]]:
    """The table of the players that the words of a page's study name, checked, the game, and the deals of each."""
    check(args, fewest_deals)
    cli.check_ranges(args, shard=(1, MOST))
    named = [over_deals("agents", word, args.deals) for word in words]
    base = table(args, ",".join(player for player, _ in named))
    game, agents = made(base)
    check_agents(list(words), [agent.name for agent in agents])
    return base, game, dict(named)


def plan_page(
    kind: str, args: PageArgs, game: Game, matches: Mapping[str, MatchSpec], deals: Mapping[str, int]
) -> tuple[Path, Plan, Path]:
    """The folder and the plan of a study whose matches have numbers of deals of their own, and its page."""
    most = replace(args, deals=max(deals.values(), default=args.deals))
    folder, planned = plan(most, [kind, args.game, f"{game.players}p", args.seed], matches, args.shard, deals)
    page = args.page or folder / f"{game.id}.md"
    open_folder(page.parent)
    return folder, planned, page
