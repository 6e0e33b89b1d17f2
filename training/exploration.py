"""Random actions among those of an agent, so that learners also see positions that it would avoid."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.observation import Actions
from tantra_envs.opponents.network_spec import Masks


def with_random_actions(actions: Actions, masks: Masks, epsilon: float, rng: np.random.Generator) -> Actions:
    """Return the actions (k,) with a share `epsilon` replaced by random legal ones; masks are (k, actions)."""
    uniform = np.where(masks == 1, rng.random(masks.shape), -1.0).argmax(axis=1)
    return np.where(rng.random(len(actions)) < epsilon, uniform, actions)
