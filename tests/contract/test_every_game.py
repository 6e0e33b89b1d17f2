"""Every game keeps every promise, in all configurations."""

import json

import pytest

import tantra_envs
from tantra_envs.core.playouts import Playouts
from tantra_envs.games import SHIPPED
from tantra_envs.testing import check_env, check_game, check_no_dead_end, play

from .games import GAMES, configurations, contract, hides, words


def test_every_game_brings_a_contract():
    """The tests here skip a game without one."""
    missing = [f"tests/games/{name}/contract.py" for name in tantra_envs.GAMES if name not in GAMES]
    assert not missing, f"write it as docs/add-a-game.md shows, in a package: {', '.join(missing)}"


@pytest.mark.parametrize(("name", "config"), configurations(), ids=words)
def test_a_game_keeps_its_promises(name, config):
    game, known = tantra_envs.game(name, **config), contract(name)
    goes_on = getattr(known, "goes_on", None)
    told = {"zero_sum": known.zero_sum(game), "hides": hides(known, game), "goes_on": goes_on}
    check_game(game, games=1, invariants=known.invariants, **told)


@pytest.mark.parametrize(("name", "config"), configurations(), ids=words)
def test_the_winner_by_the_rules_gets_the_best_return_and_returns_keep_their_bounds(name, config):
    game, known = tantra_envs.game(name, **config), contract(name)
    if game.config.get("encoding", "compact") != "compact":
        pytest.skip("the scripted agent plays by the compact encoding; the rules are the same")
    for seed in (1, 2):
        state = game.new(seed)
        returns = Playouts(game).run(state)[0]
        least, most = game.returns
        assert least - 1e-9 <= returns.min() and returns.max() <= most + 1e-9, returns
        assert game.longest is None or state["plies"][0] <= game.longest
        extra = game.config.get("shaping", "none") != "none" or game.config.get("start_scores")
        winners = known.winners(game, state) if hasattr(known, "winners") and not extra else []
        others = [returns[seat] for seat in range(game.players) if seat not in winners]
        assert all(returns[seat] >= max(returns) - 1e-9 for seat in winners), (winners, returns)
        assert not winners or not others or max(others) < max(returns), (winners, returns)


PLAYED = [(name, *played) for name in SHIPPED for played in contract(name).PLAYED]


@pytest.mark.parametrize(("name", "config", "seed"), PLAYED, ids=words)
def test_full_positions_are_exact_at_every_step_to_the_last(name, config, seed):
    game = tantra_envs.game(name, **config)
    for state in play(game, seed):
        text = json.dumps(game.position(state, full=True))
        assert game.from_position(json.loads(text)).tobytes() == state.tobytes(), text
    assert state["over"][0]


@pytest.mark.parametrize("name", GAMES)
def test_random_play_reaches_every_phase(name):
    known = contract(name)
    game = tantra_envs.game(name, **known.BASE)
    tables = [state.copy() for seed in range(100, 104) for state in play(game, seed)]
    for state in tables:
        known.invariants(game, state)
    assert {game.phases[state["phase"][0]] for state in tables} == set(game.phases)


@pytest.mark.parametrize("name", GAMES)
def test_random_play_comes_to_no_dead_end(name):
    for config in (contract(name).BASE, *contract(name).TABLES[:2]):
        check_no_dead_end(tantra_envs.game(name, **config), decisions=20_000)


@pytest.mark.parametrize("name", GAMES)
def test_tables_keep_their_promises(name):
    for seed, config in enumerate(contract(name).TABLES[:3]):
        check_env(lambda config=config: tantra_envs.make_raw(name, **config), seed)


@pytest.mark.parametrize("name", GAMES)
def test_tables_that_are_cut_off_keep_their_promises(name):
    game = tantra_envs.game(name)
    check_env(lambda: tantra_envs.make_raw(name, **{game.cutoff: 50}))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_cut_off_by_its_limit_in_whatever_phase(name):
    config, cutoff = contract(name).BASE, tantra_envs.game(name).cutoff
    for limit in range(1, 41):
        *_, state = play(tantra_envs.game(name, **{**config, cutoff: limit}), seed=limit)
        assert state["over"][0] and state["plies"][0] <= limit, limit


@pytest.mark.parametrize(("name", "config"), configurations(), ids=words)
def test_the_text_of_a_game_is_the_call_that_makes_it(name, config):
    game = tantra_envs.game(name, **config)
    again = eval(repr(game), {"tantra_envs": tantra_envs})
    assert (again.name, again.config) == (game.name, game.config)
