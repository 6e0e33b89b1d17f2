"""Check the options of a tournament, play it, and compute its standings from the outcomes.

Scores have 95 % intervals over the deals. Ratings are those of OpenSkill's Plackett-Luce model. Every deal is a game
between the agents of its line-up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from openskill.models import PlackettLuce

from tantra_envs.core.game import Game
from tantra_envs.matches.intervals import Estimate, estimate_from
from tantra_envs.programs.workers import Run

from ..harness import plans
from ..harness.command import check_agents, check_numbers, without_limits
from ..harness.figures import REWARD, SCORE, average, estimate, figures
from ..harness.lineups import DISTINCT, ONE_VS_REST, Teams, lineups, members
from ..harness.plans import (
    MatchSpec,
    Outcomes,
    Plan,
    Usage,
    build_with_opponents,
    new_plan,
    settings,
    table,
    until,
    usage,
)
from ..harness.records import means_of_deals
from .command import Args

MARGIN = (-1.0, 1.0)  # bounds of the difference of two scores


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


@dataclass(frozen=True)
class Rating:
    """An OpenSkill rating, which starts at 25. The skill is within two `sigma` of `mu` with probability 95 %."""

    mu: float
    sigma: float

    def __str__(self) -> str:
        return f"{self.mu:.2f} ± {2 * self.sigma:.2f}"


@dataclass(frozen=True)
class Standing:
    """The results of one agent over all its line-ups."""

    agent: str
    score: Estimate  # share of the other teams that it beats
    reward: Estimate
    margin: Estimate | None  # its score minus that of the next agent, over the same deals; None for the last agent
    rating: Rating


@dataclass(frozen=True)
class Standings:
    """The agents, best first, and the pay-off of each agent among copies of each other."""

    deals: int
    agents: list[Standing]
    payoff: dict[tuple[str, str], Estimate]  # by (agent, agent of the copies); only for one-vs-rest


@dataclass(frozen=True)
class Played:
    """The outcomes of all line-ups, the standings that follow from them, and the usage of programs."""

    games: pl.DataFrame
    standings: Standings
    programs: Usage


def prepare(args: Args) -> Tournament:
    """Check the options and return the tournament; raise ValueError or OSError with a message for the user."""
    check_numbers(args)
    base = table(args, without_limits(args.agents))
    game, agents = build_with_opponents(base)
    names = [agent.name for agent in agents]
    check_agents(args.agents, names, fewest=2)
    tables = {"-".join(map(str, lineup)): lineup for lineup in lineups(args.form, len(names), len(game.teams))}
    matches = {name: _seated(base, lineup, args.form == DISTINCT) for name, lineup in tables.items()}
    default_name = ["tournament", args.game, f"{game.players}p", args.form, ",".join(args.agents), args.seed]
    folder, planned = new_plan(args, default_name, matches, dict.fromkeys(matches, args.deals))
    facts = {**settings(args, game, agents), "config": dict(game.config), "agents": names, "form": args.form}
    return Tournament(args, game, names, tables, planned, facts, folder)


def play(tournament: Tournament, run: Run) -> Played:
    """Play the missing deals, and compute the standings. All line-ups play the same deals."""
    read, form, lineups = Outcomes(tournament.plan), tournament.args.form, tournament.lineups

    def half_width(deals: int) -> float:
        cells = _cells(form, read.of(lineups, deals))
        scores = figures(cells, [average(SCORE, pl.col("score"))], ["agent"])
        return float((scores["high"] - scores["low"]).max()) / 2  # type: ignore[arg-type]

    deals = plans.play_plan(tournament.plan, run, until(tournament.args.precision, half_width))
    games = read.of(lineups, deals)
    ranking = standings(form, tournament.names, lineups, games)
    return Played(games, ranking, usage(tournament.plan, lineups, deals))


def standings(form: str, names: Sequence[str], lineups: Mapping[str, Teams], games: pl.DataFrame) -> Standings:
    """Return the results of all agents. All use the same resampled deals, so comparisons are paired."""
    cells, rewards_of_games = _cells(form, games), games["reward"].to_numpy()
    center, spread = float(rewards_of_games.mean()), float(rewards_of_games.std())
    score = average(SCORE, pl.col("score"))
    reward = average(REWARD, pl.col("reward"), usual=(center - spread, center + spread))
    rows = {row["agent"]: row for row in figures(cells, [score], ["agent"]).iter_rows(named=True)}
    rewards = {row["agent"]: row for row in figures(cells, [reward], ["agent"]).iter_rows(named=True)}
    order = sorted(names, key=lambda name: -rows[name]["value"])
    ratings = rate(names, lineups, games)
    agents = [
        Standing(name, estimate(rows[name]), estimate(rewards[name]), _margin(rows, name, after), ratings[name])
        for name, after in zip(order, [*order[1:], None], strict=True)
    ]
    payoff = _payoff(names, lineups, cells) if form == ONE_VS_REST else {}
    return Standings(cells["deal"].n_unique(), agents, payoff)


def rate(names: Sequence[str], lineups: Mapping[str, Teams], games: pl.DataFrame) -> dict[str, Rating]:
    """Return the ratings after all deals. The agent with the higher score over the rotations of a deal wins the deal.

    Deals are rated in order, each with all line-ups. The model forgets nothing (tau = 0) because agents do not change.
    """
    model = PlackettLuce(tau=0.0)
    rated = {name: model.rating() for name in names}
    every = means_of_deals(games, "match", "agent").select("match", "deal", "agent", "score")
    scores = {(match, deal, agent): score for match, deal, agent, score in every.iter_rows()}
    for deal in range(every["deal"].n_unique()):
        for match, lineup in lineups.items():
            playing = [names[i] for i in members(lineup)]
            results = [scores[match, deal, name] for name in playing]
            teams = model.rate([[rated[name]] for name in playing], scores=results)
            rated |= {name: after for name, (after,) in zip(playing, teams, strict=True)}
    return {name: Rating(player.mu, player.sigma) for name, player in rated.items()}


def _cells(form: str, games: pl.DataFrame) -> pl.DataFrame:
    """Return the scores that count by match, agent and deal: in `one-vs-rest` with several others, of lone agents."""
    if form == ONE_VS_REST and games["team"].n_unique() > 2:
        games = games.filter("alone")
    return means_of_deals(games, "match", "agent")


def _margin(rows: Mapping[str, Mapping[str, Any]], name: str, after: str | None) -> Estimate | None:
    if after is None:
        return None
    one, other = rows[name], rows[after]
    drawn = np.array(one["drawn"]) - np.array(other["drawn"])
    return estimate_from(one["value"] - other["value"], drawn, one["deals"], MARGIN)


def _payoff(names: Sequence[str], lineups: Mapping[str, Teams], cells: pl.DataFrame) -> dict[tuple[str, str], Estimate]:
    others = {(match, names[i]): names[j] for match, own in lineups.items() for i in own for j in own if i != j}
    rows = figures(cells, [average(SCORE, pl.col("score"))], ["match", "agent"]).iter_rows(named=True)
    return {(row["agent"], others[row["match"], row["agent"]]): estimate(row) for row in rows}


def _seated(base: MatchSpec, lineup: Teams, shuffled: bool) -> MatchSpec:
    """Return the match of a line-up, with only the agents that take part."""
    seated = members(lineup)
    words, chairs = tuple(base.agents[agent] for agent in seated), tuple(seated.index(agent) for agent in lineup)
    return replace(base, agents=words, lineup=chairs, shuffled=shuffled)
