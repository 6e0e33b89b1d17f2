"""The expected scores of teams at every table of a recorded game, by the value network that ships for the game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .core.game import Game
from .core.state import States
from .matches.match import team_scores
from .opponents.learned import shipped_critic

Curves = dict[int | None, dict[int, list[float]]]


def expected_scores(game: Game, start: States, actions: Sequence[int]) -> Curves:
    """Return the expected share of the other teams that a team beats, at every table of a game, by reader and team.

    The reader None sees all cards: it has the curves of all teams. A seat has the curve of its own team, which follows
    from what the seat could know. The end of the game has its result.

    Args:
        game: The game.
        start: The first table, shape (1,). It is not changed.
        actions: All actions in playing order.

    Returns:
        Lists of len(actions) + 1 numbers from 0 to 1, or {} if no value network ships for this game.
    """
    critic = shipped_critic(game)
    if critic is None:
        return {}
    tables = game.blanks(1 + len(actions))
    tables[:1] = start
    for ply, action in enumerate(actions):
        tables[ply + 1 : ply + 2] = tables[ply : ply + 1]
        game.apply_action(tables[ply + 1 : ply + 2], int(action))
    opened, seated = critic.scores(tables), (1 + critic.values(tables)) / 2
    if tables["over"][-1]:
        rewards = tables["rewards"][1:, list(game.team_representatives)].astype(np.float64).sum(axis=0)
        opened[-1] = team_scores(rewards[None])[0]
        seated[-1] = opened[-1][list(game.team_numbers)]
    curves: Curves = {None: {team: opened[:, team].tolist() for team in range(len(game.teams))}}
    return curves | {seat: {team: seated[:, seat].tolist()} for seat, team in enumerate(game.team_numbers)}
