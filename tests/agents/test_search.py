"""Search: honest, repeatable, better than the player it searches with, and clear about what it does not accept."""

import numpy as np
import pytest

import tantra_envs
from agents import load, load_all
from tantra_envs.core import playouts
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts, standings
from tantra_envs.matches.match import play_match
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.search import Search

SMALL = "samples=4,candidates=4,margin=0"
TABLES = [
    ("karma", {}),
    ("karma", {"players": 4}),
    ("kanastic", {}),
    ("kanastic", {"players": 3}),
    ("tarot", {}),
    ("tarot", {"players": 3}),
    ("tantra", {"players": 3}),
    ("tantrix", {}),
    ("tantrix", {"mode": "solitaire"}),
    ("tantrix", {"mode": "gobble", "players": 3}),
    ("tantrix", {"mode": "gobble", "players": 1}),
]


def positions(game, seeds=range(3)):
    """Yield tables in mid-game where there is a choice, at least one."""
    found = 0
    for seed in seeds:
        state = game.new(seed)
        Playouts(game).run(state, plies=9 + 5 * seed)
        while len(game.legal(state)) == 1:
            Playouts(game).run(state, plies=1)
        if not state["over"][0]:
            found += 1
            yield state
    assert found


@pytest.mark.parametrize(("name", "config"), TABLES, ids=str)
def test_what_it_cannot_see_does_not_matter_and_the_table_is_left_alone(name, config):
    game = tantra_envs.game(name, **config)
    agent = Search(game, SMALL)
    for state in positions(game):
        before, other = state.tobytes(), game.redeal(state, 77, int(state["seat"][0]))
        first, second = (agent.act(Observation(game, s), np.random.default_rng(5))[0] for s in (state, other))
        assert first == second and game.mask(state)[first] == 1 and state.tobytes() == before


@pytest.mark.parametrize("words", ["search:2", "ismcts:20"])
def test_nothing_is_tried_at_a_finished_table_or_where_one_action_is_legal(words):
    game = tantra_envs.game("karma")
    state, agent, rng = game.new(0), load(words, game), np.random.default_rng(0)
    before = rng.bit_generator.state
    while len(game.legal(state)) > 1:
        Playouts(game).run(state, plies=1)
    assert agent.act(Observation(game, state), rng)[0] == game.legal(state)[0]
    Playouts(game).run(state)
    agent.act(Observation(game, state), rng)
    assert agent.simulations == agent.decisions == 0 and rng.bit_generator.state == before


def test_with_one_candidate_it_is_the_scripted_player():
    game = tantra_envs.game("tarot", episode="hand")
    agents = [Search(game, "samples=2,candidates=1"), load("scripted", game)]
    searched, scripted = (play_tables(game, [agent], [[0, 0]] * 3, [1, 2, 3]).states for agent in agents)
    assert searched.tobytes() == scripted.tobytes() and agents[0].deviations == 0 and agents[0].simulations > 0


@pytest.mark.parametrize(
    ("name", "words", "deals", "least"),
    [
        ("karma", "search:samples=16,horizon=600", 32, 0.55),
        ("tantrix", "search:samples=2,candidates=6", 6, 0.7),
        ("karma", "ismcts:40", 40, 0.55),
        ("tantrix", "ismcts:60", 4, 0.7),
    ],
)
def test_it_beats_the_player_it_searches_with(name, words, deals, least):
    game = tantra_envs.game(name)
    assert play_match(game, load_all([words, "scripted"], game), [0, 1], deals).score(0).mean > least


@pytest.mark.parametrize("name", ["kanastic", "tantra", "tarot"])
def test_plies_stop_playouts_where_horizons_count_rounds_or_hands(name, monkeypatch):
    game, plies = tantra_envs.game(name), []

    def standings_of(game, states):
        plies.extend(states["plies"].tolist())
        return standings(game, states)

    monkeypatch.setattr(playouts, "standings", standings_of)
    obs = Observation(game, game.new(0))
    actions = np.flatnonzero(obs.action_mask[0])[None, :2]
    Search(game, "samples=4,horizon=1,plies=3").compare(obs, np.arange(1), actions, 4, np.random.default_rng(0))
    assert plies == [4] * 4 * actions.shape[1]


@pytest.mark.parametrize(
    ("name", "words", "deals"),
    [("karma", "search:4", 4), ("karma", "ismcts:20", 3), ("tarot:hand", f"search:{SMALL},belief=moves", 2)],
)
def test_a_match_repeats_whatever_its_agents_did_before(name, words, deals):
    game = tantra_envs.game(name)
    agents = load_all([words, "scripted"], game)
    first, again = (play_match(game, agents, [0, 1], deals) for _ in range(2))
    fresh = play_match(game, load_all([words, "scripted"], game), [0, 1], deals)
    assert (first.scores == again.scores).all() and (first.scores == fresh.scores).all()


WRONG_NUMBERS = ["0", "samples=0", "4,samples=2", "candidates=0", "samples=two", "2.5", "samples=-3"]
WRONG_WORDS = ["depth=3", "margin=-1", "horizon=-1", "plies=-1", "ms=0"]


@pytest.mark.parametrize("words", [*WRONG_NUMBERS, *WRONG_WORDS])
def test_a_bad_budget_is_refused_in_one_line(words):
    game = tantra_envs.game("karma")
    with pytest.raises(ValueError, match=r"search:.* is not allowed; allowed: a number of samples") as refused:
        Search(game, words)
    assert "\n" not in str(refused.value)


def test_thinking_by_the_clock_is_named_so():
    game = tantra_envs.game("karma")
    agent = Search(game, "ms=5")
    assert agent.act(Observation(game, game.new(0)), np.random.default_rng(0))[0] in game.legal(game.new(0))
    assert agent.milliseconds > 0
