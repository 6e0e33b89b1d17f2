"""Wrong seats, variants and moments are refused in one line, and integers of NumPy are integers."""

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


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("action", [3.0, True, None, "3", 99, -1, np.array([3]), np.float32(3)], ids=repr)
def test_what_is_no_action_is_refused_in_every_wrapper(action, flat):
    env = tantra_envs.make("karma", flat=flat)
    for table in (env, env.unwrapped):
        table.reset(seed=1)
        before = env.unwrapped.position()
        with pytest.raises(ValueError, match=r"^karma_v0: .*action"):
            table.step(action)
        assert env.unwrapped.position() == before
    env.step(np.int64(env.last()[4]["action_mask"].argmax()))
    assert env.unwrapped.position() != before


def test_actions_in_every_wrapper_are_integers_until_the_end():
    env = tantra_envs.make("karma", max_cycles=6)
    env.reset(seed=1)
    for agent in env.agent_iter():
        _, _, *over, info = env.last()
        if any(over):
            with pytest.raises(ValueError, match="action"):
                env.step(3.0)
        env.step(None if any(over) else int(env.action_space(agent).sample(info["action_mask"])))
    assert not env.agents


@pytest.mark.parametrize(
    ("name", "config", "fitting"),
    [
        ("karma", {"players": 6}, ["decks=2", "karma:party", "karma:sixty"]),
        ("karma:booklet", {"players": 6}, ["karma:party"]),
        ("tantrix", {"players": 6}, ["tantrix:gobble"]),
        ("tantrix", {"players": 1}, ["tantrix:solitaire", "tantrix:daily"]),
    ],
)
def test_refused_seats_name_the_variants_that_allow_them(name, config, fitting):
    with pytest.raises(ValueError, match="players=") as refused:
        tantra_envs.game(name, **config)
    assert all(word in str(refused.value) for word in fitting) and "\n" not in str(refused.value)
    for words in fitting:
        if ":" in words:
            assert tantra_envs.game(words, **config).players == config["players"]


@pytest.mark.parametrize(
    ("name", "config"), [("tarot", {"players": 4}), ("karma", {"players": 6, "copies": 9}), ("karma", {"dealer": 7})]
)
def test_where_no_variant_helps_none_is_named(name, config):
    with pytest.raises(ValueError, match="is not allowed") as refused:
        tantra_envs.game(name, **config)
    assert f"{name}:" not in str(refused.value).removeprefix(f"{name}:")


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
