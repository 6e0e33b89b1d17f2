"""Policies held to what was cloned: PPO's bonus for entropy, less the KL divergence from a frozen copy of the actor.

Fine-tuning on results alone soon forgets what imitation taught; Wolczyk et al., Fine-tuning Reinforcement Learning
Models is Secretly a Forgetting Mitigation Problem, 2024.
"""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

NEVER = -1e8  # the logit of an illegal action, as sb3-contrib has it


class AnchoredPolicy(MaskableActorCriticPolicy):
    """What MaskablePPO takes for the entropy is the whole bonus, so its own `ent_coef` is to be 1."""

    anchor: nn.Module  # as the actor was, frozen
    ent_coef: float
    kl_coef: float
    divergence = 0.0  # from the anchor, over the last batch

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values (k, 1), logarithms of how likely the actions are (k,), the bonus (k,)."""
        assert action_masks is not None
        masks: Any = action_masks
        distribution: Any = self.get_distribution(obs, masks)
        with torch.no_grad():
            before = self.anchor(obs)
        moved = divergence(distribution.distribution.logits, before.masked_fill(masks == 0, NEVER))
        self.divergence = float(moved.detach().mean())
        bonus = self.ent_coef * distribution.entropy() - self.kl_coef * moved
        return self.predict_values(obs), distribution.log_prob(actions), bonus


def anchored(policy: type[MaskableActorCriticPolicy]) -> type[AnchoredPolicy]:
    """The same policy, held to an anchor."""
    return type(f"Anchored{policy.__name__}", (AnchoredPolicy, policy), {})


def divergence(logits: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
    """The KL divergence from the choice of logits `before` (k, actions) to that of `logits`, shape (k,)."""
    likely = logits.log_softmax(1)
    return (likely.exp() * (likely - before.log_softmax(1))).sum(1)
