"""All environments agree: seeds, positions, illegal actions, samples, and what is asked before the first reset."""

import pickle

import gymnasium
import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.game import IllegalActionError
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.games import SHIPPED

GAME = tantra_envs.game("karma")
MAKERS = (TableEnv, SeatEnv, SeatVectorEnv)
POSITION = {"cur": 0, "hands": [["4", "5"], ["7", "8"]], "pile": ["3"], "draw": ["9", "10", "11", "12"]}


def state_of(env):
    """The table of any of them."""
    return env._states if isinstance(env, (TableEnv, SeatVectorEnv)) else env._tables._states


@pytest.mark.parametrize("make", MAKERS)
def test_seeds_of_numpy_and_large_ones_deal_what_the_game_deals(make):
    deals = []
    for seed in (np.int64(5), np.uint8(5), 5, 5 + 2**64, 5 + 2**65, 2**64 - 1):
        env = make(GAME)
        env.reset(seed=seed)
        deals.append(GAME.position(state_of(env))["draw"])
        assert deals[-1] == GAME.position(GAME.new(seed))["draw"]
    assert deals[0] == deals[1] == deals[2]
    assert len(set(map(str, deals[2:]))) == 4  # other seeds, other deals


@pytest.mark.parametrize("make", MAKERS)
def test_a_position_has_the_chance_of_its_seed(make):
    env, streams = make(GAME), []
    for seed in (5, 6):
        env.reset(seed=seed, options={"position": POSITION})
        streams.append(state_of(env)["rng"][0].tolist())
    assert streams == [GAME.from_position(POSITION, seed)["rng"][0].tolist() for seed in (5, 6)]
    assert streams[0] != streams[1]
    env.reset(options={"position": POSITION})
    assert state_of(env)["rng"][0].tolist() not in streams


@pytest.mark.parametrize("name", SHIPPED)
def test_the_stream_of_a_position_is_the_one_its_seed_starts(name):
    game = tantra_envs.game(name)
    full, plain = game.position(game.new(3), full=True), game.position(game.new(3))
    assert game.from_position(full, seed=9).tobytes() == game.new(3).tobytes()
    first = [int(word) for word in game.from_position(plain)["rng"][0]]
    assert first == [int(word) for word in game.from_position({**plain, "rng": None}, seed=0)["rng"][0]] != [0] * 4
    assert (game.from_position(plain, seed=1)["rng"] != game.from_position(plain)["rng"]).any()
    with pytest.raises(ValueError, match=r"seed=1\.5 is not allowed"):
        game.from_position(plain, seed=1.5)


@pytest.mark.parametrize("make", MAKERS)
def test_options_that_cannot_be_change_nothing(make):
    env = make(GAME)
    env.reset(seed=1)
    before = state_of(env).tobytes()
    for options in (3, {"position": {"hands": 3}}, {"position": 3}, {"deck": [1, 2]}):
        with pytest.raises(ValueError, match=r"allowed: |a dict is wanted"):
            env.reset(seed=2, options=options)
        assert state_of(env).tobytes() == before
    env.reset()
    twin = make(GAME)
    twin.reset(seed=1)
    twin.reset()
    assert state_of(env).tobytes() == state_of(twin).tobytes()  # the series of deals went on as if nothing had been


@pytest.mark.parametrize(
    ("make", "name", "arguments"),
    [
        *((TableEnv, name, ()) for name in ("last", "state", "render", "position", "replay", "round_info")),
        (TableEnv, "observe", ("player_0",)),
        (TableEnv, "step", (0,)),
        *((SeatEnv, name, ()) for name in ("action_masks", "render")),
        (SeatEnv, "step", (0,)),
        *((SeatVectorEnv, name, ()) for name in ("action_masks", "render", "save")),
        (SeatVectorEnv, "step", ([0],)),
    ],
)
def test_use_before_reset_is_one_clear_error(make, name, arguments):
    call = getattr(make(GAME, render_mode="ansi"), name)
    with pytest.raises(ValueError, match=r"karma_v0: no game is running; call reset\(\) first"):
        call(*arguments)


# Pictures


def test_human_mode_prints_by_itself(capsys):
    table, seat = TableEnv(GAME, render_mode="human"), SeatEnv(GAME, render_mode="human", seat=0)
    for env, mask in ((table, lambda: table.last()[0]["action_mask"]), (seat, seat.action_masks)):
        env.reset(seed=1)
        assert capsys.readouterr().out.count("draw pile") == 1
        env.step(int(mask().argmax()))
        assert capsys.readouterr().out.count("draw pile") == 1
    assert seat.render() is None and "draw pile" in capsys.readouterr().out


def test_a_mode_that_is_missing_is_refused_as_gymnasium_does():
    for make in MAKERS:
        for error in (TypeError, ValueError):
            with pytest.raises(error, match="render_mode='pixels' is not allowed; allowed: None, "):
                make(GAME, render_mode="pixels")
    tables = gymnasium.make_vec("tantra_envs/Karma-v0", num_envs=2, render_mode="ansi")
    tables.reset(seed=1)
    assert len(tables.render()) == 2


# Infos


@pytest.mark.parametrize("name", ["tantra", "tantrix", "karma"])
def test_infos_of_a_whole_game_stack_into_arrays(name):
    """What a replay buffer needs: the same keys from the reset on, each a number or an array of one shape."""
    limit = {"n_rounds": 2, "max_turns_per_player": 3} if name == "tantra" else {}
    game = tantra_envs.game(name, players=3, **limit)
    table, many = TableEnv(game), SeatVectorEnv(game, 2)
    table.reset(seed=1)
    of_table, rng = [], np.random.default_rng(1)
    for agent in table.agent_iter():
        of_table.append(dict(table.infos[agent]))
        mask = table.action_mask(agent)
        table.step(int(rng.choice(np.flatnonzero(mask))) if mask.any() else None)
    if name == "tantra":
        assert [info["rounds"] for info in of_table][:: len(of_table) - 1] == [0, 2]
    of_many = [many.reset(seed=1)[1], *(many.step(many.action_space.sample())[4] for _ in range(30))]
    for infos in (of_table, of_many):
        assert len({tuple(info) for info in infos}) == 1
        for key in infos[0]:
            assert np.stack([np.asarray(info[key]) for info in infos]).dtype.kind in "iub", key


# Errors


def test_an_illegal_action_stays_itself_when_pickled():
    state = GAME.new(1)
    with pytest.raises(IllegalActionError) as refused:
        GAME.apply_action(state, 41)
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is IllegalActionError and str(again) == str(refused.value)
