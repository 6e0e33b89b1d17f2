"""Every interface that plays a game, as the same few calls: `test_interfaces.py` plays each beside the game's kernels.

A new interface is one class here: `reset` deals the game of a seed, `act` plays an action of the seat to decide, and both
return a `Look`. Those of `LEARNERS` play one seat against agents that play their first legal action; those of `TABLES`
play all seats.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest

from tantra_envs import adapters
from tantra_envs.adapters.text import TextTable
from tantra_envs.adapters.tools import ToolTable
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.table.history import deal, saved_history

N, AT = 3, 1  # tables of an interface with several, and the one that is watched
ENDS = {"": "", "terminated": "terminated", "truncated": "truncated"}


class Look(NamedTuple):
    """What an interface shows; None = it does not show it."""

    seat: int | None = None  # to decide
    views: dict[int, Any] | None = None  # by seat
    legal: list[int] | None = None
    paid: dict[int, float] | None = None  # rewards since the seat's last action, of seats that are told now
    end: str | None = ""  # "" = the game goes on
    totals: dict[int, float] | None = None  # returns, told at the end


class First:
    """Plays the first legal action."""

    name = "first"

    def act(self, obs: Any, rng: Any) -> Any:
        return obs.action_mask.argmax(axis=1)


class Model:
    """The game by its own kernels: what every interface must show."""

    def __init__(self, game: Any, own: tuple[int, ...], skips_forced: bool = False) -> None:
        self.game, self.own, self.skips_forced = game, own, skips_forced

    def begin(self, state: Any) -> None:
        self.state, self.due, self.totals = state, np.zeros(self.game.players), np.zeros(self.game.players)
        self._go_on()

    def act(self, action: int) -> None:
        self.due[self.seat] = 0.0
        self._apply(action)
        while self.skips_forced and not self.end and len(self.legal) == 1:
            self._apply(self.legal[0])
        self._go_on()

    @property
    def seat(self) -> int:
        return int(self.state["seat"][0])

    @property
    def legal(self) -> list[int]:
        return self.game.legal(self.state)

    @property
    def end(self) -> str:
        return "" if not self.state["over"][0] else "truncated" if self.state["truncated"][0] else "terminated"

    def _apply(self, action: int) -> None:
        self.game.apply_action(self.state, action)
        rewards = self.state["rewards"][0, : self.game.players]
        self.due, self.totals = self.due + rewards, self.totals + rewards

    def _go_on(self) -> None:
        while not self.end and self.seat not in self.own:
            self._apply(self.legal[0])


class Interface:
    """One interface. `more` plays on to its next game: the seed of its deal, or the table, and the look at it."""

    def __init__(self, game: Any, seat: int = 0) -> None:
        self.game, self.learner = game, seat

    def copies(self) -> list[Interface]:
        """Return copies that must go on as this one does."""
        return []

    def more(self) -> tuple[Any, Look] | None:
        return None

    def refuse(self, action: int) -> None:
        with pytest.raises(ValueError, match=r"illegal|not allowed|not played|No legal|not a legal|legal"):
            self.act(action)

    def forfeit(self, action: int) -> None:
        """Play an illegal action where it ends the game, on a copy."""


def available(*packages: str) -> bool:
    return all(importlib.util.find_spec(package) for package in packages)


# All seats


class Aec(Interface):
    """PettingZoo."""

    def __init__(self, game: Any, seat: int = 0) -> None:
        super().__init__(game)
        self.env = TableEnv(game)

    def reset(self, seed: int) -> Look:
        self.env.reset(seed=seed)
        return self._look()

    def act(self, action: int) -> Look:
        self.env.step(action)
        return self._look()

    def copies(self) -> list[Interface]:
        twins = [self.env.clone(), copy.deepcopy(self.env), pickle.loads(pickle.dumps(self.env))]
        return [self._of(twin) for twin in twins]

    def _of(self, env: TableEnv) -> Interface:
        other = type(self)(self.game)
        other.env = env
        return other

    def more(self) -> tuple[Any, Look]:
        self.env.reset()
        return self.env._states.copy(), self._look()

    def _look(self) -> Look:
        env, players = self.env, range(self.game.players)
        ends = [
            kind
            for kind, told in (("terminated", env.terminations), ("truncated", env.truncations))
            if any(told.values())
        ]
        (end,) = ends or [""]
        views = {seat: env.observe(f"player_{seat}") for seat in players}
        seat = int(env.agent_selection[-1])
        masks = [seat for seat in players if views[seat]["action_mask"].any()]
        assert masks == ([] if end else [seat])
        assert all((env.infos[f"player_{i}"]["action_mask"] == views[i]["action_mask"]).all() for i in players)
        told = players if end else [seat]
        paid = {i: env._cumulative_rewards[f"player_{i}"] for i in told}
        legal = np.flatnonzero(views[seat]["action_mask"]).tolist()
        return Look(seat, {i: view["observation"] for i, view in views.items()}, legal, paid, end)


class Batch(Interface):
    """Arrays of tables, of which the other ones play at random."""

    options: dict[str, Any] = {}

    def reset(self, seed: int) -> Look:
        self.batch, self.seed = BatchEnv(self.game, N, seed=seed - AT, **self.options), seed
        self.due = np.zeros(self.game.players)
        return self._look("")

    def act(self, action: int) -> Look:
        return self._step(self.batch, action)

    def _step(self, batch: BatchEnv, action: int) -> Look:
        actions, seat = batch.sample().copy(), batch.seats[AT]
        actions[AT] = action
        before = batch.states.tobytes()
        try:
            *_, rewards, terminated, truncated = batch.step(actions)
        except ValueError:
            assert batch.states.tobytes() == before
            raise
        self.due[seat] = 0.0
        self.due += rewards[AT]
        return self._look("terminated" if terminated[AT] else "truncated" if truncated[AT] else "")

    def copies(self) -> list[Interface]:
        twin = copy.copy(self)
        twin.batch, twin.due = pickle.loads(pickle.dumps(self.batch)), self.due.copy()
        return [twin]

    def more(self) -> tuple[Any, Look]:
        self.seed, self.due = self.seed + N, np.zeros(self.game.players)
        return self.seed, self._look("")

    def forfeit(self, action: int) -> None:
        alone, batch = copy.deepcopy(self.batch), copy.deepcopy(self.batch)
        alone._illegal_reward = batch._illegal_reward = -2.5
        actions, others, seat = alone.sample().copy(), np.arange(N) != AT, batch.seats[AT]
        alone.step(actions)
        actions[AT] = action
        *_, rewards, terminated, truncated = batch.step(actions)
        assert terminated[AT] and not truncated[AT] and rewards[AT, seat] == -2.5 == rewards[AT].sum()
        assert batch.states[AT : AT + 1].tobytes() == self.game.new(self.seed + N).tobytes()
        for name in ("states", "observations", "action_masks", "rewards", "terminations", "truncations"):
            assert getattr(batch, name)[others].tobytes() == getattr(alone, name)[others].tobytes(), name

    def _look(self, end: str) -> Look:
        if end:  # the batch shows the next deal
            return Look(paid=dict(enumerate(self.due)), end=end)
        batch, seat = self.batch, int(self.batch.seats[AT])
        legal = np.flatnonzero(batch.action_masks[AT]).tolist()
        return Look(seat, {seat: batch.observations[AT]}, legal, {seat: self.due[seat]}, end)


class Forced(Batch):
    """The same arrays, with forced actions played by the batch."""

    options = {"skip_forced": True}

    def forfeit(self, action: int) -> None:
        """The batch plays on after it."""


class Jax(Interface):
    """Tables in a JAX program."""

    def reset(self, seed: int) -> Look:
        self.tables, self.seed, self.due = adapters.jax(self.game, N), seed, np.zeros(self.game.players)
        self.now = self.tables.reset(seed - AT)
        return self._look()

    def act(self, action: int) -> Look:
        actions = np.asarray(self.now.action_mask).argmax(axis=1)
        seat, actions[AT] = int(self.now.seat[AT]), action
        self.now = self.tables.step(actions)
        self.due[seat] = 0.0
        self.due += np.asarray(self.now.reward[AT])
        return self._look()

    def more(self) -> tuple[Any, Look]:
        self.seed, self.due = self.seed + N, np.zeros(self.game.players)
        return self.seed, self._shown()

    def refuse(self, action: int) -> None:
        """An error ends the program."""

    def _look(self) -> Look:
        end = "terminated" if self.now.terminated[AT] else "truncated" if self.now.truncated[AT] else ""
        return Look(paid=dict(enumerate(self.due)), end=end) if end else self._shown()

    def _shown(self) -> Look:
        seat, legal = int(self.now.seat[AT]), np.flatnonzero(np.asarray(self.now.action_mask[AT])).tolist()
        return Look(seat, {seat: np.asarray(self.now.observation[AT])}, legal, {seat: self.due[seat]})


class Spiel(Interface):
    """OpenSpiel, which tells returns at the end."""

    def reset(self, seed: int) -> Look:
        module = importlib.import_module("tantra_envs.adapters.openspiel_game")
        self.spiel = module.spiel_game(self.game.id, {**self.game.config}, 1, seed)
        self.state = self.spiel.new_initial_state()
        self.state.apply_action(0)
        return self._look()

    def act(self, action: int) -> Look:
        self.state.play.play(action)
        return self._look()

    def copies(self) -> list[Interface]:
        twin = copy.copy(self)
        twin.state = self.state.clone()
        return [twin]

    def _look(self) -> Look:
        state = self.state
        if state.is_terminal():
            return Look(end=None, totals=dict(enumerate(state.returns())))
        observer, views = self.spiel.make_py_observer(), {}
        for seat in range(self.game.players):
            observer.set_from(state, seat)
            views[seat] = observer.tensor.copy()
        return Look(state.current_player(), views, state.legal_actions())


class RLlib(Interface):
    """RLlib, which observes the seat to decide alone."""

    def __init__(self, game: Any, seat: int = 0) -> None:
        super().__init__(game)
        adapters.rllib(game)
        self.env = importlib.import_module("tantra_envs.adapters.rllib_tables").RLlibTables(game)

    def reset(self, seed: int) -> Look:
        self.now = self.env.reset(seed=seed)[0]
        return self._look({agent: 0.0 for agent in self.now})

    def act(self, action: int) -> Look:
        (agent,) = self.now
        self.now, paid, terminated, truncated, _ = self.env.step({agent: action})
        assert not truncated["__all__"]
        return self._look(paid, None if terminated["__all__"] else "")

    def _look(self, paid: dict[str, float], end: str | None = "") -> Look:
        by_seat = {int(agent[-1]): reward for agent, reward in paid.items()}
        views = {int(agent[-1]): seen["observations"] for agent, seen in self.now.items()}
        if end is None:
            return Look(views=views, paid=by_seat, end=None)
        ((seat, _),) = views.items()
        mask = self.now[f"player_{seat}"]["action_mask"]
        return Look(seat, views, np.flatnonzero(mask).tolist(), by_seat)


class Text(Interface):
    """Prompts and replies, for models on all seats."""

    def reset(self, seed: int) -> Look:
        self.table = TextTable(self.game, range(self.game.players), retries=10**6)
        return self._look(self.table.reset(seed))

    def act(self, action: int) -> Look:
        name = (
            f"action {action}" if action not in self.legal else self.game.action_name(self.table._history.state, action)
        )
        turn = self.table.step(f"I think.\nAction: {name}")
        if turn.error:
            raise ValueError(turn.error)
        return self._look(turn)

    def copies(self) -> list[Interface]:
        twin = copy.copy(self)
        twin.table = copy.copy(self.table)
        twin.table._history = self.table._history.copied()
        twin.table._rewarded = [*self.table._rewarded]
        return [twin]

    def _look(self, turn: Any) -> Look:
        if turn.done:
            assert ("truncated" in turn.prompt) == bool(self.table._history.state["truncated"][0])
            return Look(end=None, paid={turn.seat: turn.reward}, totals=turn.rewards)
        state, names = self.table._history.state, turn.prompt.split("You may:\n")[1].split("\n\n")[0].splitlines()
        self.legal = [self.game.parse_action(state, name.removeprefix("- ")) for name in names]
        return Look(turn.seat, None, self.legal, {turn.seat: turn.reward})


class Saved(Interface):
    """The game that the browser's table keeps, and its file."""

    def reset(self, seed: int) -> Look:
        self.history = deal(self.game, seed)
        return self._look()

    def act(self, action: int) -> Look:
        self.history.play(action)
        return self._look()

    def copies(self) -> list[Interface]:
        twins = [copy.copy(self) for _ in range(3)]
        moves = len(self.history.moves)
        kept = saved_history(self.history.save()), self.history.copied(), self.history.branched(moves)
        for twin, history in zip(twins, kept, strict=True):
            twin.history = history
        return list(twins)

    def _look(self) -> Look:
        state, totals = self.history.state, dict(enumerate(self.history.totals))
        if state["over"][0]:
            return Look(end=None, totals=totals)
        return Look(int(state["seat"][0]), None, self.game.legal(state))


# One seat against agents that play their first legal action


class Vector(Interface):
    """Gymnasium's vectors, of which the other tables play their first legal action."""

    mode = "SameStep"

    def reset(self, seed: int) -> Look:
        self.env = SeatVectorEnv(self.game, N, opponents=First(), seat=self.learner, autoreset_mode=self.mode)
        self.now = self.env.reset(seed=seed - AT)[0]
        return self._look()

    def act(self, action: int) -> Look:
        return self._told(*self.env.step(self._actions(action)))

    def _actions(self, action: int) -> Any:
        if self.mode == "Disabled" and (over := self.env._done).any():
            self.env.reset(options={"reset_mask": over.copy()})
        actions = self.env.action_masks().argmax(axis=1)
        actions[AT] = action
        return actions

    def _told(self, views: Any, rewards: Any, terminated: Any, truncated: Any, infos: Any) -> Look:
        self.now, over = views, terminated[AT] or truncated[AT]
        if not over:
            return self._look(rewards[AT])
        last = infos["final_obs"][AT] if self.mode == "SameStep" else views[AT]
        assert self.mode == "SameStep" or self.env.action_masks()[AT].all()
        end = "terminated" if terminated[AT] else "truncated"
        return Look(None, {self.learner: last}, None, {self.learner: rewards[AT]}, end)

    def more(self) -> tuple[Any, Look]:
        if self.mode == "NextStep":
            self.now, rewards, *_ = self.env.step(self._actions(0))
            assert rewards[AT] == 0
        elif self.mode == "Disabled":
            self.now, _ = self.env.reset(options={"reset_mask": np.arange(N) == AT})
        return self.env.save()["_states"][AT : AT + 1].copy(), self._look()

    def copies(self) -> list[Interface]:
        twin, other = copy.copy(self), copy.copy(self)
        twin.env, other.env = pickle.loads(pickle.dumps(self.env)), copy.copy(self.env)
        other.env = SeatVectorEnv(self.game, N, opponents=First(), seat=self.learner, autoreset_mode=self.mode)
        other.now, infos = other.env.load(self.env.save())
        assert (other.now == self.now).all() and (infos["action_mask"] == self.env.action_masks()).all()
        return [twin, other]

    def forfeit(self, action: int) -> None:
        saved, looks, others = self.env.save(), [], np.arange(N) != AT
        for wrong in (False, True):
            env = SeatVectorEnv(self.game, N, opponents=First(), seat=self.learner, illegal_reward=-2.5,
                                autoreset_mode=self.mode)  # fmt: skip
            env.load(saved)
            actions = env.action_masks().argmax(axis=1)
            actions[AT] = action if wrong else actions[AT]
            if self.mode == "Disabled" and saved["_done"].any():
                return
            looks.append(env.step(actions)[:4])
        _, rewards, terminated, truncated = looks[1]
        assert terminated[AT] and not truncated[AT] and rewards[AT] == -2.5
        assert all((mine[others] == theirs[others]).all() for mine, theirs in zip(*looks, strict=True))

    def _look(self, reward: float = 0.0) -> Look:
        legal = np.flatnonzero(self.env.action_masks()[AT]).tolist()
        return Look(self.learner, {self.learner: self.now[AT]}, legal, {self.learner: reward})


class NextStep(Vector):
    """The mode in which a step deals the next game."""

    mode = "NextStep"


class Disabled(Vector):
    """The mode in which a reset deals the next game."""

    mode = "Disabled"


class Single(Interface):
    """Gymnasium's environment of one table."""

    def reset(self, seed: int) -> Look:
        self.env = SeatEnv(self.game, opponents=First(), seat=self.learner, illegal_reward=None)
        view, info = self.env.reset(seed=seed)
        return self._look(view, 0.0, info)

    def act(self, action: int) -> Look:
        view, reward, terminated, truncated, info = self.env.step(action)
        if terminated or truncated:
            return Look(
                None, {self.learner: view}, None, {self.learner: reward}, "terminated" if terminated else "truncated"
            )
        return self._look(view, reward, info)

    def more(self) -> tuple[Any, Look]:
        view, info = self.env.reset()
        return self.env._tables.save()["_states"].copy(), self._look(view, 0.0, info)

    def copies(self) -> list[Interface]:
        twin = copy.copy(self)
        twin.env = pickle.loads(pickle.dumps(self.env))
        return [twin]

    def _look(self, view: Any, reward: float, info: Any) -> Look:
        mask = self.env.action_masks()
        assert (info["action_mask"] == mask).all() and mask[self.env.action_space.sample()]
        return Look(int(info["seat"]), {self.learner: view}, np.flatnonzero(mask).tolist(), {self.learner: reward})


class SB3(Interface):
    """Stable-Baselines3."""

    def reset(self, seed: int) -> Look:
        self.env = adapters.sb3(self.game, N, opponents=First(), seat=self.learner)
        self.env.seed(seed - AT)
        self.now, self.total, self.steps = self.env.reset(), 0.0, 0
        return self._look(0.0)

    def act(self, action: int) -> Look:
        actions = np.stack(self.env.env_method("action_masks")).argmax(axis=1)
        actions[AT] = action
        self.now, rewards, dones, infos = self.env.step(actions)
        self.total, self.steps = self.total + rewards[AT], self.steps + 1
        if not dones[AT]:
            return self._look(rewards[AT])
        info = infos[AT]
        assert info["episode"] == {"r": pytest.approx(self.total), "l": self.steps} and not info["TimeLimit.truncated"]
        end, self.total, self.steps = "truncated" if info["truncated"] else "terminated", 0.0, 0
        return Look(None, {self.learner: info["terminal_observation"]}, None, {self.learner: rewards[AT]}, end)

    def more(self) -> tuple[Any, Look]:
        return self.env.tables.save()["_states"][AT : AT + 1].copy(), self._look(0.0)

    def _look(self, reward: float) -> Look:
        legal = np.flatnonzero(self.env.env_method("action_masks", indices=[AT])[0]).tolist()
        return Look(self.learner, {self.learner: self.now[AT]}, legal, {self.learner: reward})


class Tools(Interface):
    """The tools of a language model, as the MCP server has them."""

    def reset(self, seed: int) -> Look:
        agents = {seat: First() for seat in range(self.game.players) if seat != self.learner}
        self.table = ToolTable(self.game, self.learner, agents, seed=seed)
        return self._look()

    def act(self, action: int) -> Look:
        legal = self.game.legal(self.table._history.state)
        name = f"action {action}" if action not in legal else self.game.action_name(self.table._history.state, action)
        before = self.table.look()
        try:
            self.table.play(name)
        except ValueError:
            assert self.table.look() == before
            raise
        return self._look()

    def _look(self) -> Look:
        table = self.table
        if table._history.state["over"][0]:
            paid = table.look().split("Rewards: ")[1].partition(". ")[0]
            return Look(
                end=None, totals={int(part.split()[1][:-1]): float(part.split()[2]) for part in paid.split(", ")}
            )
        state = table._history.state
        return Look(
            int(state["seat"][0]), None, [self.game.parse_action(state, name) for name in table.legal_actions()]
        )


TABLES = [Aec, Batch, Text, Saved, *([Spiel] if available("pyspiel") else []), *([Jax] if available("jax") else []),
          *([RLlib] if available("ray") else [])]  # fmt: skip
LEARNERS = [Vector, NextStep, Disabled, Single, Tools, *([SB3] if available("stable_baselines3") else [])]
