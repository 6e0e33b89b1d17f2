"""Rehearsals: a few actions of each agent, so that nobody at a table waits for the compiler.

On a new computer a scripted agent plays at once, as plain Python, while another process compiles the game. Networks and
searches wait for their machine code, which is then kept on disk.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from ..core.compiled.jit import PURE_PYTHON
from ..core.game import Game
from ..drawing import draw
from ..opponents import opponent
from .history import deal

MOST = 12  # actions until every agent has had a choice
_compiling = defaultdict[str, threading.Lock](threading.Lock)  # one rehearsal of a game at a time, by name
_finished: set[tuple[str, ...]] = set()
_began: dict[str, float] = {}  # when the games that are rehearsed in a thread began, by name


def rehearse(game: Game, agents: Iterable[str]) -> None:
    """Return when the agents can play without a wait. Raise ValueError if an agent cannot play."""
    for word in () if PURE_PYTHON else agents:
        if _kind(game, word) not in _finished:
            with _compiling[game.name]:
                _play(game, word)
            _finished.add(_kind(game, word))


def begin(game: Game, agents: Iterable[str]) -> float | None:
    """Rehearse a game in a thread, with those of some agents that can play it.

    Returns:
        The seconds since this began; None = it is done.
    """
    waiting = [word for word in (() if PURE_PYTHON else agents) if _kind(game, word) not in _finished]
    if waiting and game.name not in _began:
        _began[game.name] = time.monotonic()
        threading.Thread(target=_rehearse_able, args=(game, waiting), daemon=True).start()
    return time.monotonic() - _began[game.name] if waiting and game.name in _began else None


def _rehearse_able(game: Game, agents: Iterable[str]) -> None:
    try:
        for word in agents:
            with contextlib.suppress(ValueError):
                rehearse(game, [word])
    finally:  # an agent may fail: the table says so when its turn comes
        _began.pop(game.name, None)


def _kind(game: Game, word: str) -> tuple[str, ...]:
    """Return what code an agent needs: games of another mode or another size of observations compile their own."""
    return game.name, str(game.config.get("mode")), str(game.view.dtype), word


def _play(game: Game, word: str) -> None:
    """Let an agent play until it has had a choice, then save and draw the table."""
    agent, history, rng = opponent(word, game), deal(game, 0), np.random.default_rng(0)
    for _ in range(MOST):
        if history.is_over:
            break
        choices = len(game.legal(history.state))
        history.ask(agent, rng)
        if choices > 1:
            break
    draw(game, history.state, 0, last=history.moves[-1] if history.moves else None)
    history.save()
