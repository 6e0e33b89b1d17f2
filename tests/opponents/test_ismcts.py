"""The tree: honest, repeatable, sound in what it counts, and better than the player it searches with."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.core.compiled.scoring import score_teams
from tantra_envs.core.compiled.tree import EDGE, NODE, TREE, UNENDED, Tree, best_edge, most_visited
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts
from tantra_envs.matches.match import team_scores
from tantra_envs.opponents import ismcts
from tantra_envs.opponents.ismcts import Ismcts, TreeSearch

from .test_search import TABLES, positions

ROOT = Path(__file__).resolve().parents[2]


def grown(game, state, words):
    """Its tree there: the record, nodes, edges and gains."""
    search = TreeSearch(game, Ismcts(game, words).budget)
    search.best(Observation(game, state), 0, np.random.default_rng(5))
    tree = search.tree
    return tree.head[0], tree.nodes, tree.edges, tree.returns


@pytest.mark.parametrize(("name", "config"), TABLES, ids=str)
def test_its_counts_agree(name, config):
    game = tantra_envs.game(name, **config)
    for state in positions(game):
        tree, nodes, edges, gains = grown(game, state, "60")
        first = list(linked(edges, nodes[0]["edge"]))
        assert tree["nodes"] <= 61 and tree["edges"] <= 61 and edges["visits"][first].sum() == nodes["visits"][0] == 60
        assert (edges["available"] >= edges["visits"]).all() and tree["least"] <= tree["most"]
        assert sorted(set(edges["action"][first])) == sorted(edges["action"][first])
        assert game.mask(state)[edges["action"][first]].all()
        means = gains[first] / edges["visits"][first][:, None]
        assert (means >= tree["least"] - 1e-9).all() and (means <= tree["most"] + 1e-9).all()
        if len(game.teams) > 1:
            assert np.allclose(means.sum(axis=1), len(game.teams) / 2, atol=1e-3)


def linked(parts, at):
    """The numbers of nodes or edges in the order of the path."""
    while at:
        yield int(at)
        at = parts["next"][at]


def test_it_does_not_matter_how_many_worlds_are_drawn_at_a_time(monkeypatch):
    game = tantra_envs.game("karma")
    whole = [grown(game, state, "50") for state in positions(game)]
    monkeypatch.setattr(ismcts, "ROOM", 7 * game.blank.dtype.itemsize)
    parts = [grown(game, state, "50") for state in positions(game)]
    assert [[part.tobytes() for part in tree] for tree in whole] == [
        [part.tobytes() for part in tree] for tree in parts
    ]


def test_what_others_do_in_secret_makes_no_new_node():
    """In Karma nobody sees what the others lay face up before the play begins, only that they do."""
    game = tantra_envs.game("karma")
    state = game.new(0)
    Playouts(game).run(state, plies=2)  # the third card of the first seat is next
    _, nodes, edges, _ = grown(game, state, "simulations=200,widening=1")
    secret = nodes[list(linked(nodes, nodes["child"][0]))]
    assert max(len(list(linked(edges, node["edge"]))) for node in secret) > 2
    assert {len(list(linked(nodes, node["child"]))) for node in secret} == {1}


def tree(visits, returns, plies=0, available=0):
    """A tree of one node with three edges: the actions 0, 1 and 2."""
    head, nodes, edges = np.zeros(1, TREE), np.zeros(1, NODE), np.zeros(4, EDGE)
    head["most"], head["explore"], nodes["edge"] = 1.0, 0.1, 3
    edges["next"], edges["action"] = [0, 0, 1, 2], [0, 0, 1, 2]
    edges["visits"][1:], edges["plies"][1:], edges["available"] = visits, plies, available
    gains, none = np.array([[0, 0], *returns], float), np.zeros(0, np.int64)
    return Tree(head, nodes, edges, gains, none, none, none, np.zeros((3, 2)))


def test_a_seat_takes_what_is_best_for_its_own_team():
    grown = tree(10, [[6, 4], [5, 5], [9, 1]], available=20)
    best = [_best(grown, np.array([1, 1, 0], np.int8), team) for team in (0, 1)]
    assert best == [1, 2]  # the third is best for the first team, but not legal
    assert grown.edges["available"].tolist() == [20, 22, 22, 20]


@entry_point
def _best(tree, mask, team):
    return best_edge(tree, 0, mask, team)


@pytest.mark.parametrize(
    ("returns", "plies", "visits", "best"),
    [
        ([5, 10, 10], [10, 30, 20], [10, 10, 10], 2),  # two wins in every simulation: the shorter one
        ([10, 10, 10], [10, 30, 20], [10, 10, 10], 0),
        ([1, 20, 20], [1, 40, 30], [1, 20, 20], 2),  # one visit is too few to compare
        ([5, 10, 10], [10, 30, 10 * UNENDED], [10, 10, 10], 1),  # a simulation that stopped is no short way
        ([10, 11, 8], [5, 30, 20], [20, 20, 20], 1),  # no equal results: the best sum of the most visited
        ([0, 0, 5], [5, 30, 99], [20, 21, 10], 1),  # a quick loss is no better
    ],
)
def test_of_equal_results_the_tree_takes_the_shorter_way(returns, plies, visits, best):
    assert most_visited(tree(visits, [[total, 0] for total in returns], plies), 0) == best


@pytest.mark.parametrize("rewards", [[1.0, 0.0, 0.0, 4.0], [2.0, 2.0, 2.0, 2.0], [-1.0, 3.0, 3.0, -1.0]])
def test_a_simulation_is_worth_what_a_match_scores(rewards):
    expected = team_scores(np.array([rewards]))[0]
    assert np.allclose(scores_of(rewards, np.zeros(4), 0), expected, atol=1e-4)
    assert scores_of(rewards, np.array([0.0, 3.0, 0.0, 0.0]), 0)[1] > expected[1]


def test_at_the_end_a_lead_counts_only_for_a_team_that_beats_nobody():
    """So all ways to the same win have one score, and search can take the shorter one."""
    for over, bonus in ((1, 1e-6), (0, 6e-6)):
        scores = scores_of([1.0, -1.0], np.array([5.0, -5.0]), over)
        assert np.allclose(scores, [1 + bonus, -6e-6], atol=1e-12)


def scores_of(rewards, leads, over):
    scores = np.zeros(len(rewards))
    _score(np.array(rewards), leads, over, np.arange(len(rewards)), scores)
    return scores


@entry_point
def _score(rewards, standings, over, representatives, scores):
    score_teams(rewards, standings, over, representatives, scores)


def test_as_ordinary_python_it_grows_the_same_tree():
    words = "from tests.opponents.test_ismcts import digest; print(digest())"
    settings = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", words]
    told = subprocess.run(command, env=settings, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.stdout.strip() == digest(), told.stderr


def digest():
    game = tantra_envs.game("karma")
    trees = [
        grown(game, state, words) for state in positions(game, [2]) for words in ("8", "simulations=8,playouts=random")
    ]
    return hashlib.sha256(b"".join(part.tobytes() for tree in trees for part in tree)).hexdigest()


WRONG_NUMBERS = ["0", "2.5", "-3", "simulations=0", "simulations=two", "horizon=-1", "widening=2", "widening=-0.1"]
WRONG_WORDS = ["samples=3", "ms=5", "explore=-1", "explore=nan", "explore=inf", "playouts=learned", "playouts"]


@pytest.mark.parametrize("words", [*WRONG_NUMBERS, *WRONG_WORDS])
def test_a_bad_budget_is_refused_in_one_line(words):
    with pytest.raises(ValueError, match=r"karma_v0: ismcts:.* is not allowed; allowed: a number of simul") as refused:
        Ismcts(tantra_envs.game("karma"), words)
    assert "\n" not in str(refused.value)
