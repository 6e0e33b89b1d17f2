"""Named ranges: laid end to end, found by name and by index, printed as a table."""

import numpy as np
import pytest

from tantra_envs.core.blocks import Block, Blocks, ViewBlocks

BLOCKS = Blocks(Block("play", 3, "play card t"), Block("pass", 1, "pass"))


def test_blocks_follow_one_another():
    assert [(b.name, b.start, b.stop) for b in BLOCKS] == [("play", 0, 3), ("pass", 3, 4)]
    assert BLOCKS.size == 4
    assert BLOCKS["pass"].slice == slice(3, 4)


@pytest.mark.parametrize(("index", "name"), [(0, "play"), (2, "play"), (3, "pass")])
def test_a_block_is_found_by_an_index(index, name):
    assert BLOCKS.at(index).name == name


@pytest.mark.parametrize("index", [-1, 4])
def test_an_index_of_no_block_is_refused(index):
    with pytest.raises(IndexError, match=rf"index {index} is not in 0\.\.3"):
        BLOCKS.at(index)


def test_two_blocks_of_one_name_are_refused():
    with pytest.raises(ValueError, match="must differ"):
        Blocks(Block("play", 3, ""), Block("play", 1, ""))


def test_every_number_of_an_observation_has_its_divisor():
    blocks = ViewBlocks(Block("hand", 2, "", scale=4), Block("seats", 4, "", scale=(1, 100)), Block("none", 0, ""))
    assert blocks.scale.tolist() == [4, 4, 1, 100, 1, 100]
    assert blocks.scale.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        blocks.scale[0] = 2


@pytest.mark.parametrize(("scale", "high", "dtype"), [(127, 1.0, "int8"), (128, 1.0, "int16"), (100, 400.0, "int32")])
def test_the_narrowest_integers_that_hold_all_numbers_are_chosen(scale, high, dtype):
    assert ViewBlocks(Block("share", 2, "", high=high, scale=scale)).dtype == dtype


def test_numbers_that_fit_nowhere_and_wrong_divisors_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        ViewBlocks(Block("share", 1, "", high=1e9, scale=100))
    for scale in (0, -1, (1, 2)):
        with pytest.raises(ValueError, match="share: scale="):
            ViewBlocks(Block("share", 3, "", scale=scale))


@pytest.mark.parametrize("scale", [1, 2, 3, 7, 40, 100, 120])
def test_two_factors_divide_every_number_like_a_division(scale):
    blocks = ViewBlocks(Block("share", 1, "", low=-1.0, scale=scale), Block("count", 1, "", high=20.0, scale=scale))
    numbers = np.arange(-scale, 20 * scale + 1, dtype=blocks.dtype)
    assert blocks.factors.shape == (2, 2)
    for column in (0, 1):
        allowed = numbers[numbers <= scale] if column == 0 else numbers[numbers >= 0]
        narrow = np.zeros((len(allowed), 2), blocks.dtype)
        narrow[:, column] = allowed
        quotients = (allowed / np.float64(scale)).astype(np.float32)
        assert blocks.to_float(narrow)[:, column].tobytes() == quotients.tobytes()


@pytest.mark.parametrize(("scale", "high"), [(2031, 3.0), (1, 1e6)])
def test_where_two_factors_would_round_otherwise_the_scale_divides(scale, high):
    blocks = ViewBlocks(Block("hand", 1, "", scale=3), Block("share", 1, "", high=high, scale=scale))
    assert blocks.factors.tolist() == [[3.0, scale]]
    numbers = np.linspace(0, high * scale, 999).astype(blocks.dtype)
    floats = blocks.to_float(np.stack([numbers % 4, numbers], axis=1))
    assert floats[:, 1].tobytes() == (numbers / np.float64(scale)).astype(np.float32).tobytes()


def test_observations_have_blocks_by_name():
    blocks = ViewBlocks(Block("hand", 2, ""), Block("score", 1, ""))
    numbers = blocks.unpack(np.array([[1, 2, 3], [4, 5, 6]]))
    assert {name: rows.tolist() for name, rows in numbers.items()} == {"hand": [[1, 2], [4, 5]], "score": [[3], [6]]}
    with pytest.raises(ValueError, match=r"observation of shape \(2,\) is not allowed; allowed: \(.., 3\)"):
        blocks.unpack(np.zeros(2))


@pytest.mark.parametrize("narrow", [np.zeros(4, np.int8), np.zeros(3, np.float32), np.zeros((3, 2), np.int8)])
def test_other_arrays_are_no_observations(narrow):
    with pytest.raises(ValueError, match=r"allowed: int8 of shape \(.., 3\)"):
        ViewBlocks(Block("share", 3, "")).to_float(narrow)


def test_bounds_have_room_for_sums_that_were_rounded():
    """Five times a third is more than five thirds in single precision, and a space of features contains it."""
    low, high = Blocks(Block("thirds", 1, "a sum of thirds", low=-5 / 3, high=5 / 3)).bounds
    total = np.float32(0)
    for _ in range(5):
        total += np.float32(1 / 3)
    assert total > np.float32(5 / 3) and low[0] <= -total and total <= high[0]
