"""Many tables with one seat or team for a learner, the others played for it: a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.compiled.drivers import random_ints, seed_streams
from ..core.compiled.scratch import Scratch
from ..core.consistency import WORD
from ..core.game import Game, as_seed, is_whole, scratch
from ..core.observation import Agent, Observation
from ..core.past import remembered
from ..core.state import States
from ..matches.playing import ask
from ..opponents.scripted import Scripted
from .episode import NoGameError, check_illegal_reward, checked_options, checked_seed, first_state
from .opponents import Opponents, SingleOpponent, sampler_of, seating
from .render_modes import Renderer, render_modes
from .spaces import LegalActionsOfMany

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Views = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Infos = dict[str, Any]
Seeds = int | Sequence[int | None] | None

SEEDS = (1 << 31) - 1  # later deals have the seeds 0 .. SEEDS - 1
_KEPT = ("_states", "_streams", "_learners", "_sitting", "_gained", "_done")


class SeatVectorEnv(VectorEnv[Views, Ints, Any]):
    """`num_envs` tables; at each one seat is the learner's, fixed by `seat` or drawn for every game.

    `opponents` play the other seats: a name of `tantra_envs.opponents`, `FILE.py:CLASS` or an agent for all of them; a
    list with one of these for each seat, in turn from the learner's on; an `OpponentSampler` that mixes several; or
    None for uniform legal play. With `team=True` the learner plays its partners' seats too, each with what
    that seat sees; partners are paid alike. Observations are (num_envs, view.size) float32, masks (num_envs,
    actions.size) int8 from `action_masks()` and `infos["action_mask"]`; `infos["seat"]` is where the learner sits, of
    several seats the one that decides; the other infos are `game.episode_info`. A reward is what the learner was
    paid since its own last decision. Where no decision is open (a finished table, or a game the others ended before the
    learner's first turn) the mask allows every action, and the action is ignored. An illegal action is refused, or
    forfeits: with `illegal_reward` it ends that table's episode with this reward.

    Table i of `reset(seed=s)` begins with the deal of `game.new(s + i)` and has its own random stream after that, for
    later deals and for its opponents: it plays the same games as `SeatEnv` does after `reset(seed=s + i)`, whatever
    happens at other tables. An agent of your own has part in this if it draws by `obs.random`, `obs.generator` and
    `obs.determinize`; what it draws from `rng` directly is shared by all tables.
    """

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
        render_mode: str | None = None,
    ) -> None:
        _check_settings(game, num_envs, seat, illegal_reward)
        _check_switches(game, team=team)
        self.game = game
        self.num_envs = int(num_envs)
        self._renderer = Renderer(game, render_mode, human=False)
        self.render_mode = self._renderer.mode
        self._mode = _autoreset_mode(game, autoreset_mode)
        modes = render_modes(game, human=False)
        self.metadata = {"name": game.name, "render_modes": modes, "render_fps": 2, "autoreset_mode": self._mode}
        box = gymnasium.spaces.Box(game.view.low, game.view.high, (game.view.size,), np.float32)
        self.single_observation_space = box
        self.single_action_space = gymnasium.spaces.Discrete(game.actions.size)
        self.observation_space = batch_space(box, self.num_envs)
        self.action_space = self._legal = LegalActionsOfMany(self.num_envs, game.actions.size)
        self._seat = seat
        self._illegal_reward = illegal_reward
        # The learner's seats at a table, by the seat it decides for there: a number with a bit set for each.
        self._mine = np.array([_bits(game.team_of(j) if team else (j,)) for j in range(game.players)])
        self._sampler = sampler_of(opponents, game, game.players - (len(game.team_of(0)) if team else 1))
        self._past = remembered(game, self._sampler.agents if self._sampler else (), self.num_envs)
        self._clear_tables()

    def _clear_tables(self) -> None:
        self._every, self._nobody = np.arange(self.num_envs), np.zeros(self.num_envs, bool)
        self._states = self.game.blanks(self.num_envs)
        self._streams = np.zeros((self.num_envs, 4), np.int64)  # the chance of each table outside its game
        self._learners = np.zeros(self.num_envs, np.int64)  # the seat the learner decides for, now or last
        self._sitting = np.zeros((self.num_envs, self.game.players), np.int64)  # index into the sampler's agents
        self._gained = np.zeros(self.num_envs)  # paid to the learner since its last decision
        self._done = np.ones(self.num_envs, bool)  # its end was reported and it was not dealt anew
        self._mask = np.zeros(self.game.actions.size, np.int8)  # scratch of uniform opponents
        self._scratch: Scratch | None = None  # of scripted ones
        self._masks = np.zeros((self.num_envs, self.game.actions.size), np.int8)  # never handed out
        self._seeded = False  # the chance of the tables was started
        self._ready = False  # every table stands where the learner decides, or is over

    # Play

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        """Deal all tables. Without `seed` the series of games goes on.

        `seed` is one integer, or a list of `num_envs`: one for each table, None = its series goes on.

        `options` may hold `reset_mask` (num_envs,) bool: deal these tables only; `position`: begin there; or what a
        deal may be given (`deck`, `dealer`, ..). ValueError, with nothing changed, if any of it cannot be.
        """
        given = checked_options(self.game, options)
        rows = self._rows_of(given.pop("reset_mask", None))
        wanted = self._checked_seeds(seed)
        with self._whole_or_not_at_all(True):
            super().reset(seed=next((known for known in wanted if known is not None), None))
            self._begin(rows, self._seed(rows, wanted), given)
        return self._look(), self._infos()

    def step(self, actions: npt.ArrayLike) -> tuple[Views, Floats, Flags, Flags, Infos]:
        """Play `actions` (num_envs,), one for the learner at each table, and the others until it decides again.

        ValueError naming the action, the seat and the legal actions, with nothing changed, if one is illegal and
        there is no `illegal_reward`. What an opponent does wrong changes nothing either.
        """
        chosen, forfeited = self._checked(actions)
        running = ~self._done
        acting = np.flatnonzero(self._open() & ~forfeited)
        with self._whole_or_not_at_all(self._asks_others()):
            self._play(acting, chosen[acting])
            self._pass_on(acting)
            ended = running & (self._states["over"] == 1) | forfeited
            cut = ended & (self._states["truncated"] == 1)
            rewards = np.where(forfeited, self._illegal_reward or 0.0, np.where(running, self._gained, 0.0))
            self._gained[running] = 0.0
            finals = self._renew(ended)
        views = self._look()
        return views, rewards, ended & ~cut, cut, {**self._infos(), **finals}

    def action_masks(self) -> Masks:
        """What the learner may do at each table, shape (num_envs, actions.size)."""
        self._check_ready()
        return self._masks.copy()

    def known(self) -> States:
        """Return what the learner of each table knows, as records (num_envs,): see `Observation.known`."""
        self._check_ready()
        return self.game.conceal(self._states, self._learners)

    def round_info(self) -> tuple[dict[str, Any], ...]:
        """Return all about the round that ended last at each table, see `game.round_info`.

        Raises:
            NoGameError: It is called before the first `reset`; it is a ValueError.
        """
        self._check_ready()
        return tuple(self.game.round_info(self._states[i : i + 1]) for i in self._every)

    def render(self) -> tuple[Any, ...] | None:
        """Every table as its learner sees it: text, or pixels (height, width, 3) uint8."""
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() needs a render_mode: {', '.join(self.metadata['render_modes'])}")
            return None
        return self.shown(self._renderer)

    @property
    def has_begun(self) -> bool:
        """Is there a game to be seen at every table?"""
        return self._ready

    def shown(self, renderer: Renderer) -> tuple[Any, ...]:
        """What a renderer makes of every table, as its learner sees it."""
        self._check_ready()
        tables = zip(self._every, self._learners.tolist(), strict=True)
        return tuple(renderer.show(self._states[i : i + 1], learner) for i, learner in tables)

    def save(self) -> dict[str, Any]:
        """All games and all chance, for `load` into tables made alike; the opponents are the caller's to keep."""
        self._check_ready()
        return {**self._copies(), "chance": self.np_random.bit_generator.state}

    def load(self, saved: dict[str, Any]) -> tuple[Views, Infos]:
        """Go on where `save` was called: what `reset` would return.

        ValueError, with nothing changed, if it is damaged or the tables were of another kind.
        """
        kept = self._checked_save(saved)
        chance = np.random.default_rng()
        try:
            chance.bit_generator.state = saved["chance"]
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise ValueError(f"{self.game.name}: the saved tables are damaged: chance: {error}") from None
        self.__dict__.update(kept)
        self._forget(self._every)
        self.np_random = chance
        self._seeded = self._ready = True
        return self._look(), self._infos()

    # Keeping

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Take over what a pickle holds; ValueError if its tables are damaged."""
        self.__dict__.update(kept)
        ready = self._ready
        self._clear_tables()
        if ready:
            self.__dict__.update(self._checked_save(kept))
            self._seeded = self._ready = True
            self._look()

    def _copies(self) -> dict[str, npt.NDArray[Any]]:
        """The tables as they are. `repeat` copies records whole, `copy` field by field in fifty times the time."""
        return {name: getattr(self, name).repeat(1, axis=0) for name in _KEPT}

    @contextmanager
    def _whole_or_not_at_all(self, with_copies: bool) -> Iterator[None]:
        """If what is done fails, all is as it was; without copies the tables are not ready until the next reset."""
        chance = self.np_random.bit_generator.state if with_copies else None
        before = self._everything() if with_copies else {}
        ready, self._ready = self._ready, False
        try:
            yield
        except BaseException:
            if chance is not None:
                self.__dict__.update(before)
                self.np_random.bit_generator.state = chance
                self._legal.legal, self._ready = self._masks, ready
            raise
        self._ready = True

    def _everything(self) -> dict[str, Any]:
        """All that a reset or step changes, as it is."""
        names = ("_np_random", "_np_random_seed", "_masks", "_seeded")
        past = self._past and self._past.copy()
        return {**self._copies(), **{name: getattr(self, name) for name in names}, "_past": past}

    def _checked_save(self, saved: Any) -> dict[str, npt.NDArray[Any]]:
        """Copies of the arrays of a save; ValueError unless they can be these tables'."""
        kept: dict[str, npt.NDArray[Any]] = {}
        for name in _KEPT:
            own, found = getattr(self, name), saved.get(name) if isinstance(saved, Mapping) else None
            if not isinstance(found, np.ndarray) or found.shape != own.shape or found.dtype != own.dtype:
                raise ValueError(f"{self.game.name}: the saved tables are not like these: {name} differs")
            kept[name] = np.array(found)
        self._check_tables(kept)
        return kept

    def _check_tables(self, kept: Mapping[str, npt.NDArray[Any]]) -> None:
        """Raise ValueError unless the arrays of a save belong together and can be those of tables like these."""
        self.game.check_consistent(kept["_states"])
        over, agents = kept["_states"]["over"] == 1, 1 if self._sampler is None else len(self._sampler.agents)
        decides = kept["_done"] | over | (kept["_learners"] == kept["_states"]["seat"])
        for name, fits, allowed in (
            ("_learners", _within(kept["_learners"], self.game.players), f"0..{self.game.players - 1}"),
            ("_learners", decides, "the seat to decide, where the game goes on"),
            ("_sitting", _within(kept["_sitting"], agents), f"0..{agents - 1}"),
            ("_streams", _within(kept["_streams"], WORD), f"0..{WORD - 1}"),
            ("_gained", np.isfinite(kept["_gained"]), "a finite number"),
        ):
            if not fits.all():
                raise ValueError(f"{self.game.name}: the saved tables are damaged: {name} must be {allowed}")

    # Dealing

    def _rows_of(self, mask: Any) -> Ints:
        """The tables a reset is for."""
        if mask is None:
            return self._every
        fits = isinstance(mask, np.ndarray) and mask.dtype == bool and mask.shape == (self.num_envs,)
        allowed = f"bools of shape ({self.num_envs},), one True"
        self.game.check("reset_mask", mask, fits and bool(mask.any()), allowed)
        self.game.check("reset_mask", mask, self._seeded or bool(mask.all()), "None or all True at the first reset")
        return np.flatnonzero(mask)

    def _checked_seeds(self, seed: Any) -> list[int | None]:
        """Return the seed of every table, None where none is wanted."""
        if isinstance(seed, np.ndarray) and seed.ndim == 1 and seed.dtype.kind in "iu":
            seed = seed.tolist()
        if not isinstance(seed, (list, tuple)):
            first = checked_seed(self.game, seed)
            return [None if first is None else first + i for i in range(self.num_envs)]
        self.game.check("seed", seed, len(seed) == self.num_envs, f"an integer, or a list of {self.num_envs}")
        return [checked_seed(self.game, one) for one in seed]

    def _seed(self, rows: Ints, wanted: Sequence[int | None]) -> Ints:
        """Return the seeds of the deals at the tables `rows`; start their random streams from those that are wanted.

        A table with a wanted seed is blank then: nothing of the last game is carried on.
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
                seed_streams(self._streams[i : i + 1], seeds[k])
        anew = rows[[wanted[i] is not None for i in rows.tolist()]]
        self._states[anew] = self.game.blanks(len(anew))
        return seeds

    def _begin(self, rows: Ints, seeds: Ints, given: dict[str, Any]) -> None:
        """A new game at the tables `rows`, played on to the learner's first decision."""
        if given:
            for i, seed in zip(rows, seeds, strict=True):
                self._states[i] = first_state(self.game, int(seed), given)[0]
        else:
            self.game.drivers.deal_rows(self._states, rows, seeds)
        self._learners[rows] = self._drawn(rows, self.game.players) if self._seat is None else self._seat
        if self._sampler is not None:
            learners, streams = self._learners[rows], self._streams[rows]
            self._sitting[rows] = seating(self._sampler, self.game, streams, learners, self._mine[learners])
        self._gained[rows] = 0.0
        self._done[rows] = False
        self._forget(rows)
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

    def _checked(self, actions: npt.ArrayLike) -> tuple[Ints, Flags]:
        """The actions, 0 where no decision is open, and where they forfeit; elsewhere they are legal."""
        self._check_ready()
        if self._mode is AutoresetMode.DISABLED and self._done.any():
            raise ValueError(f"{self.game.name}: table {self._done.argmax()} is over; reset it before the next step")
        given = np.asarray(actions)
        fits = given.shape == (self.num_envs,) and given.dtype.kind in "iu"
        self.game.check("actions", actions, fits, f"integers of shape ({self.num_envs},)")
        chosen = np.where(self._open(), given, 0).astype(np.int64)
        illegal = self.game.drivers.first_illegal(self._masks, chosen)
        return chosen, self._nobody if illegal < 0 else self._forfeits(chosen, illegal)

    def _forfeits(self, chosen: Ints, first: int) -> Flags:
        """Where an illegal action ends the episode; ValueError if it must not, or where it is no action at all."""
        inside = (chosen >= 0) & (chosen < self.game.actions.size)
        if self._illegal_reward is None:
            self._refuse(first, int(chosen[first]))
        if not inside.all():
            self._refuse(int(inside.argmin()), int(chosen[inside.argmin()]))
        forfeited: Flags = self._masks[self._every, chosen] == 0
        return forfeited

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.game.check_action(self._states[i : i + 1], self._masks[i], action)
        except ValueError as error:
            raise ValueError(f"table {i}: {error}" if self.num_envs > 1 else str(error)) from None

    def _check_ready(self) -> None:
        if not self._ready:
            raise NoGameError(self.game.name)

    def _open(self) -> Flags:
        """Where the learner is to decide."""
        running: Flags = ~self._done & (self._states["over"] == 0)
        return running

    def _play(self, rows: Ints, actions: Ints) -> None:
        """Apply an action at each of the tables `rows`, and collect what the learner is paid."""
        if self._past is not None:
            self._past.note(self._states, rows, actions)
        self.game.drivers.apply_rows(self._states, rows, actions)
        self._gained[rows] += self._states["rewards"][rows, self._learners[rows]]

    def _pass_on(self, rows: Ints) -> None:
        """The others play at the tables `rows` until the learner decides or the game is over."""
        if self._sampler is None:
            seats, mine = self._learners, self._mine[self._learners]
            self.game.drivers.play_until_turn(self._states, rows, seats, mine, self._streams, self._mask, self._gained)
        else:
            waiting = self._waiting(rows)
            while len(waiting := self._play_scripted(waiting)):
                for agent, its in self._by_agent(self._sampler.agents, waiting):
                    seen = Observation(self.game, self._states, its, self._past, self._streams, vouched=True)
                    self._play(its, ask(agent, seen, self.np_random))
                waiting = self._waiting(waiting)
        going = rows[self._states["over"][rows] == 0]
        self._learners[going] = self._states["seat"][going]  # itself or a partner

    def _play_scripted(self, rows: Ints) -> Ints:
        """Play for the scripted agents at the tables `rows` in compiled code; return where somebody else decides."""
        asked = self._asked()
        if all(asked):
            return rows
        stops = self._mine[self._learners] | (np.array(asked)[self._sitting] << np.arange(self.game.players)).sum(
            axis=1
        )
        if self._scratch is None:
            self._scratch = scratch(self.game)
        self.game.drivers.scripted_until_turn(self._states, rows, self._learners, stops, self._scratch, self._gained)
        return self._waiting(rows)

    def _asks_others(self) -> bool:
        """Return whether a step runs code that may fail: agents that are asked, or a sampler of somebody's own."""
        mixed = self._sampler is not None and not isinstance(self._sampler, SingleOpponent)
        return mixed or any(self._asked())

    def _asked(self) -> list[bool]:
        """Return for every agent of the sampler whether it must be asked, as compiled code cannot play in its place."""
        agents = self._sampler.agents if self._sampler else ()
        return [
            self._past is not None or not (isinstance(agent, Scripted) and agent.plays_in(self.game))
            for agent in agents
        ]

    def _forget(self, rows: Ints) -> None:
        """What was decided at the tables `rows` is of another game."""
        if self._past is not None:
            self._past.forget(rows)

    def _waiting(self, rows: Ints) -> Ints:
        """The tables of `rows` where somebody else is to decide."""
        states, mine = self._states, self._mine[self._learners[rows]]
        waiting: Ints = rows[(states["over"][rows] == 0) & (mine >> states["seat"][rows] & 1 == 0)]
        return waiting

    def _by_agent(self, agents: Sequence[Agent], rows: Ints) -> Iterator[tuple[Agent, Ints]]:
        """The tables `rows` by the agent who is to decide there."""
        deciding = self._sitting[rows, self._states["seat"][rows]]
        for agent in np.unique(deciding):
            yield agents[agent], rows[deciding == agent]

    # Seeing

    def _look(self) -> Views:
        """What the learners see, in fresh arrays; fills in their masks."""
        narrow = np.empty((self.num_envs, self.game.view.size), self.game.view.dtype)
        self._masks = np.empty((self.num_envs, self.game.actions.size), np.int8)
        self.game.drivers.observe_rows(self._states, self._every, self._learners, narrow, self._masks)
        self._masks[~self._open()] = 1
        self._legal.legal = self._masks
        return self.game.view.to_float(narrow)

    def _infos(self) -> Infos:
        all_tables = np.ones(self.num_envs, bool)
        seen = {"action_mask": self._masks.copy(), "seat": self._learners.copy()}
        told = {**seen, **self.game.episode_info(self._states)}
        return {**told, **{f"_{name}": all_tables for name in told}}

    def _finals(self, ended: Flags) -> Infos:
        """Last observations and infos of the tables `ended`, as Gymnasium lays them out."""
        views = self._look()
        last = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            last[i] = views[i]
        infos = self._infos()
        told = {name: ended if name.startswith("_") else values for name, values in infos.items()}
        return {"final_obs": last, "_final_obs": ended, "final_info": told, "_final_info": ended}


def _check_settings(game: Game, num_envs: Any, seat: Any, illegal_reward: Any) -> None:
    game.check("num_envs", num_envs, is_whole(num_envs) and num_envs > 0, "1, 2, 3, ..")
    sits = seat is None or (is_whole(seat) and 0 <= seat < game.players)
    game.check("seat", seat, sits, f"None, 0..{game.players - 1}")
    check_illegal_reward(game, illegal_reward)


def _check_switches(game: Game, **switches: Any) -> None:
    for name, value in switches.items():
        game.check(name, value, isinstance(value, bool), "False, True")


def _within(values: npt.NDArray[Any], below: int) -> Flags:
    fits: Flags = (values >= 0) & (values < below)
    return fits


def _autoreset_mode(game: Game, mode: Any) -> AutoresetMode:
    modes = [known.value for known in AutoresetMode]
    game.check("autoreset_mode", mode, isinstance(mode, AutoresetMode) or mode in modes, str(modes))
    return AutoresetMode(mode)


def _bits(seats: Sequence[int]) -> int:
    """Seats as a number: bit `seat` is set for each of them."""
    return sum(1 << seat for seat in seats)
