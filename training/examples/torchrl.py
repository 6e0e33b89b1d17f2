"""PPO of TorchRL over action features, with its MaskedCategorical: `python -m training examples torchrl`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from tantra_envs import adapters
from tantra_envs.adapters.networks import RatingAgent
from tantra_envs.adapters.torchrl_tables import rating_module, value_module
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run

TABLES, COLLECTED, EPOCHS, BATCH = 64, 2048, 4, 512


def learn(game: Game, steps: int, opponents: str = "scripted", seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions at tables with these opponents."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    tables = adapters.torchrl(game, TABLES, opponents=opponents, view="features")
    tables.set_seed(seed)
    ratings, critic = rating_module(game), value_module(game)
    masked = {"in_keys": {"logits": "logits", "mask": "action_mask"}, "distribution_class": MaskedCategorical}
    actor = ProbabilisticActor(ratings, spec=tables.action_spec_unbatched, return_log_prob=True, **masked)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
    advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    adam = torch.optim.Adam(loss.parameters(), lr=1e-3)
    frames = {"frames_per_batch": COLLECTED, "total_frames": -(-steps // COLLECTED) * COLLECTED}
    for batch in Collector(tables, actor, auto_register_policy_transforms=True, **frames):
        with torch.no_grad():
            advantages(batch)
        rows = batch.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.split(torch.randperm(len(rows)), BATCH):
                losses = loss(rows[part])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                adam.zero_grad()
                total.backward()
                adam.step()
    return RatingAgent("torchrl", ratings.module)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("torchrl", learn, steps=100_000, argv=argv)
