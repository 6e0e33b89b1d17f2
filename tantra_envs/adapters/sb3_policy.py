"""A policy of MaskablePPO over lists of legal actions.

`MaskablePPO(adapters.RatingPolicy, tables, n_steps=64, rollout_buffer_class=adapters.RatingBuffer)` learns with it.
"""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import Schedule
from torch import nn

from ..networks import RatingNetwork, ValueNetwork, log_softmax

LOWEST = -30.0  # log-probability below which a place adds nothing to the entropy


class RatingPolicy(MaskableMultiInputActorCriticPolicy):
    """Rates each legal action by its features. The tables come from `adapters.sb3(game, n, view="features")`.

    `policy_kwargs` take `net_arch`, the sizes of the hidden layers of both networks, by default [64, 64], and
    `activation_fn` of the rating network, nn.Tanh or nn.ReLU.
    """

    def __init__(self, observation_space: Any, action_space: Any, lr_schedule: Schedule, **options: Any) -> None:
        lists = {"table", "actions", "action_mask"}
        if not lists <= set(getattr(observation_space, "spaces", ())):
            raise ValueError(f"RatingPolicy: {observation_space} is not allowed; allowed: tables with view='features'")
        options.setdefault("net_arch", [64, 64])
        options["features_extractor_class"] = _Lists
        super().__init__(observation_space, action_space, lr_schedule, **options)

    def _build(self, lr_schedule: Schedule) -> None:
        """Make the networks and the optimizer."""
        table, actions = (self.observation_space[name].shape[-1] for name in ("table", "actions"))  # type: ignore[index]
        hidden = self.net_arch
        if not (isinstance(hidden, (list, tuple)) and all(isinstance(width, int) for width in hidden)):
            raise ValueError(f"RatingPolicy: net_arch={hidden} is not allowed; allowed: a list of sizes")
        names = {nn.Tanh: "tanh", nn.ReLU: "relu"}
        if self.activation_fn not in names:
            raise ValueError(
                f"RatingPolicy: activation_fn={self.activation_fn} is not allowed; allowed: nn.Tanh, nn.ReLU"
            )
        self.mlp_extractor = _Parts()  # type: ignore[assignment]
        self.action_net = _Logits(actions, table, hidden, names[self.activation_fn])
        self.value_net = _Values(table, hidden)  # type: ignore[assignment]
        self.action_net.begin_even()
        optimizer: Any = self.optimizer_class
        self.optimizer = optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def forward(self, obs: Any, deterministic: bool = False, action_masks: Any = None) -> Any:
        """Return actions (n,), values (n, 1) and log-probabilities (n,) for observations. They contain their masks."""
        with torch.no_grad():
            logs = torch.log_softmax(self.action_net(obs), dim=1)
        actions = logs.argmax(dim=1) if deterministic else torch.multinomial(logs.exp(), 1)[:, 0]
        return actions, self.value_net(obs), logs.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(self, obs: Any, actions: torch.Tensor, action_masks: Any = None) -> Any:
        """Return the values (n, 1) of decisions, the log-probabilities (n,) of their actions, and entropies (n,).

        `obs` is a batch of a `RatingBuffer`, or a dict of padded lists. Both contain their masks.
        """
        network: Any = self.action_net
        if "counts" in obs:
            counts = obs["counts"]
            logs = log_softmax(network.rate(obs["legal"], obs["table"], torch.repeat_interleave(counts)), counts)
        else:
            logs = torch.log_softmax(network(obs), dim=1)
        chosen = logs.gather(1, actions.reshape(-1, 1).long())[:, 0]
        entropy = -(logs.exp() * logs.clamp(min=LOWEST)).sum(dim=1)
        return self.value_net(obs), chosen, entropy


class _Lists(BaseFeaturesExtractor):
    """Passes the entries of an observation on."""

    def __init__(self, observation_space: Any) -> None:
        super().__init__(observation_space, 1)

    def forward(self, observations: dict[str, torch.Tensor]) -> Any:
        return observations


class _Parts(nn.Module):
    """Gives both networks the same inputs."""

    def forward(self, lists: Any) -> tuple[Any, Any]:
        return lists, lists

    def forward_actor(self, lists: Any) -> Any:
        return lists

    def forward_critic(self, lists: Any) -> Any:
        return lists


class _Logits(RatingNetwork):
    """Maps the entries of an observation to logits (n, L)."""

    def forward(self, lists: dict[str, torch.Tensor]) -> torch.Tensor:  # type: ignore[override]
        return super().forward(lists["table"], lists["actions"], lists["action_mask"])


class _Values(ValueNetwork):
    """Maps the entries of an observation to values (n, 1)."""

    def forward(self, lists: Any) -> torch.Tensor:
        return super().forward(lists["table"])[:, None]
