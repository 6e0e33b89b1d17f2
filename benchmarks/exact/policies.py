"""Strategies of agents: the probability of every action in every information set.

An agent is asked for each observation that a seat can have. Its answer must follow from the observation and the random
numbers that it is given: it is asked again at the same tables, in another order, and with other hidden cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from tantra_envs.core.asking import ask, name_of
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.core.state import States

from .tree import Tree, tables_at
from .walk import Floats, Ints

SLACK = 1e-5  # by which probabilities may differ that a network computes twice
TRIALS = 100_000  # answers with other random numbers that show whether an agent draws its actions: at least one each
COMPARED = 32  # answers at tables with other hidden cards that are compared with the first ones
FEWEST = 16  # of them, so that equal distributions are hardly ever taken for different ones
EXCHANGES = 10_000  # random exchanges of these answers
TOO_FAR = 6.0  # standard deviations between the actions of an agent and its probabilities
CHECKS = {  # the refusal of every agent that cannot be measured
    "again": "answers differently when it is asked again with the same random numbers: it remembers, or has a "
    "generator of its own; allowed: agents that draw from the rng of act(obs, rng), or give probabilities(obs)",
    "order": "answers differently when the tables come in another order; allowed: an answer for each table by itself",
    "played": "plays other actions than its probabilities say; allowed: probabilities(obs) of what act(obs, rng) plays",
    "few": f"draws its actions, and some differ where hidden cards do; allowed: --draws {FEWEST} or more, to compare",
}


class Looks:
    """The different observations of all seats, and the information sets that have each.

    Attributes:
        first: An information set of each observation, (looks,).
        last: Another one, if there are several.
        begin: The place of the first action of each observation, and the number of all, (looks + 1,).
        slots: The place of every sequence with an action among the actions of all observations, (sequences - seats,).
        actions: The actions of all observations, one after the other.
    """

    def __init__(self, tree: Tree) -> None:
        part = tree.part
        _, self.first, number = np.unique(part.looks, return_index=True, return_inverse=True)
        self.last = np.zeros(len(self.first), np.int64)
        self.last[number] = np.arange(len(number))
        sizes = part.sizes[self.first].astype(np.int64)
        self.begin = np.append(0, np.cumsum(sizes))
        within = np.arange(int(part.sizes.sum())) - np.repeat(part.firsts - tree.game.players, part.sizes)
        self.slots = np.repeat(self.begin[number], part.sizes) + within
        self.actions = np.zeros(self.begin[-1], np.int64)
        own = part.actions[tree.game.players :]
        self.actions[self.slots] = own
        if (part.sizes != sizes[number]).any() or (self.actions[self.slots] != own).any():
            raise ValueError(f"{tree.game.id}: equal observations of a seat have different legal actions")


@dataclass(frozen=True)
class Policy:
    """An agent's answers to all observations."""

    name: str
    form: str  # how its probabilities are known: "fixed", "probabilities" or "drawn"
    strategy: Floats  # the probability of every sequence, (sequences,)


def policy_of(tree: Tree, looks: Looks, agent: Agent, draws: int) -> Policy:
    """Ask an agent for its answer to every observation; raise ValueError for one that cannot be measured.

    The agent plays the same every time, or has `probabilities(obs)`, or is asked `draws` times.
    """
    if getattr(agent, "remembers", False):
        raise ValueError(f"agent {name_of(agent)!r} has a memory; allowed: agents that decide by the observation alone")
    asked = _Asked(tree, looks, agent, draws)
    answers, again = np.zeros(len(looks.actions)), np.zeros(len(looks.actions))
    for places, tables in tables_at(tree, tree.part.members[looks.first, :2]):
        asked.write(places, asked.checked_shares(places, tables), answers)
    if asked.form == "drawn":
        asked.compare()
    else:  # tables with the same observations from other deals
        for places, tables in tables_at(tree, tree.part.members[looks.last, 2:]):
            asked.write(places, asked.shares(asked.shown(tables)), again)
        differ = np.flatnonzero(np.abs(answers - again) > SLACK)
        if len(differ):
            asked.refuse_leak(int(np.searchsorted(looks.begin, differ[0], side="right")) - 1)
    return Policy(str(name_of(agent)), asked.form, np.concatenate([np.ones(tree.game.players), answers[looks.slots]]))


class _Asked:
    """Asks an agent, checks it, and turns its answers into probabilities."""

    def __init__(self, tree: Tree, looks: Looks, agent: Agent, draws: int) -> None:
        self.form = "probabilities" if hasattr(agent, "probabilities") else "fixed"
        self._tree, self._looks, self._agent, self._draws = tree, looks, agent, draws
        self._trials = max(1, min(draws - 1, TRIALS // max(1, len(looks.first))))
        compared = min(draws, COMPARED)
        self._products = np.zeros((compared, compared))  # of the differences of two draws: see `compare`
        self._differs = -1  # an observation with other answers where hidden cards differ
        self._surplus, self._variance = np.zeros(2), np.zeros(2)  # see `_check_played`

    def refuse_leak(self, look: int) -> None:
        """Raise ValueError for an agent that sees more than an observation."""
        members = self._tree.part.members[self._looks.first[look : look + 1], :2]
        ((_, table),) = tables_at(self._tree, members)
        seat = int(table["seat"][0])
        words = f"sees hidden cards: seat {seat} answers differently at tables that look equal to it. One of them is"
        self._refuse(f"{words}\n{self._tree.game.picture(table, seat)}")

    def compare(self) -> None:
        """Raise ValueError if drawn answers depend on hidden cards, by a test of random exchanges.

        If answers at the tables and with other hidden cards have one distribution, the difference of their frequencies
        is hardly ever larger than after all exchanges. Its square is a sum over pairs of draws: the products are kept.
        """
        if self._differs < 0:
            return
        if len(self._products) < FEWEST:
            self._refuse(CHECKS["few"])
        signs = np.random.default_rng(0).choice((-1.0, 1.0), (EXCHANGES, len(self._products)))
        signs = signs[np.abs(signs.sum(axis=1)) < len(self._products)]
        if self._products.sum() > ((signs @ self._products) * signs).sum(axis=1).max():
            self.refuse_leak(self._differs)

    def write(self, places: Ints, shares: Floats, answers: Floats) -> None:
        """Write the probabilities of the actions of some observations among those of all observations."""
        begin, ends = self._looks.begin[places], self._looks.begin[places + 1]
        at = np.concatenate([np.arange(*span) for span in zip(begin, ends, strict=True)])
        rows = np.repeat(np.arange(len(places)), ends - begin)
        answers[at] = shares[rows, self._looks.actions[at]]

    def checked_shares(self, places: Ints, tables: States) -> Floats:
        """Return the probabilities of all actions at the tables of some observations, and check them, (k, actions)."""
        obs = self.shown(tables)
        first, tried = self.shares(obs), list[Ints]()
        if self.form == "probabilities":
            self._check_played(obs, first)
        else:
            tried = [self._ask(obs, i) for i in range(1 + self._trials)]
        if (np.abs(first - self.shares(obs)) > SLACK).any():
            self._refuse(CHECKS["again"])
        if any((actions != tried[0]).any() for actions in tried):
            self.form = "drawn"
            return self._drawn(places, obs, tried)
        backwards = np.arange(len(tables))[::-1]
        if (np.abs(first - self.shares(self.shown(tables, backwards))[backwards]) > SLACK).any():
            self._refuse(CHECKS["order"])
        differ = np.abs(first - self.shares(self._redealt(obs))).max(axis=1) > SLACK
        if differ.any():
            self.refuse_leak(int(places[differ.argmax()]))
        return first

    def _drawn(self, places: Ints, obs: Observation, tried: Sequence[Ints]) -> Floats:
        """Return the frequencies of all actions, (k, actions); compare some draws with those at other hidden cards."""
        shares, rows = np.zeros(obs.action_mask.shape), np.arange(len(obs))
        drawn = [self._ask(obs, i) for i in range(self._draws)]
        if any((one != other).any() for one, other in zip(drawn, tried, strict=False)):
            self._refuse(CHECKS["again"])
        for actions in drawn:
            shares[rows, actions] += 1.0 / self._draws
        hidden = self._redealt(obs)
        others = np.array([self._ask(hidden, i) for i in range(len(self._products))])
        own = np.array(drawn[: len(others)])
        differ = (own != others).any(axis=0)
        if differ.any():
            self._differs = int(places[differ.argmax()]) if self._differs < 0 else self._differs
            for one, other, sign in ((own, own, 1), (others, others, 1), (own, others, -1), (others, own, -1)):
                self._products += sign * (one[:, None, differ] == other[None, :, differ]).sum(axis=2)
        return shares

    def _check_played(self, obs: Observation, shares: Floats) -> None:
        """Raise ValueError unless an agent draws its actions with its probabilities.

        Two sums over all tables so far have known expectations: of the probability of what it plays, and of how often
        it plays the same action twice.
        """
        if not hasattr(self._agent, "act"):
            return
        first, second = (self._ask(obs, i) for i in range(2))
        played, squares = shares[np.arange(len(shares)), first], (shares**2).sum(axis=1)
        self._surplus += (played - squares).sum(), ((first == second) - squares).sum()
        spread = (shares**3).sum(axis=1) - squares**2, squares * (1 - squares)
        self._variance += np.clip(spread, 0, None).sum(axis=1)
        if (played <= SLACK).any() or (np.abs(self._surplus) > TOO_FAR * np.sqrt(self._variance) + 1.0).any():
            self._refuse(CHECKS["played"])

    def shares(self, obs: Observation) -> Floats:
        """Return the probabilities that an agent gives, or 1 for the action that it plays, (k, actions)."""
        if self.form == "probabilities":
            return self._checked(obs, self._agent.probabilities(obs))  # type: ignore[attr-defined]
        shares = np.zeros(obs.action_mask.shape)
        shares[np.arange(len(obs)), self._ask(obs)] = 1.0
        return shares

    def _ask(self, obs: Observation, seed: int = 0) -> Ints:
        return ask(self._agent, obs, np.random.default_rng(seed))

    def shown(self, tables: States, rows: Ints | None = None) -> Observation:
        """Return what the seats to decide see at some tables."""
        return Observation(self._tree.game, tables, rows)

    def _redealt(self, obs: Observation) -> Observation:
        """Return what the same seats see after all that is hidden from them was drawn again."""
        return self.shown(obs.determinize(1, np.random.default_rng(0)))

    def _checked(self, obs: Observation, shares: Any) -> Floats:
        """Return probabilities; raise ValueError unless they are some."""
        given = np.asarray(shares, np.float64)
        fits = given.shape == obs.action_mask.shape and bool((given >= 0).all())
        if not fits or (given[obs.action_mask == 0] != 0).any() or np.abs(given.sum(axis=1) - 1.0).max() > SLACK:
            words = "numbers of shape (tables, actions) that are 0 for illegal actions and add up to 1"
            self._refuse(f"gives probabilities that are not allowed; allowed: {words}")
        return np.asarray(given / given.sum(axis=1, keepdims=True))

    def _refuse(self, words: str) -> NoReturn:
        raise ValueError(f"agent {name_of(self._agent)!r} {words}")
