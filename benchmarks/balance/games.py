"""Games played side by side and watched: a row of numbers about each.

Seats are told apart by place, 1 = who acts first, since the numbers of seats mean nothing where the dealer is drawn.
A team has the place of its first member. Columns of the table, before which a study puts the variant, the line-up, the
deal, the rotation, and alone_p: whether place p was the lone agent's:

    agent_p                           who played at place p
    reward_p, score_p                 the sum of its rewards, and the share of the other teams with less
    final_p                           where it stood at the end, in the game's own unit (see by_game)
    plies, truncated                  length in actions, and whether the game was cut off
    decisions_PHASE                   decisions in each phase of the rules
    lead_changes, leader_score_k ..   see course.py; and what by_game adds
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from agents.match import team_scores
from tantra_envs.core.game import Game
from tantra_envs.core.sight import Agent, Sight
from tantra_envs.core.state import States

from .by_game import about
from .course import alone, course

Ints = npt.NDArray[np.int64]


def play_games(
    game: Game,
    agents: Sequence[Agent],
    seating: Ints,
    deals: Ints,
    seed: Sequence[int],
    progress: Callable[[int], None],
) -> pl.DataFrame:
    """Play a table for every row of `seating` (n, players), indices into `agents`, dealt from the seeds `deals` (n,).

    `progress` is told how many tables have just ended. ValueError for an illegal action.
    """
    asked = about(game)
    rngs = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(len(agents))]
    states = game.blanks(len(deals))
    live = np.arange(len(deals))
    game.drivers.deal_rows(states, live, deals)
    places = teams_by_place(game, states["seat"].astype(np.int64))
    watch = asked.Watch(game, states, places)
    decisions = np.zeros((len(deals), len(game.phases)), np.int64)
    rewards = np.zeros((len(deals), game.players))
    standing = _by_place(asked.standing(game, states), places)
    leaders, lasts = [alone(standing)], [alone(-standing)]
    while len(live):
        decisions[live, states["phase"][live]] += 1
        actions = _choose(game, agents, rngs, seating, states, live)
        watch.before(states, live, actions)
        game.drivers.apply_rows(states, live, actions)
        rewards[live] += states["rewards"][live, : game.players]
        standing[live] = _by_place(asked.standing(game, states[live]), places[live])
        leaders.append(alone(standing))
        lasts.append(alone(-standing))
        going = live[states["over"][live] == 0]
        progress(len(live) - len(going))
        live = going
    speakers = np.array([team[0] for team in game.teams])[places]  # partners are paid alike
    names = np.array([agent.name for agent in agents])[np.take_along_axis(seating, speakers, axis=1)]
    paid = np.take_along_axis(rewards, speakers, axis=1)
    plies, scores = states["plies"].astype(np.int64), team_scores(paid)
    columns: dict[str, Any] = {}
    for what, values in (("agent", names), ("reward", paid), ("score", scores), ("final", standing)):
        columns |= {f"{what}_{place + 1}": values[:, place] for place in range(values.shape[1])}
    columns |= {"plies": plies, "truncated": states["truncated"].astype(bool)}
    columns |= {f"decisions_{phase}": decisions[:, i] for i, phase in enumerate(game.phases[:-1])}
    columns |= course(np.stack(leaders), np.stack(lasts), plies, scores) | watch.columns(states)
    return pl.DataFrame(columns, nan_to_null=True)


def teams_by_place(game: Game, first: Ints) -> Ints:
    """The team at each place, shape (n, teams), when the seats `first` (n,) act first."""
    ahead = [[(np.array(team) - seat) % game.players for team in game.teams] for seat in range(game.players)]
    order = np.array([np.argsort([seats.min() for seats in teams]) for teams in ahead])
    return np.asarray(order[first], np.int64)


def _by_place(values: npt.NDArray[Any], places: Ints) -> npt.NDArray[np.float32]:
    """Values by team, shape (n, teams), in the order of the places."""
    return np.take_along_axis(np.asarray(values, np.float32), places, axis=1)


def _choose(
    game: Game, agents: Sequence[Agent], rngs: Sequence[Any], seating: Ints, states: States, live: Ints
) -> Ints:
    """Every agent's actions at the tables where it decides."""
    deciding = seating[live, states["seat"][live]]
    actions = np.empty(len(live), np.int64)
    for agent in np.unique(deciding):
        mine = np.flatnonzero(deciding == agent)
        sight = Sight(game, states, live[mine])
        actions[mine] = agents[agent].act(sight, rngs[agent])
        wrong = game.drivers.first_illegal(sight.masks, actions[mine])
        if wrong >= 0:
            legal = ", ".join(f"{a} ({name})" for a, name in sight.action_names(wrong).items())
            name, action = agents[agent].name, actions[mine][wrong]
            raise ValueError(f"agent {name!r} returned the illegal action {action}; legal: {legal}")
    return actions
