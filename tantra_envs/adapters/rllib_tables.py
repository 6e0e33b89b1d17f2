"""RLlib: a MultiAgentEnv of all seats of a table, the assignment of policies to seats, and modules that mask.

With `view="features"` the module is a `RatingModule`. `networks.save_network(algorithm.get_module(policy), game, file)`
writes it as a model file.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import gymnasium
import numpy as np
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from ..core.game import Game
from ..core.observation import Actions, Agent, Observation
from ..envs.episode import action_id, checked_options, checked_seed, first_state
from ..envs.views import VIEWS, LegalActionLists, View, features_space
from ..networks import ACTIVATIONS, RatingNetwork, ValueNetwork, best_actions

POLICIES = ("shared", "seat", "team")
Told = dict[Any, Any]


class RLlibGame:
    """A game registered with RLlib as `env`. `configure` sets up an algorithm for it."""

    def __init__(self, game: Game, policies: str, view: View = "observation") -> None:
        game.check("policies", policies, policies in POLICIES, ", ".join(POLICIES))
        game.check_in("view", view, VIEWS)
        self.game, self.view = game, view
        digest = hashlib.sha256(json.dumps(game.config, default=str).encode()).hexdigest()[:8]
        self.env = f"{game.name}_{digest}" + ("_features" if view == "features" else "")
        names = {"shared": "shared", "seat": "seat_{seat}", "team": "team_{team}"}
        self.policies = {
            f"player_{seat}": names[policies].format(seat=seat, team=team)
            for seat, team in enumerate(game.team_numbers)
        }
        register_env(
            self.env,
            lambda settings: RLlibTables(game, worker=getattr(settings, "worker_index", 0), view=view, **settings),
        )

    def configure(self, config: Any, **model: Any) -> Any:
        """Return the algorithm's config with this game, its policies and masks.

        Args:
            config: A PPOConfig, or a config derived from it.
            model: RLlib's model config (`fcnet_hiddens`, ..). With `view="features"` only `fcnet_hiddens`, by default
                [64, 64], and `fcnet_activation` of the rating network, "tanh" or "relu".

        Raises:
            ValueError: The algorithm cannot mask. In RLlib only the PPO family can.
        """
        if not isinstance(config, PPOConfig):
            problem = f"{type(config).__name__} cannot mask illegal actions in RLlib; allowed: PPOConfig or a subclass"
            raise ValueError(f"{self.game.name}: {problem}")
        ids, mapping = sorted(set(self.policies.values())), self.policies
        config.environment(self.env, disable_env_checking=True)
        config.multi_agent(policies=set(ids), policy_mapping_fn=lambda agent, episode, **more: mapping[agent])
        config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={name: self._module(model) for name in ids}))
        return config

    def player(self, algorithm: Any, name: str = "rllib") -> Agent:
        """Return a trained algorithm as one of our agents. It plays the most probable legal action of each policy."""
        return RLlibPlayer(name, [algorithm.get_module(policy) for policy in self.policies.values()])

    def _module(self, model: Told) -> RLModuleSpec:
        observations, actions = spaces_of(self.game, self.view)
        kind = ActionMaskingTorchRLModule
        if self.view == "features":
            kind = RatingModule
            unknown = sorted(model.keys() - {"fcnet_hiddens", "fcnet_activation"})
            self.game.check("model", unknown, not unknown, "fcnet_hiddens, fcnet_activation")
            activation = model.get("fcnet_activation", "tanh")
            self.game.check("fcnet_activation", activation, activation in ACTIVATIONS, ", ".join(ACTIVATIONS))
        return RLModuleSpec(kind, observations, actions, model_config=model)


class RLlibTables(MultiAgentEnv):
    """One table where only the seat to decide is observed. It then gets its rewards since its last decision.

    Observations are {"observations": (view.size,) float32, "action_mask": (actions.size,) float32}, the names that
    RLlib's masking modules expect. With `view="features"` they are lists of legal actions: see `SeatEnv`. An action is
    then a place in the list, and infos have `left_out`. At the end all seats that have played get their remaining
    rewards.

    RLlib gives tables of different env runners the same seeds, so the series of deals after a seed also depends on
    `worker`, the number of the runner. Without any seed the deals are random.
    """

    def __init__(self, game: Game, first_seed: int | None = None, worker: int = 0, view: View = "observation") -> None:
        super().__init__()
        self.game = game
        self._lists = LegalActionLists(game, 1) if view == "features" else None
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        observations, actions = spaces_of(game, view)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observations)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        self._worker = worker
        self._chance = np.random.default_rng(None if first_seed is None else (worker, first_seed))

    def reset(self, *, seed: int | None = None, options: Told | None = None) -> tuple[Told, Told]:
        """Deal a game and return the observation of the seat to decide. `options` are those of `TableEnv.reset`."""
        deal_options = checked_options(self.game, options)
        if (first := checked_seed(self.game, seed)) is not None:
            self._chance = np.random.default_rng((self._worker, first))
        self.agents = list(self.possible_agents)
        self._table = first_state(
            self.game, int(self._chance.integers(1 << 62)) if seed is None else seed, deal_options
        )
        self._due = np.zeros(self.game.players)
        self._played = {int(self._table["seat"][0])}
        return self._seen(self._played), self._infos(self._played)

    def step(self, action_dict: Told) -> tuple[Told, Told, Told, Told, Told]:
        """Play the action of the seat to decide.

        Raises:
            ValueError: The action is illegal or missing. Nothing has changed.
        """
        agent = self.possible_agents[int(self._table["seat"][0])]
        self.game.check("action_dict", action_dict, list(action_dict) == [agent], f"an action of {agent} only")
        self.game.apply_action(self._table, self._id_of(action_dict[agent]))
        self._due += self._table["rewards"][0][: self.game.players]
        over = bool(self._table["over"][0])
        decides = int(self._table["seat"][0])
        self._played |= set() if over else {decides}
        seats = self._played if over else {decides}
        rewards = {self.possible_agents[seat]: float(self._due[seat]) for seat in seats}
        self._due[list(seats)] = 0.0
        if over:
            self.agents = []
        # RLlib would add the value of the last position to the final rewards of a game that is truncated.
        return self._seen(seats), rewards, {"__all__": over}, {"__all__": False}, self._infos(seats)

    def _seen(self, seats: set[int]) -> Told:
        if self._lists is not None:
            return {self.possible_agents[seat]: self._list_for(self._lists, seat) for seat in seats}
        mask = self.game.mask(self._table).astype(np.float32)
        if self._table["over"][0]:
            mask[:] = 1  # a mask of zeros would give no distribution
        return {
            self.possible_agents[seat]: {
                "observations": self.game.observation(self._table, seat),
                "action_mask": mask.copy(),
            }
            for seat in seats
        }

    def _list_for(self, lists: LegalActionLists, seat: int) -> Told:
        views, masks = lists.look(self._table, np.array([seat]), self._table["over"] == 0)
        self._places = masks[0]
        seen: Told = lists.one(views, 0)
        return seen

    def _id_of(self, choice: Any) -> Any:
        """Return the action id of a choice; raise ValueError for a place without an action."""
        if self._lists is None:
            return choice
        place = action_id(choice)
        if not 0 <= place < len(self._places) or not self._places[place]:
            self._lists.refuse(self._table, 0, self._places, place)
        return int(self._lists.ids(np.array([place]))[0])

    def _infos(self, seats: set[int]) -> Told:
        """Return the infos of seats that are observed now."""
        if self._lists is None:
            return {}
        facts = {name: int(numbers[0]) for name, numbers in self._lists.infos().items()}
        return {self.possible_agents[seat]: facts for seat in seats}


class RLlibPlayer:
    """An agent that plays the most probable legal action of each seat's module."""

    def __init__(self, name: str, modules: list[Any]) -> None:
        self.name = name
        self._modules = modules

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return an action for every table, shape (k,). All tables of a seat are computed at once."""
        actions = np.zeros(len(obs), np.int64)
        for seat in np.unique(obs.seat):
            rows = np.flatnonzero(obs.seat == seat)
            if isinstance(self._modules[seat], RatingModule):
                actions[rows] = best_actions(self._modules[seat].action_net, obs.described.take(rows))
                continue
            masks = obs.action_mask[rows].astype(np.float32)
            inputs = {"observations": torch.from_numpy(obs.observation[rows]), "action_mask": torch.from_numpy(masks)}
            with torch.inference_mode():
                logits = self._modules[seat].forward_inference({"obs": inputs})["action_dist_inputs"].numpy()
            actions[rows] = np.where(masks, logits, -np.inf).argmax(axis=1)
        return actions


class RatingModule(TorchRLModule, ValueFunctionAPI):
    """A module of PPO with a `RatingNetwork` and a `ValueNetwork`, for tables with `view="features"`."""

    def setup(self) -> None:
        """Make the networks."""
        table, actions = (self.observation_space[name].shape[-1] for name in ("table", "actions"))
        hidden = self.model_config.get("fcnet_hiddens", (64, 64))
        self.action_net = RatingNetwork(actions, table, hidden, self.model_config.get("fcnet_activation", "tanh"))
        self.value_net = ValueNetwork(table, hidden)

    def _forward(self, batch: Told, **more: Any) -> Told:
        lists = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.action_net(lists["table"], lists["actions"], lists["action_mask"])}

    def compute_values(self, batch: Told, embeddings: Any = None) -> torch.Tensor:
        """Return the values of the tables, (batch,)."""
        values: torch.Tensor = self.value_net(batch[Columns.OBS]["table"])
        return values


def spaces_of(game: Game, view: View = "observation") -> tuple[gymnasium.spaces.Dict, gymnasium.spaces.Discrete]:
    """Return the observation space, under the names that RLlib's masking modules expect, and the action space.

    With `view="features"` it is the space of a list of legal actions, for a `RatingModule`.
    """
    if view == "features":
        return features_space(game), gymnasium.spaces.Discrete(game.most_legal)
    box = gymnasium.spaces.Box(game.view.low, game.view.high, (game.view.size,), np.float32)
    mask = gymnasium.spaces.Box(0.0, 1.0, (game.actions.size,), np.float32)
    return gymnasium.spaces.Dict(observations=box, action_mask=mask), gymnasium.spaces.Discrete(game.actions.size)
