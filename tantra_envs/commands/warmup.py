"""`python -m tantra_envs warmup`: compile games ahead of their first use and keep the machine code on disk."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..adapters.text import TextTable
from ..configuration import game as configured
from ..configuration import variants
from ..core.compiled.ahead import compile_driver
from ..core.compiled.cache import PACKAGE, cache_folder, cache_root
from ..core.compiled.drivers import NEEDS, RULES
from ..core.compiled.jit import PURE_PYTHON, notice
from ..core.compiled.starting import wait_for_code
from ..core.game import Game
from ..core.observation import Observation
from ..core.playouts import Playouts
from ..envs.aec import TableEnv
from ..envs.batch import BatchEnv
from ..envs.vector import SeatVectorEnv
from ..games import GAMES
from ..games import game as build
from ..opponents import OPPONENTS, opponent
from ..opponents.learned import shipped_critic, weights_of
from ..opponents.scripted import Greedy, Scripted
from ..opponents.search import Search
from ..programs import cli
from ..programs.workers import executor

FEW = 2  # samples or simulations of a search: a search of any size compiles all of its code
STEPS = 8  # enough actions for every opponent to decide at least once
FINISHED = 40  # enough actions to end a short puzzle, after which its result is shown
UNIFORM = "uniform"  # compiled twice: as an agent, and inside the kernels of the environment


@dataclass(frozen=True)
class Args:
    """Compile games ahead, so that their first use does not wait.

    Example: python -m tantra_envs warmup karma tarot
    """

    games: tuple[str, ...] = tuple(GAMES)
    """Games to compile."""
    jobs: cli.Count | None = field(default=None, kw_only=True)
    """Number of games at a time. [default: number of cores]"""


def main(argv: Sequence[str] | None = None) -> int:
    """Compile the kernels of the named games, or of all games."""
    with cli.user_errors("train"):
        options = cli.read(Args, "tantra_envs warmup", argv)
        for name in options.games:
            build(name)
    if PURE_PYTHON:
        print("nothing to compile: NUMBA_DISABLE_JIT is set, or Numba is missing")
        return 0
    with cli.work(f"compiled code is kept in {cache_root()}"):
        _compile(options.games, min(options.jobs or os.cpu_count() or 1, len(options.games)))
    return 0


def _compile(games: Sequence[str], jobs: int) -> None:
    print(f"compiling {', '.join(games)}; what is kept already takes no time", file=sys.stderr, flush=True)
    began = time.perf_counter()
    with executor(jobs) as run:
        for done, (name, _) in enumerate(run(_warm_up, games), start=1):
            seconds = time.perf_counter() - began
            print(f"{done} of {len(games)}: {name}, {seconds:.1f} s", file=sys.stderr, flush=True)
    folder = cache_folder(PACKAGE / "games" / games[0])
    print(f"machine code is in {cache_root()}" if folder else "machine code is not stored: no cache folder is writable")


def _warm_up(name: str) -> None:
    """Compile a game: drivers, tables of all kinds, environments and opponents."""
    wait_for_code()
    notice.silence(name)
    game = build(name)
    for driver, needed in NEEDS.items():
        if needed == RULES:
            compile_driver(game, driver)
    with warnings.catch_warnings(action="ignore"):  # agents warn about options they were not trained for
        for kind in _kinds(name):
            if kind.player is not None and max(kind.seats) > 1:
                _consult(kind)
            _play_by_text(kind)
            _write_and_read(kind)
        for file, table in tables_of_learned(name):
            _ask_learned(f"ppo:{file}", table)
        _step_table(game)
        _step_batch(game)
        for spec in _specs():
            _step_vector(game, spec)


def _kinds(name: str) -> Iterable[Game]:
    """Return the variants that compile code of their own: the first of each mode and dtype of observations."""
    kinds: dict[tuple[Any, ...], Game] = {}
    for variant in (None, *variants(name)):
        game = configured(name, variant)
        kinds.setdefault((game.config.get("mode"), game.view.dtype), game)
    return kinds.values()


def _specs() -> Iterator[str]:
    """Yield the specs of all opponents, with the smallest budget, and of searches whose options compile more code."""
    for name, kind in OPPONENTS.items():
        if not kind.required:
            yield f"{name}:{FEW}" if kind.argument in ("samples", "simulations") else name
    yield f"search:{FEW},belief=moves"


def _consult(game: Game) -> None:
    """Call the scripted and greedy agents once, and run one playout."""
    state, rng = game.new(1), np.random.default_rng(0)
    obs = Observation(game, state)
    for agent in (Scripted(game), Greedy(game)):
        agent.act(obs, rng)
    Playouts(game).run(state, plies=1)


def _play_by_text(game: Game) -> None:
    """Play some actions by their names, with prompts, logs and pictures."""
    table = TextTable(game, range(game.players), retries=0)
    turn = table.reset(1)
    for _ in range(FINISHED if game.players == 1 else STEPS):
        if turn.done:
            break
        action = turn.prompt.partition("You may:\n- ")[2].partition("\n")[0]
        turn = table.step(action)


def _write_and_read(game: Game) -> None:
    """Write and read positions and the names of actions, and draw a table."""
    env = TableEnv(game, render_mode="svg")
    env.reset(seed=1)
    env.reset(options={"position": env.position()})
    env.render()
    state = game.new(1, dealer=0) if "dealer" in game.deal_options else game.new(1)
    for _ in range(STEPS):
        game.redeal(game.from_position(game.position(state, full=True)), 1, 0)
        if legal := game.legal(state):
            game.apply_action(state, game.parse_action(state, game.action_name(state, legal[0])))


def tables_of_learned(name: str) -> Iterator[tuple[Path, Game]]:
    """Yield the file of every trained agent of a game, with the largest table that it was trained for."""
    for file, card in weights_of(build(name)).items():
        players = max(card.trained_for.get("seats") or [card.trained_for["players"]])
        yield file, build(name, **{**card.config, "players": players})


def _ask_learned(agent: str, game: Game) -> None:
    """Let a trained agent act alone and as an opponent, and in the search that gives hints if it has a value network.

    Any other search over it compiles the same code.
    """
    obs, rng = Observation(game, game.new(1)), np.random.default_rng(1)
    opponent(agent, game).act(obs, rng)
    _step_vector(game, agent)
    if critic := shipped_critic(game):
        Search(game, f"{FEW},leaf=value", critic.policy, critic).act(obs, rng)


def _step_table(game: Game) -> None:
    """Deal and step one table."""
    env = TableEnv(game)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))  # type: ignore[index]


def _step_batch(game: Game) -> None:
    """Deal and step two tables side by side, in both kinds of observations."""
    for dtype in ("float32", "compact"):
        batch = BatchEnv(game, 2, observation_dtype=dtype)
        batch.reset()
        batch.step(batch.sample())


def _step_vector(game: Game, spec: str) -> None:
    """Play some steps against an opponent. An opponent that this game does not have compiles nothing."""
    try:
        agent = opponent(spec, game)
    except ValueError:
        return
    for opponents in (agent, None) if spec == UNIFORM else (agent,):
        env = SeatVectorEnv(game, 2, opponents=opponents)
        env.reset(seed=1)
        for _ in range(STEPS):
            env.step(env.action_masks().argmax(axis=1))
