"""A policy of MaskablePPO over lists of legal actions, and a rollout buffer without their empty places.

`MaskablePPO(adapters.RatingPolicy, tables, n_steps=64, rollout_buffer_class=adapters.RatingBuffer)` learns with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableDictRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.buffers import DictRolloutBuffer
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import Schedule
from torch import nn

from ..core.options import require
from ..networks import RatingNetwork, ValueNetwork, log_softmax

COLUMNS = ("actions", "values", "log_probs", "advantages", "returns")  # of a buffer
LOWEST = -30.0  # log-probability below which a place adds nothing to the entropy


class RatingPolicy(MaskableMultiInputActorCriticPolicy):
    """Rates each legal action by its features. The tables come from `adapters.sb3(game, n, view="features")`.

    `policy_kwargs` take `net_arch`, the sizes of the hidden layers of both networks, by default [64, 64], and
    `activation_fn` of the rating network, nn.Tanh or nn.ReLU.
    """

    def __init__(self, observation_space: Any, action_space: Any, lr_schedule: Schedule, **options: Any) -> None:
        _check_lists("RatingPolicy", observation_space)
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
        require("RatingPolicy: activation_fn", self.activation_fn, self.activation_fn in names, "nn.Tanh, nn.ReLU")
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


class RatingBuffer(MaskableDictRolloutBuffer):
    """Stores only the legal actions of each decision: `MaskablePPO(.., rollout_buffer_class=adapters.RatingBuffer)`.

    It is for tables with `view="features"` and the policy `RatingPolicy`. A list has `game.most_legal` places, and most
    of them are empty.
    """

    def __init__(self, buffer_size: int, observation_space: Any, *args: Any, **kwargs: Any) -> None:
        _check_lists("RatingBuffer", observation_space)
        super().__init__(buffer_size, observation_space, *args, **kwargs)

    def reset(self) -> None:
        """Remove all decisions."""
        self.obs_shape: Any = {"table": self.observation_space["table"].shape}  # of the columns that SB3 allocates
        self._features: list[npt.NDArray[np.float32]] = []  # of the legal actions of all tables, by step
        self._counts: list[npt.NDArray[np.int64]] = []
        DictRolloutBuffer.reset(self)

    def add(  # type: ignore[override]
        self,
        obs: Any,
        action: npt.NDArray[Any],
        reward: npt.NDArray[Any],
        episode_start: npt.NDArray[Any],
        value: torch.Tensor,
        log_prob: torch.Tensor,
        action_masks: Any = None,
    ) -> None:
        """Store a decision of each table. The lists of the observation contain their masks."""
        legal = obs["action_mask"] > 0
        over = ~legal.any(axis=1)  # a game that ended before the learner could decide: the only choice is nothing
        legal[over, 0] = True
        self._features.append(obs["actions"][legal])
        self._counts.append(legal.sum(axis=1))
        action = np.where(over, 0, action.reshape(-1))
        log_prob = log_prob.masked_fill(torch.from_numpy(over).to(log_prob.device), 0.0)
        DictRolloutBuffer.add(self, obs, action, reward, episode_start, value, log_prob)

    def get(self, batch_size: int | None = None) -> Iterator[MaskableDictRolloutBufferSamples]:  # type: ignore[override]
        """Yield the decisions in a random order, in parts of `batch_size`; None = all at once."""
        size = self.buffer_size * self.n_envs
        if not self.generator_ready:
            self.observations["table"] = self.swap_and_flatten(self.observations["table"])
            for name in COLUMNS:
                setattr(self, name, self.swap_and_flatten(getattr(self, name)))
            self._lists = np.concatenate(self._features)
            counts = np.stack(self._counts)
            starts = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
            self._sizes, self._starts = counts.T.ravel(), starts.T.ravel()  # table by table, like the columns
            self.generator_ready = True
        order = np.random.permutation(size)
        step = batch_size or size
        for first in range(0, size, step):
            yield self._samples(order[first : first + step])

    def _samples(self, rows: npt.NDArray[np.int64]) -> MaskableDictRolloutBufferSamples:
        counts = self._sizes[rows]
        ends = np.cumsum(counts)
        places = np.arange(ends[-1]) + np.repeat(self._starts[rows] - ends + counts, counts)
        lists = {
            "table": self.to_torch(self.observations["table"][rows]),
            "legal": self.to_torch(self._lists[places]),
            "counts": self.to_torch(counts),
        }
        actions, values, log_probs, advantages, returns = (self.to_torch(getattr(self, name)[rows]) for name in COLUMNS)
        others = (values.flatten(), log_probs.flatten(), advantages.flatten(), returns.flatten())
        return MaskableDictRolloutBufferSamples(lists, actions, *others, None)  # type: ignore[arg-type]


def _check_lists(name: str, space: Any) -> None:
    """Raise ValueError unless the observations of a space are lists of legal actions."""
    fits = {"table", "actions", "action_mask"} <= set(getattr(space, "spaces", ()))
    require(f"{name}: observation_space", space, fits, "tables with view='features'")
