"""Stand-ins for compiled rows: every load a Python number, every mistake an error."""

from collections import namedtuple

import numpy as np
import pytest

from tantra_envs.core.compiled.proxies import Matrix, wrap, wrapped
from tantra_envs.core.state import record

FeatureRoom = namedtuple("FeatureRoom", "table")
INNER = record([("size", np.int8), ("cards", np.int8, (2,))])
STATE = record(
    [("score", np.int32), ("prize", np.float64), ("hands", np.int8, (2, 3)), ("opt", INNER), ("sets", INNER, (2,))]
)


@pytest.fixture
def states():
    return np.zeros(2, STATE)


def test_loads_are_python_numbers(states):
    s = wrap(states)[1]
    loads = [s.score, s.hands[0, 1], s.hands[1][2], s.opt.size, s.opt.cards[0]]
    assert {type(value) for value in loads} == {int}
    assert type(s.prize) is float
    assert s.score + 2**40 == 2**40  # no wrapping round


def test_stores_reach_the_array(states):
    s = wrap(states)[1]
    s.score = -7
    s.hands[1, 2] = 5
    s.hands[0][1] += 1
    s.opt.size = 3
    s.opt.cards[1] = 4
    row = states[1]
    assert (row["score"], row["hands"][1, 2], row["hands"][0, 1]) == (-7, 5, 1)
    assert (row["opt"]["size"], row["opt"]["cards"][1]) == (3, 4)
    assert not states[0].tobytes().strip(b"\0")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        *((lambda rows, value=value: rows[0].hands.__setitem__((0, 0), value), ValueError) for value in (128, -129)),
        *((lambda rows, value=value: setattr(rows[0].opt, "size", value), ValueError) for value in (128, 2**40)),
        (lambda rows: setattr(rows[0], "score", 0.5), TypeError),
        (lambda rows: rows[2], IndexError),
        (lambda rows: rows[-1], IndexError),
        (lambda rows: rows[0].hands[2, 0], IndexError),
        (lambda rows: rows[0].hands[0, 3], IndexError),
        (lambda rows: rows[0].opt.cards[2], IndexError),
        (lambda rows: rows[0].scores, AttributeError),
        (lambda rows: setattr(rows[0], "scores", 1), AttributeError),
    ],
)
def test_what_does_not_fit_or_is_not_there_raises(states, call, error):
    with pytest.raises(error):
        call(wrap(states))
    assert not states.tobytes().strip(b"\0")


def test_plain_arrays_are_seen_as_numbers_too():
    matrix = wrap(np.zeros((2, 3), np.int8))
    matrix[1, 2] = 4
    assert (matrix.shape, len(matrix), matrix[1, 2], list(matrix[1])) == ((2, 3), 2, 4, [0, 0, 4])
    assert type(wrap(np.ones(2, np.float32))[0]) is float


def test_a_row_takes_the_numbers_of_another_one():
    states = np.zeros(2, record([("count", np.int8), ("cards", np.int8, (2,))]))
    rows = wrap(states)
    rows[0].count, rows[0].cards[1] = 3, 4
    rows[1] = rows[0]
    rows[0].cards[1] = 5
    assert states["count"].tolist() == [3, 3] and states["cards"].tolist() == [[0, 5], [0, 4]]


def test_a_part_of_a_matrix_is_a_matrix():
    array = np.zeros((3, 2), np.float32)
    wrap(array)[1:][1][0] = 4.0
    wrap(array)[1][1] = 5.0
    assert array.tolist() == [[0, 0], [0, 5], [4, 0]]


def test_arrays_in_tuples_are_behind_proxies_too():
    kinds = wrapped(lambda work, room: (type(work[0]), type(room.table)))(
        (np.zeros((2, 2)),), FeatureRoom(np.zeros((2, 2)))
    )
    assert kinds == (Matrix, Matrix)
