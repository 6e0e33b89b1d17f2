"""Our games as Python games of OpenSpiel: its own tests for such games, and its algorithms on a tiny variant."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tantra_envs
from tantra_envs import adapters
from tantra_envs.core.observation import Observation

pyspiel = pytest.importorskip("pyspiel")
cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
policy = pytest.importorskip("open_spiel.python.policy")

GAMES = [
    ("karma", {"players": 3, "max_moves": 60}),
    ("kanastic", {"episode": "round", "max_moves": 60}),
    ("tantra", {"max_moves": 60}),
    ("tantrix", {"max_steps": 40}),
    ("tarot", {"episode": "hand", "max_moves": 60}),
]
everywhere = pytest.mark.parametrize(("name", "config"), GAMES, ids=[name for name, _ in GAMES])


def made(name, config, deals=20, **promised):
    return adapters.openspiel(tantra_envs.game(name, **config), deals, **promised)


def tiny():
    """A game of Karma with few cards for two: six pairs of hands of which nobody knows the other's."""
    rules = tantra_envs.game("karma", max_moves=10)
    hands = [(own, other) for own in (["6", "9"], ["7", "10"]) for other in (["7", "8"], ["3", "10"], ["2", "9"])]
    positions = [{"hands": list(pair), "up": [[], []], "pile": ["5"], "draw": []} for pair in hands]
    return adapters.openspiel(rules, [*map(rules.from_position, positions)], zero_sum=True)


def walk(game, seed, moves):
    """A state after that many random moves, or at the end."""
    rng, state = np.random.default_rng(seed), game.new_initial_state()
    for _ in range(moves):
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@everywhere
def test_random_simulation_and_serialisation_of_openspiel(name, config):
    pyspiel.random_sim_test(made(name, config), num_sims=1, serialize=True, verbose=False)


@everywhere
def test_a_resampled_state_is_the_same_to_its_player(name, config):
    game = made(name, config)
    for moves in (1, 2, 9, 30):
        state = walk(game, moves, moves)
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, np.random.default_rng(moves).random)
            assert other.current_player() == state.current_player()
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            if state.current_player() == player:
                assert other.legal_actions() == state.legal_actions()


def test_information_states_remember_what_observations_forget():
    """Two orders of play that lead to the same table are not the same to those who saw them."""
    rules = tantra_envs.game("karma")
    start = rules.from_position({"hands": [["9", "10"], ["11", "12"]], "up": [[], []], "pile": ["5"], "draw": []})
    state = adapters.openspiel(rules, [start]).new_initial_state()
    state.apply_action(0)
    once = state.information_state_string(0)
    state.apply_action(state.string_to_action("play 9"))
    again = state.clone()
    assert state.information_state_string(0) == again.information_state_string(0) != once
    for word in ("pickup", "play 10"):
        again.apply_action(again.string_to_action(word))
    fresh = adapters.openspiel(rules, [start]).state_at(again.table)
    assert fresh.observation_string(0) == again.observation_string(0)
    assert fresh.information_state_string(0) != again.information_state_string(0)


def test_information_states_do_not_depend_on_when_they_are_asked_for():
    game, rng = made("karma", {"players": 3}), np.random.default_rng(4)
    asked, silent = game.new_initial_state(), game.new_initial_state()
    for _ in range(25):
        action = int(rng.choice(asked.legal_actions()))
        for state in (asked, silent):
            state.apply_action(action)
        for player in range(game.num_players()):
            asked.information_state_string(player)
        silent = silent.clone()
        if asked.is_terminal():
            break
    for player in range(game.num_players()):
        assert asked.information_state_string(player) == silent.clone().information_state_string(player)
        assert asked.information_state_string(player) == silent.information_state_string(player)


def test_a_game_is_found_by_its_name():
    game = made("karma", {"players": 3})
    state = walk(game, 4, 25)
    assert str(pyspiel.load_game(game.get_type().short_name)) == str(game)
    found, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(found) == str(game) and facts(read) == facts(state)


def test_a_game_with_options_and_its_states_are_known_in_a_new_process(tmp_path):
    game = made("karma", {"players": 3}, 4, zero_sum=False)
    assert str(pickle.loads(pickle.dumps(game))) == str(copy.deepcopy(game)) == str(game)
    dealt = walk(game, 4, 25)
    states = [game.new_initial_state(), dealt, game.state_at(dealt.table)]
    states.append(dealt.resample_from_infostate(1, np.random.default_rng(2).random))
    for state in states[1:]:
        state.apply_action(state.legal_actions()[0])
    (tmp_path / "states").write_bytes(pickle.dumps(states))
    script = (
        "import pickle, sys\n"
        "from tests.adapters.test_openspiel import facts\n"
        "states = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print([facts(state) for state in states])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "states"], capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == str([facts(state) for state in states]), run.stderr


def facts(state):
    """What must be equal for a state and its copy in another process."""
    seats = range(state.num_players() if state.play else 0)
    seen = [state.information_state_string(seat) for seat in seats]
    return str(state.get_game()), str(state), state.history(), state.legal_actions(), state.returns(), seen


@pytest.mark.parametrize(
    ("name", "config", "utility", "length"),
    [
        ("karma", {}, (-1.0, 1.0), 2000),
        ("karma", {"players": 3, "reward": "zerosum", "max_moves": 60}, (-1.0, 0.5), 60),
        ("karma", {"truncation_reward": -2.0}, (-2.0, 1.0), 2000),
        ("tarot", {"players": 3}, (-0.5, 1.0), None),
        ("tantra", {"reward": "rank"}, (-1.0, 1.0), None),
        ("tantra", {"players": 4, "reward": "win"}, (-0.25, 0.75), None),
        ("kanastic", {"reward": "win", "players": 3}, (-0.5, 1.0), None),
        ("tantrix", {}, (-1.0, 1.0), 56),
        ("tantrix", {"mode": "discovery", "puzzle": 5, "max_steps": 30}, (0.0, 1.0), 30),
    ],
)
def test_what_is_declared_is_what_the_reward_and_the_limits_allow(name, config, utility, length):
    game = made(name, config)
    assert (game.min_utility(), game.max_utility()) == pytest.approx(utility)
    assert length is None or game.max_game_length() == length
    assert game.max_game_length() < 1 << 20
    other = made(name, config, utility=(-3.0, 3.0))  # declared by the caller
    assert (other.min_utility(), other.max_utility()) == (-3.0, 3.0)


def test_cfr_finds_an_equilibrium_of_a_tiny_variant():
    game = tiny()
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    solver = cfr.CFRSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert uniform > 1.0
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.1


def test_a_bot_sits_at_our_tables_and_sees_no_hidden_cards():
    rules = tantra_envs.game("karma", max_moves=40)
    seen = []

    class Nosy:
        def step(self, state):
            seen.append(str(state))
            return state.legal_actions()[0]

    agent = adapters.spiel_bot(adapters.openspiel(rules), lambda game: Nosy(), "nosy")
    states = np.concatenate([rules.new(seed) for seed in range(3)])
    actions = agent.act(Observation(rules, states), np.random.default_rng(1))
    assert actions.tolist() == [rules.legal(states[i : i + 1])[0] for i in range(3)]
    hidden = [str(agent._game.state_at(states[i : i + 1])) for i in range(3)]
    assert all(shown != true for shown, true in zip(seen, hidden, strict=True))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"deals": 1.5}, r"deals=1\.5 is not allowed"),
        ({"deals": 0}, "deals=0 is not allowed"),
        ({"utility": (1.0, -1.0)}, "utility"),
        ({"deals": [tantra_envs.game("tarot").new(1)]}, "expected a 1-D array of states"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        adapters.openspiel("karma", **wrong)
