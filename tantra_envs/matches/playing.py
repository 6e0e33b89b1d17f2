"""The loop in which agents play games to the end: deal tables, call the agents, check their actions.

    outcome = play_tables(game, [greedy, uniform], seating=[[0, 1], [1, 0]], seeds=[5, 5])

All random numbers follow from the arguments, so a call gives the same result on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.asking import ask
from ..core.game import Game
from ..core.observation import Actions, Agent, Observation
from ..core.past import Past, remembered
from ..core.state import States

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Progress = Callable[[int], None]
Observe = Callable[[Game, States, Ints, Past | None], Observation]
Look = Callable[[States, Ints, Ints], None]  # all tables, the rows of those still running, and their next actions


@dataclass(frozen=True)
class Outcome:
    """The results of n tables."""

    rewards: Floats  # (n, players), summed over the game
    plies: Ints  # (n,)
    truncated: npt.NDArray[np.bool_]  # (n,)
    states: States  # (n,), the last positions
    actions: Sequence[Ints]  # one list for each table, in playing order; empty unless recorded


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
    observation: Observe = Observation,
) -> Outcome:
    """Play one table for every row of `seating` to its end.

    In every round each agent is called once, for all tables where it is to decide. It draws from its own generator.

    Args:
        game: The game.
        agents: The agents.
        seating: The index of the agent at every seat, (n, players).
        seeds: The seed of the deal at every table, (n,).
        seed: Seed of the agents' generators.
        record: Record the actions.
        look: Called with (states, rows, actions) before every round.
        progress: Called with the number of tables that have just ended.
        observation: Makes the observations of the agents.

    Raises:
        AgentError: An agent failed or returned an illegal action. It is a ValueError.
    """
    chairs, deals = _checked(game, agents, seating, seeds)
    rngs = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(len(agents))]
    states, live = game.blanks(len(chairs)), np.arange(len(chairs))
    game.drivers.deal_rows(states, live, deals)
    rewards, past = np.zeros(chairs.shape), remembered(game, agents, len(chairs))
    rounds: list[tuple[Ints, Ints]] = []
    while len(live):
        actions = _ask_all(game, agents, rngs, states, live, chairs[live, states["seat"][live]], past, observation)
        if record:
            rounds.append((live, actions))
        if look:
            look(states, live, actions)
        if past:
            past.note(states, live, actions)
        game.drivers.apply_rows(states, live, actions)
        rewards[live] += states["rewards"][live, : game.players]
        going = live[states["over"][live] == 0]
        if progress and len(going) < len(live):
            progress(len(live) - len(going))
        live = going
    played = _by_table(len(chairs), rounds) if record else ()
    return Outcome(rewards, states["plies"].astype(np.int64), states["truncated"].astype(bool), states, played)


def _ask_all(
    game: Game,
    agents: Sequence[Agent],
    rngs: Sequence[np.random.Generator],
    states: States,
    live: Ints,
    deciding: Ints,
    past: Past | None,
    observation: Observe,
) -> Actions:
    """Return the actions at the tables `live`; each agent is called once, for the tables where it is `deciding`."""
    actions = np.empty(len(live), np.int64)
    for agent in np.unique(deciding):
        mine = np.flatnonzero(deciding == agent)
        actions[mine] = ask(agents[agent], observation(game, states, live[mine], past), rngs[agent])
    return actions


def _by_table(n: int, rounds: Sequence[tuple[Ints, Ints]]) -> list[Ints]:
    """Return the actions of each of n tables, from the tables and the actions of every round."""
    rows = np.concatenate([live for live, _ in rounds])
    actions = np.concatenate([chosen for _, chosen in rounds])
    ends = np.cumsum(np.bincount(rows, minlength=n))
    return np.split(actions[np.argsort(rows, kind="stable")], ends[:-1])


def _checked(game: Game, agents: Sequence[Agent], seating: npt.ArrayLike, seeds: npt.ArrayLike) -> tuple[Ints, Ints]:
    """Return copies of both as arrays; raise ValueError if they do not fit the game, the agents or each other."""
    chairs, deals = _integers("seating", seating), _integers("seeds", seeds)
    if chairs.ndim != 2 or chairs.shape[1] != game.players:
        raise ValueError(f"seating has shape {chairs.shape}; allowed: (tables, {game.players})")
    if deals.shape != (len(chairs),):
        raise ValueError(f"seeds have shape {deals.shape}; allowed: one for each of {len(chairs)} tables")
    if chairs.size and not 0 <= chairs.min() <= chairs.max() < len(agents):
        raise ValueError(f"seating has agents {chairs.min()}..{chairs.max()}; allowed: 0..{len(agents) - 1}")
    return chairs, deals


def _integers(name: str, values: npt.ArrayLike) -> Ints:
    """Return a copy as int64; raise ValueError unless all numbers are integers."""
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "iu":
        raise ValueError(f"{name}: {numbers.dtype} is not allowed; allowed: integers")
    return np.array(numbers, np.int64)
