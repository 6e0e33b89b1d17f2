"""Line-ups: who plays at a table, as numbers for the teams of a match.

`Teams` are the numbers of the agents of all teams. One agent plays all seats of a team. In a game without partners, a
team is one seat. All line-ups play the same deals.

- `one-vs-rest`: each agent plays one team, and copies of another agent play the rest. With two teams this is a plain
  match. With more teams, both directions are played: A alone among copies of B, and B alone among copies of A. In a
  table of halves an agent could profit from its own copies.
- `distinct`: different agents play at every table, in all combinations. With fewer agents than teams, the teams are
  divided as evenly as possible.
"""

from __future__ import annotations

import itertools
from typing import Literal

Teams = tuple[int, ...]
Form = Literal["one-vs-rest", "distinct"]
DISTINCT = "distinct"


def lineups(form: Form, agents: int, teams: int) -> list[Teams]:
    """Return the teams of all line-ups of `form`."""
    if form == DISTINCT:
        each, more = divmod(teams, agents)
        extras = itertools.combinations(range(agents), more)
        return [tuple(sorted(each * tuple(range(agents)) + extra)) for extra in extras]
    pairs = itertools.combinations if teams == 2 else itertools.permutations
    return [one_vs_rest(alone, rest, teams) for alone, rest in pairs(range(agents), 2)]


def one_vs_rest(alone: int, rest: int, teams: int) -> Teams:
    """Return the teams of one agent alone among copies of another."""
    return (alone, *(rest,) * (teams - 1))
