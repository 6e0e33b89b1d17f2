"""Records: widest fields first, every byte named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tantra_envs.core.state import flat, record
from tantra_envs.games import GAMES, game

TYPES = st.sampled_from([np.int8, np.int16, np.int32, np.int64, np.float64])
SHAPES = st.sampled_from([(), (1,), (3,), (2, 5)])


def named_bytes(dtype: np.dtype) -> int:
    return sum(named_bytes(dtype[name]) for name in dtype.names) if dtype.names else dtype.itemsize


def assert_no_holes(dtype: np.dtype) -> None:
    end = 0
    for name in dtype.names:
        assert dtype.fields[name][1] == end, f"{name} begins at {dtype.fields[name][1]}, not at {end}"
        end += dtype[name].itemsize
        if dtype[name].names:
            assert_no_holes(dtype[name])
    assert end == dtype.itemsize


@given(st.lists(st.tuples(TYPES, SHAPES), min_size=1, max_size=8))
def test_a_record_has_no_unnamed_padding(kinds):
    dtype = record([(f"field_{i}", kind, shape) for i, (kind, shape) in enumerate(kinds)])
    assert_no_holes(dtype)
    assert dtype.itemsize % dtype.alignment == 0


@pytest.mark.parametrize("name", GAMES)
def test_the_games_have_none(name):
    dtype = game(name).blank.dtype
    assert_no_holes(dtype)
    assert named_bytes(dtype) == dtype.itemsize


def test_flat_shows_every_number_but_the_random_stream():
    inner = record([("wide", np.int64)])
    states = np.zeros(2, record([("rng", np.int64, (4,)), ("inner", inner), ("cards", np.int8, (2, 4))]))
    states["rng"], states["inner"]["wide"], states["cards"][1] = 9, 5, [[1, 2, 3, 4], [6, 7, 8, 9]]
    assert flat(states)[1].tolist() == [5, 1, 2, 3, 4, 6, 7, 8, 9]
    assert flat(states).dtype == np.float32
