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
from tantra_envs.opponents.choosing import Tries, steps_to_best
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
        ("karma", "search:samples=8,horizon=600", 20, 0.55),
        ("tantrix", "search:samples=2,candidates=6", 6, 0.7),
        ("karma:tiny", "ismcts:40", 40, 0.5),
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
    [("karma", "search:4", 1), ("karma", "ismcts:20", 1), ("tarot:hand", f"search:{SMALL},belief=moves", 2)],
)
def test_a_match_repeats_whatever_its_agents_did_before(name, words, deals):
    game = tantra_envs.game(name)
    agents = load_all([words, "scripted"], game)
    first, again = (play_match(game, agents, [0, 1], deals) for _ in range(2))
    fresh = play_match(game, load_all([words, "scripted"], game), [0, 1], deals)
    assert (first.scores == again.scores).all() and (first.scores == fresh.scores).all()


LAST_NINE = ("karma", {}, {"hands": [["9"], ["4", "5"]], "pile": "7"}, "play 9")
# Two others are still in: the seat that goes out now is second, and cannot do better.
SECOND = ("karma", {"players": 3, "reward": "placement"}, {"hands": [[], ["9"], ["4", "5"]], "pile": "7", "cur": 1,
          "out": [0]}, "play 9")  # fmt: skip
SHARED = ("karma", {"players": 3}, SECOND[2], "play 9")
# Nobody is out: the seat that goes out now has the best place, and only the others play on.
FIRST = ("karma", {"players": 3, "reward": "placement"}, {"hands": [["9"], ["10"], ["4", "5"]], "pile": "7"},
         "play 9")  # fmt: skip
SAFE = ("karma", {"players": 3}, FIRST[2], "play 9")
THIRD = ("karma", {"players": 4, "copies": 3, "reward": "placement"},
         {"hands": [[], [], ["9"], ["4", "5"]], "pile": "7", "cur": 2, "out": [0, 1]}, "play 9")  # fmt: skip
# An endgame in which playing on looks as good to a tree of few simulations.
FOLLOW = ("karma", {"players": 4}, {"phase": "FOLLOW", "cur": 1, "dealer": 1, "pile": ["5", "FIVE", "TABLE"], "run": 1,
          "hands": [[], ["13"], ["9", "11"], ["2", "8", "10", "12", "13", "16"]],
          "up": [[], [], ["TABLE", "BOTTOMS"], []], "down": [["16", "10"], [], ["2", "BOTTOMS", "9"], ["11", "8"]]},
          "play 13")  # fmt: skip
ENDINGS = {
    "follow": FOLLOW,
    "two": LAST_NINE,
    "second": SECOND,
    "shared": SHARED,
    "first": FIRST,
    "safe": SAFE,
    "third": THIRD,
}
SEARCHES = ["search:1", "search:16", "search:16,candidates=1", "search:16,margin=3", "search:16,base=learned"]
SEARCHES += ["search:16,base=learned,eta=1", "search:ms=1", "ismcts:8", "ismcts:60", "ismcts:20,widening=1"]


@pytest.mark.parametrize("words", SEARCHES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_the_best_place_at_hand_is_taken(words, ending):
    name, config, position, action = ENDINGS[ending]
    game = tantra_envs.game(name, **config)
    state, agent = game.from_position(position), load(words, game)
    for seed in range(3):
        chosen = int(agent.act(Observation(game, state), np.random.default_rng(seed))[0])
        assert game.action_name(state, chosen) == action


def test_after_the_last_action_of_a_team_its_way_has_no_length():
    game = tantra_envs.game("karma", players=3)
    state, playouts = game.from_position(FIRST[2]), Playouts(game)
    nine, pickup = (game.parse_action(state, words) for words in ("play 9", "pickup"))
    scores, lengths = playouts.scores_and_lengths(state.repeat(2), np.array([nine, pickup]))
    assert lengths[0] == 1 and lengths[1] > 3 and scores[0, 0] == pytest.approx(0.75, abs=0.001)
    masks, seats = game.mask(state)[None], state["seat"].astype(int)
    assert playouts.last_actions(state, masks, seats).tolist() == [nine]
    two = tantra_envs.game("karma")  # where the other one plays on the result is open
    state = two.new(3)
    Playouts(two).run(state, plies=40)
    last = Playouts(two).last_actions(state, two.mask(state)[None], state["seat"].astype(int))
    assert last.tolist() == [-1]


@pytest.mark.parametrize("others", [[["4", "5"]], [["10"], ["4", "5"]]], ids=["two", "first"])
def test_the_end_is_a_candidate_whatever_its_rating(others, monkeypatch):
    game = tantra_envs.game("karma", players=1 + len(others))
    state, search = game.from_position({"hands": [["9", "9"], *others], "pile": "7"}), Search(game, "4")
    one, both, pickup = (game.parse_action(state, words) for words in ("play 9", "play 9x2", "pickup"))
    ratings = np.full((1, game.actions.size), -np.inf)
    ratings[0, [one, both, pickup]] = 3, 2, 1
    monkeypatch.setattr(search, "_ratings", lambda *_: ratings.copy())
    for most, expected in ((1, [pickup, both]), (2, [pickup, both]), (8, [pickup, both, one])):
        found = search.candidates(Observation(game, state), np.arange(1), np.array([pickup]), most, state)
        assert found.tolist() == [expected]


@pytest.mark.parametrize(
    ("values", "lengths", "steps"),
    [
        ([[1, 1], [1, 1], [1, 0]], [[5, 7], [1, 1], [1, 1]], [5, 0, np.inf]),  # wins: five more actions, or none
        ([[1, 1], [1.001, 1.001]], [[1, 1], [5, 5]], [0, 4]),  # more points later do not count against the end
        ([[1, 1], [1.001, 1]], [[4, 4], [5, 5]], [np.inf, np.inf]),  # points differ: the mean decides
        ([[1, 1], [1, 1]], [[4, np.inf], [3, 3]], [np.inf, 2]),  # a playout that stopped is no way to the end
        ([[0, 0], [0, 0]], [[4, 4], [1, 1]], [np.inf, np.inf]),  # nobody hurries to lose
        ([[0.5, 0.5], [0.5, 0.5]], [[4, 4], [1, 1]], [3, 0]),
        ([[1, 0.5], [1, 0.5]], [[1, 0], [4, np.inf]], [0, np.inf]),  # a limit for others is no reason against the last
        ([[0.5, 0.5], [1, 1]], [[0, 0], [4, 4]], [np.inf, 3]),
        ([[1, np.nan], [1, 1]], [[4, np.inf], [2, 2]], [3, 1]),  # only what was tried counts
    ],
)
def test_steps_to_the_best_result(values, lengths, steps):
    tries = Tries(np.array([values], float), np.array([lengths], float))
    assert steps_to_best(tries, 2)[0].tolist() == steps


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
