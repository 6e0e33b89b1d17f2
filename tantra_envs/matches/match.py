"""Matches: many tables played to their ends at once, and what the results say.

    outcome = play_tables(game, [greedy, uniform], seating=[[0, 1], [1, 0]], seeds=[5, 5])
    match = play_match(game, [greedy, uniform], lineup=[0, 1], deals=1000)   # duplicate deals, teams rotated
    match.score(0)                                                           # Estimate of agent 0, 0.5 = even

All chance comes from the arguments: the same call gives the same result on any machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Agent, Sight
from tantra_envs.core.state import States

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Progress = Callable[[int], None]
Keep = Callable[[Ints, Ints, "Outcome"], None]  # seating, seeds, and how those tables ended
Look = Callable[[States, Ints, Ints], None]  # all tables, which of them are still going, what is played there next

BLOCK = 256  # deals played side by side; part of the method: another number draws other random numbers
UNSEEN = 0.05  # an interval of 95 % may be wrong this often


@dataclass(frozen=True)
class Outcome:
    """How n tables ended."""

    rewards: Floats  # (n, players), summed over the game
    plies: Ints  # (n,)
    truncated: npt.NDArray[np.bool_]  # (n,)
    states: States  # (n,), the last positions
    actions: Sequence[Ints]  # n lists, in playing order; none unless they were to be recorded


@dataclass(frozen=True)
class Estimate:
    """A mean over `n` deals and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class Match:
    """A line-up over duplicate deals. A row is a deal, the mean over its rotations; a column is an agent."""

    scores: Floats  # (deals, agents), mean of `team_scores` over the agent's teams
    rewards: Floats  # (deals, agents)
    least: float  # the smallest and the largest reward of any seat in any game
    most: float
    plies: float  # mean length of a game
    truncated: float  # share of games that were cut off

    def score(self, agent: int) -> Estimate:
        """Share of the others that `agent` beats; 0.5 is even for any number of players."""
        return estimate(self.scores[:, agent], 0.0, 1.0)

    def reward(self, agent: int) -> Estimate:
        """Mean reward of `agent` per game."""
        return estimate(self.rewards[:, agent], self.least, self.most)


def play_match(
    game: Game,
    agents: Sequence[Agent],
    lineup: Sequence[int],
    deals: int,
    *,
    seed: int = 0,
    first: int = 0,
    block: int = BLOCK,
    shuffled: bool = False,
    keep: Keep | None = None,
    progress: Progress | None = None,
) -> Match:
    """Play `deals` deals once for every rotation of `lineup`, which names an agent (an index) for each of `game.teams`.

    All seats of a team are one agent's; where everyone plays for himself a team is a seat. `shuffled` seats the
    line-up in another order at every deal. Deal d is `game.new((seed << 32) + d)`, counted from `first`. Parts of a
    match that begin with a whole `block` may be played anywhere: `join` makes of them what the whole gives. `keep`
    receives the tables of every block, with their actions. ValueError for a line-up that does not fit the game, or
    that leaves an agent out.
    """
    _check_match(game, agents, lineup, deals, seed)
    if first % block or first < 0:
        raise ValueError(f"first={first} is not allowed; allowed: the beginning of a block of {block} deals")
    parts = []
    for begin in range(first, first + deals, block):
        numbers = np.arange(begin, min(begin + block, first + deals), dtype=np.int64) + (seed << 32)
        orders = np.tile(lineup, (len(numbers), 1))
        if shuffled:
            orders = np.random.default_rng((seed, begin)).permuted(orders, axis=1)
        seating, deal = rotated(game, orders, len(lineup)), np.repeat(numbers, len(lineup))
        outcome = play_tables(
            *(game, agents, seating, deal, (seed, begin)), record=keep is not None, progress=progress
        )  # fmt: skip
        if keep:
            keep(seating, deal, outcome)
        parts.append(_summary(game, len(agents), seating, outcome))
    return join(parts)


def join(parts: Sequence[Match]) -> Match:
    """One match over the deals of all `parts`, in their order."""
    deals = [len(part.scores) for part in parts]
    return Match(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.rewards for part in parts]),
        min(part.least for part in parts),
        max(part.most for part in parts),
        float(np.average([part.plies for part in parts], weights=deals)),
        float(np.average([part.truncated for part in parts], weights=deals)),
    )


def play_alone(game: Game, agents: Sequence[Agent], deals: int, *, seed: int = 0) -> Match:
    """Let each agent play the same deals of a game for one; an agent beats another where it is paid more.

    ValueError for a game of several players.
    """
    if game.players > 1:
        raise ValueError(f"{game.name}: players={game.players} play against one another; allowed: games for one")
    numbers = np.arange(deals, dtype=np.int64) + (seed << 32)
    played = [play_tables(game, [agent], np.zeros((deals, 1), np.int64), numbers, seed) for agent in agents]
    rewards = np.concatenate([outcome.rewards for outcome in played], axis=1)
    return Match(
        team_scores(rewards),
        rewards,
        float(rewards.min()),
        float(rewards.max()),
        float(np.mean([outcome.plies for outcome in played])),
        float(np.mean([outcome.truncated for outcome in played])),
    )


def play_tables(
    game: Game,
    agents: Sequence[Agent],
    seating: npt.ArrayLike,
    seeds: npt.ArrayLike,
    seed: int | Sequence[int] = 0,
    *,
    record: bool = False,
    look: Look | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Play a table for every row of `seating` (n, players), indices into `agents`, dealt from `seeds` (n,).

    In a round every agent is asked once, for all tables where it decides, with its own random numbers drawn from
    `seed`. `record` keeps the actions. `look` is shown (states, rows, actions) before every round. `progress` is told
    how many tables have just ended. ValueError for an action that is no legal one.
    """
    chairs, deals = np.asarray(seating, np.int64), np.asarray(seeds, np.int64)
    _check_seating(game, agents, chairs, deals)
    rngs = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(len(agents))]
    states = game.blanks(len(chairs))
    live = np.arange(len(chairs))
    game.drivers.deal_rows(states, live, deals)
    rewards = np.zeros(chairs.shape)
    rounds: list[tuple[Ints, Ints]] = []
    while len(live):
        deciding = chairs[live, states["seat"][live]]
        actions = np.empty(len(live), np.int64)
        for agent in np.unique(deciding):
            mine = np.flatnonzero(deciding == agent)
            actions[mine] = _ask(agents[agent], Sight(game, states, live[mine]), rngs[agent])
        if record:
            rounds.append((live, actions))
        if look:
            look(states, live, actions)
        game.drivers.apply_rows(states, live, actions)
        rewards[live] += states["rewards"][live, : game.players]
        going = live[states["over"][live] == 0]
        if progress and len(going) < len(live):
            progress(len(live) - len(going))
        live = going
    played = _by_table(len(chairs), rounds) if record else ()
    return Outcome(rewards, states["plies"].astype(np.int64), states["truncated"].astype(bool), states, played)


def rotated(game: Game, orders: Ints, rotations: int) -> Ints:
    """The agent of every seat in the first rotations of each row of `orders` (n, teams): (n * rotations, players)."""
    team_of = np.array([game.teams.index(game.team_of(seat)) for seat in range(game.players)])
    turns = (team_of - np.arange(rotations)[:, None]) % len(game.teams)
    return orders[:, turns].reshape(-1, game.players)


def team_scores(rewards: Floats) -> Floats:
    """(n, teams): the share of the other teams with a smaller reward, and half of those with an equal one."""
    own, other = rewards[:, :, None], rewards[:, None, :]
    beaten = (other < own).sum(axis=2) + ((other == own).sum(axis=2) - 1) / 2
    return np.asarray(beaten / (rewards.shape[1] - 1), np.float64)


def estimate(by_deal: npt.ArrayLike, least: float, most: float) -> Estimate:
    """The mean of independent deals, each value within `least` and `most`, and its 95 % t-interval.

    Tables of one deal depend on one another: give one value per deal. Where deals hardly differ the sample says
    too little about its own spread, so the interval always leaves room for what n deals may have missed: an event
    of probability 1 - 0.05 ** (1 / n) stays unseen once in twenty times, and could pay `least` or `most`.
    """
    values = np.asarray(by_deal, np.float64)
    n = len(values)
    if n == 0:
        raise ValueError("an estimate needs at least one deal")
    mean = float(values.mean())
    spread = float(stdtrit(n - 1, 1 - UNSEEN / 2)) * float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return with_room(mean, mean - spread, mean + spread, n, least, most)


def with_room(mean: float, low: float, high: float, n: int, least: float, most: float) -> Estimate:
    """The interval `low` .. `high`, widened by what n deals may have missed, and cut at `least` and `most`."""
    missed = 1 - UNSEEN ** (1 / n)
    low = max(least, min(low, mean - missed * (mean - least)))
    high = min(most, max(high, mean + missed * (most - mean)))
    return Estimate(mean, low, high, n)


def _by_table(n: int, rounds: Sequence[tuple[Ints, Ints]]) -> list[Ints]:
    """The actions of each of n tables, from the tables and the actions of every round."""
    rows = np.concatenate([live for live, _ in rounds])
    actions = np.concatenate([chosen for _, chosen in rounds])
    ends = np.cumsum(np.bincount(rows, minlength=n))
    return np.split(actions[np.argsort(rows, kind="stable")], ends[:-1])


def _summary(game: Game, agents: int, seating: Ints, outcome: Outcome) -> Match:
    """Tables to deals: the mean of each agent over its teams in all rotations of a deal."""
    speakers = [team[0] for team in game.teams]  # partners are paid alike
    teams = len(speakers)
    own = (seating[:, speakers, None] == np.arange(agents)).reshape(-1, teams * teams, agents)
    rewards = outcome.rewards[:, speakers]

    def by_deal(values: Floats) -> Floats:
        totals = (values.reshape(-1, teams * teams, 1) * own).sum(axis=1)
        return np.asarray(totals / own.sum(axis=1), np.float64)

    return Match(
        by_deal(team_scores(rewards)),
        by_deal(rewards),
        float(rewards.min()),
        float(rewards.max()),
        float(outcome.plies.mean()),
        float(outcome.truncated.mean()),
    )


def _ask(agent: Agent, sight: Sight, rng: np.random.Generator) -> Actions:
    """The agent's actions; ValueError unless there is a legal one for every table."""
    masks = sight.masks.copy()  # what is legal stays so, whatever the agent does to its own
    answer: Any = np.asarray(agent.act(sight, rng))
    if answer.shape != (len(sight),) or not np.issubdtype(answer.dtype, np.integer):
        wanted = f"integers of shape ({len(sight)},)"
        raise ValueError(f"agent {agent.name!r} returned {answer.dtype} of shape {answer.shape}; wanted: {wanted}")
    inside = (answer >= 0) & (answer < masks.shape[1])
    wrong = np.flatnonzero(~(inside & (masks[np.arange(len(answer)), np.where(inside, answer, 0)] == 1)))
    if len(wrong):
        k = int(wrong[0])
        legal = ", ".join(f"{a} ({name})" for a, name in sight.action_names(k).items())
        seat = sight.seats[k]
        raise ValueError(f"agent {agent.name!r} returned the illegal action {answer[k]} as seat {seat}; legal: {legal}")
    return np.asarray(answer, np.int64)


def _check_seating(
    game: Game, agents: Sequence[Agent], chairs: npt.NDArray[np.int64], deals: npt.NDArray[np.int64]
) -> None:
    if chairs.ndim != 2 or chairs.shape[1] != game.players:
        raise ValueError(f"seating has shape {chairs.shape}; wanted: (tables, {game.players})")
    if deals.shape != (len(chairs),):
        raise ValueError(f"seeds have shape {deals.shape}; wanted: one for each of {len(chairs)} tables")
    if chairs.size and not 0 <= chairs.min() <= chairs.max() < len(agents):
        raise ValueError(f"seating names agents {chairs.min()}..{chairs.max()}; allowed: 0..{len(agents) - 1}")


def _check_match(game: Game, agents: Sequence[Agent], lineup: Sequence[int], deals: int, seed: int) -> None:
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; a match needs 2 or more")
    if len(lineup) != len(game.teams) or set(lineup) != set(range(len(agents))):
        allowed = f"an agent for each of {len(game.teams)} {'teams' if game.partners else 'seats'}, "
        allowed += f"every agent 0..{len(agents) - 1} at least once"
        raise ValueError(f"lineup={list(lineup)} is not allowed; allowed: {allowed}")
    if deals < 1:
        raise ValueError(f"deals={deals} is not allowed; allowed: 1 or more")
    if not 0 <= seed < 1 << 31:
        raise ValueError(f"seed={seed} is not allowed; allowed: 0..{(1 << 31) - 1}")
