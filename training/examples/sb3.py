"""MaskablePPO of sb3-contrib over action features: `python -m training examples sb3`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from tantra_envs import adapters
from tantra_envs.adapters.networks import RatingAgent
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run


def learn(game: Game, steps: int, opponents: str = "scripted", seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions at tables with these opponents."""
    torch.set_num_threads(1)
    tables = adapters.sb3(game, num_envs=64, opponents=opponents, view="features")
    options: dict[str, Any] = {
        "n_steps": 64,
        "batch_size": 1024,
        "n_epochs": 4,
        "learning_rate": lambda left: 1e-3 * left,
        "gamma": 1.0,
        "ent_coef": 0.01,
        "seed": seed,
    }
    model: Any = MaskablePPO(adapters.RatingPolicy, tables, device="cpu", **options)
    model.learn(steps)
    return RatingAgent("sb3", model.policy.action_net)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("sb3", learn, steps=100_000, argv=argv)
