"""Rate agents with OpenSkill's Plackett-Luce model. Every deal is a game between the agents of its line-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from openskill.models import PlackettLuce

from tantra_envs.matches.match import Match

from ..harness.lineups import Lineup, members


@dataclass(frozen=True)
class Rating:
    """An OpenSkill rating, which starts at 25. The skill is within two `sigma` of `mu` with probability 95 %."""

    mu: float
    sigma: float

    def __str__(self) -> str:
        return f"{self.mu:.2f} ± {2 * self.sigma:.2f}"


def rate(agents: int, matches: Mapping[Lineup, Match]) -> list[Rating]:
    """Return the ratings after all deals. The agent with the higher score over the rotations of a deal wins the deal.

    Deals are rated in order, each with all line-ups. The model forgets nothing (tau = 0) because agents do not change.
    """
    model = PlackettLuce(tau=0.0)
    rated = [model.rating() for _ in range(agents)]
    for deal in range(min(len(match.scores) for match in matches.values())):
        for lineup, match in matches.items():
            playing = members(lineup)
            teams = model.rate([[rated[i]] for i in playing], scores=match.scores[deal].tolist())
            for i, (after,) in zip(playing, teams, strict=True):
                rated[i] = after
    return [Rating(player.mu, player.sigma) for player in rated]
