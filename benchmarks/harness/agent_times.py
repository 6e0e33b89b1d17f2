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
from tantra_envs.measures import Transitions
from tantra_envs.programs.files import write_json
from tantra_envs.programs.progress import progress

from . import records
from .oracle import OpenObservation, Oracle
from .plans import scripted_games

DECISIONS = 40  # positions at which an agent is timed, at most
DEALS = 4  # deals that these positions come from


def milliseconds(players: Mapping[str, tuple[Game, Agent]], file: Path) -> dict[str, float]:
    """Return the milliseconds of CPU time per decision of every agent at its table. Each is saved in `file`."""
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
    past, tables = Past(game, DEALS), game.blanks(DEALS)

    def observe(t: Transitions) -> None:
        for i in np.flatnonzero(Observation(game, t.before).action_mask.sum(axis=1) > 1):
            observations.append(kind(game, t.before[i : i + 1].copy(), np.arange(1), past.at([t.rows[i]])))
        tables[t.rows] = t.before
        past.note(tables, t.rows, t.actions)

    records.replay(scripted_games(game, 0, DEALS), observe)
    places = np.linspace(0, len(observations) - 1, min(DECISIONS, len(observations)))
    return [observations[place] for place in places.astype(np.int64)]
