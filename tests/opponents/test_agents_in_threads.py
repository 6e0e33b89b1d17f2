"""Agents that several threads share answer as if they were asked one after the other."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.core.locks import SharedLock
from tantra_envs.core.observation import Observation

from .test_search import positions

AGENTS = ["search:samples=16,margin=0", "ismcts:60", "learned:karma", "scripted", "greedy"]
THREADS, ROUNDS = 4, 6


@pytest.mark.parametrize("words", AGENTS)
def test_threads_share_an_agent(words):
    game = tantra_envs.game("karma")
    agent, tables = load(words, game), list(positions(game, range(8)))

    def answers(*_):
        return [int(agent.act(Observation(game, s), np.random.default_rng(i))[0]) for i, s in enumerate(tables)]

    expected = answers()
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(answers, range(THREADS * ROUNDS))) == [expected] * (THREADS * ROUNDS)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda lock: pickle.loads(pickle.dumps(lock))], ids=["copy", "pickle"]
)
def test_the_copy_of_a_lock_is_free(copied):
    lock = SharedLock()
    with lock, lock, ThreadPoolExecutor(1) as pool:
        pool.submit(copied(lock).__enter__).result(60)
