"""A tournament: checked before it begins, played, and read from its records as one match for each line-up."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tantra_envs
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.matches.match import Match
from tantra_envs.workers import Run

from ..harness import playing
from ..harness.args import MOST
from ..harness.hopes import Floats
from ..harness.lineups import DISTINCT, Lineup, lineups, members
from ..harness.luck import FEWEST, by_agent, lucks
from ..harness.playing import Plan
from ..harness.preparing import check, check_agents, made, plan, table
from ..harness.scores import Scores, until
from ..harness.shards import MatchSpec, origins
from .args import Args
from .standings import half_widths

Matches = dict[Lineup, Match]
Lucks = dict[Lineup, Floats]  # (deals, agents, checks), as the scores of matches


@dataclass(frozen=True)
class Tournament:
    """What is to be played, and where it is kept."""

    game: Game
    names: list[str]  # of the agents
    form: str  # see `harness.lineups`
    lineups: dict[str, Lineup]  # by the names of their records
    plan: Plan
    settings: dict[str, Any]
    precision: float | None
    luck: int  # worlds it is measured with; 0 = not
    folder: Path


@dataclass(frozen=True)
class Played:
    """What was played, by line-up."""

    matches: Matches
    luck: Lucks  # empty where it was not measured


def prepare(args: Args) -> Tournament:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    check(args)
    cli.check_ranges(args, shard=(1, MOST), luck=(0, MOST))
    if args.luck and args.deals < FEWEST:
        raise ValueError(f"luck={args.luck} is not allowed with deals={args.deals}; allowed: deals={FEWEST} or more")
    base = table(args, args.agents)
    game, agents = made(base)
    names = [agent.name for agent in agents]
    check_agents(args.agents, names, fewest=2)
    tables = {"-".join(map(str, lineup)): lineup for lineup in lineups(args.form, len(names), len(game.teams))}
    matches = {name: _seated(base, lineup, args.form == DISTINCT) for name, lineup in tables.items()}
    made_from = ["tournament", args.game, f"{game.players}p", args.form, args.agents, args.seed]
    folder, planned = plan(args, made_from, matches, args.shard)
    settings = {
        **{"game": game.name, "config": dict(game.config), "package": tantra_envs.__version__, "agents": names},
        **{"origins": origins(agents), "form": args.form, "seed": args.seed, "shard": args.shard},
    }
    return Tournament(game, names, args.form, tables, planned, settings, args.precision, args.luck, folder)


def play(tournament: Tournament, run: Run) -> Played:
    """Play what is missing: the matches of the line-ups, all over the same deals; ask for luck if that is wanted."""
    scores, agents = Scores(tournament.plan), len(tournament.names)

    def matches(deals: int) -> Matches:
        return {lineup: scores.match(name, deals) for name, lineup in tournament.lineups.items()}

    enough = until(tournament.precision, lambda deals: max(half_widths(tournament.form, agents, matches(deals))))
    deals = playing.play(tournament.plan, run, enough)
    return Played(matches(deals), _lucks(tournament, deals, run) if tournament.luck else {})


def _lucks(tournament: Tournament, deals: int, run: Run) -> Lucks:
    """The luck of all agents in the matches."""
    files = {lineup: tournament.plan.files(name, deals) for name, lineup in tournament.lineups.items()}
    asked = functools.partial(lucks, worlds=tournament.luck, seed=tournament.settings["seed"])
    found = playing.count(asked, [file for own in files.values() for file in own], run)
    return {lineup: by_agent(own, found) for lineup, own in files.items()}


def _seated(base: MatchSpec, lineup: Lineup, shuffled: bool) -> MatchSpec:
    """A line-up with the agents that are in it."""
    own = members(lineup)
    words, chairs = tuple(base.agents[agent] for agent in own), tuple(own.index(agent) for agent in lineup)
    return replace(base, agents=words, lineup=chairs, shuffled=shuffled)
