"""Compile all games for the tests: `python -m tests.tools.warmup`.

A process that has compiled a game compiles more of it in a fraction of the time. So this calls `tantra_envs warmup` and
then, in the same process, code that tests need beyond it: playouts of networks, and games with a low limit of actions,
whose observations may have a smaller type.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise

import numpy as np

from tantra_envs import puzzles
from tantra_envs.commands import warmup
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts, Policy, standings
from tantra_envs.games import GAMES, SHIPPED
from tantra_envs.games import game as build
from tantra_envs.opponents import networks
from tantra_envs.opponents.learned import LearnedAgent

PROCESSES = 2
LIMIT = 60  # actions, few enough for observations of 8 bits


def main() -> None:
    """Compile the games side by side; print what the warmup of each one ends with."""
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        for last in pool.map(compile_for_tests, GAMES):
            print(last, flush=True)


def compile_for_tests(name: str) -> str:
    """Compile a game; return the last line of its warmup."""
    lines = io.StringIO()
    with contextlib.redirect_stderr(lines), contextlib.redirect_stdout(None):
        assert warmup.main([name, "--jobs", "1"]) == 0
        if name in SHIPPED:
            _compile_more(name)
    return lines.getvalue().splitlines()[-1]


def _compile_more(name: str) -> None:
    for file, table in warmup.tables_of_learned(name):
        _play_on(table, LearnedAgent(table, file).policy())
    game = build(name)
    _play_on(game, networks.NetworkPolicy(game, _untrained(game), over_features=False))
    for kind in puzzles.kinds():
        if kind.partition("/")[0] == name:
            puzzles.make(kind)
    short = game.build(**{**game.config, game.cutoff: LIMIT})
    _play_on(short)
    warmup._step_table(short)
    warmup._step_batch(short)
    for agent in ("scripted", "ismcts:2"):
        warmup._step_vector(short, agent)


def _play_on(game: Game, policy: Policy | None = None) -> None:
    """Ask a policy, or the scripted agent, in all ways that a search does."""
    state = game.new(1)
    obs = Observation(game, state)
    playouts = Playouts(game, policy)
    playouts.choose(obs.known, obs.action_mask)
    playouts.rate(obs.known, obs.action_mask)
    standings(game, state)
    game.observation(state, 0)
    playouts.run(state, plies=1)


def _untrained(game: Game) -> networks.Floats:
    """Return a small network of random weights."""
    rng, widths = np.random.default_rng(0), (game.view.size, 8, game.actions.size)
    layers = [(rng.normal(size=(wider, width)), rng.normal(size=wider)) for width, wider in pairwise(widths)]
    return networks.packed(layers)


if __name__ == "__main__":
    main()
