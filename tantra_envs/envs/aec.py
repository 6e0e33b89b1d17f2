"""One table as a PettingZoo AEC environment. All AEC bookkeeping is in this module."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from .. import drawing
from ..core.admission import check_consistent
from ..core.compiled.drivers import LOOK, OVER, PAID, SEAT
from ..core.features import Describer
from ..core.game import Game, Mask, View
from ..core.observation import Agent
from ..core.opinions import opinions_on
from ..core.options import SWITCHES
from ..core.state import States
from ..core.state import flat as numbers_of
from ..expected_scores import expected_scores
from ..matches.match import score_rewards
from .episode import NoGameError, action_id, check_score_reward, checked_options, checked_seed, first_state
from .render_modes import Renderer, render_modes
from .views import features_space, listed

Observation = Any  # a dict with `observation` and `action_mask`; with `flat=True` only the observation array
FLOAT32, INT8 = np.dtype(np.float32), np.dtype(np.int8)  # NumPy is faster with a dtype than with a type


class TableEnv(AECEnv):
    """A table of `game` as a PettingZoo AEC environment. The agents `player_0` .. `player_{n-1}` are the seats.

    Observations are dicts: `observation` is (view.size,) float32 and `action_mask` is (actions.size,) int8. The mask is
    all zero for an agent that is not to decide. `infos` repeat the mask and contain `game.episode_info`. With
    `flat=True` an observation is the float32 array only; the mask is in `infos` and in `action_mask(agent)`. With
    `score_reward=True` the rewards are those of `score_rewards` at the end of the game, and 0 before.

    One agent can act several times in a row. All agents end together. `reset(options=)` takes `position`, or the
    options of a deal (`deck`, `dealer`, ..). Unknown keys are ignored, with a warning if one looks misspelt.

    In "human" mode every reset and step prints the table. The other modes are "ansi", "svg" and "rgb_array".
    """

    # `reset` sets all of these.
    # The table: its start, its actions, its current record, and the observation of the seat to decide.
    _start: States
    _actions: list[int]
    _states: States
    _last: drawing.Move | None  # the last action, if this game has drawings
    _decider: str  # the agent to decide; PettingZoo moves `agent_selection` on among agents that are done
    _view: View
    _mask: Mask  # over action ids
    _paid: bool  # whether the last action gave rewards
    _rounds: int  # number of ended rounds that the infos include

    # The attributes that PettingZoo requires, by agent.
    agent_selection: str
    rewards: dict[str, float]
    _cumulative_rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    def __init__(
        self, game: Game, render_mode: str | None = None, flat: bool = False, score_reward: bool = False
    ) -> None:
        game.check_in("flat", flat, SWITCHES)
        self.metadata = {
            "name": game.name,
            "render_modes": render_modes(game),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        check_score_reward(game, score_reward)
        self.game = game
        self._flat, self._score_reward = flat, score_reward
        self._renderer = Renderer(game, render_mode)
        self.render_mode = self._renderer.mode
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self._begun = False
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces = [self._new_spaces() for _ in self.possible_agents]
        self._no_mask = np.zeros(self._spaces[0][1].n, np.int8)  # shared by agents that are not to decide, so read-only
        self._no_mask.flags.writeable = False
        self._narrow = np.empty(game.view.size, game.view.dtype)  # scratch
        self._seeds = np.random.default_rng()
        size = numbers_of(game.blank).shape[1]
        limit = np.float32(2**31)
        self.state_space = gymnasium.spaces.Box(-limit, limit, (size,), np.float32)

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the observation space of `agent`, as one object for all calls."""
        return self._spaces[self._seat(agent)][0]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Return the action space of `agent`, as one object for all calls."""
        return self._spaces[self._seat(agent)][1]

    # Play

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new game. `seed` gives the deal of `game.new(seed)` and starts the series of later deals."""
        seed, deal_options = checked_seed(self.game, seed), checked_options(self.game, options)
        series = copy.deepcopy(self._seeds) if seed is None else np.random.default_rng(seed)
        start = first_state(self.game, int(series.integers(2**63)) if seed is None else seed, deal_options)
        self._seeds = series
        self._begin(start)
        self._draw()

    def step(self, action: Any) -> None:
        """Play `action` for `agent_selection`.

        Raises:
            ValueError: The action is illegal, or no game is running. Nothing has changed.
        """
        if not self.agents:
            raise NoGameError(self.game.name)
        if self._advance(action):
            self._draw()

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last step, terminated, truncated and info of `agent_selection`.

        Raises:
            NoGameError: No game is running, or all agents have seen its end. It is a ValueError.
        """
        if not self.agents:
            raise NoGameError(self.game.name)
        agent = self.agent_selection
        observation = self.observe(agent) if observe else None
        reward, info = self._cumulative_rewards[agent], self.infos[agent]
        return observation, reward, self.terminations[agent], self.truncations[agent], info

    def observe(self, agent: str) -> Observation:
        """Return the current observation of `agent`. Its arrays are never changed later.

        Raises:
            NoGameError: `reset` has not been called yet. It is a ValueError.
            ValueError: There is no agent of this name.
        """
        self._check_begun()
        if agent == self._decider:
            view, mask = self._view, self._mask
        else:
            view, mask = self.game.observation(self._states, self._seat(agent)), self._no_mask
        return view if self._flat else {"observation": view, "action_mask": mask}

    def action_mask(self, agent: str) -> Mask:
        """Return the legal actions of `agent`, int8 of the size of its action space. Read only.

        They are all zero if the agent is not to decide.

        Raises:
            NoGameError: `reset` has not been called yet. It is a ValueError.
            ValueError: There is no agent of this name.
        """
        self._check_begun()
        self._seat(agent)
        return self._mask if agent == self._decider else self._no_mask

    def state(self) -> npt.NDArray[np.float32]:
        """Return the whole record of the table, with hidden cards but without its random stream, float32 (size,)."""
        self._check_begun()
        numbers: npt.NDArray[np.float32] = numbers_of(self._states)[0]
        return numbers

    def position(self) -> dict[str, Any]:
        """Return the whole table as a dict, with hidden cards and its random stream, for `reset(options=)` and JSON."""
        self._check_begun()
        return self.game.position(self._states, full=True)

    def round_info(self) -> dict[str, Any]:
        """Return facts about the round that ended last, see `game.round_info`."""
        self._check_begun()
        return self.game.round_info(self._states)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the table with all cards open: text, or pixels (height, width, 3).

        "human" mode prints it instead and returns None.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() needs a render_mode: {', '.join(render_modes(self.game))}")
            return None
        self._check_begun()
        picture: str | npt.NDArray[np.uint8] | None
        picture = self._renderer.show(self._states, None, self._last, self.possible_agents)
        return picture

    def _repr_svg_(self) -> str | None:
        """Return a drawing of the table for a notebook, with all cards open."""
        if not self._begun or not drawing.is_drawn(self.game):
            return None
        return drawing.draw(self.game, self._states, legal=False, names=self.possible_agents)

    def replay(
        self, names: Sequence[str] | None = None, seat: int | None = None, agents: Sequence[Agent | None] = ()
    ) -> drawing.Replay:
        """Return the game so far as a page to step through.

        Args:
            names: Names of the seats; None = the names of the agents.
            seat: The seat whose observations are shown; None = all cards open, and every seat.
            agents: One agent, or None, for each seat. The page shows how they rate its actions, if they can explain
                them.
        """
        self._check_begun()
        self.game.check("agents", agents, len(agents) in (0, self.game.players), f"none, or {self.game.players}")
        thoughts = opinions_on(self.game, self._start, self._actions, agents) if agents else None
        names = names or self.possible_agents
        scores = expected_scores(self.game, self._start, self._actions)
        return drawing.replay(self.game, self._start, self._actions, names, seat=seat, thoughts=thoughts, scores=scores)

    def close(self) -> None:
        """Do nothing, because nothing is open. PettingZoo wants it where there is `render`."""

    # Copies

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Restore a pickled environment; raise ValueError if its tables are damaged."""
        self.__dict__.update(attributes)
        self._no_mask.flags.writeable = False
        if self._begun:
            check_consistent(self.game, np.concatenate([self._start, self._states]))

    def __deepcopy__(self, memo: dict[int, Any]) -> TableEnv:
        copied = self.__class__.__new__(self.__class__)
        memo[id(self)], memo[id(self._no_mask)] = copied, self._no_mask
        copied.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return copied

    def clone(self) -> TableEnv:
        """Return an independent copy of this table with the same future random numbers."""
        return copy.deepcopy(self)

    # Bookkeeping

    def _begin(self, start: States) -> None:
        """Put the table at the first decision of `start`."""
        self._begun = True
        self._start, self._states = start, start.repeat(1)
        self._actions = []
        self._last = None
        seat = int(start["seat"][0])
        narrow, factors = self._narrow, self.game.view.factors
        self._view, self._mask = np.empty(self.game.view.size, FLOAT32), np.empty(self.game.actions.size, INT8)
        self.game.drivers.step_row(self._states, 0, LOOK, narrow, factors, self._view, self._mask)
        self._paid = False
        self._totals = np.zeros((1, self.game.players))  # the rewards of the game so far, for scores
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_mask} for agent in self.agents}
        self._inform()
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[seat]
        self._select(self.agent_selection)
        if start["over"][0]:
            self._end()

    def _advance(self, action: Any) -> bool:
        """Step for `agent_selection`; return whether the game was still running before."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return False
        view, mask = np.empty(len(self._view), FLOAT32), np.empty(len(self._mask), INT8)
        before = self._states.copy() if self._renderer.draws else None
        flags = self._play(action, view, mask)
        if before is not None:
            self._last = drawing.move(self.game, before, self._actions[-1], self._last)
        self._view, self._mask = view, mask
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
        rewards = self._rewards_after(flags)
        self._paid = rewards is not None
        if rewards is not None:
            self._pay(rewards)
        if flags & OVER:
            self._end()
        elif self.game.info_fields or (self.game.rounds and self._rounds != self._rounds_ended()):
            self._inform()
        self._select(self.possible_agents[flags & SEAT])
        return True

    def _play(self, action: Any, view: View, mask: Mask) -> int:
        """Apply `action` and fill in the observation of the next seat to decide; raise ValueError if it is illegal."""
        number, flags = action_id(action), -1
        if 0 <= number < len(mask):  # a huge number must not reach compiled code
            narrow, factors = self._narrow, self.game.view.factors
            flags = self.game.drivers.step_row(self._states, 0, number, narrow, factors, view, mask)
        if flags < 0:
            self.game.check_action(self._states, self.game.mask(self._states), action)
        self._actions.append(number)
        return flags

    def _rewards_after(self, flags: int) -> list[float] | None:
        """Return the rewards of the last action for every seat, or None if it gave none."""
        rewards = self._states["rewards"][0, : self.game.players]
        if not self._score_reward:
            return rewards.tolist() if flags & PAID else None
        self._totals += rewards
        return score_rewards(self.game, self._totals)[0].tolist() if flags & OVER else None

    def _pay(self, rewards: list[float]) -> None:
        self.rewards.update(zip(self.possible_agents, rewards, strict=True))
        self._accumulate_rewards()

    def _end(self) -> None:
        ended = self.truncations if self._states["truncated"][0] else self.terminations
        for agent in self.agents:
            ended[agent] = True
        self._inform()

    def _inform(self) -> None:
        """Write the facts of the episode so far into the infos of all agents."""
        self._rounds = self._rounds_ended()
        facts = {key: int(numbers[0]) for key, numbers in self.game.episode_info(self._states).items()}
        for agent in self.agents:
            self.infos[agent] = {**self.infos[agent], **facts}

    def _rounds_ended(self) -> int:
        rounds = self.game.rounds
        return int(self._states[rounds.counter][0]) if rounds else 0

    def _draw(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _check_begun(self) -> None:
        if not self._begun:
            raise NoGameError(self.game.name)

    def _seat(self, agent: Any) -> int:
        """Return the seat of an agent; raise ValueError for an unknown name."""
        self.game.check("agent", agent, agent in self.possible_agents, ", ".join(self.possible_agents))
        return self._seat_of[agent]

    def _select(self, agent: str) -> None:
        self._decider = agent
        self.infos[self.agent_selection] = {**self.infos[self.agent_selection], "action_mask": self._no_mask}
        self.infos[agent] = {**self.infos[agent], "action_mask": self._mask}
        self.agent_selection = agent

    def _new_spaces(self) -> tuple[gymnasium.Space[Any], gymnasium.spaces.Discrete]:
        """Return the observation space and the action space of a seat."""
        view, actions = self.game.view, self.game.actions.size
        box = gymnasium.spaces.Box(view.low, view.high, (view.size,), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (actions,), np.int8)
        observation = box if self._flat else gymnasium.spaces.Dict(observation=box, action_mask=mask)
        return observation, gymnasium.spaces.Discrete(actions)


class ListTableEnv(TableEnv):
    """A `TableEnv` whose observations are lists of the legal actions, for `view="features"`: see `envs.views.Lists`.

    An action is a place in the list of its agent. The list of an agent that is not to decide is empty. `left_out` in
    infos is the number of legal actions that the list of the agent to decide leaves out.
    """

    _listed: dict[str, npt.NDArray[Any]]  # the list of the agent to decide; `reset` sets it

    def __init__(self, game: Game, render_mode: str | None = None, score_reward: bool = False) -> None:
        super().__init__(game, render_mode, score_reward=score_reward)
        self._describer = Describer(game, 1)

    def observe(self, agent: str) -> Observation:
        """Return the list of legal actions of `agent`. Its arrays are never changed later.

        Raises:
            NoGameError: `reset` has not been called yet. It is a ValueError.
            ValueError: There is no agent of this name.
        """
        self._check_begun()
        return self._listed if agent == self._decider else self._list_for(self._seat(agent))

    def action_mask(self, agent: str) -> Mask:
        """Return the places in the list of `agent` that have an action, int8 of the size of its action space."""
        mask: Mask = self.observe(agent)["action_mask"]
        return mask

    def _play(self, action: Any, view: View, mask: Mask) -> int:
        """Play the action at a place in the list of the seat to decide; raise ValueError if there is none."""
        place, legal = action_id(action), int(self._listed["action_mask"].sum())
        self.game.check("action", action, 0 <= place < legal, f"a place in the list, 0..{legal - 1}")
        return super()._play(self._listed["ids"][place], view, mask)

    def _select(self, agent: str) -> None:
        super()._select(agent)
        self._listed = self._list_for(self._seat_of[agent])
        places = self._listed["action_mask"]
        self.infos[agent] |= {"action_mask": places, "left_out": int(self._mask.sum()) - int(places.sum())}

    def _list_for(self, seat: int) -> dict[str, npt.NDArray[Any]]:
        """Return the list of legal actions of a seat; it is empty if the seat is not to decide."""
        described = self._describer(self._states, np.zeros(1, np.int64), np.array([seat]))
        lists: dict[str, Any] = {**listed(self.game, described)}
        return {name: arrays[0] for name, arrays in lists.items()}

    def _new_spaces(self) -> tuple[gymnasium.Space[Any], gymnasium.spaces.Discrete]:
        return features_space(self.game), gymnasium.spaces.Discrete(self.game.most_legal)
