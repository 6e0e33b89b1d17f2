"""A Gymnasium vector environment: at every table the learner plays one seat or team, and opponents play the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack, overload

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.admission import check_consistent
from ..core.asking import ask
from ..core.compiled.drivers import random_ints, seed_streams
from ..core.compiled.scratch import Scratch
from ..core.fields import WORD
from ..core.game import Game, as_seed, scratch
from ..core.observation import Agent, Observation
from ..core.options import SWITCHES, Whole
from ..core.past import remembered
from ..core.state import States
from ..matches.match import score_rewards
from ..opponents.scripted import Scripted
from .episode import NoGameError, check_illegal_reward, check_score_reward, checked_options, checked_seed, first_state
from .opponents import Opponents, sampler_of, seating
from .render_modes import Renderer, render_modes
from .spaces import LegalActionsOfMany
from .views import Lists, Numbers, View, view_of

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Views = TypeVar("Views")  # of `reset` and `step`: an array (num_envs, ..), or a dict of arrays
Masks = npt.NDArray[np.int8]
Infos = dict[str, Any]
Seeds = int | Sequence[int | None] | None

SEEDS = (1 << 31) - 1  # seeds of later deals are 0 .. SEEDS - 1
_KEPT = ("_states", "_streams", "_learners", "_sitting", "_gained", "_totals", "_done")


class Seating(TypedDict, total=False):
    """Arguments that `SeatEnv` and `SeatVectorEnv` share."""

    opponents: Opponents
    seat: int | None
    team: bool
    illegal_reward: float | None
    mask_in_observation: bool
    score_reward: bool
    render_mode: str | None


class SeatVectorEnv(VectorEnv[Views, Ints, Any], Generic[Views]):
    """`num_envs` tables where the learner plays one seat. `seat` fixes it; None draws it for every game.

    `opponents` play the other seats:

    - a name of `tantra_envs.opponents`, `FILE.py:CLASS` or an agent, for all of these seats
    - a list with one of these for each seat, in order from the seat after the learner's
    - an `OpponentSampler` that mixes several agents
    - None for uniform legal play

    With `team=True` the learner also plays the seats of its partners, each with the observation of that seat. Partners
    get equal rewards.

    Observations are (num_envs, view.size) float32. Masks are (num_envs, actions.size) int8, from `action_masks()` and
    `infos["action_mask"]`. With `mask_in_observation=True` the mask also follows the numbers of the observation, which
    is then (num_envs, view.size + actions.size). With `view="features"` observations are `envs.views.Lists` of legal
    actions, and an action is a place in its list.

    `infos["seat"]` is the learner's seat; with several seats it is the one to decide. The other infos are
    `game.episode_info`. A reward is the sum of the learner's rewards since its last decision. With `score_reward=True`
    it is that of `score_rewards` at the end of the game, and 0 before.

    A table has no open decision if its game is over, or if the others ended it before the learner's first decision.
    There the mask allows every action, and the action is ignored. An illegal action raises ValueError. With
    `illegal_reward` it ends the episode of its table with this reward instead.

    Table i of `reset(seed=s)` starts with the deal of `game.new(s + i)`. Beside it the table has its own random stream,
    for its seats, later deals and opponents. So it plays the games that `SeatEnv` plays after `reset(seed=s + i)`,
    whatever happens at other tables. This holds for your own agent if it draws with `obs.random`, `obs.generator` and
    `obs.determinize`. All tables share the random numbers that an agent draws from `rng`.
    """

    @overload
    def __init__(
        self: SeatVectorEnv[Lists],
        game: Game,
        num_envs: int = 1,
        *,
        view: Literal["features"],
        autoreset_mode: AutoresetMode | str = ...,
        **seating: Unpack[Seating],
    ) -> None: ...

    @overload
    def __init__(
        self: SeatVectorEnv[Numbers],
        game: Game,
        num_envs: int = 1,
        *,
        view: Literal["observation"] = ...,
        autoreset_mode: AutoresetMode | str = ...,
        **seating: Unpack[Seating],
    ) -> None: ...

    @overload
    def __init__(
        self: SeatVectorEnv[Any],
        game: Game,
        num_envs: int = 1,
        *,
        view: View,
        autoreset_mode: AutoresetMode | str = ...,
        **seating: Unpack[Seating],
    ) -> None: ...

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        opponents: Opponents = None,
        seat: int | None = None,
        team: bool = False,
        illegal_reward: float | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        view: View = "observation",
        mask_in_observation: bool = False,
        score_reward: bool = False,
        render_mode: str | None = None,
    ) -> None:
        game.check_in("num_envs", num_envs, Whole(1))
        game.check_seat(0 if seat is None else seat)
        check_illegal_reward(game, illegal_reward)
        game.check_in("team", team, SWITCHES)
        check_score_reward(game, score_reward)
        self.game = game
        self.num_envs = int(num_envs)
        self._renderer = Renderer(game, render_mode, human=False)
        self.render_mode = self._renderer.mode
        self._mode = _autoreset_mode(game, autoreset_mode)
        modes = render_modes(game, human=False)
        self.metadata = {"name": game.name, "render_modes": modes, "render_fps": 2, "autoreset_mode": self._mode}
        self._view = view_of(game, view, self.num_envs, mask_in_observation)
        self.single_observation_space = self._view.space
        self.single_action_space = gymnasium.spaces.Discrete(self._view.actions)
        self.observation_space = batch_space(self._view.space, self.num_envs)
        self.action_space = self._legal = LegalActionsOfMany(self.num_envs, self._view.actions)
        self._seat = seat
        self._illegal_reward, self._score_reward = illegal_reward, score_reward
        # The learner's seats at a table, by the seat it decides for: an integer with one bit for each seat.
        self._mine = np.array([_bits(game.team_of(j) if team else (j,)) for j in range(game.players)])
        self._sampler = sampler_of(opponents, game, game.players - (len(game.team_of(0)) if team else 1))
        self._past = remembered(game, self._sampler.agents if self._sampler else (), self.num_envs)
        self._clear_tables()

    def _clear_tables(self) -> None:
        self._every, self._nobody = np.arange(self.num_envs), np.zeros(self.num_envs, bool)
        self._states = self.game.blanks(self.num_envs)
        self._streams = np.zeros((self.num_envs, 4), np.int64)  # random stream of each table outside its game
        self._learners = np.zeros(self.num_envs, np.int64)  # the seat that the learner decides for, now or last
        self._sitting = np.zeros((self.num_envs, self.game.players), np.int64)  # index into the sampler's agents
        self._gained = np.zeros(self.num_envs)  # the learner's rewards since its last decision
        self._totals = np.zeros((self.num_envs, self.game.players))  # every seat's rewards of the game
        self._done = np.ones(self.num_envs, bool)  # the end was reported and no new game was dealt
        self._mask = np.zeros(self.game.actions.size, np.int8)  # scratch of uniform opponents
        self._scratch: Scratch | None = None  # scratch of scripted opponents
        self._masks = np.zeros((self.num_envs, self._view.actions), np.int8)  # callers only get copies
        self._seeded = False  # the random streams of the tables have been started
        self._ready = False  # at every table the learner is to decide, or the game is over

    # Play

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        """Deal all tables. Without `seed` the series of games continues.

        Args:
            seed: One integer, or a list of `num_envs` integers, one for each table; None = continue the series.
            options: `reset_mask`, bool of shape (num_envs,): deal only these tables. `position`: start there. Or the
                options of a deal (`deck`, `dealer`, ..).

        Raises:
            ValueError: A seed or an option is not allowed. Nothing has changed.
            Exception: An opponent failed. The tables can be used again after a `reset` that succeeds.
        """
        deal_options = checked_options(self.game, options)
        rows = self._rows_of(deal_options.pop("reset_mask", None))
        seeds = self._checked_seeds(seed)
        if deal_options:
            first_state(self.game, 0, deal_options)  # refuses wrong options before anything changes
        self._ready = False
        super().reset(seed=next((number for number in seeds if number is not None), None))
        self._begin(rows, self._seed(rows, seeds), deal_options)
        self._ready = True
        return self._look(), self._infos()

    def step(self, actions: npt.ArrayLike) -> tuple[Views, Floats, Flags, Flags, Infos]:
        """Play `actions`, one for the learner at each table, then the opponents until the learner decides again.

        Args:
            actions: Integers of shape (num_envs,).

        Raises:
            ValueError: An action is illegal and there is no `illegal_reward`; the message lists the action, the seat
                and the legal actions. Nothing has changed.
            Exception: An opponent failed. The tables can be used again after a `reset` that succeeds.
        """
        chosen, forfeited = self._checked(actions)
        running = ~self._done
        acting = np.flatnonzero(self._open() & ~forfeited)
        self._ready = False  # until all opponents have played
        self._play(acting, self._view.ids(chosen)[acting])
        self._pass_on(acting)
        ended = running & (self._states["over"] == 1) | forfeited
        truncated = ended & (self._states["truncated"] == 1)
        gained = self._scores(ended) if self._score_reward else self._gained
        rewards = np.where(forfeited, self._illegal_reward or 0.0, np.where(running, gained, 0.0))
        self._gained[running] = 0.0
        finals = self._renew(ended)
        self._ready = True
        views = self._look()
        return views, rewards, ended & ~truncated, truncated, {**self._infos(), **finals}

    def action_masks(self) -> Masks:
        """Return the legal actions of the learner at each table, shape (num_envs, n of the action space)."""
        self._check_ready()
        return self._masks.copy()

    def known(self) -> States:
        """Return the tables, (num_envs,), without what the learner cannot know: see `Observation.known`."""
        self._check_ready()
        return self.game.conceal(self._states, self._learners)

    def round_info(self) -> tuple[dict[str, Any], ...]:
        """Return facts about the round that ended last at each table, see `game.round_info`.

        Raises:
            NoGameError: `reset` has not been called yet. It is a ValueError.
        """
        self._check_ready()
        return tuple(self.game.round_info(self._states[i : i + 1]) for i in self._every)

    def render(self) -> tuple[Any, ...] | None:
        """Return every table as its learner sees it: text, or pixels (height, width, 3) uint8."""
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() needs a render_mode: {', '.join(self.metadata['render_modes'])}")
            return None
        return self.shown(self._renderer)

    @property
    def choices(self) -> int:
        """The number of actions of the learner's action space."""
        return self._view.actions

    def first(self, views: Views) -> Views:
        """Return the observation of the first table, out of those that `reset` or `step` returned."""
        one: Views = self._view.one(views, 0)
        return one

    @property
    def has_begun(self) -> bool:
        """True if every table has a game to show."""
        return self._ready

    def shown(self, renderer: Renderer) -> tuple[Any, ...]:
        """Render every table with `renderer`, as its learner sees it."""
        self._check_ready()
        tables = zip(self._every, self._learners.tolist(), strict=True)
        return tuple(renderer.show(self._states[i : i + 1], learner) for i, learner in tables)

    def save(self) -> dict[str, Any]:
        """Return all games and random streams for `load`. The state of the opponents is not included."""
        self._check_ready()
        # `repeat` copies whole records. `copy` goes field by field and takes 50 times as long.
        arrays = {name: getattr(self, name).repeat(1, axis=0) for name in _KEPT}
        return {**arrays, "chance": self.np_random.bit_generator.state}

    def load(self, saved: dict[str, Any]) -> tuple[Views, Infos]:
        """Continue the games of `save`. Return what `reset` returns: observations and infos.

        Raises:
            ValueError: The save is damaged, or its tables were of another kind. Nothing has changed.
        """
        arrays = self._checked_save(saved)
        chance = np.random.default_rng()
        try:
            chance.bit_generator.state = saved["chance"]
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise ValueError(f"{self.game.name}: the saved tables are damaged: chance: {error}") from None
        self.__dict__.update(arrays)
        self._forget(self._every)
        self.np_random = chance
        self._seeded = self._ready = True
        return self._look(), self._infos()

    # Keeping

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Restore a pickled environment; raise ValueError if its tables are damaged."""
        self.__dict__.update(attributes)
        ready = self._ready
        self._clear_tables()
        if ready:
            self.__dict__.update(self._checked_save(attributes))
            self._seeded = self._ready = True
            self._look()

    def _checked_save(self, saved: Any) -> dict[str, npt.NDArray[Any]]:
        """Return copies of the arrays of a save; raise ValueError unless they fit these tables."""
        arrays: dict[str, npt.NDArray[Any]] = {}
        for name in _KEPT:
            current, array = getattr(self, name), saved.get(name) if isinstance(saved, Mapping) else None
            if not isinstance(array, np.ndarray) or array.shape != current.shape or array.dtype != current.dtype:
                raise ValueError(
                    f"{self.game.name}: the saved tables do not fit: {name} differs; load them with the same arguments"
                )
            arrays[name] = np.array(array)
        self._check_tables(arrays)
        return arrays

    def _check_tables(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Raise ValueError unless the arrays of a save are consistent and fit this environment."""
        check_consistent(self.game, arrays["_states"])
        over, agents = arrays["_states"]["over"] == 1, 1 if self._sampler is None else len(self._sampler.agents)
        decides = arrays["_done"] | over | (arrays["_learners"] == arrays["_states"]["seat"])
        for name, fits, allowed in (
            ("_learners", _within(arrays["_learners"], self.game.players), f"0..{self.game.players - 1}"),
            ("_learners", decides, "the seat to decide, where the game goes on"),
            ("_sitting", _within(arrays["_sitting"], agents), f"0..{agents - 1}"),
            ("_streams", _within(arrays["_streams"], WORD), f"0..{WORD - 1}"),
            ("_gained", np.isfinite(arrays["_gained"]), "a finite number"),
            ("_totals", np.isfinite(arrays["_totals"]), "finite numbers"),
        ):
            if not fits.all():
                raise ValueError(f"{self.game.name}: the saved tables are damaged: {name} must be {allowed}")

    # Dealing

    def _rows_of(self, mask: Any) -> Ints:
        """Return the tables that a reset deals."""
        if mask is None:
            return self._every
        fits = isinstance(mask, np.ndarray) and mask.dtype == bool and mask.shape == (self.num_envs,)
        allowed = f"bools of shape ({self.num_envs},), one True"
        self.game.check("reset_mask", mask, fits and bool(mask.any()), allowed)
        whole = "None or all True at the first reset and after a failed opponent"
        self.game.check("reset_mask", mask, self._ready or bool(mask.all()), whole)
        return np.flatnonzero(mask)

    def _checked_seeds(self, seed: Any) -> list[int | None]:
        """Return the seed of every table; None = the series of the table continues."""
        if isinstance(seed, np.ndarray) and seed.ndim == 1 and seed.dtype.kind in "iu":
            seed = seed.tolist()
        if not isinstance(seed, (list, tuple)):
            first = checked_seed(self.game, seed)
            return [None if first is None else first + i for i in range(self.num_envs)]
        self.game.check("seed", seed, len(seed) == self.num_envs, f"an integer, or a list of {self.num_envs}")
        return [checked_seed(self.game, one) for one in seed]

    def _seed(self, rows: Ints, wanted: Sequence[int | None]) -> Ints:
        """Return the seeds of the deals at the tables `rows`, and start the streams of tables with a wanted seed.

        A table with a wanted seed is cleared, so nothing of its last game is left.
        """
        if not self._seeded:
            first = int(self.np_random.integers(1 << 62)) if None in wanted else 0
            wanted = [first + i if seed is None else seed for i, seed in enumerate(wanted)]
            self._seeded = True
        seeds = self._drawn(rows, SEEDS)
        for k, i in enumerate(rows.tolist()):
            seed = wanted[i]
            if seed is not None:
                seeds[k] = as_seed(seed)
                # With the seed of the deal, the learner's seat would follow from the number that chose the dealer.
                seed_streams(self._streams[i : i + 1], ~seeds[k])
        restarted = rows[[wanted[i] is not None for i in rows.tolist()]]
        self._states[restarted] = self.game.blanks(len(restarted))
        return seeds

    def _begin(self, rows: Ints, seeds: Ints, deal_options: dict[str, Any]) -> None:
        """Deal a new game at the tables `rows` and play it to the learner's first decision."""
        if deal_options:
            for i, seed in zip(rows, seeds, strict=True):
                self._states[i] = first_state(self.game, int(seed), deal_options)[0]
        else:
            self.game.drivers.deal_rows(self._states, rows, seeds)
        self._learners[rows] = self._drawn(rows, self.game.players) if self._seat is None else self._seat
        if self._sampler is not None:
            learners, streams = self._learners[rows], self._streams[rows]
            self._sitting[rows] = seating(self._sampler, self.game, streams, learners, self._mine[learners])
        self._gained[rows] = self._totals[rows] = 0.0
        self._done[rows] = False
        self._forget(rows)
        self._pass_on(rows)

    def _renew(self, ended: Flags) -> Infos:
        """Deal new games where the autoreset mode requires it; return the final infos of the tables `ended`."""
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
        """Draw an integer 0 .. n - 1 for each of the tables `rows` from its own random stream."""
        integers = np.zeros(len(rows), np.int64)
        random_ints(self._streams, rows, n, integers)
        return integers

    # Playing

    def _checked(self, actions: npt.ArrayLike) -> tuple[Ints, Flags]:
        """Return the actions, 0 where no decision is open, and the tables where an illegal action ends the episode."""
        self._check_ready()
        if self._mode is AutoresetMode.DISABLED and self._done.any():
            raise ValueError(f"{self.game.name}: table {self._done.argmax()} is over; reset it before the next step")
        array = np.asarray(actions)
        fits = array.shape == (self.num_envs,) and array.dtype.kind in "iu"
        self.game.check("actions", actions, fits, f"integers of shape ({self.num_envs},)")
        chosen = np.where(self._open(), array, 0).astype(np.int64)
        illegal = self.game.drivers.first_illegal(self._masks, chosen)
        return chosen, self._nobody if illegal < 0 else self._forfeits(chosen, illegal)

    def _forfeits(self, chosen: Ints, first: int) -> Flags:
        """Return the tables where an illegal action ends the episode; raise ValueError if that is not allowed."""
        inside = (chosen >= 0) & (chosen < self._view.actions)
        if self._illegal_reward is None:
            self._refuse(first, int(chosen[first]))
        if not inside.all():
            self._refuse(int(inside.argmin()), int(chosen[inside.argmin()]))
        forfeited: Flags = self._masks[self._every, chosen] == 0
        return forfeited

    def _refuse(self, i: int, action: int) -> None:
        try:
            self._view.refuse(self._states, i, self._masks[i], action)
        except ValueError as error:
            raise ValueError(f"table {i}: {error}" if self.num_envs > 1 else str(error)) from None

    def _check_ready(self) -> None:
        if not self._ready:
            raise NoGameError(self.game.name)

    def _open(self) -> Flags:
        """Return the tables where the learner is to decide."""
        running: Flags = ~self._done & (self._states["over"] == 0)
        return running

    def _play(self, rows: Ints, actions: Ints) -> None:
        """Apply an action at each of the tables `rows`, and add the learner's rewards."""
        if self._past is not None:
            self._past.note(self._states, rows, actions)
        self.game.drivers.apply_rows(self._states, rows, actions)
        self._gained[rows] += self._states["rewards"][rows, self._learners[rows]]
        self._totals[rows] += self._states["rewards"][rows, : self.game.players]

    def _pass_on(self, rows: Ints) -> None:
        """Play the opponents' actions at the tables `rows` until the learner decides or the game is over."""
        if self._sampler is None:
            seats, mine = self._learners, self._mine[self._learners]
            sums = self._gained, self._totals
            self.game.drivers.play_until_turn(self._states, rows, seats, mine, self._streams, self._mask, *sums)
        else:
            waiting = self._waiting(rows)
            while len(waiting := self._play_scripted(waiting)):
                for agent, its in self._by_agent(self._sampler.agents, waiting):
                    observation = Observation(self.game, self._states, its, self._past, self._streams, vouched=True)
                    self._play(its, ask(agent, observation, self.np_random))
                waiting = self._waiting(waiting)
        going = rows[self._states["over"][rows] == 0]
        self._learners[going] = self._states["seat"][going]  # its own seat or a partner's

    def _play_scripted(self, rows: Ints) -> Ints:
        """Play for scripted agents in compiled code; return the tables of `rows` where another agent is to decide."""
        must_call = self._asked()
        if all(must_call):
            return rows
        stops = self._mine[self._learners] | (np.array(must_call)[self._sitting] << np.arange(self.game.players)).sum(
            axis=1
        )
        if self._scratch is None:
            self._scratch = scratch(self.game)
        sums = self._gained, self._totals
        self.game.drivers.scripted_until_turn(self._states, rows, self._learners, stops, self._scratch, *sums)
        return self._waiting(rows)

    def _asked(self) -> list[bool]:
        """Return for every agent of the sampler whether its `act` must be called: compiled code cannot play for it."""
        agents = self._sampler.agents if self._sampler else ()
        return [
            self._past is not None or not (isinstance(agent, Scripted) and agent.plays_in(self.game))
            for agent in agents
        ]

    def _scores(self, ended: Flags) -> Floats:
        """Return the learner's reward at every table, (num_envs,): its score where the game has ended, else 0."""
        scores = score_rewards(self.game, self._totals)[self._every, self._learners]
        return np.where(ended, scores, 0.0)

    def _forget(self, rows: Ints) -> None:
        """Clear the recorded actions of the tables `rows`, where a new game starts."""
        if self._past is not None:
            self._past.forget(rows)

    def _waiting(self, rows: Ints) -> Ints:
        """Return the tables of `rows` where an opponent is to decide."""
        states, mine = self._states, self._mine[self._learners[rows]]
        waiting: Ints = rows[(states["over"][rows] == 0) & (mine >> states["seat"][rows] & 1 == 0)]
        return waiting

    def _by_agent(self, agents: Sequence[Agent], rows: Ints) -> Iterator[tuple[Agent, Ints]]:
        """Yield each agent that is to decide at one of the tables `rows`, with those tables."""
        deciding = self._sitting[rows, self._states["seat"][rows]]
        for agent in np.unique(deciding):
            yield agents[agent], rows[deciding == agent]

    # Seeing

    def _look(self) -> Views:
        """Return the observations of the learners in new arrays, and fill in their masks."""
        views: Views
        views, self._masks = self._view.look(self._states, self._learners, self._open())
        self._legal.legal = self._masks
        return views

    def _infos(self) -> Infos:
        all_tables = np.ones(self.num_envs, bool)
        first = {"action_mask": self._masks.copy(), "seat": self._learners.copy()}
        infos = {**first, **self._view.infos(), **self.game.episode_info(self._states)}
        return {**infos, **{f"_{name}": all_tables for name in infos}}

    def _finals(self, ended: Flags) -> Infos:
        """Return the last observations and infos of the tables `ended`, in the format of Gymnasium."""
        views = self._look()
        last = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            last[i] = self._view.one(views, int(i))
        infos = self._infos()
        final_infos = {name: ended if name.startswith("_") else values for name, values in infos.items()}
        return {"final_obs": last, "_final_obs": ended, "final_info": final_infos, "_final_info": ended}


def _within(values: npt.NDArray[Any], below: int) -> Flags:
    fits: Flags = (values >= 0) & (values < below)
    return fits


def _autoreset_mode(game: Game, mode: Any) -> AutoresetMode:
    modes = [known.value for known in AutoresetMode]
    game.check("autoreset_mode", mode, isinstance(mode, AutoresetMode) or mode in modes, str(modes))
    return AutoresetMode(mode)


def _bits(seats: Sequence[int]) -> int:
    """Return the seats as an integer with bit `seat` set for each of them."""
    return sum(1 << seat for seat in seats)
