"""PPO of TorchRL over action features, with its MaskedCategorical: `python -m training examples torchrl`.

    pip install -c constraints/torchrl.txt -e . torchrl tensordict torch rich

TorchRL reads Gymnasium environments. With `view="features"` the entries of the observation are the keys `table`,
`actions`, `ids` and `action_mask` of its tensordicts.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper, SerialEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.networks import RatingAgent, RatingNetwork, ValueNetwork
from training.examples import run

TABLES, COLLECTED, EPOCHS, BATCH = 16, 2048, 4, 512


class Table(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A table whose games at their limit are over, so that no value follows them."""

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Play the action, then the opponents' actions until the learner decides again."""
        lists, reward, terminated, truncated, infos = self.env.step(action)
        return lists, reward, terminated or truncated, truncated, infos


class Ratings(RatingNetwork):
    """Ratings of the places of lists, and their masks as `MaskedCategorical` takes them."""

    def forward(self, *lists: torch.Tensor) -> Any:
        """Return the ratings and the masks, (.., L)."""
        return super().forward(*lists), lists[-1] > 0


class Values(ValueNetwork):
    """Values with a dimension of their own, (.., 1)."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the expected rewards of the seats to decide."""
        return super().forward(inputs)[..., None]


def learn(game: Game, steps: int, opponents: str = "scripted", seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions at tables with these opponents."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    seating: Any = {"opponents": opponents, "view": "features", **game.config}

    def table() -> GymWrapper:
        return GymWrapper(Table(tantra_envs.make_seat(game.id, **seating)), categorical_action_encoding=True)

    tables = SerialEnv(TABLES, table)
    tables.set_seed(seed)
    network = Ratings(*game.features.sizes)
    actor = ProbabilisticActor(
        TensorDictModule(network, in_keys=["table", "actions", "action_mask"], out_keys=["logits", "mask"]),
        in_keys=["logits", "mask"],
        distribution_class=MaskedCategorical,
        spec=tables.action_spec_unbatched,
        return_log_prob=True,
    )
    critic = ValueOperator(Values(game.features.of_table.size), in_keys=["table"])
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
    return RatingAgent("torchrl", network)


main = partial(run, "torchrl", learn, 100_000)
