"""Every interface that plays a game, as the same few calls: `test_interfaces.py` plays each beside the game's kernels.

A new interface is one class here. `reset` deals the game of a seed, and `act` plays a choice of the seat to decide.
Both return a look: a dict of what the interface tells, out of `seat` (to decide), `views` (observations by seat),
`legal` choices, `paid` (rewards since the seat's last action, by seat), `totals` (returns at the end) and `end`:
"terminated", "truncated", or "over" where it does not tell which. The interfaces of TABLES play all seats. Those of
LEARNERS play one seat or team against agents that play their first legal action.
"""

import copy
import importlib
import importlib.util
import pickle

import numpy as np
import pytest

import tantra_envs
from tantra_envs import adapters
from tantra_envs.adapters.text import TextTable
from tantra_envs.adapters.tools import ToolTable
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.envs.views import listed
from tantra_envs.table.history import deal, saved_history

N, AT = 3, 1  # tables of an interface with several, and the one that is watched
OTHERS = np.arange(N) != AT
FORFEIT = -2.5


class First:
    """Plays the first legal action."""

    name = "first"

    def act(self, obs, rng):
        return obs.action_mask.argmax(axis=1)


def places(mask):
    return np.flatnonzero(mask).tolist()


def same(view, other):
    if isinstance(view, dict):
        return all(same(view[name], other[name]) for name in other)
    return (view == other).all()


def row(views, i):
    """Return the view of one of several tables, also where a view is a list of described actions."""
    return {name: row(array, i) for name, array in views.items()} if isinstance(views, dict) else views[i]


def ending(terminated, truncated):
    return "terminated" if terminated else "truncated" if truncated else ""


def paid(seat, reward):
    """Return the rewards of a look: none after a deal, when the first step pays for what others did before it."""
    return dict.fromkeys([seat], *reward) if reward else {}


class Interface:
    """One interface, with options of the environment. `env` is all that changes while it plays."""

    refusal, error = "[Ll]egal|not allowed", ValueError

    def __init__(self, game, seat, **options):
        self.game, self.learner, self.options, self.env = game, seat, options, None

    @property
    def by_place(self):
        """Are choices places in the list of legal actions, and not ids?"""
        return self.options.get("view") == "features"

    def copies(self):
        """Return copies that must go on as this one does."""
        return [self.with_env(env) for env in self.envs_of_copies()]

    def with_env(self, env):
        other = copy.copy(self)
        other.env = env
        return other

    def envs_of_copies(self):
        return [pickle.loads(pickle.dumps(self.env))]

    def more(self):
        """Play on to the next game: its seed or its table, and the look at it. None = there is none without a seed."""

    def refuse(self, action):
        with pytest.raises(self.error, match="a place in the list" if self.by_place else self.refusal):
            self.act(action)

    def forfeit(self, action):
        """Check on copies that an illegal action ends the game at its table alone, where that is an option."""


# All seats


class Aec(Interface):
    """PettingZoo."""

    def build(self):
        return tantra_envs.make_raw(self.game.id, **self.options, **self.game.config)

    def reset(self, seed):
        self.env = self.env or self.build()
        self.env.reset(seed=seed)
        return self.look()

    def act(self, action):
        self.env.step(action)
        return self.look()

    def envs_of_copies(self):
        return [self.env.clone(), copy.deepcopy(self.env), *super().envs_of_copies()]

    def more(self):
        self.env.reset()
        return self.env._states.copy(), self.look()

    def look(self):
        env = self.env
        agents = env.possible_agents
        masks, infos = [env.action_mask(agent) for agent in agents], [env.infos[agent] for agent in agents]
        views = [env.observe(agent) for agent in agents]
        if not self.options.keys() & {"flat", "view"}:
            assert all((view["action_mask"] == mask).all() for view, mask in zip(views, masks, strict=True))
            views = [view["observation"] for view in views]
        (end,) = {ending(env.terminations[agent], env.truncations[agent]) for agent in agents}
        seat = agents.index(env.agent_selection)
        assert [i for i, mask in enumerate(masks) if mask.any()] == ([] if end else [seat])
        assert all((info["action_mask"] == mask).all() for info, mask in zip(infos, masks, strict=True))
        assert end or masks[seat][env.action_space(agents[seat]).sample(masks[seat])]
        paid = {i: env._cumulative_rewards[agents[i]] for i in (range(len(agents)) if end else [seat])}
        return {"seat": seat, "views": dict(enumerate(views)), "legal": places(masks[seat]), "paid": paid, "end": end}


class Wrapped(Aec):
    """PettingZoo with the wrappers of `make`."""

    def build(self):
        return tantra_envs.make(self.game.id, **self.options, **self.game.config).unwrapped


class Batch(Interface):
    """Arrays of tables, of which the other ones play at random. `env` is the batch, the seed, and the rewards due."""

    refusal, threads, by_place = f"table {AT}: .*legal", 1, False

    def build(self, **options):
        return BatchEnv(self.game, N, threads=self.threads, **self.options, **options)

    def reset(self, seed):
        batch = self.env[0] if self.env else self.build()
        self.env = [batch, seed, np.zeros(self.game.players)]
        self.deal(seed - AT)
        return self.look()

    def deal(self, seed):
        self.env[0].reset(seed)

    def act(self, action):
        batch, seat = self.env[0], self.env[0].seats[AT]
        actions, before = batch.sample().copy(), batch.states.tobytes()
        actions[AT] = action
        try:
            rewards, terminated, truncated = self.step(actions)
        except Exception:
            assert batch.states.tobytes() == before
            raise
        self.env[2][seat] = 0.0
        self.env[2] += rewards[AT]
        end = ending(terminated[AT], truncated[AT])  # the batch shows the next deal
        return {"paid": dict(enumerate(self.env[2])), "end": end} if end else self.look()

    def step(self, actions):
        return self.env[0].step(actions)[2:]

    def more(self):
        self.env[1:] = self.env[1] + N, np.zeros(self.game.players)
        return self.env[1], self.look()

    def forfeit(self, action):
        alone, batch = copy.deepcopy([self.env[0]] * 2)[0], copy.deepcopy(self.env[0])
        alone._illegal_reward = batch._illegal_reward = FORFEIT
        actions, seat = alone.sample().copy(), batch.seats[AT]
        alone.step(actions)
        actions[AT] = action
        *_, rewards, terminated, truncated = batch.step(actions)
        assert terminated[AT] and not truncated[AT] and rewards[AT, seat] == FORFEIT == rewards[AT].sum()
        assert batch.states[AT : AT + 1].tobytes() == self.game.new(self.env[1] + N).tobytes()
        assert not batch._points[AT:][:1].any()
        for name in ("states", "action_masks", "rewards", "terminations", "truncations"):
            assert getattr(batch, name)[OTHERS].tobytes() == getattr(alone, name)[OTHERS].tobytes(), name
        mine, theirs = self.views(batch), self.views(alone)
        assert all(same(row(mine, i), row(theirs, i)) for i in np.flatnonzero(OTHERS))

    def look(self):
        batch, _, due = self.env
        seat, legal = int(batch.seats[AT]), places(batch.action_masks[AT])
        return {"seat": seat, "views": {seat: row(self.views(batch), AT)}, "legal": legal, "paid": {seat: due[seat]}}

    def views(self, batch):
        return batch.observations if batch.described is None else listed(self.game, batch.described)


class Threads(Batch):
    """The same arrays, with two threads."""

    threads = 2

    def envs_of_copies(self):
        return []


class Jax(Batch):
    """The same arrays inside a compiled program of JAX."""

    error, by_place = Exception, Interface.by_place

    def build(self):
        import jax

        self.tables = adapters.jax(self.game, N, **self.options)
        self.play = jax.jit(self.tables.step)
        return self.tables.batch

    def deal(self, seed):
        self.shown = self.tables.reset(seed)

    def step(self, actions):
        if self.by_place:
            actions[OTHERS] = 0
        shown = self.play(actions)
        rewards = np.array(shown.reward)  # raises what the program has raised
        self.shown = shown
        return rewards, shown.terminated, shown.truncated

    def envs_of_copies(self):
        return []

    def forfeit(self, action):
        if not self.by_place:
            super().forfeit(action)

    def look(self):
        shown, due = self.shown, self.env[2]
        seat = int(shown.seat[AT])
        view, legal = row(shown.observation, AT), places(shown.action_mask[AT])
        return {"seat": seat, "views": {seat: view}, "legal": legal, "paid": {seat: due[seat]}}


class RLlib(Interface):
    """A table of RLlib, which takes a game at its limit as terminated."""

    refusal = "[Ll]egal"

    def reset(self, seed):
        module = importlib.import_module("tantra_envs.adapters.rllib_tables")
        self.env = self.env or module.RLlibTables(self.game, **self.options)
        return self.look(self.env.reset(seed=seed)[0])

    def act(self, action):
        (agent,) = self.agents
        views, rewards, terminated, truncated, _ = self.env.step({agent: action})
        assert truncated == {"__all__": False}
        return self.look(views, rewards, "over" if terminated["__all__"] else "")

    def envs_of_copies(self):
        return [copy.deepcopy(self.env)]

    def look(self, views, rewards=None, end=""):
        self.agents, seats = list(views), [self.env.possible_agents.index(agent) for agent in views]
        masks = [view["action_mask"] for view in views.values()]
        assert all(self.env.observation_spaces[agent].contains(view) for agent, view in views.items())
        shown = views.values() if self.by_place else [view["observations"] for view in views.values()]
        paid = zip(seats, rewards.values(), strict=True) if rewards else ()
        told = {"views": dict(zip(seats, shown, strict=True)), "paid": dict(paid), "end": end}
        return told if end else {"seat": seats[0], "legal": places(masks[0]), **told}


class Spiel(Interface):
    """OpenSpiel, which tells returns at the end."""

    def reset(self, seed):
        self.spiel = adapters.openspiel(self.game)
        self.env = self.spiel.new_initial_state()
        return self.act(seed)

    def act(self, action):
        self.env.apply_action(action)
        if self.env.is_terminal():
            return {"totals": dict(enumerate(self.env.returns())), "end": "over"}
        assert not any(self.env.returns())
        observer, views = self.spiel.make_py_observer(), {}
        for seat in range(self.game.players):
            observer.set_from(self.env, seat)
            views[seat] = observer.tensor.copy()
        return {"seat": self.env.current_player(), "views": views, "legal": self.env.legal_actions()}

    def envs_of_copies(self):
        return [self.env.clone()]

    def refuse(self, action):
        with pytest.raises(ValueError, match="legal"):
            self.env.play.play(action)


class Text(Interface):
    """Prompts and replies, for models on all seats."""

    def reset(self, seed):
        self.env = TextTable(self.game, range(self.game.players), retries=10**6)
        return self.look(self.env.reset(seed))

    def act(self, action):
        state = self.env._history.state
        name = self.game.action_name(state, action) if action in self.game.legal(state) else f"action {action}"
        turn = self.env.step(f"I think.\nAction: {name}")
        if turn.error:
            raise ValueError(turn.error)
        return self.look(turn)

    def envs_of_copies(self):
        return [copy.deepcopy(self.env)]

    def look(self, turn):
        if turn.done:
            end = ending("is over" in turn.prompt, "was truncated" in turn.prompt)
            return {"paid": {turn.seat: turn.reward}, "totals": turn.rewards, "end": end}
        names = turn.prompt.split("You may:\n")[1].split("\n\n")[0].splitlines()
        legal = [self.game.parse_action(self.env._history.state, name.removeprefix("- ")) for name in names]
        return {"seat": turn.seat, "legal": legal, "paid": {turn.seat: turn.reward}}


class Saved(Interface):
    """The game that the browser's table keeps, and its file."""

    def reset(self, seed):
        self.env = deal(self.game, seed)
        return self.look()

    def act(self, action):
        self.env.play(action)
        return self.look()

    def envs_of_copies(self):
        return [saved_history(self.env.save()), self.env.copied(), self.env.branched(len(self.env.moves))]

    def look(self):
        state, totals = self.env.state, dict(enumerate(self.env.totals))
        end = ending(state["over"][0] > state["truncated"][0], state["truncated"][0])
        return {"totals": totals, "seat": int(state["seat"][0]), "legal": self.game.legal(state), "end": end}


# One seat against agents that play their first legal action


class Vector(Interface):
    """Gymnasium's vectors, of which the other tables play their first legal action."""

    mode, refusal = "SameStep", f"table {AT}: .*(legal|not allowed)"

    def build(self, **options):
        seating = {"opponents": First(), "seat": self.learner, "autoreset_mode": self.mode}
        return SeatVectorEnv(self.game, N, **seating, **self.options, **options)

    def reset(self, seed):
        self.env = self.env or self.build()
        return self.look(self.env.reset(seed=seed - AT)[0])

    def act(self, action):
        seat, actions = self.seat, self.actions(action)
        views, rewards, terminated, truncated, infos = self.env.step(actions)
        if not (end := ending(terminated[AT], truncated[AT])):
            assert infos["seat"][AT] == self.seat and (infos["action_mask"] == self.env.action_masks()).all()
            return self.look(views, rewards[AT])
        masks, view = self.env.action_masks(), row(views, AT)
        if self.mode == "SameStep":
            view, masks = infos["final_obs"][AT], infos["final_info"]["action_mask"]
        assert masks[AT].all()
        return {"views": {seat: view}, "paid": {seat: rewards[AT]}, "end": end}

    @property
    def seat(self):
        """The seat of the learner that is to decide, or was the last one."""
        return int(self.tables._learners[AT])

    @property
    def tables(self):
        return self.env

    def actions(self, action):
        tables = self.tables
        if self.mode == "Disabled" and (over := tables._done).any():
            tables.reset(options={"reset_mask": over.copy()})
        actions = tables.action_space.sample()
        assert tables.action_masks()[range(N), actions].all()
        actions[OTHERS] = tables.action_masks()[OTHERS].argmax(axis=1)
        actions[AT] = action
        return actions

    def more(self):
        views = self.tables._look()
        if self.mode == "NextStep":
            views, rewards, *_ = self.env.step(self.actions(0))
            assert rewards[AT] == 0
        elif self.mode == "Disabled":
            views, _ = self.env.reset(options={"reset_mask": np.arange(N) == AT})
        return self.tables.save()["_states"][AT : AT + 1].copy(), self.look(views)

    def envs_of_copies(self):
        loaded = self.build()
        loaded.load(self.env.save())
        assert loaded.np_random.bit_generator.state == self.env.np_random.bit_generator.state
        return [loaded, *super().envs_of_copies()]

    def forfeit(self, action):
        envs, saved = [self.build(illegal_reward=FORFEIT) for _ in range(2)], self.env.save()
        if saved["_done"].any():
            return
        for env in envs:
            env.load(saved)
        actions = envs[0].action_masks().argmax(axis=1)
        plain = envs[0].step(actions)[:4]
        actions[AT] = action
        _, rewards, terminated, truncated = wrong = envs[1].step(actions)[:4]
        assert terminated[AT] and not truncated[AT] and rewards[AT] == FORFEIT
        for mine, theirs in zip(plain, wrong, strict=True):
            assert all(same(row(mine, i), row(theirs, i)) for i in np.flatnonzero(OTHERS))

    def look(self, views, *reward):
        seat, legal = self.seat, places(self.tables.action_masks()[AT])
        return {"seat": seat, "views": {seat: row(views, AT)}, "legal": legal, "paid": paid(seat, reward)}


class NextStep(Vector):
    """The mode in which a step deals the next game."""

    mode = "NextStep"


class Disabled(Vector):
    """The mode in which a reset deals the next game."""

    mode = "Disabled"


class Single(Interface):
    """Gymnasium's environment of one table."""

    def build(self, **options):
        return SeatEnv(self.game, opponents=First(), seat=self.learner, **self.options, **options)

    def reset(self, seed):
        self.env = self.env or self.build(illegal_reward=None)
        return self.look(*self.env.reset(seed=seed))

    def act(self, action):
        view, reward, terminated, truncated, info = self.env.step(action)
        return {**self.look(view, info, reward), "end": ending(terminated, truncated)}

    def more(self):
        look = self.look(*self.env.reset())
        return self.env._tables.save()["_states"].copy(), look

    def forfeit(self, action):
        usual = self.build()
        usual._tables.load(self.env._tables.save())
        assert usual.step(action)[1:4] == (-1.0, True, False)

    def look(self, view, info, *reward):
        mask, seat = self.env.action_masks(), int(info["seat"])
        assert (info["action_mask"] == mask).all() and mask[self.env.action_space.sample()]
        return {"seat": seat, "views": {seat: view}, "legal": places(mask), "paid": paid(seat, reward)}


class SB3(Vector):
    """Stable-Baselines3."""

    @property
    def tables(self):
        return self.env.tables

    def reset(self, seed):
        self.env = self.env or adapters.sb3(self.game, N, opponents=First(), seat=self.learner, **self.options)
        self.env.seed(seed - AT)
        return self.look(self.env.reset())

    def act(self, action):
        seat = self.seat
        views, rewards, dones, infos = self.env.step(self.actions(action))
        if not dones[AT]:
            return self.look(views, rewards[AT])
        assert not self.env._returns[AT]  # of the next game
        assert not infos[AT]["TimeLimit.truncated"]  # SB3 would add the value of the last observation
        told = {"paid": {seat: rewards[AT]}, "totals": {seat: infos[AT]["episode"]["r"]}}
        end = ending(not infos[AT]["truncated"], True)
        return {"views": {seat: infos[AT]["terminal_observation"]}, **told, "end": end}

    def envs_of_copies(self):
        return []

    def forfeit(self, action):
        """Check nothing: its tables are those of `Vector`."""


class Tools(Interface):
    """The tools of a language model, as the MCP server has them."""

    def reset(self, seed):
        self.env = ToolTable(self.game, self.learner, dict.fromkeys(range(self.game.players), First()), seed=seed)
        return self.look()

    def act(self, action):
        state, before = self.env._history.state, self.env.look()
        name = self.game.action_name(state, action) if action in self.game.legal(state) else f"action {action}"
        try:
            self.env.play(name)
        except ValueError:
            assert self.env.look() == before
            raise
        return self.look()

    def envs_of_copies(self):
        return [copy.deepcopy(self.env)]

    def look(self):
        state, said = self.env._history.state, self.env.look()
        if end := ending("game is over" in said, "was truncated" in said):
            totals = [part.split(": ") for part in said.split("Rewards: ")[1].split(". ")[0].split(", ")]
            return {"totals": {int(who.split()[1]): float(total) for who, total in totals}, "end": end}
        legal = [self.game.parse_action(state, name) for name in self.env.legal_actions()]
        return {"seat": int(state["seat"][0]), "legal": legal}


def where(package, *interfaces):
    return [*interfaces] if importlib.util.find_spec(package) else []


JAX, RLLIB, OPENSPIEL, SB = where("jax", Jax), where("ray", RLlib), where("pyspiel", Spiel), where("sb3_contrib", SB3)
TABLES = [Aec, Wrapped, Batch, Threads, Text, Saved, *JAX, *RLLIB, *OPENSPIEL]
VECTORS = [Vector, NextStep, Disabled, Single]
LEARNERS = [*VECTORS, Tools, *SB]
