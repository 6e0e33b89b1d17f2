"""The command `python -m benchmarks tournament`: all agents against each other, over the same deals."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..harness.command import PlayOptions, ResultOptions, check_agents, without_limits
from ..harness.plans import Row, build_with_opponents, one_vs_rest, table
from ..harness.rows import Request
from ..play import run

DISTINCT = "distinct"
Form = Literal["one-vs-rest", "distinct"]


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, PlayOptions):
    """Compare agents over the same duplicate deals, with seats or teams rotated and 95 % intervals.

    Example: python -m benchmarks tournament karma --agents uniform greedy scripted --deals 1000 --workers 2

    Run the same command again to continue.
    """

    agents: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Two or more agents."""
    form: Form = "one-vs-rest"
    """Line-ups: one-vs-rest = each agent alone among copies of each other, distinct = different agents at a table."""


def rows(args: Args) -> Request:
    """Return a row for every line-up; raise ValueError for agents that are not allowed."""
    base = table(args, without_limits(args.agents))
    game, agents = build_with_opponents(base)
    check_agents(args.agents, [agent.name for agent in agents], fewest=2)
    found = []
    for lineup in lineups(args.form, len(agents), len(game.teams)):
        seated = list(dict.fromkeys(lineup))
        words, chairs = tuple(base.agents[agent] for agent in seated), tuple(map(seated.index, lineup))
        match = replace(base, agents=words, lineup=chairs, shuffled=args.form == DISTINCT)
        found.append(Row("-".join(map(str, lineup)), match, args.deals))
    folder = ["tournament", args.game, args.players or "", args.form, ",".join(args.agents), args.seed]
    return Request(found, "standings", folder=folder)


def lineups(form: Form, agents: int, teams: int) -> list[tuple[int, ...]]:
    """Return all line-ups of `form`, the numbers of the agents of all teams.

    One against the rest is a plain match with two teams. With more, each of two agents plays alone among copies of the
    other: in a table of halves an agent could profit from its own copies. Distinct agents play in all combinations.
    With fewer agents than teams, the teams are divided as evenly as possible.
    """
    if form == DISTINCT:
        each, more = divmod(teams, agents)
        extras = itertools.combinations(range(agents), more)
        return [tuple(sorted(each * tuple(range(agents)) + extra)) for extra in extras]
    pairs = itertools.combinations if teams == 2 else itertools.permutations
    return [one_vs_rest(alone, rest, teams) for alone, rest in pairs(range(agents), 2)]


def main(argv: Sequence[str]) -> int:
    """Play the tournament that the options describe."""
    return run(Args, "tournament", argv, rows)
