"""Who sits together: line-ups, an agent (by its number) for every team of a table.

Partners are one agent's; where nobody has a partner a team is a seat. Every line-up plays the same deals.

- `one-vs-rest`: each agent alone among copies of each other. With two teams that is the plain match. With more, both
  stories are told, A alone among Bs and B alone among As: a table of halves would let an agent profit from its own
  copies.
- `distinct`: different agents at every table, all choices of them. Where agents are fewer than teams, each has as
  many teams as any other, or one more.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

Lineup = tuple[int, ...]
ONE_VS_REST, DISTINCT = FORMS = ("one-vs-rest", "distinct")


def lineups(form: str, agents: int, teams: int) -> list[Lineup]:
    """All line-ups of that form; ValueError for another form."""
    if form not in FORMS:
        raise ValueError(f"form={form!r} is not allowed; allowed: {', '.join(FORMS)}")
    if form == DISTINCT:
        each, more = divmod(teams, agents)
        extras = itertools.combinations(range(agents), more)
        return [tuple(sorted(each * tuple(range(agents)) + extra)) for extra in extras]
    pairs = itertools.combinations if teams == 2 else itertools.permutations
    return [one_vs_rest(alone, rest, teams) for alone, rest in pairs(range(agents), 2)]


def one_vs_rest(alone: int, rest: int, teams: int) -> Lineup:
    """One agent alone among copies of another."""
    return (alone, *(rest,) * (teams - 1))


def members(lineup: Sequence[int]) -> list[int]:
    """The agents of a line-up, each once, in the order of their columns in a match."""
    return list(dict.fromkeys(lineup))


def scored(form: str, lineup: Lineup) -> list[int]:
    """Those whose score counts: of more than two teams in `one-vs-rest` only who is alone among copies."""
    return members(lineup)[:1] if form == ONE_VS_REST and len(lineup) > 2 else members(lineup)
