"""A rollout buffer of MaskablePPO that stores lists of legal actions without their empty places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableDictRolloutBufferSamples
from stable_baselines3.common.buffers import DictRolloutBuffer

COLUMNS = ("actions", "values", "log_probs", "advantages", "returns")


class RatingBuffer(MaskableDictRolloutBuffer):
    """Stores only the legal actions of each decision: `MaskablePPO(.., rollout_buffer_class=adapters.RatingBuffer)`.

    It is for tables with `view="features"` and the policy `RatingPolicy`. A list has `game.most_legal` places, and most
    of them are empty.
    """

    def __init__(self, buffer_size: int, observation_space: Any, *args: Any, **kwargs: Any) -> None:
        spaces = getattr(observation_space, "spaces", {})
        if not {"table", "actions", "action_mask"} <= set(spaces):
            allowed = "tables with view='features'"
            raise ValueError(f"RatingBuffer: {observation_space} is not allowed; allowed: {allowed}")
        super().__init__(buffer_size, observation_space, *args, **kwargs)

    def reset(self) -> None:
        """Remove all decisions."""
        self.obs_shape: Any = {"table": self.observation_space["table"].shape}  # of the columns that SB3 allocates
        self._features: list[npt.NDArray[np.float32]] = []  # of the legal actions of all tables, by step
        self._counts: list[npt.NDArray[np.int64]] = []
        DictRolloutBuffer.reset(self)

    def add(self, *args: Any, action_masks: Any = None, **kwargs: Any) -> None:
        """Store a decision of each table. The first argument is the observation, whose lists contain their masks."""
        obs = args[0]
        legal = obs["action_mask"] > 0
        self._features.append(obs["actions"][legal])
        self._counts.append(legal.sum(axis=1))
        DictRolloutBuffer.add(self, *args, **kwargs)

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
