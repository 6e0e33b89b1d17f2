"""The types of what environments return follow from `view`, so that editors and type checkers know them."""

import typing

import pytest

import tantra_envs
from tantra_envs.core.features import Described
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.envs.views import Lists, Numbers

MAKERS = {
    "make_batch": (BatchEnv, Described),
    "make_seat": (SeatEnv, Lists),
    "make_seat_vector": (SeatVectorEnv, Lists),
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_view_decides_what_an_environment_returns(name):
    kind, described = MAKERS[name]
    overloads = typing.get_overloads(getattr(tantra_envs, name))
    hints = [typing.get_type_hints(function) for function in overloads]
    assert [(typing.get_args(hint["view"]), hint["return"]) for hint in hints] == [
        (("features",), kind[described]),
        (("observation",), kind[Numbers]),
    ]


def test_lists_have_the_keys_of_their_type():
    lists = tantra_envs.make_seat("karma", view="features").reset(seed=1)[0]
    assert list(lists) == list(typing.get_type_hints(Lists))
