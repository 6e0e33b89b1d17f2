"""Critics: value networks that stand for the rest of a game, played by the policy they were fitted to.

A critic reads what a seat sees: the table features of the game and, if the seat is to decide, the features of the
action that the policy prefers. It returns the expected score of the seat's team, from -1 (last) to 1 (first). The
command `training critic` fits it to games of the policy and writes it next to the policy's model file, so
`karma.safetensors` has the critic `karma.value.safetensors`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..core.features import Described, Describer
from ..core.game import Game
from ..core.state import States
from . import networks
from .model_files import packed, read_card, read_tensors

Floats = npt.NDArray[np.float64]
Inputs = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
ENDING = ".value"  # of the name of a critic's file, before .safetensors
AT_ONCE = 1024  # seats that are described in one call


def critic_file(file: Path) -> Path:
    """Return the path of the critic of a model file."""
    return file.with_name(f"{file.stem}{ENDING}{file.suffix}")


class CriticInputs:
    """What a critic reads of a seat: the features of its table and, if it is to decide, those of the policy's action.

    Threads need one each.

    Args:
        game: The game.
        net: The packed policy over action features.
    """

    def __init__(self, game: Game, net: Inputs) -> None:
        self._describer, self._net = Describer(game, AT_ONCE), net
        self._of_action, self._of_table = game.features.sizes

    def __call__(self, states: States, rows: Ints, seats: Ints) -> Inputs:
        """Return the inputs, (k, columns of a table + those of an action + 1), for `seats` (k,) at tables `rows` (k,).

        The last one is 1 if the seat is to decide. Otherwise it is 0, like those of the action.
        """
        inputs = np.zeros((len(rows), self._of_table + self._of_action + 1), np.float32)
        for first in range(0, len(rows), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            self._fill(inputs[part], self._describer(states, rows[part], seats[part]))
        return inputs

    def _fill(self, inputs: Inputs, described: Described) -> None:
        inputs[:, : self._of_table] = described.tables
        decides = np.flatnonzero(described.counts)
        if len(decides):
            both = np.concatenate([described.features, described.tables[described.rows]], axis=1)
            ratings = networks.logits(self._net, both)[:, 0]
            best = np.lexsort((-ratings, described.rows))[described.starts[decides]]
            inputs[decides, self._of_table : -1] = described.features[best]
            inputs[decides, -1] = 1


class Critic:
    """The value network in a model file. Threads need one each.

    Args:
        game: The game.
        file: The file of the value network.
        net: The packed policy that it was fitted to.

    Raises:
        ValueError: There is no such file, or it does not fit the game.
    """

    def __init__(self, game: Game, file: Path, net: Inputs) -> None:
        self.file, self.card = file, read_card(file)
        if self.card.spec.policy != "value":
            raise ValueError(f"{file} holds a policy and no value network; allowed: a file of training critic")
        self._net = packed(self.card.spec, read_tensors(file, self.card, game))
        self._inputs, self._seats = CriticInputs(game, net), np.arange(game.players)
        self._members = np.array([[seat in team for seat in range(game.players)] for team in game.teams], np.float64)
        self._members /= self._members.sum(axis=1, keepdims=True)

    def values(self, states: States) -> Floats:
        """Return the expected score of every seat at the tables (n,) from what it sees, from -1 to 1: (n, players)."""
        rows = np.repeat(np.arange(len(states)), len(self._seats))
        inputs = self._inputs(states, rows, np.tile(self._seats, len(states)))
        values = networks.logits(self._net, inputs)[:, 0].astype(np.float64)
        return np.clip(values, -1, 1).reshape(len(states), -1)

    def scores(self, states: States) -> Floats:
        """Return the expected score of every team at the tables (n,), as a share of the others: (n, teams).

        Every seat values the table from what it sees. The mean over a team, less that over all teams, has less noise
        than the value of one seat, and the scores of all teams add up to half of their number.
        """
        of_teams = self.values(states) @ self._members.T
        of_teams -= of_teams.mean(axis=1, keepdims=True)
        return np.clip((1 + of_teams) / 2, 0, 1)
