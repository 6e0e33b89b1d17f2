"""Agents that several threads share answer as if they were asked one after the other."""

import copy
import pickle
import threading

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

    def answers():
        return [int(agent.act(Observation(game, s), np.random.default_rng(i))[0]) for i, s in enumerate(tables)]

    expected, found = answers(), []
    begin = threading.Barrier(THREADS)

    def work():
        begin.wait()
        found.extend(answers() for _ in range(ROUNDS))

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * (THREADS * ROUNDS)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda lock: pickle.loads(pickle.dumps(lock))], ids=["copy", "pickle"]
)
def test_the_copy_of_a_lock_is_free(copied):
    lock = SharedLock()
    with lock, lock:
        other, entered = copied(lock), []
        thread = threading.Thread(target=lambda: entered.append(other.__enter__()))
        thread.start()
        thread.join(60)
        assert entered
