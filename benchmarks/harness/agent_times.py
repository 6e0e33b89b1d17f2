"""Time agents: milliseconds per decision, for all agents at the same positions of scripted play."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tantra_envs.core.asking import answer_of
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.core.past import Past
from tantra_envs.core.state import States
from tantra_envs.matches.playing import Ints, play_tables
from tantra_envs.opponents.scripted import Scripted
from tantra_envs.programs.files import write_json
from tantra_envs.programs.progress import progress

from .oracle import OpenObservation, Oracle

DECISIONS = 40  # positions at which an agent is timed, at most
DEALS = 4  # deals that these positions come from


def milliseconds(players: Mapping[str, tuple[Game, Agent]], file: Path) -> dict[str, float]:
    """Return the milliseconds per decision of every agent at its table. Each is timed once and saved in `file`.

    Every agent acts at the same positions of scripted play, one table at a time. The CPU time of all threads is
    counted, so other programs on the machine matter little.
    """
    times: dict[str, float] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    with progress("times measured", len(players)) as advance:
        for name in players:
            if name not in times:
                times[name] = _timed(*players[name])
                write_json(file, times)
            advance(1)
    return {name: times[name] for name in players}


def _timed(game: Game, agent: Agent) -> float:
    """Return the mean over the positions. The first call is not counted because it may compile or load."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    kind = OpenObservation if isinstance(agent, Oracle) else Observation
    observations, rng = positions(game, kind), np.random.default_rng(0)
    answer_of(agent, observations[0], rng)
    began = time.process_time()
    for obs in observations:
        answer_of(agent, obs, rng)
    return 1000 * (time.process_time() - began) / len(observations)


def positions(game: Game, kind: type[Observation]) -> list[Observation]:
    """Return observations spread evenly over some deals of scripted play: one table each, two legal actions or more."""
    observations: list[Observation] = []
    past = Past(game, DEALS)

    def look(states: States, live: Ints, actions: Ints) -> None:
        for row in live[Observation(game, states, live).action_mask.sum(axis=1) > 1].tolist():
            observations.append(kind(game, states[row : row + 1].copy(), np.arange(1), past.at([row])))
        past.note(states, live, actions)

    seating = np.zeros((DEALS, game.players), np.int64)
    play_tables(game, [Scripted(game)], seating, np.arange(DEALS), look=look)
    return [
        observations[i]
        for i in np.linspace(0, len(observations) - 1, min(DECISIONS, len(observations))).astype(np.int64)
    ]
