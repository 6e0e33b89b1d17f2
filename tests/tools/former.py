"""The trained agents of version 0.2.0, whose weights this version does not load: they decide in a checkout of it.

git worktree add ../former 627a77dd
export FORMER=../former
python -m training evaluate karma --agent learned --opponents tests/tools/former.py:agent --deals 1000
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np

from tantra_envs.configuration import game as configured
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation


class Former:
    """The agent `learned` of version 0.2.0 for a game, in a process of its own."""

    name = "former"

    def __init__(self, game: Game) -> None:
        self._game = game
        self._process: subprocess.Popen[bytes] | None = None

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "_process": None}

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the actions of the former agent, which sees a table with other hidden cards and the same view."""
        if self._process is None:
            self._process = self._started()
        assert self._process.stdin and self._process.stdout
        states = obs.determinize(1, rng)
        fields = [name for name in states.dtype.names or () if not states.dtype[name].names]
        pickle.dump({name: states[name] for name in fields}, self._process.stdin)
        self._process.stdin.flush()
        actions: Actions = pickle.load(self._process.stdout)
        return actions

    def _started(self) -> subprocess.Popen[bytes]:
        checkout = str(Path(os.environ["FORMER"]).resolve())
        options = {**self._game.options.changed(self._game.config), "players": self._game.players}
        words = [sys.executable, __file__, self._game.name.partition("_v")[0], json.dumps(options)]
        path = {**os.environ, "PYTHONPATH": checkout}
        return subprocess.Popen(words, cwd=checkout, env=path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def agent(game: Game) -> Former:
    """Return the former agent of a game. Raise ValueError unless FORMER is the folder of a checkout."""
    folder = os.environ.get("FORMER", "")
    if not (Path(folder) / "tantra_envs").is_dir():
        raise ValueError(f"FORMER={folder!r} is not allowed; allowed: the folder of a checkout of version 0.2.0")
    return Former(game)


def serve(name: str, options: str) -> None:
    """Answer positions with actions until the input ends. This runs in the checkout, with its modules."""
    from agents import load

    answers = sys.stdout.buffer
    sys.stdout = sys.stderr
    game = configured(name, **json.loads(options))
    former = load("learned", game)
    while True:
        try:
            fields = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        states = game.blanks(len(fields["seat"]))
        for field in fields.keys() & set(states.dtype.names or ()):
            states[field] = fields[field]
        pickle.dump(former.act(Observation(game, states, vouched=True), np.random.default_rng(0)), answers)
        answers.flush()


if __name__ == "__main__":
    serve(*sys.argv[1:])
