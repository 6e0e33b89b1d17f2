"""MaskablePPO of sb3-contrib: `python -m training examples baselines ppo karma`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tantra_envs import adapters
from tantra_envs.opponents.model_files import write_layers

from .course import LEARNING_RATE, Course, layers_of

TABLES = 32
OPTIONS: dict[str, Any] = {"n_steps": 64, "batch_size": 512, "n_epochs": 4, "gamma": 1.0, "ent_coef": 0.01}


def learn(course: Course) -> None:
    """Train against the agent of --opponents, with normalized rewards; one learner plays all seats of a team."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecNormalize

    from agents.networks import SymlogExtractor

    class Budget(BaseCallback):
        """A callback that ends training when the budget is spent."""

        def _on_step(self) -> bool:
            due = self.num_timesteps % (TABLES * OPTIONS["n_steps"]) == 0
            return not due or course.going(self.num_timesteps, lambda file: save(self.model, file))

    def save(model: Any, file: Path) -> None:
        layers = layers_of(model.policy.mlp_extractor.policy_net, model.policy.action_net)
        write_layers(file, layers, course.game, transform="symlog", decisions=model.num_timesteps)

    torch.set_num_threads(1)
    tables = adapters.sb3(course.game, TABLES, opponents=course.args.opponents, team=bool(course.game.partners))
    tables = VecNormalize(tables, norm_obs=False, gamma=1.0)
    network = {"net_arch": [128, 128], "features_extractor_class": SymlogExtractor}
    own: Any = {"seed": course.args.seed, "learning_rate": LEARNING_RATE, "policy_kwargs": network}
    model: Any = MaskablePPO("MlpPolicy", tables, device="cpu", **own, **OPTIONS)
    tables.reset()
    course.begin()
    model.learn(course.args.decisions + TABLES * OPTIONS["n_steps"], callback=Budget())
