"""Ratings with uncertainty: OpenSkill's Plackett-Luce model, every deal a game between the agents of its line-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from openskill.models import PlackettLuce

from tantra_envs.matches.match import Match

from ..harness.lineups import Lineup, members


@dataclass(frozen=True)
class Rating:
    """Skill by OpenSkill: begins at 25, and is within two `sigma` of `mu` in 95 of 100 cases."""

    mu: float
    sigma: float

    def __str__(self) -> str:
        return f"{self.mu:.2f} ± {2 * self.sigma:.2f}"


def rate(agents: int, matches: Mapping[Lineup, Match]) -> list[Rating]:
    """The ratings after all deals: who scored more in a deal, over its rotations, won it.

    Deals are rated one after the other, in each all line-ups. Agents do not learn meanwhile: nothing is forgotten.
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
