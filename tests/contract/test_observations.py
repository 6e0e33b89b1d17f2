"""Whole numbers and their float32, for every configuration: exact, and the same by every road."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation

from .games import configurations, words

TABLES, STEPS = 4, 60


@pytest.mark.parametrize(("name", "config"), configurations(), ids=words)
def test_float32_follows_exactly_from_the_whole_numbers(name: str, config: dict[str, Any]) -> None:
    game = tantra_envs.game(name, **config)
    compact = tantra_envs.make_batch(name, TABLES, seed=3, observation_dtype="compact", **config)
    floats = tantra_envs.make_batch(name, TABLES, seed=3, **config)
    for _ in range(STEPS):
        narrow = compact.observations
        assert narrow.dtype == game.view.dtype
        exact = (narrow / game.view.scale.astype(np.float64)).astype(np.float32)
        assert exact.tobytes() == floats.observations.tobytes() == game.view.to_float(narrow).tobytes()
        assert exact.tobytes() == Observation(game, floats.states).observation.tobytes()
        single = game.observation(floats.states[:1], int(floats.seats[0]))
        assert exact[0].tobytes() == single.tobytes()
        blocks = game.view.unpack(exact)
        assert list(blocks) == [block.name for block in game.view]
        assert np.concatenate(list(blocks.values()), axis=1).tobytes() == exact.tobytes()
        assert (exact >= game.view.low).all()
        assert (exact <= game.view.high).all()
        for batch in (compact, floats):
            batch.step(batch.sample())
