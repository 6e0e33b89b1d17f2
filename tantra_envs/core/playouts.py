"""Many decisions of the scripted agent in one call, and playouts with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled.drivers import FOREVER, ReadsObservation
from .compiled.scoring import score_rows
from .game import Game, Mask, scratch
from .observation import Actions
from .state import States

MIDDLE = 0.51  # a team with a higher score beats more than half of the others

__all__ = ["FOREVER", "Actions", "Playouts", "chosen", "endings", "rated", "standings"]


def chosen(game: Game, known: States, masks: Mask, work: Any = None) -> Actions:
    """Return the scripted agent's actions, shape (k,), for concealed tables (k,) whose seat 0 decides.

    `work` is the record that the agent's `prepare` returns; None = a new one.
    """
    work = game.scripted.prepare(game) if work is None else work
    actions = np.empty(len(known), np.int64)
    game.drivers.choose_rows(_inputs(game, known), masks, work, actions)
    return actions


def rated(game: Game, known: States, masks: Mask, work: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the scripted agent's rating of every action, shape (k, actions.size); -inf for illegal ones."""
    values = np.empty(masks.shape)
    game.drivers.rate_rows(_inputs(game, known), masks, work, values)
    return values


def _inputs(game: Game, known: States) -> Any:
    """Return the inputs of the scripted agent's kernels: concealed tables, or observations for some networks."""
    return game.observations(known) if isinstance(game.scripted, ReadsObservation) else known


def standings(game: Game, states: States) -> npt.NDArray[np.float64]:
    """Return how good the position of every seat is at the tables (n,), shape (n, players), in units of reward."""
    values = np.empty((len(states), game.players))
    game.drivers.standing_rows(states, values)
    return values


def endings(game: Game, states: States, masks: Mask, seats: Actions) -> Actions:
    """Return the action of a seat that ends the game with the best score at each of the tables (n,), or -1.

    Ends at a limit do not count, nor do ends in which the team does not beat more than half of the others. A team alone
    has nobody to beat.

    Args:
        game: The game.
        states: Tables without hidden cards, or sampled ones, shape (n,). They are not changed.
        masks: The legal actions, shape (n, actions.size).
        seats: The seat to decide, shape (n,).
    """
    tables, actions = np.nonzero(masks)
    after = states.take(tables)
    game.drivers.apply_rows(after, np.arange(len(after)), np.ascontiguousarray(actions))
    ended = _ended(after)
    tables, actions, after = tables[ended], actions[ended], after[ended]
    scores = _scores(game, after, after["rewards"][:, : game.players].astype(np.float64))
    own = scores[np.arange(len(after)), np.array(game.team_numbers)[seats[tables]]]
    order = np.lexsort((-actions, own))  # the best is written last, and of equal ones the first action
    order = order[(own[order] > MIDDLE) | (len(game.teams) == 1)]
    best = np.full(len(states), -1)
    best[tables[order]] = actions[order]
    return best


def _ended(states: States) -> npt.NDArray[np.bool_]:
    """Return whether each table is over, and not by a limit."""
    return np.asarray((states["over"] == 1) & (states["truncated"] == 0))


def _scores(game: Game, states: States, rewards: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the score of every team at the tables (n,), from the rewards of a playout (n, players)."""
    standing = standings(game, states)
    goes_on = states["over"] == 0
    rewards[goes_on] += standing[goes_on]
    representatives = np.array(game.team_representatives)
    scores = np.empty((len(states), len(representatives)))
    score_rows(rewards, standing, np.ascontiguousarray(states["over"]), representatives, scores)
    return scores


class Playouts:
    """Playouts of one thread with the scripted agent; `played` counts their actions."""

    def __init__(self, game: Game) -> None:
        self._game, self._run, self._seats = game, game.drivers.scripted_playouts, game.players
        self._scratch = scratch(game)
        self.played = 0

    def run(self, states: States, plies: int = FOREVER, horizon: int = FOREVER) -> npt.NDArray[np.float64]:
        """Play the tables (n,) on in place and return the rewards of every seat, shape (n, players).

        Every seat is played by the scripted agent, from what it may see.

        Args:
            states: The tables, shape (n,).
            plies: The most actions per table.
            horizon: The end of a playout in units of the agent's `clock`.
        """
        rewards = np.zeros((len(states), self._seats))
        self.played += self._run(states, self._scratch, plies, horizon, rewards, 0, len(states))
        return rewards

    def scores(
        self, states: States, actions: Actions, plies: int = FOREVER, horizon: int = FOREVER
    ) -> npt.NDArray[np.float64]:
        """Play an action at each of the tables (n,) and play on; return the score of every team, shape (n, teams).

        It is the share of other teams with a smaller reward, as a match counts it. A playout that stops before the end
        counts as if it had ended with the standing that it reached. A single team scores its reward.
        """
        return self.scores_and_lengths(states, actions, plies, horizon)[0]

    def scores_and_lengths(
        self, states: States, actions: Actions, plies: int = FOREVER, horizon: int = FOREVER
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Play an action at each of the tables (n,) and play on; return the scores (n, teams) and the lengths (n,).

        A score is that of `scores`. A length is the number of actions to the end of the game; inf = the playout stopped
        before, or a limit ended the game.
        """
        before = states["plies"].astype(np.float64)
        self._game.drivers.apply_rows(states, np.arange(len(states)), actions)
        rewards = states["rewards"][:, : self._seats].copy()
        rewards += self.run(states, plies, horizon)
        lengths = np.where(_ended(states), states["plies"] - before, np.inf)
        return _scores(self._game, states, rewards), lengths
