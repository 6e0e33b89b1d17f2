"""Named ranges: laid end to end, found by name and by index, printed as a table."""

import pytest

from tantra_envs.core.blocks import Block, Blocks

ACTIONS = Blocks(Block("play", 3, "play card t", "PLAY"), Block("pass", 1, "pass", "PLAY, ASK"))


def test_blocks_follow_one_another():
    assert [(b.name, b.start, b.stop) for b in ACTIONS] == [("play", 0, 3), ("pass", 3, 4)]
    assert ACTIONS.size == 4
    assert ACTIONS["pass"].slice == slice(3, 4)


@pytest.mark.parametrize(("index", "name"), [(0, "play"), (2, "play"), (3, "pass")])
def test_a_block_is_found_by_an_index(index, name):
    assert ACTIONS.at(index).name == name


@pytest.mark.parametrize("index", [-1, 4])
def test_an_index_of_no_block_is_refused(index):
    with pytest.raises(IndexError, match=rf"index {index} is not in 0\.\.3"):
        ACTIONS.at(index)


def test_two_blocks_of_one_name_are_refused():
    with pytest.raises(ValueError, match="must differ"):
        Blocks(Block("play", 3, ""), Block("play", 1, ""))


def test_an_empty_block_holds_no_index():
    blocks = Blocks(Block("none", 0, ""), Block("one", 1, ""))
    assert blocks.at(0).name == "one"


def test_bounds_are_those_of_all_blocks():
    blocks = Blocks(Block("share", 2, ""), Block("score", 1, "", high=3.0, low=-2.0))
    assert (blocks.low, blocks.high) == (-2.0, 3.0)


def test_the_table_has_a_row_for_each_block_and_phases_where_there_are_any():
    assert ACTIONS.table().splitlines() == [
        "| first | size | name | meaning | phases |",
        "|---:|---:|---|---|---|",
        "| 0 | 3 | `play` | play card t | PLAY |",
        "| 3 | 1 | `pass` | pass | PLAY, ASK |",
    ]
    assert "phases" not in Blocks(Block("hand", 2, "own cards")).table()
