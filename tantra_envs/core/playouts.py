"""Many decisions of an agent in one compiled call, and playouts in which it plays every seat.

The agent is a `Policy`: the scripted agent of the game, or a network. The game stays the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from .compiled.drivers import FOREVER, Drivers
from .compiled.scoring import score_rows
from .game import Game, Mask, scratch
from .observation import Actions
from .state import States

Floats = npt.NDArray[np.float64]
Leaf = Callable[[States], Floats]  # returns the expected score of every team at tables (n,) that go on, (n, teams)
BEATEN = 0.51  # other teams that a team beats, if it does better than one of them and not only as well

__all__ = ["FOREVER", "Actions", "Leaf", "Playouts", "Policy", "ScriptedPolicy", "chosen", "standings"]


class Policy(Protocol):
    """An agent that compiled loops can ask."""

    @property
    def reads_observation(self) -> bool:
        """Whether its kernels read float observations, and not concealed records."""
        ...

    @property
    def drivers(self) -> Drivers:
        """The drivers that ask this agent."""
        ...

    def prepare(self) -> Any:
        """Return the arrays that its kernels work in. Each thread needs its own."""
        ...


@dataclass(frozen=True)
class ScriptedPolicy:
    """The scripted agent of a game."""

    game: Game
    reads_observation: ClassVar[bool] = False

    @property
    def drivers(self) -> Drivers:
        """The drivers of the game."""
        return self.game.drivers

    def prepare(self) -> Any:
        """Return the record that its kernels work in."""
        return self.game.scripted.prepare(self.game)


def chosen(game: Game, known: States, masks: Mask, work: Any = None) -> Actions:
    """Return the scripted agent's actions, shape (k,), for concealed tables (k,) whose seat 0 decides.

    `work` is the record that the agent's `prepare` returns; None = a new one.
    """
    work = game.scripted.prepare(game) if work is None else work
    actions = np.empty(len(known), np.int64)
    game.drivers.choose_rows(known, masks, work, np.empty(game.actions.size), actions)
    return actions


def standings(game: Game, states: States) -> Floats:
    """Return how good the position of every seat is at the tables (n,), shape (n, players), in units of reward."""
    values = np.empty((len(states), game.players))
    game.drivers.standing_rows(states, values)
    return values


def _ended(states: States) -> npt.NDArray[np.bool_]:
    """Return whether each table is over, and not by a limit."""
    return np.asarray((states["over"] == 1) & (states["truncated"] == 0))


def _scores(game: Game, states: States, rewards: Floats, leaf: Leaf | None = None) -> Floats:
    """Return the score of every team at the tables (n,), from the rewards of a playout (n, players).

    A table that goes on has the scores of its `leaf`, or counts as if it had ended with its standing.
    """
    standing = standings(game, states)
    goes_on = states["over"] == 0
    rewards[goes_on] += standing[goes_on]
    representatives = np.array(game.team_representatives)
    scores = np.empty((len(states), len(representatives)))
    score_rows(rewards, standing, np.ascontiguousarray(states["over"]), representatives, scores)
    if leaf is not None and goes_on.any():
        scores[goes_on] = leaf(states.take(np.flatnonzero(goes_on)))
    return scores


class Playouts:
    """Playouts of one thread, in which a policy plays every seat from what it may see.

    Args:
        game: The game.
        policy: The policy; None = the scripted agent.
        leaf: Scores the tables at which playouts stop before the end; None = by their standings.

    Attributes:
        played: Actions so far.
    """

    def __init__(self, game: Game, policy: Policy | None = None, leaf: Leaf | None = None) -> None:
        self._game, self._leaf = game, leaf
        self._policy = ScriptedPolicy(game) if policy is None else policy
        self._scratch = scratch(game, self._policy.prepare(), self._policy.reads_observation)
        self._teams = np.array([sum(1 << seat for seat in game.teams[team]) for team in game.team_numbers])  # by seat
        self.played = 0

    def choose(self, known: States, masks: Mask) -> Actions:
        """Return the policy's actions, shape (k,), for concealed tables (k,) whose seat 0 decides."""
        actions = np.empty(len(known), np.int64)
        arrays = self._scratch.work, self._scratch.values, actions
        self._policy.drivers.choose_rows(self._inputs(known), masks, *arrays)
        return actions

    def rate(self, known: States, masks: Mask) -> Floats:
        """Return the policy's rating of every action, shape (k, actions.size); -inf for illegal ones."""
        values = np.empty(masks.shape)
        self._policy.drivers.rate_rows(self._inputs(known), masks, self._scratch.work, values)
        return values

    def _inputs(self, known: States) -> Any:
        return self._game.observations(known) if self._policy.reads_observation else known

    def run(self, states: States, plies: int = FOREVER, horizon: int = FOREVER) -> Floats:
        """Play the tables (n,) on in place and return the rewards of every seat, shape (n, players).

        Args:
            states: The tables, shape (n,).
            plies: The most actions per table.
            horizon: The end of a playout in units of the scripted agent's `clock`.
        """
        rewards = np.zeros((len(states), self._game.players))
        run = self._policy.drivers.scripted_playouts
        self.played += run(states, self._scratch, plies, horizon, rewards, 0, len(states))
        return rewards

    def scores(self, states: States, actions: Actions, plies: int = FOREVER, horizon: int = FOREVER) -> Floats:
        """Play an action at each of the tables (n,) and play on; return the score of every team, shape (n, teams).

        It is the share of other teams with a smaller reward, as a match counts it. A playout that stops before the end
        has the scores of the leaf, or counts as if it had ended with the standing that it reached. A single team scores
        its reward.
        """
        return self.scores_and_lengths(states, actions, plies, horizon)[0]

    def scores_and_lengths(
        self, states: States, actions: Actions, plies: int = FOREVER, horizon: int = FOREVER
    ) -> tuple[Floats, Floats]:
        """Play an action at each of the tables (n,) and play on; return the scores (n, teams) and the lengths (n,).

        A score is that of `scores`. A length is the number of actions to the end of the game; inf = the playout stopped
        before, or a limit ended the game. Between more than two teams it is 1 if the team has nothing to decide after
        its action and others play on to the end, and 0 if a limit ends their game.
        """
        before, seats = states["plies"].astype(np.float64), states["seat"].astype(np.int64)
        self._game.drivers.apply_rows(states, np.arange(len(states)), actions)
        rewards = states["rewards"][:, : self._game.players].copy()
        last = self._play_out_last(states, seats, rewards)
        rewards += self.run(states, plies, horizon)
        ended = _ended(states)
        lengths = np.where(last, ended, np.where(ended, states["plies"] - before, np.inf))
        return _scores(self._game, states, rewards, self._leaf), lengths

    def last_actions(self, states: States, masks: Mask, seats: Actions) -> Actions:
        """Return the last action of a seat's team with the best score at each of the tables (n,), or -1.

        After a last action the team has nothing to decide: it ended the game, or only others play on. Ends in which the
        team beats nobody do not count. A team alone has nobody to beat.

        Args:
            states: Tables without hidden cards, or sampled ones, shape (n,). They are not changed.
            masks: The legal actions, shape (n, actions.size).
            seats: The seat to decide, shape (n,).
        """
        game, (tables, actions) = self._game, np.nonzero(masks)
        after = states.take(tables)
        game.drivers.apply_rows(after, np.arange(len(after)), np.ascontiguousarray(actions))
        rewards = after["rewards"][:, : game.players].astype(np.float64)
        last = self._play_out_last(after, seats[tables], rewards) | _ended(after)
        tables, actions, after, rewards = tables[last], actions[last], after[last], rewards[last]
        own = _scores(game, after, rewards)[np.arange(len(after)), np.array(game.team_numbers)[seats[tables]]]
        order = np.lexsort((-actions, own))  # the best is written last, and of equal ones the first action
        order = order[(own[order] * (len(game.teams) - 1) > BEATEN) | (len(game.teams) == 1)]
        best = np.full(len(states), -1)
        best[tables[order]] = actions[order]
        return best

    def _play_out_last(self, states: States, seats: Actions, rewards: Floats) -> npt.NDArray[np.bool_]:
        """Play the tables (n,) to the end at which the team of a seat decides nothing more; return where, shape (n,).

        The rewards of every seat are added to `rewards` there. Other tables stay as they are. Between two teams none is
        played, because every action of the other one may change the result.
        """
        n = len(states)
        if len(self._game.teams) <= 2:
            return np.zeros(n, bool)
        played, gained, totals = states.take(np.arange(n)), np.zeros(n), np.zeros(rewards.shape)
        until = self._policy.drivers.scripted_until_turn
        until(played, np.arange(n), seats, self._teams[seats], self._scratch, gained, totals)
        last: npt.NDArray[np.bool_] = played["over"] == 1
        states[last], rewards[last] = played[last], rewards[last] + totals[last]
        return last
