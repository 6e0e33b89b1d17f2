"""Strategies of agents: the probability of every action in every information set.

An agent is asked once for each observation that a seat can have. Its answer must not depend on anything else, neither
on hidden cards nor on earlier questions. Both are checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.asking import ask, name_of
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.core.state import States

from .tree import Tree, tables_at

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
SLACK = 1e-5  # by which probabilities may differ that a network computes twice


class Looks:
    """The different observations of all seats, and the information sets that have each.

    Attributes:
        number: The observation of each information set, (sets,).
        first: An information set of each observation, (looks,).
        last: Another one, if there are several.
        slots: The place of every sequence with an action among the actions of all observations, (sequences - seats,).
        begin: The place of the first action of each observation, (looks,).
        actions: The actions of all observations, one after the other.
    """

    def __init__(self, tree: Tree) -> None:
        part = tree.part
        _, self.first, self.number = np.unique(part.looks, return_index=True, return_inverse=True)
        self.last = np.zeros(len(self.first), np.int64)
        self.last[self.number] = np.arange(len(self.number))
        sizes = part.sizes[self.first].astype(np.int64)
        self.begin = np.cumsum(sizes) - sizes
        within = np.arange(int(part.sizes.sum())) - np.repeat(part.firsts - tree.game.players, part.sizes)
        self.slots = np.repeat(self.begin[self.number], part.sizes) + within
        self.actions = np.zeros(int(sizes.sum()), np.int64)
        own = part.actions[tree.game.players :]
        self.actions[self.slots] = own
        if (part.sizes != sizes[self.number]).any() or (self.actions[self.slots] != own).any():
            raise ValueError(f"{tree.game.id}: equal observations of a seat have different legal actions")

    def __len__(self) -> int:
        return len(self.first)


@dataclass(frozen=True)
class Policy:
    """An agent's answers to all observations.

    Attributes:
        name: The name of the agent.
        form: How its probabilities are known: "fixed", "probabilities" or "drawn".
        answers: The probability of every action of every observation, as in `Looks.actions`.
    """

    name: str
    form: str
    answers: Floats

    def strategy(self, tree: Tree, looks: Looks) -> Floats:
        """Return the probability of every sequence, (sequences,)."""
        return np.concatenate([np.ones(tree.game.players), self.answers[looks.slots]])


def policy_of(tree: Tree, looks: Looks, agent: Agent, draws: int, seed: int = 0, find_leaks: bool = True) -> Policy:
    """Ask an agent for its answer to every observation, and check that it has no other inputs.

    Args:
        tree: The game.
        looks: Its observations.
        agent: The agent. It plays the same every time, or has `probabilities(obs)`, or is asked `draws` times.
        draws: How often an agent is asked that plays at random and has no `probabilities`.
        seed: The seed of the agent's random numbers.
        find_leaks: Whether the agent is asked again where the observation is the same and hidden cards are not.

    Raises:
        ValueError: The agent has a memory, or its answer depends on hidden cards.
    """
    if getattr(agent, "remembers", False):
        raise ValueError(f"agent {name_of(agent)!r} has a memory; allowed: agents that decide by the observation alone")
    asked = _Asked(tree, looks, agent, draws, seed)
    members = tree.part.members
    answers = np.zeros(len(looks.actions))
    for places, tables in tables_at(tree, members[looks.first, :2]):
        asked.fill(places, tables, answers)
    if find_leaks and asked.form != "drawn":
        again = np.zeros(len(looks.actions))
        for places, tables in tables_at(tree, members[looks.last, 2:]):
            asked.fill(places, tables, again)
        _refuse_leak(tree, looks, agent, answers, again)
    return Policy(str(name_of(agent)), asked.form, answers)


def _refuse_leak(tree: Tree, looks: Looks, agent: Agent, answers: Floats, again: Floats) -> None:
    """Raise ValueError if an agent answered differently at two tables that look equal to its seat."""
    differ = np.flatnonzero(np.abs(answers - again) > SLACK)
    if not len(differ):
        return
    look = int(np.searchsorted(looks.begin, differ[0], side="right")) - 1
    ((_, table),) = tables_at(tree, tree.part.members[looks.first[look : look + 1], :2])
    seat = int(table["seat"][0])
    words = f"agent {name_of(agent)!r} sees hidden cards: seat {seat} answers differently at tables that look equal"
    raise ValueError(f"{words} to it. One of them is\n{tree.game.picture(table, seat)}")


class _Asked:
    """Asks an agent and turns its answers into probabilities."""

    def __init__(self, tree: Tree, looks: Looks, agent: Agent, draws: int, seed: int) -> None:
        self.form = "probabilities" if hasattr(agent, "probabilities") else "fixed"
        self._game, self._looks, self._agent, self._draws, self._seed = tree.game, looks, agent, draws, seed

    def fill(self, places: Ints, tables: States, answers: Floats) -> None:
        """Write the probabilities of the actions of some observations, which the tables show."""
        obs = Observation(self._game, tables)
        shares = self._shares(obs)
        looks = self._looks
        ends = np.append(looks.begin, len(looks.actions))[places + 1]
        sizes = ends - looks.begin[places]
        rows = np.repeat(np.arange(len(places)), sizes)
        at = np.repeat(looks.begin[places] - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))
        answers[at] = shares[rows, looks.actions[at]]

    def _shares(self, obs: Observation) -> Floats:
        """Return the probabilities of all actions, (k, actions)."""
        if self.form == "probabilities":
            return self._checked(obs, self._agent.probabilities(obs))  # type: ignore[attr-defined]
        first, other, again = (self._ask(obs, seed) for seed in (self._seed, self._seed + 1, self._seed))
        if (first != again).any():
            words = "answers differently when it is asked again with the same random numbers"
            raise ValueError(f"agent {name_of(self._agent)!r} {words}; allowed: agents without a memory")
        shares = np.zeros(obs.action_mask.shape)
        if (first == other).all():
            shares[np.arange(len(first)), first] = 1.0
            return shares
        self.form = "drawn"
        for seed in range(self._draws):
            shares[np.arange(len(first)), self._ask(obs, self._seed + seed)] += 1.0 / self._draws
        return shares

    def _ask(self, obs: Observation, seed: int) -> Ints:
        return ask(self._agent, obs, np.random.default_rng(seed))

    def _checked(self, obs: Observation, shares: Any) -> Floats:
        """Return probabilities; raise ValueError unless they are some."""
        given = np.asarray(shares, np.float64)
        fits = given.shape == obs.action_mask.shape and bool((given >= 0).all())
        if not fits or (given[obs.action_mask == 0] != 0).any() or np.abs(given.sum(axis=1) - 1.0).max() > SLACK:
            words = "numbers of shape (tables, actions) that are 0 for illegal actions and add up to 1"
            raise ValueError(f"agent {name_of(self._agent)!r}: its probabilities are not allowed; allowed: {words}")
        return np.asarray(given / given.sum(axis=1, keepdims=True))
