"""All seats of a table as RLlib's agents: a MultiAgentEnv, who learns with which policy, and modules that mask."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import gymnasium
import numpy as np
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from ..core.game import Game
from ..core.observation import Actions, Agent, Observation
from ..envs.episode import checked_options, checked_seed, first_state

POLICIES = ("shared", "seat", "team")
Told = dict[Any, Any]


class RLlibGame:
    """A game registered with RLlib under `env`; `configure` makes an algorithm learn it."""

    def __init__(self, game: Game, policies: str) -> None:
        game.check("policies", policies, policies in POLICIES, ", ".join(POLICIES))
        self.game = game
        known = hashlib.sha256(json.dumps(game.config, default=str).encode()).hexdigest()[:8]
        self.env = f"{game.name}_{known}"
        self.policies = {f"player_{seat}": _policy(game, policies, seat) for seat in range(game.players)}
        register_env(self.env, lambda settings: RLlibTables(game, **settings))

    def configure(self, config: Any, **model: Any) -> Any:
        """The algorithm's config, on this game, with masks: `model` is RLlib's model config (`fcnet_hiddens`, ..).

        ValueError for an algorithm that cannot mask: of RLlib's those of the PPO family do.
        """
        if not isinstance(config, PPOConfig):
            told = f"{type(config).__name__} cannot mask illegal actions in RLlib; allowed: PPOConfig and its kin"
            raise ValueError(f"{self.game.name}: {told}")
        ids, mapping = sorted(set(self.policies.values())), self.policies
        config.environment(self.env, disable_env_checking=True)
        config.multi_agent(policies=set(ids), policy_mapping_fn=lambda agent, episode, **more: mapping[agent])
        config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={name: self._module(model) for name in ids}))
        return config

    def player(self, algorithm: Any, name: str = "rllib") -> Agent:
        """What an algorithm has learned, as one of our agents: the likeliest legal action of every seat's policy."""
        return RLlibPlayer(name, [algorithm.get_module(policy) for policy in self.policies.values()])

    def _module(self, model: Told) -> RLModuleSpec:
        seen, actions = spaces_of(self.game)
        return RLModuleSpec(ActionMaskingTorchRLModule, seen, actions, model_config=model)


class RLlibTables(MultiAgentEnv):
    """One table. Only the seat to decide is observed; it is paid then for all that came since its last decision.

    Observations: {"observations": (view.size,) float32, "action_mask": (actions.size,) float32}, the names that
    RLlib's masking modules want. At the end all who have played are paid the rest.
    """

    def __init__(self, game: Game, first_seed: int = 0) -> None:
        super().__init__()
        self.game = game
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        seen, actions = spaces_of(game)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        self._chance = np.random.default_rng(first_seed)

    def reset(self, *, seed: int | None = None, options: Told | None = None) -> tuple[Told, Told]:
        """Deal a game: what the first seat sees. `options` as those of the other environments."""
        given = checked_options(self.game, options)
        if checked_seed(self.game, seed) is not None:
            self._chance = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self._table = first_state(self.game, int(self._chance.integers(1 << 62)) if seed is None else seed, given)
        self._due = np.zeros(self.game.players)
        self._played = {int(self._table["seat"][0])}
        return self._seen(self._played), {}

    def step(self, action_dict: Told) -> tuple[Told, Told, Told, Told, Told]:
        """Play the action of the seat to decide; ValueError, nothing changed, if it is illegal or missing."""
        agent = self.possible_agents[int(self._table["seat"][0])]
        self.game.check("action_dict", action_dict, list(action_dict) == [agent], f"an action of {agent} only")
        self.game.apply_action(self._table, action_dict[agent])
        self._due += self._table["rewards"][0][: self.game.players]
        over, cut = bool(self._table["over"][0]), bool(self._table["truncated"][0])
        decides = int(self._table["seat"][0])
        self._played |= set() if over else {decides}
        told = self._played if over else {decides}
        paid = {self.possible_agents[seat]: float(self._due[seat]) for seat in told}
        self._due[list(told)] = 0.0
        if over:
            self.agents = []
        return self._seen(told), paid, {"__all__": over and not cut}, {"__all__": cut}, {}

    def _seen(self, seats: set[int]) -> Told:
        mask = self.game.mask(self._table)
        if self._table["over"][0]:
            mask[:] = 1  # nothing is decided any more; all zero would be no distribution
        return {self.possible_agents[seat]: self._view(seat, mask) for seat in seats}

    def _view(self, seat: int, mask: Any) -> Told:
        return {"observations": self.game.observation(self._table, seat), "action_mask": mask.astype(np.float32)}


class RLlibPlayer:
    """Plays the likeliest legal action of the module of each seat."""

    def __init__(self, name: str, modules: list[Any]) -> None:
        self.name = name
        self._modules = modules

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """An action for every table, all tables of a seat at once."""
        actions = np.zeros(len(obs), np.int64)
        for seat in np.unique(obs.seat):
            rows = np.flatnonzero(obs.seat == seat)
            masks = obs.action_mask[rows].astype(np.float32)
            seen = {"observations": torch.from_numpy(obs.observation[rows]), "action_mask": torch.from_numpy(masks)}
            with torch.inference_mode():
                logits = self._modules[seat].forward_inference({"obs": seen})["action_dist_inputs"].numpy()
            actions[rows] = np.where(masks, logits, -np.inf).argmax(axis=1)
        return actions


def spaces_of(game: Game) -> tuple[gymnasium.spaces.Dict, gymnasium.spaces.Discrete]:
    """What a seat observes, a view and a mask under the names RLlib's masking modules want, and what it may do."""
    view = gymnasium.spaces.Box(game.view.low, game.view.high, (game.view.size,), np.float32)
    mask = gymnasium.spaces.Box(0.0, 1.0, (game.actions.size,), np.float32)
    return gymnasium.spaces.Dict(observations=view, action_mask=mask), gymnasium.spaces.Discrete(game.actions.size)


def _policy(game: Game, policies: str, seat: int) -> str:
    names = {"shared": "shared", "seat": f"seat_{seat}", "team": f"team_{game.team_numbers[seat]}"}
    return names[policies]
