"""Check the options of a tournament, play it, and read one match for each line-up from the records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tantra_envs.core.game import Game
from tantra_envs.matches.match import Match
from tantra_envs.workers import Run

from ..harness import playing
from ..harness.lineups import DISTINCT, Teams, lineups, members
from ..harness.playing import Plan
from ..harness.preparing import build, check, check_agents, plan, settings, table, without_limits
from ..harness.scores import Scores, until
from ..harness.shards import MatchSpec
from .command import Args
from .standings import half_widths

Matches = dict[Teams, Match]


@dataclass(frozen=True)
class Tournament:
    """The line-ups to play, and where the results go."""

    args: Args
    game: Game
    names: list[str]  # names of the agents
    lineups: dict[str, Teams]  # by the prefix of their records
    plan: Plan
    settings: dict[str, Any]
    folder: Path


def prepare(args: Args) -> Tournament:
    """Check the options and return the tournament; raise ValueError or OSError with a message for the user."""
    check(args)
    base = table(args, without_limits(args.agents))
    game, agents = build(base)
    names = [agent.name for agent in agents]
    check_agents(args.agents, names, fewest=2)
    tables = {"-".join(map(str, lineup)): lineup for lineup in lineups(args.form, len(names), len(game.teams))}
    matches = {name: _seated(base, lineup, args.form == DISTINCT) for name, lineup in tables.items()}
    default_name = ["tournament", args.game, f"{game.players}p", args.form, ",".join(args.agents), args.seed]
    folder, planned = plan(args, default_name, matches, dict.fromkeys(matches, args.deals))
    facts = {**settings(args, game, agents), "config": dict(game.config), "agents": names, "form": args.form}
    return Tournament(args, game, names, tables, planned, facts, folder)


def play(tournament: Tournament, run: Run) -> Matches:
    """Play the missing deals, and return the match of every line-up. All line-ups play the same deals."""
    args, scores, agents = tournament.args, Scores(tournament.plan), len(tournament.names)

    def matches(deals: int) -> Matches:
        return {lineup: scores.match(name, deals) for name, lineup in tournament.lineups.items()}

    enough = until(args.precision, lambda deals: max(half_widths(args.form, agents, matches(deals))))
    return matches(playing.play(tournament.plan, run, enough))


def _seated(base: MatchSpec, lineup: Teams, shuffled: bool) -> MatchSpec:
    """Return the match of a line-up, with only the agents that take part."""
    seated = members(lineup)
    words, chairs = tuple(base.agents[agent] for agent in seated), tuple(seated.index(agent) for agent in lineup)
    return replace(base, agents=words, lineup=chairs, shuffled=shuffled)
