"""One seat or team for a learner, the others played for it: Gymnasium environments over any `Game`.

`SeatVectorEnv` is the whole of it; `SeatEnv` is the same with one table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.compiled.drivers import random_ints, seed_streams
from ..core.game import Game, as_seed
from ..core.observation import Agent, Observation
from ..matches.playing import ask
from .aec import first_state

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Views = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Infos = dict[str, Any]

SEEDS = (1 << 31) - 1  # later deals have the seeds 0 .. SEEDS - 1
_KEPT = ("_states", "_streams", "_learners", "_sitting", "_gained", "_done")


@runtime_checkable
class OpponentSampler(Protocol):
    """A pool of agents, and who of them sits where: asked at every new deal."""

    @property
    def agents(self) -> Sequence[Agent]:
        """The agents `draw` speaks of."""
        ...

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Ints:
        """For each new table and seat an index into `agents`, shape (tables, players)."""
        ...


class SingleOpponent:
    """One agent on all seats of all tables."""

    def __init__(self, agent: Agent) -> None:
        self.agents = [agent]

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Ints:
        """Always that one."""
        return np.zeros((tables, players), np.int64)


class SeatVectorEnv(VectorEnv[Views, Ints, Any]):
    """`num_envs` tables; at each one seat is the learner's, fixed by `seat` or drawn for every game.

    `opponents` play the other seats: an agent, a `OpponentSampler` that mixes several, or None for uniform legal play.
    With `team=True` the learner plays its partners' seats too, each with what that seat sees; partners are paid alike.
    Observations are (num_envs, view.size) float32, masks (num_envs, actions.size) int8 from `action_masks()` and
    `infos["action_mask"]`; `infos["seat"]` is where the learner sits, of several seats the one that decides; where a
    round or the game has ended since the last step, `infos` tell what `game.news` says. A reward is what the learner
    was paid since its own last decision. Where no decision is open (a finished table, or a game the others ended before
    the learner's first turn) the mask allows every action, and the action is ignored.

    Table i of `reset(seed=s)` begins with the deal of `game.new(s + i)` and has its own chance after that: against
    uniform opponents it plays the same games as `SeatEnv` does after `reset(seed=s + i)`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        opponents: Agent | OpponentSampler | None = None,
        seat: int | None = None,
        team: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        _check(game, "num_envs", num_envs, _whole(num_envs) and num_envs > 0, "1, 2, 3, ..")
        _check(
            game,
            "seat",
            seat,
            seat is None or (_whole(seat) and 0 <= seat < game.players),
            f"None, 0..{game.players - 1}",
        )
        _check(game, "team", team, isinstance(team, bool), "False, True")
        _check(game, "render_mode", render_mode, render_mode in (None, "ansi"), "None, 'ansi'")
        modes = [mode.value for mode in AutoresetMode]
        _check(game, "autoreset_mode", autoreset_mode, autoreset_mode in [*AutoresetMode, *modes], str(modes))
        self.game = game
        self.num_envs = int(num_envs)
        self.render_mode = render_mode
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"name": game.name, "render_modes": ["ansi"], "render_fps": 2, "autoreset_mode": self._mode}
        self.single_observation_space = gymnasium.spaces.Box(
            game.view.low, game.view.high, (game.view.size,), np.float32
        )
        self.single_action_space = gymnasium.spaces.Discrete(game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seat = seat
        # The learner's seats at a table, by the seat it decides for there: a number with a bit set for each.
        self._mine = np.array([_bits(game.team_of(j) if team else (j,)) for j in range(game.players)])
        self._lineup = _lineup(opponents)
        self._every = np.arange(self.num_envs)
        self._states = game.blanks(self.num_envs)
        self._streams = np.zeros((self.num_envs, 4), np.int64)  # the chance of each table outside its game
        self._learners = np.zeros(self.num_envs, np.int64)  # the seat the learner decides for, now or last
        self._sitting = np.zeros((self.num_envs, game.players), np.int64)  # index into the lineup's agents
        self._gained = np.zeros(self.num_envs)  # paid to the learner since its last decision
        self._done = np.ones(self.num_envs, bool)  # its end was reported and it was not dealt anew
        self._rounds_told = np.zeros(self.num_envs, np.int64)  # rounds that have ended, as far as the infos tell
        self._scratch = np.zeros(game.actions.size, np.int8)
        self._masks = np.zeros((self.num_envs, game.actions.size), np.int8)
        self._seeded = False

    # Play

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        """Deal all tables. Without `seed` the series of games goes on.

        `options` may hold `reset_mask` (num_envs,) bool: deal these tables only; `position`: begin there; or what a
        deal may be given (`deck`, `dealer`, ..).
        """
        super().reset(seed=seed)
        given = dict(options or {})
        rows = self._rows_of(given.pop("reset_mask", None))
        if seed is None and self._seeded:
            seeds = self._drawn(rows, SEEDS)
        else:
            seeds = self._seed(rows, int(self.np_random.integers(1 << 62)) if seed is None else as_seed(seed))
        self._begin(rows, seeds, given)
        return self._look(), self._with_news(self._infos(), self._rounds_untold())

    def step(self, actions: npt.ArrayLike) -> tuple[Views, Floats, Flags, Flags, Infos]:
        """Play `actions` (num_envs,), one for the learner at each table, and the others until it decides again.

        ValueError naming the action, the seat and the legal actions, with nothing changed, if one is illegal.
        """
        chosen = self._checked(actions)
        running = ~self._done
        acting = np.flatnonzero(running & (self._states["over"] == 0))
        self._play(acting, chosen[acting])
        self._pass_on(acting)
        ended = running & (self._states["over"] == 1)
        cut = ended & (self._states["truncated"] == 1)
        rewards = np.where(running, self._gained, 0.0)
        self._gained[running] = 0.0
        finals = self._renew(ended)
        views = self._look()
        infos = self._with_news(self._infos(), self._rounds_untold() | (ended & self._done))
        return views, rewards, ended & ~cut, cut, {**infos, **finals}

    def give_up(self) -> tuple[Views, Infos]:
        """End all running games where they stand: what `reset` would return."""
        self._done[:] = True
        return self._look(), self._infos()

    def action_masks(self) -> Masks:
        """What the learner may do at each table, shape (num_envs, actions.size)."""
        return self._masks

    def render(self) -> tuple[str, ...] | None:
        """Every table as its learner sees it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi'")
            return None
        tables = zip(self._every, self._learners.tolist(), strict=True)
        return tuple(self.game.picture(self._states[i : i + 1], learner) for i, learner in tables)

    def save(self) -> dict[str, Any]:
        """All games and all chance, for `load` into tables made alike; the opponents are the caller's to keep."""
        kept = {name: getattr(self, name).copy() for name in _KEPT}
        return {**kept, "chance": self.np_random.bit_generator.state}

    def load(self, saved: dict[str, Any]) -> tuple[Views, Infos]:
        """Go on where `save` was called: what `reset` would return. ValueError if the tables were of another kind."""
        for name in _KEPT:
            own = getattr(self, name)
            if saved[name].shape != own.shape or saved[name].dtype != own.dtype:
                raise ValueError(f"{self.game.name}: the saved tables are not like these: {name} differs")
        for name in _KEPT:
            setattr(self, name, saved[name].copy())
        self.np_random.bit_generator.state = saved["chance"]
        self._seeded = True
        self._rounds_told = self.game.rounds_ended(self._states)
        return self._look(), self._infos()

    # Dealing

    def _rows_of(self, mask: Any) -> Ints:
        """The tables a reset is for."""
        if mask is None:
            return self._every
        fits = isinstance(mask, np.ndarray) and mask.dtype == bool and mask.shape == (self.num_envs,)
        _check(self.game, "reset_mask", mask, fits and bool(mask.any()), f"bools of shape ({self.num_envs},), one True")
        return np.flatnonzero(mask)

    def _seed(self, rows: Ints, first: int) -> Ints:
        """Start the chance of the tables `rows` from `first` + row: the seeds of their deals.

        They are blank then: nothing of the last game is carried on.
        """
        started = np.zeros_like(self._streams)
        seed_streams(started, first)
        self._streams[rows] = started[rows]
        self._states[rows] = self.game.blanks(len(rows))
        self._seeded = True
        return first + rows

    def _begin(self, rows: Ints, seeds: Ints, given: dict[str, Any]) -> None:
        """A new game at the tables `rows`, played on to the learner's first decision."""
        if given:
            for i, seed in zip(rows, seeds, strict=True):
                self._states[i] = first_state(self.game, int(seed), given)[0]
        else:
            self.game.drivers.deal_rows(self._states, rows, seeds)
        self._learners[rows] = self._drawn(rows, self.game.players) if self._seat is None else self._seat
        if self._lineup is not None:
            self._sitting[rows] = self._lineup.draw(len(rows), self.game.players, self.np_random)
        self._gained[rows] = 0.0
        self._done[rows] = False
        self._rounds_told[rows] = self.game.rounds_ended(self._states[rows])
        self._pass_on(rows)

    def _renew(self, ended: Flags) -> Infos:
        """Deal where the mode asks for it, after the tables `ended` have come to their ends; what to say of those."""
        before, self._done = self._done, self._done | ended
        again = {AutoresetMode.SAME_STEP: ended, AutoresetMode.NEXT_STEP: before, AutoresetMode.DISABLED: None}[
            self._mode
        ]
        if again is None or not again.any():
            return {}
        finals = self._finals(ended) if self._mode is AutoresetMode.SAME_STEP else {}
        rows = np.flatnonzero(again)
        self._begin(rows, self._drawn(rows, SEEDS), {})
        return finals

    def _drawn(self, rows: Ints, n: int) -> Ints:
        """An integer 0 .. n - 1 for each of the tables `rows`, from its own chance."""
        drawn = np.zeros(len(rows), np.int64)
        random_ints(self._streams, rows, n, drawn)
        return drawn

    # Playing

    def _checked(self, actions: npt.ArrayLike) -> Ints:
        """The actions, legal where a decision is open and 0 elsewhere."""
        chosen = np.asarray(actions)
        fits = chosen.shape == (self.num_envs,) and chosen.dtype.kind in "iu"
        _check(self.game, "actions", actions, fits, f"integers of shape ({self.num_envs},)")
        if self._mode is AutoresetMode.DISABLED and self._done.any():
            raise ValueError(f"{self.game.name}: table {self._done.argmax()} is over; reset it before the next step")
        chosen = np.where(self._open(), chosen, 0).astype(np.int64)
        illegal = self.game.drivers.first_illegal(self._masks, chosen)
        if illegal >= 0:
            self._refuse(illegal, int(chosen[illegal]))
        return chosen

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.game.check_action(self._states[i : i + 1], self._masks[i], action)
        except ValueError as error:
            raise ValueError(f"table {i}: {error}" if self.num_envs > 1 else str(error)) from None

    def _open(self) -> Flags:
        """Where the learner is to decide."""
        running: Flags = ~self._done & (self._states["over"] == 0)
        return running

    def _play(self, rows: Ints, actions: Ints) -> None:
        """Apply an action at each of the tables `rows`, and collect what the learner is paid."""
        self.game.drivers.apply_rows(self._states, rows, actions)
        self._gained[rows] += self._states["rewards"][rows, self._learners[rows]]

    def _pass_on(self, rows: Ints) -> None:
        """The others play at the tables `rows` until the learner decides or the game is over."""
        if self._lineup is None:
            seats, mine = self._learners, self._mine[self._learners]
            self.game.drivers.play_until_turn(
                self._states, rows, seats, mine, self._streams, self._scratch, self._gained
            )
        else:
            waiting = self._waiting(rows)
            while len(waiting):
                for agent, its in self._by_agent(waiting):
                    self._play(its, ask(agent, Observation(self.game, self._states, its), self.np_random))
                waiting = self._waiting(waiting)
        going = rows[self._states["over"][rows] == 0]
        self._learners[going] = self._states["seat"][going]  # itself or a partner

    def _waiting(self, rows: Ints) -> Ints:
        """The tables of `rows` where somebody else is to decide."""
        states, mine = self._states, self._mine[self._learners[rows]]
        waiting: Ints = rows[(states["over"][rows] == 0) & (mine >> states["seat"][rows] & 1 == 0)]
        return waiting

    def _by_agent(self, rows: Ints) -> Iterator[tuple[Agent, Ints]]:
        """The tables `rows` by the agent who is to decide there."""
        assert self._lineup is not None
        deciding = self._sitting[rows, self._states["seat"][rows]]
        for agent in np.unique(deciding):
            yield self._lineup.agents[agent], rows[deciding == agent]

    # Seeing

    def _look(self) -> Views:
        """What the learners see, in fresh arrays; fills in their masks."""
        narrow = np.empty((self.num_envs, self.game.view.size), self.game.view.dtype)
        self._masks = np.empty((self.num_envs, self.game.actions.size), np.int8)
        self.game.drivers.observe_rows(self._states, self._every, self._learners, narrow, self._masks)
        self._masks[~self._open()] = 1
        return self.game.view.to_float(narrow)

    def _infos(self) -> Infos:
        all_tables = np.ones(self.num_envs, bool)
        told = {"action_mask": self._masks, "seat": self._learners.copy()}
        return {**told, **{f"_{name}": all_tables for name in told}}

    def _with_news(self, infos: Infos, ended: Flags) -> Infos:
        """`infos` and what the game tells of the tables `ended`, where a round or the game has ended."""
        self._rounds_told[ended] = self.game.rounds_ended(self._states[ended])
        for i in np.flatnonzero(ended):
            infos = self._add_info(infos, self.game.news(self._states[i : i + 1]), int(i))
        return infos

    def _rounds_untold(self) -> Flags:
        """Where a round has ended since the last infos."""
        untold: Flags = self.game.rounds_ended(self._states) != self._rounds_told
        return untold

    def _finals(self, ended: Flags) -> Infos:
        """Last observations and infos of the tables `ended`, as Gymnasium lays them out."""
        views = self._look()
        last = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            last[i] = views[i]
        infos = {**self._infos(), **{f"_{name}": ended for name in ("action_mask", "seat")}}
        told = self._with_news(infos, ended)
        return {"final_obs": last, "_final_obs": ended, "final_info": told, "_final_info": ended}


class LegalActions(gymnasium.spaces.Discrete):
    """All action ids of a game; `sample()` without a mask draws one that is legal now."""

    mask: Masks | None = None

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action: by the mask or the probabilities given, else a legal one."""
        return super().sample(self.mask if mask is None and probability is None else mask, probability)


class SeatEnv(gymnasium.Env[Views, np.int64]):
    """One table with one seat for the learner: `SeatVectorEnv` with a single table, which explains the rest.

    `action_space.sample()` gives legal actions, so the usual loop of Gymnasium plays proper games. An action that
    is illegal forfeits: the episode ends with `illegal_reward`. None makes it a ValueError, as it is at many tables.
    """

    def __init__(
        self,
        game: Game,
        *,
        opponents: Agent | OpponentSampler | None = None,
        seat: int | None = None,
        team: bool = False,
        illegal_reward: float | None = -1.0,
        render_mode: str | None = None,
    ) -> None:
        mode = AutoresetMode.DISABLED
        self._tables = SeatVectorEnv(
            game, 1, opponents=opponents, seat=seat, team=team, autoreset_mode=mode, render_mode=render_mode
        )
        self.game = game
        self.render_mode = render_mode
        self.metadata = {name: self._tables.metadata[name] for name in ("name", "render_modes", "render_fps")}
        self.observation_space = self._tables.single_observation_space
        self.action_space = self._legal = LegalActions(game.actions.size)
        self._illegal_reward = illegal_reward

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        """Deal a game; `seed` makes it and those after it reproducible. `options` as in `SeatVectorEnv`."""
        super().reset(seed=seed)
        views, infos = self._tables.reset(seed=seed, options=options)
        return views[0], self._first(infos)

    def step(self, action: Any) -> tuple[Views, float, bool, bool, Infos]:
        """Play `action`, then the others until the learner decides again.

        ValueError, with nothing changed, if it is no action id of the game, or if the game is over.
        """
        if self._illegal_reward is not None and self._forfeits(action):
            views, infos = self._tables.give_up()
            return views[0], self._illegal_reward, True, False, self._first(infos)
        views, rewards, terminated, truncated, infos = self._tables.step(np.asarray(action)[None])
        return views[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), self._first(infos)

    def _forfeits(self, action: Any) -> bool:
        """Is it an action of the game, but an illegal one now?"""
        return self._legal.contains(action) and not self.action_masks()[int(action)]

    def action_masks(self) -> Masks:
        """What the learner may do, shape (actions.size,)."""
        mask: Masks = self._tables.action_masks()[0]
        return mask

    def render(self) -> str | None:
        """The table as the learner sees it."""
        pictures = self._tables.render()
        return None if pictures is None else pictures[0]

    def _first(self, infos: Infos) -> Infos:
        self._legal.mask = infos["action_mask"][0]
        return _of_first(infos)


def _of_first(infos: Infos) -> Infos:
    """What the infos of many tables say of the first."""
    names = [name for name in infos if not name.startswith("_") and infos[f"_{name}"][0]]
    return {name: _of_first(infos[name]) if isinstance(infos[name], dict) else infos[name][0] for name in names}


def _lineup(opponents: Agent | OpponentSampler | None) -> OpponentSampler | None:
    if opponents is None or isinstance(opponents, OpponentSampler):
        return opponents
    return SingleOpponent(opponents)


def _bits(seats: Sequence[int]) -> int:
    """Seats as a number: bit `seat` is set for each of them."""
    return sum(1 << seat for seat in seats)


def _whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _check(game: Game, field: str, value: Any, allowed: bool, words: str) -> None:
    if not allowed:
        raise ValueError(f"{game.name}: {field}={value!r} is not allowed; allowed: {words}")
