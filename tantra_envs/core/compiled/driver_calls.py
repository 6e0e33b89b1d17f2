"""One call of every driver, with the array types that environments use. Making all calls compiles a game in advance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .drivers import BELIEVING, SCRIPTED, Drivers, random_ints, seed_streams, to_float_rows

Calls = dict[str, Callable[[], object]]


def driver_calls(
    d: Drivers, states: npt.NDArray[Any], dtype: Any, factors: npt.NDArray[np.float32], size: int
) -> Calls:
    """Return calls by the name of the driver they compile, to be made in this order.

    Args:
        d: The drivers of a game.
        states: One table with nothing dealt, shape (1,).
        dtype: The dtype of the observation in whole numbers.
        factors: `game.view.factors`.
        size: The number of action ids.
    """
    one, seats = np.zeros(1, np.int64), len(states["rewards"][0])
    narrow, view, mask = (
        np.zeros(factors.shape[1], dtype),
        np.zeros(factors.shape[1], np.float32),
        np.zeros(size, np.int8),
    )
    narrows, views, masks = narrow[None].copy(), view[None].copy(), mask[None].copy()
    rewards, flag, streams = np.zeros((1, seats)), np.zeros(1, bool), np.zeros((1, 4), np.int64)

    def legal() -> int:
        d.legal_row(states, 0, mask)
        return int(mask.argmax())

    calls: Calls = {
        "deal_rows": lambda: d.deal_rows(states, one, one),
        "legal_row": legal,
        "apply_row": lambda: d.apply_row(states, 0, legal()),
        "observe_row": lambda: d.observe_row(states, 0, 0, narrow, factors, view),
        "step_row": lambda: d.step_row(states, 0, legal(), narrow, factors, view, mask),
        "redeal_rows": lambda: d.redeal_rows(states, one, one),
        "observe_rows": lambda: d.observe_rows(states, one, one, narrows, masks),
        "apply_rows": lambda: d.apply_rows(states, one, np.array([legal()])),
        "to_float_rows": lambda: to_float_rows(narrows, factors, views, 0, 1),
        "seed_streams": lambda: seed_streams(streams, 1),
        "random_ints": lambda: random_ints(streams, one, 1, one.copy()),
        "play_until_turn": lambda: d.play_until_turn(states, one, one, one + 1, streams, mask, np.zeros(1), rewards),
        "first_illegal": lambda: d.first_illegal(masks, one),
        "step_batch": lambda: d.step_batch(
            states,
            np.array([legal()]),
            one.copy(),
            narrows,
            factors,
            views,
            masks,
            masks.copy(),
            rewards,
            flag,
            flag.copy(),
            1,
            0,
            1,
        ),
        "sample_legal": lambda: d.sample_legal(masks, streams, one.copy(), 0, 1),
        "conceal_rows": lambda: d.conceal_rows(states, one, one, one, np.zeros_like(states)),
        "random_playouts": lambda: d.random_playouts(states, mask, 0, 1),
    }
    missing = set(Drivers.__dataclass_fields__) - set(calls) - {*SCRIPTED, *BELIEVING}
    if missing:
        raise NotImplementedError(f"driver_calls does not call {missing}; add a call")
    return calls
