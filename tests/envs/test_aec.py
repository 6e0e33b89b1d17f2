"""TableEnv: bookkeeping, refusals, keeping and going back."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle

import numpy as np
import pytest

import tantra_envs
from tantra_envs import karma_v0
from tantra_envs.envs.aec import CHECKPOINT
from tantra_envs.envs.window import DISPLAYS
from tantra_envs.games import SHIPPED


def play(env, moves, seed=1):
    """Play up to `moves` uniform legal actions; the rewards each agent saw in last()."""
    rng = np.random.default_rng(seed)
    seen = dict.fromkeys(env.possible_agents, 0.0)
    for _ in range(moves):
        if not env.agents:
            break
        agent = env.agent_selection
        view, reward, terminated, truncated, _ = env.last()
        seen[agent] += reward
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(view["action_mask"]))))
    return seen


@pytest.fixture
def env():
    made = karma_v0.raw_env(players=3)
    made.reset(seed=5)
    return made


def test_reset_seed_deals_what_the_game_deals(env):
    assert env.game.position(env._states, full=True) == env.game.position(env.game.new(5), full=True)


def test_later_resets_follow_the_first_seed(env):
    other = karma_v0.raw_env(players=3)
    other.reset(seed=5)
    deals = []
    for table in (env, other):
        table.reset()
        deals.append(table.game.position(table._states))
    assert deals[0] == deals[1] != env.game.position(env.game.new(5))


def test_reset_takes_positions_decks_and_unknown_options(env):
    position = {"config": {"players": 3}, "hands": [["7"], ["8"], ["9"]], "pile": ["3"], "cur": 2}
    env.reset(options={"position": position, "colour": "blue"})
    assert env.agent_selection == "player_2"
    deck = [card for card in range(20) for _ in range(2)]
    env.reset(seed=1, options={"deck": deck, "dealer": 0})
    assert env.game.position(env._states)["down"][0] == ["1", "1", "2"]
    with pytest.raises(ValueError, match="deck"):
        env.reset(options={"deck": deck[:-1]})


@pytest.mark.parametrize("action", [-1, 10_000, 2**70, 1.5, "play 7", None, np.float32(3)])
def test_illegal_actions_change_nothing(env, action):
    play(env, 20)
    before, infos = env.save(), copy.deepcopy(env.infos)
    with pytest.raises(ValueError, match="is illegal for seat"):
        env.step(action)
    assert env.save() == before
    assert all((infos[agent]["action_mask"] == env.infos[agent]["action_mask"]).all() for agent in infos)


def test_step_after_the_end(env):
    play(env, 100_000)
    assert not env.agents
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)
    with pytest.raises(ValueError, match="call reset"):
        karma_v0.raw_env().step(0)


def test_dead_agents_take_none_only(env):
    rng = np.random.default_rng(1)
    while not any(env.terminations.values()):
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
    with pytest.raises(ValueError, match="None"):
        env.step(0)


def test_sum_of_last_rewards_are_the_returns(env):
    seen = play(env, 100_000)
    assert sorted(seen.values()) == [-1.0, 1.0, 1.0]
    assert list(seen.values()) == env._states["rewards"][0][:3].tolist()


def test_observations_are_never_written_to_again(env):
    first = env.observe(env.agent_selection)
    kept = copy.deepcopy(first)
    play(env, 30)
    assert all((first[key] == kept[key]).all() for key in kept)


def test_only_the_seat_to_decide_has_a_mask(env):
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        assert mask.any() == (agent == env.agent_selection)
        assert (mask == env.infos[agent]["action_mask"]).all()


@pytest.mark.parametrize("moves", [0, 7, 60, 100_000])
def test_copies_go_on_identically(env, moves):
    play(env, moves)
    loaded = karma_v0.raw_env(players=3)
    loaded.load(env.save())
    for twin in (loaded, env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.save() == env.save()
        assert twin.agents == env.agents
        reference = env.clone()
        for table in (twin, reference):
            play(table, 40, seed=9)
            table.reset()  # the series of deals goes on too
            play(table, 25, seed=10)
        assert twin.save() == reference.save()


def test_undo_goes_back_one_step_at_a_time(env):
    saves = []
    for k in range(50):
        saves.append(env.save())
        play(env, 1, seed=k)
    while saves:
        env.undo()
        assert env.save() == saves.pop()
    with pytest.raises(ValueError, match="nothing to undo"):
        env.undo()


@pytest.mark.parametrize("name", SHIPPED)
def test_undo_of_a_long_game_plays_few_actions_again(name, monkeypatch):
    env, played = tantra_envs.make_raw(name), []
    env.reset(seed=3)
    play(env, 5 * CHECKPOINT)
    advance = env._advance
    monkeypatch.setattr(env, "_advance", lambda action: played.append(action) or advance(action))
    for k in range(min(2 * CHECKPOINT, len(env._history))):
        played.clear()
        env.undo()
        assert len(played) <= CHECKPOINT
        if k % 8:
            continue
        twin = tantra_envs.make_raw(name)
        twin.load(env.save())
        assert (twin.rewards, twin._cumulative_rewards) == (env.rewards, env._cumulative_rewards)
        for agent in env.agents:
            known, seen = twin.infos[agent], env.infos[agent]
            assert {**known, "action_mask": 0} == {**seen, "action_mask": 0}
            assert (known["action_mask"] == seen["action_mask"]).all()
            assert (twin.observe(agent)["observation"] == env.observe(agent)["observation"]).all()


def test_undo_brings_ended_games_back(env):
    play(env, 100_000)
    while not env.agents or any(env.terminations.values()):
        env.undo()
    assert env._mask.any()


def signed(content):
    """A save of this content with the digest that fits."""
    body = json.dumps(content, separators=(",", ":")).encode()
    return body[:-1] + b',"digest":"' + hashlib.sha256(body).hexdigest().encode() + b'"}'


def damaged(save):
    content = json.loads(save)
    del content["digest"]
    yield b"", "not what save"
    yield save[:-40], "not what save"
    yield save.decode(), "not what save"
    yield save.replace(b'"tantra_envs table 2"', b'"something else"'), "not what save"
    yield save[:-10] + b"0" * 8 + save[-2:], "digest does not match"
    yield signed({**content, "actions": [*content["actions"], 0, 0, 0]}), "damaged"
    yield signed({**content, "actions": 3}), "not what save"
    yield signed({**content, "table": "0" * 64}), "do not lead"
    yield signed({**content, "start": {"phase": "PLAY", "hands": 3}}), "hands"
    yield signed({**content, "game": "chess_v0"}), "another game"
    yield signed({**content, "config": {**content["config"], "copies": 3}}), "copies"


def test_bad_saves_change_nothing(env):
    play(env, 12)
    before = env.save()
    content = json.loads(before)
    del content["digest"]
    assert signed(content) == before
    for data, words in damaged(before):
        with pytest.raises(ValueError, match=words):
            env.load(data)
        assert env.save() == before


@pytest.mark.parametrize("moves", [0, 5])
def test_a_save_with_any_byte_changed_is_refused(env, moves):
    play(env, moves)
    save = env.save()
    for i in range(len(save)):
        for changed in (save[i] ^ 1, save[i] ^ 32, ord("0") if save[i] != ord("0") else ord("1")):
            with pytest.raises(ValueError, match="damaged"):
                env.load(save[:i] + bytes([changed]) + save[i + 1 :])
    env.load(save)
    assert env.save() == save


def test_save_before_reset():
    with pytest.raises(ValueError, match="call reset"):
        karma_v0.raw_env().save()


def test_render_modes(env, capsys, monkeypatch):
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    ansi = karma_v0.raw_env(render_mode="ansi")
    ansi.reset(seed=1)
    assert "draw pile" in ansi.render()
    human = karma_v0.raw_env(render_mode="human")
    human.reset(seed=1)
    assert human.render() is None
    assert "draw pile" in capsys.readouterr().out
    with pytest.raises(ValueError, match="render_mode='rgb'"):
        karma_v0.raw_env(render_mode="rgb")


def test_max_cycles_is_the_cut_off():
    env = karma_v0.raw_env(max_cycles=12, truncation_reward=0.25)
    env.reset(seed=1)
    play(env, 12)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 0.25, "player_1": 0.25}


def test_make_refuses_what_the_game_refuses():
    for arguments, words in [
        ({"name": "poker"}, "unknown game 'poker'"),
        ({"name": "karma", "variant": "huge"}, "unknown variant 'huge'"),
        ({"name": "karma", "player": 3}, "unknown field 'player'"),
        ({"name": "karma", "players": 5}, "players=5 is not allowed with 40 cards"),
    ]:
        with pytest.raises(ValueError, match=words):
            tantra_envs.make(**arguments)
