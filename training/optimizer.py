"""Adam with a learning rate that falls, and its state in a checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import nn


def linear_schedule(initial: float, progress: float) -> float:
    """Return a learning rate that falls linearly from `initial` to a tenth of it as `progress` goes from 0 to 1."""
    return initial * (1 - 0.9 * min(progress, 1.0))


def between(ends: Sequence[float], progress: float) -> float:
    """Return the value at this share of the way from the first of some numbers to the last."""
    return ends[0] + (ends[-1] - ends[0]) * progress


class Optimizer:
    """Adam whose learning rate falls to a tenth of `learning_rate`. Longer gradients are cut to length `max_norm`."""

    def __init__(self, parameters: Iterable[nn.Parameter], learning_rate: float, max_norm: float = math.inf) -> None:
        self._parameters, self._learning_rate, self._max_norm = list(parameters), learning_rate, max_norm
        self._adam = torch.optim.Adam(self._parameters)

    def step(self, loss: torch.Tensor, progress: float) -> None:
        """Do one step. `progress` is the completed share of the schedule, 0 to 1."""
        for group in self._adam.param_groups:
            group["lr"] = linear_schedule(self._learning_rate, progress)
        self._adam.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if self._max_norm < math.inf:
            nn.utils.clip_grad_norm_(self._parameters, self._max_norm)
        self._adam.step()

    def state(self) -> list[Any]:
        """Return the state from which `restore` continues."""
        state = self._adam.state_dict()
        return [state["param_groups"], list(state["state"]), list(state["state"].values())]  # JSON keys are words

    def restore(self, state: list[Any]) -> None:
        """Continue from a state that `state` returned."""
        groups, numbers, moments = state
        self._adam.load_state_dict({"param_groups": groups, "state": dict(zip(numbers, moments, strict=True))})
