"""Wrong seats, variants and moments are refused in one line, and integers of NumPy are integers."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs import drawing

GAME = tantra_envs.game("karma", players=3)


@pytest.mark.parametrize("seat", [False, True, 1.0, "1", 3, -1, np.uint8(3), np.bool_(True), np.float32(1)])
def test_what_is_no_seat_is_not_drawn(seat):
    env = tantra_envs.make_raw("karma", players=3)
    env.reset(seed=1)
    state = GAME.new(1)
    for call in (
        lambda: GAME.show(state, seat),
        lambda: GAME.picture(state, seat),
        lambda: drawing.draw(GAME, state, seat),
        lambda: drawing.replay(GAME, state, [], seat=seat),
        lambda: env.replay(seat=seat),
    ):
        with pytest.raises(ValueError, match=r"^karma_v0: seat=.* is not allowed; allowed: 0\.\.2$"):
            call()


@pytest.mark.parametrize("kind", [np.uint8, np.int64, np.int8])
def test_an_integer_of_numpy_is_a_seat(kind):
    env = tantra_envs.make_raw("karma", players=3)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    state = GAME.new(1)
    assert GAME.show(state, kind(2)).svg == GAME.show(state, 2).svg
    assert env.replay(seat=kind(2)).html == env.replay(seat=2).html


@pytest.mark.parametrize("variant", [False, True, 0, 3, ["sixty"]])
def test_what_is_no_name_of_a_variant_is_refused(variant):
    with pytest.raises(ValueError, match=r"^karma: variant=.* is not allowed; allowed: booklet, sixty"):
        tantra_envs.game("karma", variant)
    with pytest.raises(ValueError, match="variant="):
        tantra_envs.make_seat("karma", variant)


@pytest.mark.parametrize("maker", [
    lambda: tantra_envs.make_raw("tantra"), lambda: tantra_envs.make_seat("tantra"),
    lambda: tantra_envs.make_seat_vector("tantra", 2), lambda: tantra_envs.make_seat_vector("karma", 2),
])  # fmt: skip
def test_there_is_no_round_before_the_first_reset(maker):
    env = maker()
    with pytest.raises(ValueError, match=r"no game is running; call reset\(\) first"):
        env.round_info()
    env.reset(seed=1)
    assert not any(env.round_info())
