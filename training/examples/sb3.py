"""MaskablePPO of sb3-contrib: `python -m training examples sb3`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from tantra_envs import adapters
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run


def learn(game: Game, steps: int, seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions against random agents."""
    tables = adapters.sb3(game, num_envs=32, opponents="uniform")
    options: dict[str, Any] = {
        "n_steps": 64,
        "batch_size": 512,
        "n_epochs": 4,
        "learning_rate": 1e-3,
        "gamma": 1.0,
        "ent_coef": 0.01,
        "seed": seed,
    }
    model: Any = MaskablePPO("MlpPolicy", tables, policy_kwargs={"net_arch": [128, 128]}, device="cpu", **options)
    model.learn(steps)

    def scores(views: Any, masks: Any) -> Any:
        with torch.inference_mode():
            return model.policy.get_distribution(torch.from_numpy(views), masks).distribution.logits.numpy()

    return adapters.player("sb3", scores)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("sb3", learn, steps=40_000, argv=argv)
