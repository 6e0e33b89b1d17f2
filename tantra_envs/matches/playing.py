"""The one loop in which agents play: tables dealt, agents asked, their answers checked, to the end.

    outcome = play_tables(game, [greedy, uniform], seating=[[0, 1], [1, 0]], seeds=[5, 5])

All chance comes from the arguments: the same call gives the same result on any machine. `ask` is the only place
where an agent's answer becomes actions; compiled code sees nothing that has not gone through it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.observation import Actions, Agent, Observation
from ..core.past import Past, remembered
from ..core.state import States

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Progress = Callable[[int], None]
Observe = Callable[[Game, States, Ints, Past | None], Observation]
Look = Callable[[States, Ints, Ints], None]  # all tables, which of them are still going, what is played there next


@dataclass(frozen=True)
class Outcome:
    """How n tables ended."""

    rewards: Floats  # (n, players), summed over the game
    plies: Ints  # (n,)
    truncated: npt.NDArray[np.bool_]  # (n,)
    states: States  # (n,), the last positions
    actions: Sequence[Ints]  # n lists, in playing order; none unless they were to be recorded


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
    """Play a table for every row of `seating` (n, players), indices into `agents`, dealt from `seeds` (n,).

    In a round every agent is asked once, for all tables where it decides, with its own random numbers drawn from
    `seed`. `record` keeps the actions. `look` is shown (states, rows, actions) before every round. `progress` is
    called with the number of tables that have just ended. `observation` makes what agents are shown. ValueError for an
    action that is no legal one.
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
    """What is played at the tables `live`: every agent is asked once, for those where it is `deciding`."""
    actions = np.empty(len(live), np.int64)
    for agent in np.unique(deciding):
        mine = np.flatnonzero(deciding == agent)
        actions[mine] = ask(agents[agent], observation(game, states, live[mine], past), rngs[agent])
    return actions


def ask(agent: Agent, obs: Observation, rng: np.random.Generator) -> Actions:
    """The agent's actions, (k,) int64 for the k tables of `obs`; ValueError unless each is a legal one."""
    masks = obs.action_mask.copy()  # what is legal stays so, whatever the agent does to its own
    answer: Any = np.asarray(agent.act(obs, rng))
    if answer.shape != (len(obs),) or answer.dtype.kind not in "iu":
        wanted = f"integers of shape ({len(obs)},)"
        raise ValueError(f"agent {agent.name!r} returned {answer.dtype} of shape {answer.shape}; wanted: {wanted}")
    inside = (answer >= 0) & (answer < masks.shape[1])
    wrong = np.flatnonzero(~(inside & (masks[np.arange(len(answer)), np.where(inside, answer, 0)] == 1)))
    if len(wrong):
        k = int(wrong[0])
        legal = ", ".join(f"{a} ({name})" for a, name in obs.action_names(k).items())
        seat = obs.seat[k]
        raise ValueError(f"agent {agent.name!r} returned the illegal action {answer[k]} as seat {seat}; legal: {legal}")
    return np.array(answer, np.int64)  # a copy: nobody else can write to it, and it lies as compiled code wants it


def _by_table(n: int, rounds: Sequence[tuple[Ints, Ints]]) -> list[Ints]:
    """The actions of each of n tables, from the tables and the actions of every round."""
    rows = np.concatenate([live for live, _ in rounds])
    actions = np.concatenate([chosen for _, chosen in rounds])
    ends = np.cumsum(np.bincount(rows, minlength=n))
    return np.split(actions[np.argsort(rows, kind="stable")], ends[:-1])


def _checked(game: Game, agents: Sequence[Agent], seating: npt.ArrayLike, seeds: npt.ArrayLike) -> tuple[Ints, Ints]:
    """Both as arrays of their own; ValueError if they do not fit the game, the agents or one another."""
    chairs, deals = _integers("seating", seating), _integers("seeds", seeds)
    if chairs.ndim != 2 or chairs.shape[1] != game.players:
        raise ValueError(f"seating has shape {chairs.shape}; wanted: (tables, {game.players})")
    if deals.shape != (len(chairs),):
        raise ValueError(f"seeds have shape {deals.shape}; wanted: one for each of {len(chairs)} tables")
    if chairs.size and not 0 <= chairs.min() <= chairs.max() < len(agents):
        raise ValueError(f"seating names agents {chairs.min()}..{chairs.max()}; allowed: 0..{len(agents) - 1}")
    return chairs, deals


def _integers(name: str, given: npt.ArrayLike) -> Ints:
    """A copy; ValueError if a number would be cut short."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu":
        raise ValueError(f"{name}: {numbers.dtype} is not allowed; allowed: integers")
    return np.array(numbers, np.int64)
