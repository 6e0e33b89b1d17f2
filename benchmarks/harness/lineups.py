"""Who sits together: line-ups, an agent (an index) for every team of a table.

Partners are one agent's; where everyone plays for himself a team is a seat. Every line-up plays the same deals, each
deal once for every rotation.

- `pairs`: each agent alone among copies of each other. With two teams that is the plain match. With more, both stories
  are told, A alone among Bs and B alone among As: a table of halves would let an agent profit from its own copies.
- `mixed`: different agents at every table, all choices of them. Where agents are fewer than teams, each has as
  many teams as any other, or one more.
"""

from __future__ import annotations

import itertools

Lineup = tuple[int, ...]
FORMATS = ("pairs", "mixed")


def lineups(form: str, agents: int, teams: int) -> list[Lineup]:
    """All line-ups of a tournament of that form; ValueError for another form."""
    if form not in FORMATS:
        raise ValueError(f"form={form!r} is not allowed; allowed: {', '.join(FORMATS)}")
    if form == "mixed":
        each, more = divmod(teams, agents)
        return [
            tuple(sorted(each * tuple(range(agents)) + extra)) for extra in itertools.combinations(range(agents), more)
        ]
    pairs = itertools.combinations if teams == 2 else itertools.permutations
    return [(alone,) + (field,) * (teams - 1) for alone, field in pairs(range(agents), 2)]


def entrants(lineup: Lineup) -> list[int]:
    """The agents of a line-up, each once, in the order of their columns in a match."""
    return list(dict.fromkeys(lineup))


def judged(form: str, lineup: Lineup) -> list[int]:
    """Those whose score counts: of more than two teams in `pairs` only who is alone among copies."""
    return entrants(lineup)[:1] if form == "pairs" and len(lineup) > 2 else entrants(lineup)
