"""The opponents of a learner: one agent, one agent for each seat, or a sampler that draws agents for every game."""

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
COMPILED = "uniform"  # these opponents play in compiled code
_ALLOWED = f"{', '.join(map(repr, OPPONENTS))}, 'FILE.py:CLASS', an agent"


@runtime_checkable
class OpponentSampler(Protocol):
    """A pool of agents that draws an agent for each seat. It is called for one table at a time, at every new deal."""

    @property
    def agents(self) -> Sequence[Agent]:
        """The agents that the indices of `draw` refer to. An index keeps its agent as long as a table plays with it."""
        ...

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Ints:
        """Return an index into `agents` for each new table and seat, shape (tables, players), drawn with `rng`."""
        ...


Opponents = str | Agent | Sequence[str | Agent] | OpponentSampler | None


class OneForEachSeat:
    """One agent for each seat of the others, in order from the seat after the learner's; or one for all of them."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = list(agents)

    def seated(self, learners: Ints, mine: Ints, players: int) -> Ints:
        """Return the agent of every seat, (tables, players). Entries at the learner's seats have no meaning.

        Args:
            learners: The learner's seat at each table, (tables,).
            mine: All seats of the learner at each table, (tables,): an integer with one bit for each seat.
            players: Seats at a table.
        """
        seats = (learners[:, None] + 1 + np.arange(players)) % players
        others = mine[:, None] >> seats & 1 == 0
        sitting = np.zeros((len(learners), players), np.int64)
        np.put_along_axis(sitting, seats, np.where(others, others.cumsum(axis=1) - 1, 0), axis=1)
        return sitting % len(self.agents)


def sampler_of(opponents: Opponents, game: Game, seats: int) -> OpponentSampler | OneForEachSeat | None:
    """Make the agents that `opponents` names for `seats` seats, or return None for uniform legal play.

    Raises:
        ValueError: `opponents` is neither an agent nor a sampler, or it is a list of another length.
    """
    if opponents is None or (isinstance(opponents, str) and opponents == COMPILED):
        return None
    if isinstance(opponents, str):
        return OneForEachSeat([opponent(opponents, game)])
    if isinstance(opponents, (list, tuple)):
        return _one_for_each(opponents, game, seats)
    candidate: Any = opponents
    plays = _is_agent(candidate) or (not isinstance(candidate, type) and isinstance(candidate, OpponentSampler))
    game.check("opponents", candidate, plays, f"None, {_ALLOWED}, a list of {seats} of these, an OpponentSampler")
    return candidate if isinstance(candidate, OpponentSampler) else OneForEachSeat([candidate])


def _one_for_each(opponents: Sequence[str | Agent], game: Game, seats: int) -> OneForEachSeat:
    """Make one agent for each seat of the others; raise ValueError for a wrong number or an unknown agent."""
    one_each = f"a list of {seats}, one for each other seat in order after the learner's, or one agent for all"
    game.check("opponents", list(opponents), len(opponents) == seats > 0, one_each)
    agents = []
    for place, entry in enumerate(opponents):
        if not isinstance(entry, str):
            game.check(f"opponents[{place}]", entry, _is_agent(entry), f"{_ALLOWED}")
        try:
            agents.append(opponent(entry, game) if isinstance(entry, str) else entry)
        except ValueError as error:
            raise ValueError(f"opponents[{place}]: {error}") from None
    return OneForEachSeat(agents)


def _is_agent(candidate: Any) -> bool:
    return not isinstance(candidate, type) and hasattr(candidate, "act")


def seating(sampler: OpponentSampler | OneForEachSeat, game: Game, streams: Ints, learners: Ints, mine: Ints) -> Ints:
    """Return the agent of every seat at new tables, (tables, players), drawn from the tables' own streams.

    `streams` is (tables, 4). `learners` and `mine`, (tables,), are those of `OneForEachSeat.seated`.

    Raises:
        ValueError: The sampler returned something else than indices of its agents.
    """
    if isinstance(sampler, OneForEachSeat):
        return sampler.seated(learners, mine, game.players)
    chance = TableChance(streams, np.full(len(streams), BEFORE_THE_FIRST))
    rows = [_drawn(sampler, game, chance.generator(table)) for table in range(len(chance))]
    return np.concatenate(rows)


def _drawn(sampler: OpponentSampler, game: Game, rng: np.random.Generator) -> Ints:
    """Return the agent of every seat of one new table, (1, players)."""
    shape, among = (1, game.players), len(sampler.agents)
    indices: Any = np.asarray(sampler.draw(*shape, rng))
    if indices.shape != shape or indices.dtype.kind not in "iu" or not ((indices >= 0) & (indices < among)).all():
        actual, allowed = f"{indices.dtype} of shape {indices.shape}", f"integers of shape {shape}, each 0..{among - 1}"
        raise ValueError(f"{game.name}: the opponents drew {actual}; allowed: {allowed}")
    return np.array(indices, np.int64)
