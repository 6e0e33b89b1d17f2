"""Engines of this package. They play uniformly random legal actions unless their name says otherwise."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count, cycle
from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from tantra_envs import Game, Observation
from tantra_envs.core.past import Past
from tantra_envs.core.playouts import Playouts, chosen
from tantra_envs.core.state import States
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.factory import make
from tantra_envs.opponents.ismcts import Ismcts
from tantra_envs.opponents.search import Search

from .timing import Steps

RECORDED = 512  # steps of a batch
TABLES = 256  # tables of random playouts
LEARNERS, LEARNED = 256, 128  # tables of a vector environment, and its recorded steps
SEARCHED = 8  # tables of the engines with the scripted agent

SINGLE, WRAPPED, PLAYOUTS = "raw_env", "env", "playouts"
SCRIPTED, DECISIONS = "scripted playouts", "search decisions"
CHOOSING = "BatchEnv(1024), choice included"
TREE, RANDOM_TREE = "ismcts simulations", "ismcts simulations, random playouts"
SIMULATIONS = 100  # per decision of a tree search


def batch_name(n: int, threads: int = 1) -> str:
    """Return the name of a batch engine."""
    return f"BatchEnv({n})" + (f", {threads} threads" if threads > 1 else "")


def vector_name(opponents: str) -> str:
    """Return the name of a vector environment for one learner among these opponents."""
    return f"make_vec({LEARNERS}), {opponents} opponents"


def builders(game: Game) -> dict[str, Callable[[], Steps]]:
    """Return the single tables, the batches, the vectors for a learner, playouts and searches by name."""
    builders: dict[str, Callable[[], Steps]] = {
        SINGLE: lambda: aec_steps(TableEnv(game)),
        WRAPPED: lambda: aec_steps(make(game.id, **game.config)),
    }
    for threads in (1, 2):
        builders[batch_name(1024, threads)] = partial(_batch_steps, game, 1024, threads)
    builders[CHOOSING] = lambda: _choosing_steps(BatchEnv(game, 1024))
    for opponents in ("uniform", "scripted") if game.player is not None else ("uniform",):
        builders[vector_name(opponents)] = partial(_vector_steps, game, opponents)
    builders[PLAYOUTS] = lambda: _playout_steps(game)
    if game.player is not None:
        builders[SCRIPTED] = lambda: _scripted_steps(game)
        builders[DECISIONS] = lambda: _search_steps(game)
        builders[TREE] = lambda: _tree_steps(game, "scripted")
        builders[RANDOM_TREE] = lambda: _tree_steps(game, "random")
    return builders


def aec_steps(env: AECEnv) -> Steps:
    """Play game after game as PettingZoo's documentation does: reset, last, step."""
    draw = random.Random(0).random
    env.reset(seed=0)  # seed only once: some environments rebuild everything for a seed
    while True:
        env.reset()
        while env.agents:
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = (observation if isinstance(observation, dict) else info)["action_mask"]  # environments differ
            legal = mask.nonzero()[0]  # the cheapest fair choice: the environment is timed
            env.step(legal.item(int(draw() * len(legal))))
            yield 1


def _batch_steps(game: Game, n: int, threads: int) -> Steps:
    """Make observations, masks, rewards and new deals, with recorded actions."""
    env, recorded = BatchEnv(game, n, threads=threads), []
    for _ in range(RECORDED):
        recorded.append(env.sample().copy())
        env.step(recorded[-1])
    return _replayed(env, recorded, [n] * RECORDED)


def _choosing_steps(env: BatchEnv[Any]) -> Steps:
    """Step `env` with a random choice of actions."""
    while True:
        env.step(env.sample())
        yield env.n


def _vector_steps(game: Game, opponents: str) -> Steps:
    """Make the decisions of a random learner again, which were recorded, and yield their numbers.

    A table without an open decision is not counted: its mask allows every action.
    """
    env, rng = SeatVectorEnv(game, LEARNERS, opponents=opponents), np.random.default_rng(0)
    recorded, decisions = [], []
    env.reset(seed=0)
    for _ in range(LEARNED):
        masks = env.action_masks()
        recorded.append((masks * (1 - rng.random(masks.shape))).argmax(axis=1))
        decisions.append(int((masks == 0).any(axis=1).sum()))
        env.step(recorded[-1])
    return _replayed(env, recorded, decisions)


def _replayed(
    env: BatchEnv[Any] | SeatVectorEnv[Any], recorded: Sequence[npt.NDArray[np.int64]], moves: Sequence[int]
) -> Steps:
    """Repeat the recorded steps from the same deals for ever."""
    while True:
        env.reset(seed=0)
        for actions, played in zip(recorded, moves, strict=True):
            env.step(actions)
            yield played


def _playout_steps(game: Game) -> Steps:
    """Play whole games from the deal to the end, with masks and without observations."""
    states, every = game.blanks(TABLES), np.arange(TABLES)
    mask = np.zeros(game.actions.size, np.int8)
    for first in count(step=TABLES):
        game.drivers.deal_rows(states, every, every + first)
        yield game.drivers.random_playouts(states, mask, 0, TABLES)


def _scripted_steps(game: Game) -> Steps:
    """Play whole games with the scripted agent in every seat."""
    states, every, playouts = game.blanks(SEARCHED), np.arange(SEARCHED), Playouts(game)

    def play() -> None:
        game.drivers.deal_rows(states, every, every + playouts.played)
        playouts.run(states)

    return _counted(lambda: playouts.played, play)


def _search_steps(game: Game) -> Steps:
    """Make decisions of search with its default budget, on tables in mid-game."""
    agent, rng = Search(game), np.random.default_rng(0)
    states, past = _mid_game(game)
    obs = Observation(game, states, past=past)
    return _counted(lambda: agent.decisions, lambda: agent.act(obs, rng))


def _tree_steps(game: Game, playouts: str) -> Steps:
    """Make simulations of a tree search on tables in mid-game, one table after the other."""
    agent, rng = Ismcts(game, f"simulations={SIMULATIONS},playouts={playouts}"), np.random.default_rng(0)
    states, _ = _mid_game(game)
    tables = cycle(Observation(game, states[i : i + 1]) for i in range(len(states)))
    return _counted(lambda: agent.simulations, lambda: agent.act(next(tables), rng))


def _counted(moves: Callable[[], int], play: Callable[[], object]) -> Steps:
    """Call `play` for ever, and yield by how much the number of moves has risen."""
    while True:
        before = moves()
        play()
        yield moves() - before


def _mid_game(game: Game) -> tuple[States, Past]:
    """Return tables 20 moves of the scripted agent after the deal that have a choice, and their past."""
    states, every, past = game.blanks(SEARCHED), np.arange(SEARCHED), Past(game, SEARCHED)
    game.drivers.deal_rows(states, every, every)
    for _ in range(20):
        obs = Observation(game, states)
        actions = chosen(game, obs.known, obs.action_mask)
        past.note(states, every, actions)
        game.drivers.apply_rows(states, every, actions)
    rows = np.flatnonzero(Observation(game, states).action_mask.sum(axis=1) > 1)
    return states[rows], past.at(rows)
