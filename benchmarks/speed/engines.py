"""This package as engines to be timed. Everywhere a uniform legal action, but where another player is named."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.past import Past
from tantra_envs.core.playouts import Playouts
from tantra_envs.core.state import States
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.render_modes import render_modes
from tantra_envs.opponents.ismcts import Ismcts
from tantra_envs.opponents.search import Search

from .timing import Engine

BATCHES = (1, 64, 1024, 4096)
THREADS = (1, 2)
RECORDED = 512  # steps of a batch
TABLES = 256  # of the engines that time the kernels by themselves
SEARCHED = 8  # of those with the scripted player

SINGLE, PLAYOUTS = "raw_env", "playouts"
SCRIPTED, DECISIONS = "scripted playouts", "search decisions"
TREE, RANDOM_TREE = "ismcts simulations", "ismcts simulations, random playouts"
SIMULATIONS = 100  # for a decision of a tree search


def batch_name(n: int, threads: int = 1) -> str:
    """The name of a batch engine."""
    return f"BatchEnv({n})" + (f", {threads} threads" if threads > 1 else "")


def engines(game: Game) -> Iterator[Engine]:
    """The single table, the batches, and the compiled loops inside them."""
    yield Engine(SINGLE, aec_run(TableEnv(game)))
    for threads in THREADS:
        for n in BATCHES:
            if n >= threads:
                yield Engine(batch_name(n, threads), _batch_run(BatchEnv(game, n, threads=threads)))
    yield Engine(f"{batch_name(1024)}, choice included", _choosing_run(BatchEnv(game, 1024)))
    yield Engine(PLAYOUTS, _playout_run(game))
    if game.player is not None:
        yield Engine(SCRIPTED, _scripted_run(game))
        yield Engine(DECISIONS, _search_run(game))
        yield Engine(TREE, _tree_run(game, "scripted"))
        yield Engine(RANDOM_TREE, _tree_run(game, "random"))
    yield from _kernels(game)
    for mode in render_modes(game, human=False):
        yield Engine(f"{SINGLE}, shown as {mode}", aec_run(TableEnv(game, render_mode=mode), shown=True))


def aec_run(env: AECEnv, shown: bool = False) -> Callable[[int], int]:
    """Moves of random games in any environment of PettingZoo, and if so wished each of them shown."""
    played = _played(env)

    def run(moves: int) -> int:
        for _ in islice(played, moves):
            if shown:
                env.render()
        return moves

    return run


def _played(env: AECEnv) -> Iterator[None]:
    """The loop of PettingZoo's documentation, game after game: reset, last, step."""
    draw = random.Random(0).random
    env.reset(seed=0)  # once: some environments build everything anew for a seed
    while True:
        env.reset()
        while env.agents:
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = _mask(observation, info).nonzero()[0]  # the cheapest fair choice, so that envs are timed
            env.step(legal.item(int(draw() * len(legal))))
            yield


def _mask(observation: Any, info: Any) -> Any:
    """Environments put the legal actions into the observation or into the info."""
    return observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]


def _batch_run(env: BatchEnv) -> Callable[[int], int]:
    """Observations, masks, rewards and new deals. Recorded actions are played again: the environment alone is timed."""
    recorded = []
    for _ in range(RECORDED):
        recorded.append(env.sample().copy())
        env.step(recorded[-1])

    def run(moves: int) -> int:
        steps = -(-moves // env.n)
        for k in range(steps):
            if k % RECORDED == 0:
                env.reset()
            env.step(recorded[k % RECORDED])
        return steps * env.n

    return run


def _choosing_run(env: BatchEnv) -> Callable[[int], int]:
    """The same with the random choice of actions."""

    def run(moves: int) -> int:
        steps = -(-moves // env.n)
        for _ in range(steps):
            env.step(env.sample())
        return steps * env.n

    return run


def _playout_run(game: Game) -> Callable[[int], int]:
    """Whole games from the deal to the end, with masks and without observations."""
    states, every = game.blanks(TABLES), np.arange(TABLES)
    mask = np.zeros(game.actions.size, np.int8)

    def run(moves: int) -> int:
        played = 0
        while played < moves:
            game.drivers.deal_rows(states, every, every + played)
            played += game.drivers.random_playouts(states, mask, 0, TABLES)
        return played

    return run


def _scripted_run(game: Game) -> Callable[[int], int]:
    """The same with the scripted player on every seat, who looks at what the seat sees."""
    states, every, playouts = game.blanks(SEARCHED), np.arange(SEARCHED), Playouts(game)

    def run(moves: int) -> int:
        before = playouts.played
        while playouts.played - before < moves:
            game.drivers.deal_rows(states, every, every + playouts.played)
            playouts.run(states)
        return playouts.played - before

    return run


def _search_run(game: Game) -> Callable[[int], int]:
    """Decisions of search at its usual budget, on tables in mid-game."""
    agent, rng = Search(game), np.random.default_rng(0)
    states, past = _mid_game(game)
    obs = Observation(game, states, past=past)

    def run(moves: int) -> int:
        before = agent.decisions
        while agent.decisions - before < moves:
            agent.act(obs, rng)
        return agent.decisions - before

    return run


def _tree_run(game: Game, playouts: str) -> Callable[[int], int]:
    """Simulations of a tree search on the same tables, one table after the other."""
    agent, rng = Ismcts(game, f"simulations={SIMULATIONS},playouts={playouts}"), np.random.default_rng(0)
    states, _ = _mid_game(game)
    tables = cycle(Observation(game, states[i : i + 1]) for i in range(len(states)))

    def run(simulations: int) -> int:
        before = agent.simulations
        while agent.simulations - before < simulations:
            agent.act(next(tables), rng)
        return agent.simulations - before

    return run


def _mid_game(game: Game) -> tuple[States, Past]:
    """Tables some moves of the scripted player after the deal, with a choice, and what was decided there."""
    states, every, past = game.blanks(SEARCHED), np.arange(SEARCHED), Past(game, SEARCHED)
    game.drivers.deal_rows(states, every, every)
    for _ in range(20):
        obs = Observation(game, states)
        actions = game.scripted.choose(game, obs.observation, obs.action_mask)
        past.note(states, every, actions)
        game.drivers.apply_rows(states, every, actions)
    rows = np.flatnonzero(Observation(game, states).action_mask.sum(axis=1) > 1)
    return states[rows], past.at(rows)


def _kernels(game: Game) -> Iterator[Engine]:
    """Parts of a step, each by itself on tables in mid-game."""
    env = BatchEnv(game, TABLES)
    for _ in range(50):
        env.step(env.sample())
    every, seats = np.arange(TABLES), env.seats
    streams, actions = np.ones((TABLES, 4), np.int64), np.zeros(TABLES, np.int64)
    narrow = np.zeros((TABLES, game.view.size), game.view.dtype)
    calls = {
        "kernel: view and mask": lambda: game.drivers.observe_rows(env.states, every, seats, narrow, env.action_masks),
        "kernel: random choice": lambda: game.drivers.sample_legal(env.action_masks, streams, actions, 0, TABLES),
    }
    for name, call in calls.items():
        yield Engine(name, _repeat(call))


def _repeat(call: Callable[[], object]) -> Callable[[int], int]:
    def run(moves: int) -> int:
        times = -(-moves // TABLES)
        for _ in range(times):
            call()
        return times * TABLES

    return run
