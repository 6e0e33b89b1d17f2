"""A tournament: checked before it begins, played, and read from its records as one match for each line-up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.matches.match import Match

from ..harness import playing, shards
from ..harness.args import check, check_agents, check_range
from ..harness.lineups import DISTINCT, Lineup, lineups, members
from ..harness.playing import Plan
from ..harness.run_folder import run_folder
from ..harness.scores import Scores, until
from ..harness.shards import MatchSpec
from ..harness.workers import Run
from .args import Args
from .standings import half_widths

Matches = dict[Lineup, Match]


@dataclass(frozen=True)
class Tournament:
    """What is to be played, and where it is kept."""

    game: Game
    names: list[str]  # of the agents
    lineups: dict[str, Lineup]  # by the names of their records
    plan: Plan
    settings: dict[str, Any]
    precision: float | None
    folder: Path

    @property
    def form(self) -> str:
        """Who sits together: see `harness.lineups`."""
        form: str = self.settings["form"]
        return form


def prepare(args: Args) -> Tournament:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    check(args)
    check_range("shard", args.shard, 1)
    words = tuple(word.strip() for word in args.agents.split(","))
    options = () if args.players is None else (("players", args.players),)
    game, agents = shards.made(MatchSpec(args.game, options, words, (), args.seed))
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; allowed: 2 or more")
    names = [agent.name for agent in agents]
    check_agents(args.agents, names, fewest=2)
    tables = {"-".join(map(str, lineup)): lineup for lineup in lineups(args.form, len(names), len(game.teams))}
    shuffled = args.form == DISTINCT
    matches = {name: _match(args, options, words, lineup, shuffled) for name, lineup in tables.items()}
    folder = run_folder(args, ["tournament", args.game, f"{game.players}p", args.form, args.agents, args.seed])
    plan = Plan(folder / "records", matches, args.deals, args.shard)
    plan.check()
    settings = {
        **{"game": game.name, "config": dict(game.config), "package": tantra_envs.__version__},
        **{"agents": names, "weights": shards.weights(agents), "form": args.form, "seed": args.seed},
        "shard": args.shard,
    }
    return Tournament(game, names, tables, plan, settings, args.precision, folder)


def play(tournament: Tournament, run: Run) -> Matches:
    """Play what is missing: the matches of the line-ups, all over the same deals."""
    scores, agents = Scores(tournament.plan), len(tournament.names)

    def matches(deals: int) -> Matches:
        return {lineup: scores.match(name, deals) for name, lineup in tournament.lineups.items()}

    enough = until(tournament.precision, lambda deals: max(half_widths(tournament.form, agents, matches(deals))))
    return matches(playing.play(tournament.plan, run, enough))


def _match(args: Args, options: shards.Options, words: tuple[str, ...], lineup: Lineup, shuffled: bool) -> MatchSpec:
    """A line-up with the agents that are in it."""
    own = members(lineup)
    chairs = tuple(own.index(agent) for agent in lineup)
    return MatchSpec(args.game, options, tuple(words[agent] for agent in own), chairs, args.seed, shuffled=shuffled)
