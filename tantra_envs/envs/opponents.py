"""Who plays the other seats: a name, an agent, or a sampler that draws who of several sits where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..core.chance import TableChance
from ..core.game import Game
from ..core.observation import Agent
from ..opponents import OPPONENTS, opponent

Ints = npt.NDArray[np.int64]
COMPILED = "uniform"  # plays in compiled code: nobody has to be asked


@runtime_checkable
class OpponentSampler(Protocol):
    """A pool of agents, and who of them sits where: asked at every new deal, for one table at a time."""

    @property
    def agents(self) -> Sequence[Agent]:
        """The agents whose indices `draw` gives."""
        ...

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Ints:
        """Return an index into `agents` for each new table and seat, shape (tables, players). Chance is from `rng`."""
        ...


Opponents = str | Agent | OpponentSampler | None


class SingleOpponent:
    """One agent on all seats of all tables."""

    def __init__(self, agent: Agent) -> None:
        self.agents = [agent]

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Ints:
        """Always that one: zeros (tables, players)."""
        return np.zeros((tables, players), np.int64)


def sampler_of(opponents: Opponents, game: Game) -> OpponentSampler | None:
    """Whoever `opponents` names, or None for uniform legal play; ValueError if it is nothing that can play."""
    if opponents is None or (isinstance(opponents, str) and opponents == COMPILED):
        return None
    if isinstance(opponents, str):
        return SingleOpponent(opponent(opponents, game))
    given: Any = opponents
    plays = not isinstance(given, type) and (hasattr(given, "act") or isinstance(given, OpponentSampler))
    game.check("opponents", given, plays, f"None, {', '.join(map(repr, OPPONENTS))}, an agent, or a sampler of some")
    return given if isinstance(given, OpponentSampler) else SingleOpponent(given)


def seating(sampler: OpponentSampler, game: Game, chance: TableChance) -> Ints:
    """Return who sits where at the new tables of `chance`, (tables, players), each drawn from its own stream.

    ValueError if the sampler has no such agent.
    """
    if isinstance(sampler, SingleOpponent):
        return np.zeros((len(chance), game.players), np.int64)
    drawn = [_drawn(sampler, game, chance.generator(table)) for table in range(len(chance))]
    return np.concatenate(drawn)


def _drawn(sampler: OpponentSampler, game: Game, rng: np.random.Generator) -> Ints:
    """Return the agent of every seat of one new table, (1, players)."""
    shape, among = (1, game.players), len(sampler.agents)
    drawn: Any = np.asarray(sampler.draw(*shape, rng))
    if drawn.shape != shape or drawn.dtype.kind not in "iu" or not ((drawn >= 0) & (drawn < among)).all():
        given, wanted = f"{drawn.dtype} of shape {drawn.shape}", f"integers of shape {shape}, each 0..{among - 1}"
        raise ValueError(f"{game.name}: the opponents drew {given}; wanted: {wanted}")
    return np.array(drawn, np.int64)
