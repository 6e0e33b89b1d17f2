"""Line-ups: who plays at a table, as names for results and as numbers for the teams of a match.

A `Lineup` names the agents of some games. This module is the only one that writes and reads its text.

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
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

Teams = tuple[int, ...]
ONE_VS_REST, DISTINCT = FORMS = ("one-vs-rest", "distinct")

TRAINED, HALF = "trained", "half-trained"
NUMBERED = re.compile(rf"({TRAINED}|{HALF})(?:-(\d+))?")
AGAINST = " - "


@dataclass(frozen=True)
class Lineup:
    """The agents of some games: one agent against itself, or one alone among copies of another.

    Its text is "A", or "A - B". A study that trains agents names them `trained-1`, `trained-2`, .., and after half of
    their training `half-trained-1`, ... Their mean is `trained` or `half-trained`.
    """

    lone: str | None  # the agent alone or, without others, in all seats; None = one that the study has trained
    others: str | None = None  # the agent in the other seats; None = the agent plays against itself
    trained: int | None = None  # number of the trained agent, 0 = the mean over all; None for any other agent
    half: bool = False  # whether it is the agent after half of its training

    @classmethod
    def of(cls, agent: str, others: str | None = None) -> Lineup:
        """Return the line-up of an agent by its name, alone among copies of another if there is one."""
        if not (name := NUMBERED.fullmatch(agent)):
            return cls(agent, others)
        return cls(None, others, int(name[2] or 0), name[1] == HALF)

    @classmethod
    def parse(cls, text: str) -> Lineup:
        """Return the line-up with this text."""
        agent, _, others = text.partition(AGAINST)
        return cls.of(agent, others or None)

    def __str__(self) -> str:
        return self.agent if self.others is None else f"{self.agent}{AGAINST}{self.others}"

    @property
    def agent(self) -> str:
        """The name of the lone agent, or of the agent in all seats."""
        if self.lone is not None:
            return self.lone
        return (HALF if self.half else TRAINED) + (f"-{self.trained}" if self.trained else "")

    @property
    def is_pair(self) -> bool:
        """Whether one agent plays alone among copies of another."""
        return self.others is not None

    @property
    def is_trained(self) -> bool:
        """Whether the first agent is one that the study has trained, or the mean over them."""
        return self.trained is not None

    @property
    def is_mean(self) -> bool:
        """Whether it stands for all trained agents together, after their whole training."""
        return self.trained == 0 and not self.half

    @property
    def is_detail(self) -> bool:
        """Whether it is one trained agent, or agents after half of their training."""
        return self.is_trained and not self.is_mean

    @property
    def alone(self) -> Lineup:
        """The line-up of the first agent against itself."""
        return replace(self, others=None)

    @property
    def mean(self) -> Lineup:
        """The line-up that stands for all agents like this trained one."""
        return replace(self, trained=0)

    @property
    def after_half(self) -> Lineup:
        """The line-up of the same agents after half of their training."""
        return replace(self, half=True)


def lineups(form: str, agents: int, teams: int) -> list[Teams]:
    """Return the teams of all line-ups of `form`; raise ValueError for an unknown form."""
    if form not in FORMS:
        raise ValueError(f"form={form!r} is not allowed; allowed: {', '.join(FORMS)}")
    if form == DISTINCT:
        each, more = divmod(teams, agents)
        extras = itertools.combinations(range(agents), more)
        return [tuple(sorted(each * tuple(range(agents)) + extra)) for extra in extras]
    pairs = itertools.combinations if teams == 2 else itertools.permutations
    return [one_vs_rest(alone, rest, teams) for alone, rest in pairs(range(agents), 2)]


def one_vs_rest(alone: int, rest: int, teams: int) -> Teams:
    """Return the teams of one agent alone among copies of another."""
    return (alone, *(rest,) * (teams - 1))


def members(lineup: Sequence[int]) -> list[int]:
    """Return each agent of a line-up once, in the order of their columns in a match."""
    return list(dict.fromkeys(lineup))
