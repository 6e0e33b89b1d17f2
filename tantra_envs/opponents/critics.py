"""Critics: value networks that stand for the rest of a game, played by the agent they were fitted to.

A critic reads what a seat sees: the table features of the game, and whether the seat is to decide. Some also read the
features of the action that the agent prefers, if the seat is to decide. A critic returns the expected score of the
seat's team, from -1 (last) to 1 (first). `python -m training critic` fits it to games of an agent and writes it next to
the agent's model file, with an entry in the index of the folder (`weights_index.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.features import Described, Describer
from ..core.game import Game
from ..core.state import States
from . import networks, weights_index
from .model_files import ModelCard, Tensors, packed, read_card, read_tensors, write_model
from .network_spec import NetworkSpec
from .networks import NetworkPolicy

Floats = npt.NDArray[np.float64]
Inputs = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
AT_ONCE = 1024  # seats that are described in one call


def critic_file(file: Path, seats: Sequence[int], variant: str = "") -> Path:
    """Return the path for the critic of a model file, for numbers of seats of its game or of a variant."""
    words = [*([variant] if variant else []), "-".join(map(str, seats))]
    return file.with_name(f"{file.stem}.value.{'.'.join(words)}{file.suffix}")


def write_critic(policy: Path, file: Path, tensors: Tensors, spec: NetworkSpec, game: Game, **known: Any) -> ModelCard:
    """Write the critic of a model file, and its entry in the index of their folder; see `write_model`."""
    card = write_model(file, tensors, spec, game, half=True, **known)
    seats = tuple(card.trained_for.get("seats", (game.players,)))
    entry = weights_index.Entry(file.name, weights_index.VALUE, policy.name, card.trained_game, seats)
    weights_index.add(file.parent, entry)
    return card


def critic_files(file: Path) -> dict[Path, ModelCard]:
    """Return the critics of a model file with their cards, those for few numbers of seats first."""
    listed = [entry for entry in weights_index.entries(file.parent) if entry.kind == weights_index.VALUE]
    own = sorted((entry for entry in listed if entry.name == file.name), key=lambda entry: len(entry.seats))
    return {file.with_name(entry.file): read_card(file.with_name(entry.file)) for entry in own}


class CriticInputs:
    """What a critic reads of seats: their table features, and whether they are to decide.

    Threads need one each.

    Args:
        game: The game.
        policy: A policy over action features. The critic then also reads the features of the action that this policy
            prefers; they are zero for a seat that is not to decide.
    """

    def __init__(self, game: Game, policy: NetworkPolicy | None = None) -> None:
        self._describer, self._net = Describer(game, AT_ONCE), None if policy is None else policy.net
        of_action, self._of_table = game.features.sizes
        self._columns = self._of_table + (0 if policy is None else of_action) + 1
        self._masks = np.zeros((AT_ONCE, game.actions.size), np.int8)
        self._counts = np.zeros(AT_ONCE, np.int64)

    def __call__(self, states: States, rows: Ints, seats: Ints) -> Inputs:
        """Return the inputs for `seats` (k,) at the tables `rows` (k,), shape (k, inputs).

        The columns are those of the table, those of the action if there is a policy, and 1 if the seat is to decide.
        """
        inputs = np.zeros((len(rows), self._columns), np.float32)
        for first in range(0, len(rows), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            described = self._described(states, rows[part], seats[part])
            inputs[part, : self._of_table] = described.tables
            if self._net is not None and len(decide := np.flatnonzero(described.counts)):
                pairs = np.concatenate([described.features, described.tables[described.rows]], axis=1)
                ranked = np.lexsort((-networks.logits(self._net, pairs)[:, 0], described.rows))  # by table, best first
                best = ranked[described.starts[decide]]
                inputs[part][decide, self._of_table : -1] = described.features[best]
        inputs[:, -1] = states["seat"][rows] == seats
        return inputs

    def _described(self, states: States, rows: Ints, seats: Ints) -> Described:
        """Describe seats with their legal actions, or their tables alone, which is faster."""
        if self._net is not None:
            return self._describer(states, rows, seats)
        return self._describer.describe(states, rows, seats, self._masks[: len(rows)], self._counts[: len(rows)])


class Critic:
    """The value network in a model file. Threads need one each.

    Args:
        game: The game.
        file: The file of the value network.
        policy: The policy that the critic was fitted to. A critic that reads the action of its policy needs it.

    Raises:
        ValueError: There is no such file, or it does not fit the game or the policy.
    """

    def __init__(self, game: Game, file: Path, policy: NetworkPolicy | None = None) -> None:
        self.file, self.card, self.policy = file, read_card(file), policy
        if self.card.spec.policy != "value":
            raise ValueError(f"{file} holds a policy and no value network; allowed: a file of training critic")
        self._net = packed(self.card.spec, read_tensors(file, self.card, game))
        self._reads_action, self._teams = self.card.spec.inputs == "action", np.array(game.team_numbers)
        if self._reads_action and not (policy and policy.over_features):
            raise ValueError(f"{file} reads the action of its policy; allowed: with a policy over action features")
        self._inputs, self._seats = CriticInputs(game, policy if self._reads_action else None), np.arange(game.players)
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
        than the value of one seat, and the scores of all teams add up to half of their number. If the seat to decide
        also reads an action, it knows more than the others: then the value of its team stays.
        """
        of_teams = self.values(states) @ self._members.T
        excess = of_teams.sum(axis=1, keepdims=True)
        if not self._reads_action:
            of_teams -= excess / of_teams.shape[1]
        else:
            decides = np.arange(len(states)), self._teams[states["seat"]]
            value = of_teams[decides]
            of_teams -= excess / (of_teams.shape[1] - 1)
            of_teams[decides] = value
        return np.clip((1 + of_teams) / 2, 0, 1)
