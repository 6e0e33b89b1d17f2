"""The opponents of a learner: an agent or its name, one for each seat, or a sampler that draws who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..core.chance import BEFORE_THE_FIRST, TableChance
from ..core.game import Game
from ..core.observation import Agent
from ..opponents import OPPONENTS, opponent

Ints = npt.NDArray[np.int64]
COMPILED = "uniform"  # plays in compiled code: nobody has to be asked
_ALLOWED = f"{', '.join(map(repr, OPPONENTS))}, 'FILE.py:CLASS', an agent"


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


Opponents = str | Agent | Sequence[str | Agent] | OpponentSampler | None


class SingleOpponent:
    """One agent on all seats of all tables."""

    def __init__(self, agent: Agent) -> None:
        self.agents = [agent]

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Ints:
        """Always that one: zeros (tables, players)."""
        return np.zeros((tables, players), np.int64)


class OneForEachSeat:
    """An agent for each seat that is not the learner's, in turn from the seat after the learner's on."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = list(agents)

    def seated(self, learners: Ints, mine: Ints, players: int) -> Ints:
        """Return the agent of every seat, (tables, players); those of the learner's seats do not matter.

        Args:
            learners: The learner's seat at each table, (tables,).
            mine: All seats of the learner at each table, (tables,): a number with a bit set for each.
            players: Seats at a table.
        """
        seats = (learners[:, None] + 1 + np.arange(players)) % players
        others = mine[:, None] >> seats & 1 == 0
        sitting = np.zeros((len(learners), players), np.int64)
        np.put_along_axis(sitting, seats, np.where(others, others.cumsum(axis=1) - 1, 0), axis=1)
        return sitting


def sampler_of(opponents: Opponents, game: Game, seats: int) -> OpponentSampler | OneForEachSeat | None:
    """Make the agents that `opponents` names for `seats` seats, or return None for uniform legal play.

    ValueError if it is nothing that can play, or a list of another length.
    """
    if opponents is None or (isinstance(opponents, str) and opponents == COMPILED):
        return None
    if isinstance(opponents, str):
        return SingleOpponent(opponent(opponents, game))
    if isinstance(opponents, (list, tuple)):
        return _one_for_each(opponents, game, seats)
    given: Any = opponents
    plays = _is_agent(given) or (not isinstance(given, type) and isinstance(given, OpponentSampler))
    game.check("opponents", given, plays, f"None, {_ALLOWED}, a list of {seats} of these, or a sampler of some")
    return given if isinstance(given, OpponentSampler) else SingleOpponent(given)


def _one_for_each(opponents: Sequence[str | Agent], game: Game, seats: int) -> OneForEachSeat:
    """Make an agent for each seat that is not the learner's; ValueError if there are more, fewer or others."""
    one_each = f"a list of {seats}, one for each other seat from the learner's left on, or one for all"
    game.check("opponents", list(opponents), len(opponents) == seats > 0, one_each)
    agents = []
    for place, given in enumerate(opponents):
        if not isinstance(given, str):
            game.check(f"opponents[{place}]", given, _is_agent(given), f"{_ALLOWED}")
        try:
            agents.append(opponent(given, game) if isinstance(given, str) else given)
        except ValueError as error:
            raise ValueError(f"opponents[{place}]: {error}") from None
    return OneForEachSeat(agents)


def _is_agent(given: Any) -> bool:
    return not isinstance(given, type) and hasattr(given, "act")


def seating(sampler: OpponentSampler | OneForEachSeat, game: Game, streams: Ints, learners: Ints, mine: Ints) -> Ints:
    """Return who sits where at new tables, (tables, players), each drawn from its own stream, (tables, 4).

    `learners` and `mine` (tables,) are as in `OneForEachSeat.seated`. ValueError if the sampler has no such agent.
    """
    if isinstance(sampler, OneForEachSeat):
        return sampler.seated(learners, mine, game.players)
    if isinstance(sampler, SingleOpponent):
        return np.zeros((len(streams), game.players), np.int64)
    chance = TableChance(streams, np.full(len(streams), BEFORE_THE_FIRST))
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
