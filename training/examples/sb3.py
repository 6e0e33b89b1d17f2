"""MaskablePPO of sb3-contrib over action features: `python -m training examples sb3`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from tantra_envs import adapters
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.envs.views import View
from tantra_envs.networks import RatingAgent
from training.examples import run

OPTIONS: dict[str, Any] = {"n_steps": 64, "batch_size": 1024, "n_epochs": 4, "gamma": 1.0, "ent_coef": 0.01}
TABLES, RATE = 64, 1e-3


def learn(game: Game, steps: int, opponents: str = "scripted", seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions at tables with these opponents."""
    model = build(game, seed, opponents, "features", lambda left: RATE * left)
    model.learn(steps)
    return agent_of(model.policy)


def agents(
    game: Game, seed: int = 1, opponents: str = "scripted", view: View = "features", rate: float = RATE
) -> Iterator[Agent]:
    """Learn without end, at a constant learning rate; yield the agent after every update."""
    model = build(game, seed, opponents, view, rate)
    while True:
        model.learn(1, reset_num_timesteps=False)  # one update
        yield agent_of(model.policy)


def build(game: Game, seed: int, opponents: str, view: View, rate: float | Callable[[float], float]) -> MaskablePPO:
    """Return MaskablePPO. `rate` is the learning rate, or a function of the share of the run ahead."""
    torch.set_num_threads(1)
    tables = adapters.sb3(game, num_envs=TABLES, opponents=opponents, view=view)
    common: Any = {"device": "cpu", "learning_rate": rate, "seed": seed, **OPTIONS}
    if view == "observation":
        return MaskablePPO("MlpPolicy", tables, **common)
    return MaskablePPO(adapters.RatingPolicy, tables, rollout_buffer_class=adapters.RatingBuffer, **common)


def agent_of(policy: Any) -> Agent:
    """Return the agent that plays the most probable action of a policy over action features or observations."""
    if isinstance(policy, adapters.RatingPolicy):
        return RatingAgent("sb3", policy.action_net)

    def logits(views: Any, _masks: Any) -> Any:
        with torch.inference_mode():
            return policy.get_distribution(torch.from_numpy(views)).distribution.logits.numpy()

    return adapters.player("sb3", logits)


main = partial(run, "sb3", learn, 100_000)
