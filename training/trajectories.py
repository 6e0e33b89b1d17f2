"""Play at many tables, and record the decisions of the seats that the learner plays.

`Tables.play` plays; `Trajectories.advantages` computes the result of every decision. Each seat has its own trajectory:
rewards between two of its decisions belong to the first of them, and rewards before its first decision are left out.
Forced decisions are played and not recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from agents import Agent
from tantra_envs.core.asking import ask
from tantra_envs.core.features import Described, Describer
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.envs.threads import Slices
from tantra_envs.matches.match import DEALS, deal_seeds, score_rewards

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
SELF = -1  # number of the opponent at tables where the learner plays all seats
FIRST_DEAL = DEALS // 2  # deals before it are for measurements
PART = 1 << 24  # deals of one group of tables


class Batch(NamedTuple):
    """The inputs of the networks at k decisions that have n legal actions in all."""

    views: npt.NDArray[Any]  # (k, view.size) compact observations; (k, 0) for a policy over features
    table: Floats  # (k, columns of a table) features of the tables; (k, 0) for an mlp
    counts: Ints  # (k,) numbers of legal actions
    actions: Ints  # (n,) their ids, decision by decision
    features: Floats  # (n, columns of an action) their features; (n, 0) for an mlp

    @property
    def described(self) -> Described:
        """The legal actions of the decisions."""
        return Described(self.counts, self.actions, self.features, self.table)

    @property
    def starts(self) -> Ints:
        """The place of the first legal action of each decision in `actions`, (k,)."""
        return self.described.starts

    def take(self, rows: Ints) -> Batch:
        """Return the decisions `rows`."""
        counts, actions, features, table = self.described.take(rows)
        return Batch(self.views[rows], table, counts, actions, features)

    def without_actions(self, rows: Ints) -> Batch:
        """Return the decisions `rows` without their legal actions, which values do not depend on."""
        return Batch(self.views[rows], self.table[rows], self.counts[:0], self.actions[:0], self.features[:0])


class Sample(NamedTuple):
    """Actions drawn for k decisions."""

    places: Ints  # (k,) place of the action among the legal ones
    log_probs: Floats  # (k,)
    values: Floats  # (k,) expected rewards before the action


Part = TypeVar("Part", bound=tuple[Any, ...])
Draw = Callable[[Batch, np.random.Generator], Sample]


def join(parts: Sequence[Part]) -> Part:
    """Return one named tuple with the arrays of all `parts`, such as one batch of their decisions."""
    return type(parts[0])(*map(np.concatenate, zip(*parts, strict=True)))


def minibatches(rows: Ints, size: int, epochs: int, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield the rows of each step: in every one of `epochs` passes all of them, in a random order, `size` at most."""
    for _ in range(epochs):
        yield from np.array_split(rng.permutation(rows), -(-len(rows) // size))


class Moment(NamedTuple):
    """One action at each table of a group."""

    rows: Ints  # (k,) tables at which the learner had a choice
    seats: Ints  # (k,)
    sample: Sample
    settled: Ints  # (p,) tables with a reward or an end
    rewards: Floats  # (p, seats)
    ends: Flags  # (p,) whether an episode ended there


@dataclass(frozen=True)
class Trajectories:
    """The decisions of the learner at a group of tables, in playing order."""

    shape: tuple[int, int]  # tables, seats
    batches: list[Batch]
    moments: list[Moment]

    def advantages(self, lam: float) -> Floats:
        """Return generalised advantage estimates, (k,), without discount.

        The last decision of a seat in an unfinished game has no advantage (NaN). Its value stands for the rest of the
        game in the advantage of the decision before it.
        """
        value, trace, reward = (np.zeros(self.shape, np.float32) for _ in range(3))
        known = np.zeros(self.shape, bool)  # whether a seat has a later decision, or its episode ended
        parts = []
        for now in reversed(self.moments):
            over = now.settled[now.ends]
            value[over] = trace[over] = reward[over] = 0
            known[over] = True
            reward[now.settled] += now.rewards
            at = now.rows, now.seats
            advantage = np.where(known[at], reward[at] + value[at] - now.sample.values + lam * trace[at], np.nan)
            parts.append(advantage.astype(np.float32))
            value[at], trace[at], reward[at] = now.sample.values, np.where(known[at], advantage, 0), 0
            known[at] = True
        return np.concatenate(parts[::-1])


def joined(played: Sequence[Trajectories], lam: float) -> tuple[Batch, Sample, Floats, Ints]:
    """Return the decisions at groups of tables, their actions, their advantages, and the rows that have one."""
    batch = join([batch for part in played for batch in part.batches])
    sample = join([moment.sample for part in played for moment in part.moments])
    advantages = np.concatenate([part.advantages(lam) for part in played])
    return batch, sample, advantages, np.flatnonzero(~np.isnan(advantages))


@dataclass(frozen=True)
class Rewards:
    """How a learner is rewarded: see its options `reward`, `reward_scale` and `episode`."""

    kind: Literal["score", "points"]
    scale: float
    episode: Literal["game", "round"]


class Tables:
    """A group of tables of one size. Their games go on from one call of `play` to the next.

    Past actions are not recorded, so a search with `belief=moves` weighs sampled deals equally here.

    Args:
        game: The game.
        count: Number of tables.
        rewards: How the learner is rewarded.
        share: Share of new games in which one opponent plays all seats but those of one team.
        features: Whether the policy reads action features instead of observations.
        seed: Seed of the deals.
        group: Number of this group. Groups with different numbers deal different games.
        threads: Number of threads that describe legal actions. Games do not depend on it.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        rewards: Rewards,
        share: float,
        features: bool,
        seed: int,
        group: int,
        threads: int = 1,
    ) -> None:
        self.game, self._rewards, self._share, self._features = game, rewards, share, features
        self._seed, self._first, self._deals = seed, FIRST_DEAL + PART * group, 0
        self.states = game.blanks(count)
        self.opponent = np.full(count, SELF)  # number of the agent that plays the other seats
        self._own = np.ones((count, game.players), bool)  # seats that the learner plays
        self._earned = np.zeros((count, game.players), np.float32)  # rewards of the episode so far
        self._every, self._teams = np.arange(count), np.array(game.team_numbers)
        self._describer, self._slices = Describer(game, count), Slices(threads)

    def play(
        self, draw: Draw, opponents: Mapping[int, Agent], drawable: Ints, steps: int, rng: np.random.Generator
    ) -> Trajectories:
        """Play `steps` actions at every table.

        Args:
            draw: The policy of the learner.
            opponents: Agents by number. A table keeps its agent until its game ends.
            drawable: The numbers from which new games draw their opponent.
            steps: Number of actions.
            rng: The source of random numbers.
        """
        if not self._deals:
            self._deal(self._every, drawable, rng)
        batches, moments = [], []
        for _ in range(steps):
            own = self._own[self._every, self.states["seat"]]
            actions = self._ask(opponents, np.flatnonzero(~own), rng)
            rows, batch = self._look(np.flatnonzero(own), actions)
            seats, sample = self.states["seat"][rows].astype(np.int64), draw(batch, rng)
            actions[rows] = batch.actions[batch.starts + sample.places]
            self.game.drivers.apply_rows(self.states, self._every, actions)
            batches.append(batch)
            moments.append(Moment(rows, seats, sample, *self._pay()))
            over = np.flatnonzero(self.states["over"])
            if len(over):
                self._deal(over, drawable, rng)
        return Trajectories(self._earned.shape, batches, moments)

    def state(self) -> dict[str, Any]:
        """Return the state from which `restore` continues."""
        seating = {"own": self._own.astype(np.int8), "opponent": self.opponent, "earned": self._earned}
        return {"states": self.states, **seating, "deals": self._deals}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self.states[:] = state["states"].view(self.states.dtype).reshape(self.states.shape)
        self._own[:], self._earned[:] = state["own"] == 1, state["earned"]
        self.opponent[:], self._deals = state["opponent"], state["deals"]

    def _ask(self, opponents: Mapping[int, Agent], rows: Ints, rng: np.random.Generator) -> Ints:
        """Return actions for all tables, with those of the opponents at the tables `rows`."""
        actions = np.zeros(len(self.states), np.int64)
        for number in np.unique(self.opponent[rows]).tolist():
            of_agent = rows[self.opponent[rows] == number]
            actions[of_agent] = ask(opponents[number], Observation(self.game, self.states, of_agent), rng)
        return actions

    def _look(self, rows: Ints, actions: Ints) -> tuple[Ints, Batch]:
        """Return those of the tables `rows` that have a choice, and their inputs. Fill in forced actions."""
        game, seats = self.game, self.states["seat"][rows].astype(np.int64)
        if self._features:
            masks, counts = self._describer.find(self.states, rows, seats)
        else:
            views, masks = game.views(self.states, seats, rows)
            counts = masks.sum(axis=1, dtype=np.int64)
        actions[rows] = masks.argmax(axis=1)
        choice = np.flatnonzero(counts > 1)
        rows, seats, masks, counts = rows[choice], seats[choice], masks[choice], counts[choice]
        if not self._features:
            legal = np.nonzero(masks)[1]
            empty = np.empty((len(rows) + len(legal), 0), np.float32)
            return rows, Batch(views[choice], empty[: len(rows)], counts, legal, empty[len(rows) :])
        described = self._describer.begin(counts)
        self._slices.run(partial(self._describer.fill, described, self.states, rows, seats, masks), len(rows))
        none = np.empty((len(rows), 0), game.view.dtype)
        kept = described.tables.copy(), counts, described.actions.copy(), described.features.copy()
        return rows, Batch(none, *kept)

    def _pay(self) -> tuple[Ints, Floats, Flags]:
        """Return the tables with a reward or an end, the rewards of the learner there, and whether it is an end."""
        how, rewards = self._rewards, self.states["rewards"][:, : self.game.players]
        over = self.states["over"] == 1
        rows = np.flatnonzero(over | rewards.any(axis=1))
        ends = over[rows] | (how.episode == "round")
        self._earned[rows] += rewards[rows]
        if how.kind == "points":
            paid = np.tanh(rewards[rows] / how.scale)
        else:
            paid = np.where(ends[:, None], score_rewards(self.game, self._earned[rows].astype(np.float64)), 0)
        self._earned[rows[ends]] = 0
        return rows, paid.astype(np.float32), ends

    def _deal(self, rows: Ints, drawable: Ints, rng: np.random.Generator) -> None:
        """Deal new games, and draw the opponent of each and the team of the learner."""
        game = self.game
        self.states[rows] = game.blanks(len(rows))
        game.drivers.deal_rows(self.states, rows, deal_seeds(self._seed, self._first + self._deals, len(rows)))
        self._deals += len(rows)
        self._earned[rows] = 0
        against = rng.random(len(rows)) < (self._share if len(drawable) else 0)
        drawn = rng.integers(max(1, len(drawable)), size=len(rows))
        self.opponent[rows] = np.where(against, np.append(drawable, SELF)[drawn], SELF)
        team = rng.integers(len(game.teams), size=len(rows))
        self._own[rows] = (self.opponent[rows] == SELF)[:, None] | (self._teams == team[:, None])
