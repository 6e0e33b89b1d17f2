"""Engines of this package. They play uniformly random legal actions unless their name says otherwise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.past import Past
from tantra_envs.core.playouts import Playouts, chosen
from tantra_envs.core.state import States
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.factory import make
from tantra_envs.opponents.ismcts import Ismcts
from tantra_envs.opponents.search import Search

from . import timing
from .timing import Engine, Run

THREADS = (1, 2)
RECORDED = 512  # steps of a batch
TABLES = 256  # tables of random playouts
LEARNERS, LEARNED = 256, 128  # tables of a vector environment, and its recorded steps
SEARCHED = 8  # tables of the engines with the scripted agent

SINGLE, WRAPPED, PLAYOUTS = "raw_env", "env", "playouts"
SCRIPTED, DECISIONS = "scripted playouts", "search decisions"
TREE, RANDOM_TREE = "ismcts simulations", "ismcts simulations, random playouts"
SIMULATIONS = 100  # per decision of a tree search


def batch_name(n: int, threads: int = 1) -> str:
    """Return the name of a batch engine."""
    return f"BatchEnv({n})" + (f", {threads} threads" if threads > 1 else "")


CHOOSING = f"{batch_name(1024)}, choice included"


def vector_name(opponents: str) -> str:
    """Return the name of a vector environment for one learner among these opponents."""
    return f"make_vec({LEARNERS}), {opponents} opponents"


def engines(game: Game, only: Sequence[str] = ()) -> Iterator[Engine]:
    """Yield the engines of a game, or only those whose names contain one of the words."""
    for name, build in _builders(game).items():
        if timing.is_wanted(name, only):
            yield Engine(name, build())


def _builders(game: Game) -> dict[str, Callable[[], Run]]:
    """Return the single tables, the batches, the vectors for a learner, playouts and searches by name."""
    builders: dict[str, Callable[[], Run]] = {
        SINGLE: lambda: aec_run(TableEnv(game)),
        WRAPPED: lambda: aec_run(make(game.id, **game.config)),
    }
    for threads in THREADS:
        builders[batch_name(1024, threads)] = partial(_batch_run, game, 1024, threads)
    builders[CHOOSING] = lambda: _choosing_run(BatchEnv(game, 1024))
    for opponents in ("uniform", "scripted") if game.player is not None else ("uniform",):
        builders[vector_name(opponents)] = partial(_vector_run, game, opponents)
    builders[PLAYOUTS] = lambda: _playout_run(game)
    if game.player is not None:
        builders[SCRIPTED] = lambda: _scripted_run(game)
        builders[DECISIONS] = lambda: _search_run(game)
        builders[TREE] = lambda: _tree_run(game, "scripted")
        builders[RANDOM_TREE] = lambda: _tree_run(game, "random")
    return builders


def aec_run(env: AECEnv) -> Run:
    """Return a run of random games in a PettingZoo environment."""
    played = _played(env)

    def run(moves: int) -> int:
        return sum(1 for _ in islice(played, moves))

    return run


def _played(env: AECEnv) -> Iterator[None]:
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
            legal = _mask(observation, info).nonzero()[0]  # the cheapest fair choice: the environment is timed
            env.step(legal.item(int(draw() * len(legal))))
            yield


def _mask(observation: Any, info: Any) -> Any:
    """Return the legal actions, which environments put into the observation or into the info."""
    return observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]


def _batch_run(game: Game, n: int, threads: int) -> Run:
    """Return a run of observations, masks, rewards and new deals. It replays recorded actions."""
    env, recorded = BatchEnv(game, n, threads=threads), []
    for _ in range(RECORDED):
        recorded.append(env.sample().copy())
        env.step(recorded[-1])
    steps = _replayed(env, recorded)

    def run(moves: int) -> int:
        return env.n * sum(1 for _ in islice(steps, -(-moves // env.n)))

    return run


def _choosing_run(env: BatchEnv[Any]) -> Run:
    """Return a run of `env` that includes the random choice of actions."""

    def run(moves: int) -> int:
        steps = -(-moves // env.n)
        for _ in range(steps):
            env.step(env.sample())
        return steps * env.n

    return run


def _vector_run(game: Game, opponents: str) -> Run:
    """Return a run that counts the decisions of a random learner. It replays recorded actions.

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
    steps = zip(_replayed(env, recorded), cycle(decisions), strict=False)

    def run(moves: int) -> int:
        played = 0
        while played < moves:
            played += next(steps)[1]
        return played

    return run


def _replayed(env: BatchEnv[Any] | SeatVectorEnv[Any], recorded: Sequence[npt.NDArray[np.int64]]) -> Iterator[None]:
    """Repeat the recorded steps from the same deals forever, and yield after each step."""
    while True:
        env.reset(seed=0)
        for actions in recorded:
            env.step(actions)
            yield


def _playout_run(game: Game) -> Run:
    """Return a run of whole games from the deal to the end, with masks and without observations."""
    states, every = game.blanks(TABLES), np.arange(TABLES)
    mask = np.zeros(game.actions.size, np.int8)

    def run(moves: int) -> int:
        played = 0
        while played < moves:
            game.drivers.deal_rows(states, every, every + played)
            played += game.drivers.random_playouts(states, mask, 0, TABLES)
        return played

    return run


def _scripted_run(game: Game) -> Run:
    """Return a run of whole games with the scripted agent in every seat, which gets the observations of its seat."""
    states, every, playouts = game.blanks(SEARCHED), np.arange(SEARCHED), Playouts(game)

    def play() -> None:
        game.drivers.deal_rows(states, every, every + playouts.played)
        playouts.run(states)

    return _counted(lambda: playouts.played, play)


def _search_run(game: Game) -> Run:
    """Return a run of decisions of search with its default budget, on tables in mid-game."""
    agent, rng = Search(game), np.random.default_rng(0)
    states, past = _mid_game(game)
    obs = Observation(game, states, past=past)
    return _counted(lambda: agent.decisions, lambda: agent.act(obs, rng))


def _tree_run(game: Game, playouts: str) -> Run:
    """Return a run of simulations of a tree search on tables in mid-game, one table after the other."""
    agent, rng = Ismcts(game, f"simulations={SIMULATIONS},playouts={playouts}"), np.random.default_rng(0)
    states, _ = _mid_game(game)
    tables = cycle(Observation(game, states[i : i + 1]) for i in range(len(states)))
    return _counted(lambda: agent.simulations, lambda: agent.act(next(tables), rng))


def _counted(count: Callable[[], int], play: Callable[[], object]) -> Run:
    """Return a run that calls `play` until a count has risen by the number of moves."""

    def run(moves: int) -> int:
        before = count()
        while count() - before < moves:
            play()
        return count() - before

    return run


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
