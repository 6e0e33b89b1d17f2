"""Beliefs use only what a seat has seen of the others' actions, and improve the estimate of their hands."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.core.past import Past
from tantra_envs.games.tarot.material import CARD_NAMES
from tantra_envs.games.tarot.state import Phase, Place
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents import opponent
from tantra_envs.opponents.belief import likely_deals, resampled
from tantra_envs.opponents.scripted import Scripted
from tantra_envs.opponents.search import Search
from tantra_envs.table.history import History

SMALL = "8,candidates=4,margin=0,belief=moves"


def dealt(game, deck, dealer):
    return History(game, game.new(0, deck=[CARD_NAMES[card] for card in deck], dealer=dealer))


def twins(game, seed: int, plies: int):
    """Two games that look equal to the seat that decides, after the same public actions from different deals."""
    rng = np.random.default_rng(seed)
    deck, dealer = rng.permutation(78), seed % game.players
    one = dealt(game, deck, dealer)
    for _ in range(plies):
        one.ask(Scripted(game), rng)
    seat, becomes = int(one.state["seat"][0]), np.arange(78)
    here, there = one.state["loc"][0], game.redeal(one.state, 50 + seed, seat)["loc"][0]
    for place in range(Place.TRICK):  # cards of a place now were dealt into the slots of those that lie there in truth
        before, after = np.flatnonzero(here == place), np.flatnonzero(there == place)
        becomes[np.setdiff1d(before, after)] = np.setdiff1d(after, before)
    two = dealt(game, becomes[deck], dealer)
    for past in one.moves:
        hidden = past.before["phase"][0] == Phase.DISCARD and past.seat != seat
        now = int(becomes[past.action]) if hidden else past.action
        if (two.state[["seat", "phase"]] != past.before[["seat", "phase"]])[0] or now not in game.legal(two.state):
            return None  # with those cards they would have been asked something else
        two.play(now)
    pair = one.observation(), two.observation()  # or they would have shown something else
    return pair if (pair[0].observation == pair[1].observation).all() and (here != two.state["loc"]).any() else None


@pytest.mark.parametrize("players", [2, 3])
def test_what_it_cannot_see_does_not_matter(players):
    game, found = tantra_envs.game("tarot", players=players), 0
    agent = Search(game, SMALL)
    for one, two in filter(None, (twins(game, seed, 20 + seed) for seed in range(40))):
        sampled = one.determinize(20, np.random.default_rng(1))
        odds = one.log_odds(sampled, 0)
        assert np.ptp(odds) > 0 and (odds == two.log_odds(sampled, 0)).all()
        chosen = [agent.act(seen, np.random.default_rng(5))[0] for seen in (one, two)]
        assert chosen[0] == chosen[1]
        found += 1
    assert found >= 5


@pytest.mark.parametrize("players", [2, 3])
def test_the_hands_are_told_better_than_by_chance(players):
    """How many of the cards that a drawn world puts into the hand of the next seat are there."""
    game, hits = tantra_envs.game("tarot", players=players, episode="hand"), {True: [], False: []}
    past, rng = Past(game, 8), np.random.default_rng(0)

    def look(states, live, actions):
        if len(live) == 8 and (states["trick_no"] >= 8).all() and len(hits[True]) < 8:
            obs = Observation(game, states, past=past)
            every = np.repeat(np.arange(8), 64)
            for likely in (True, False):  # one deal is kept each time: it is the likely one of several
                drawn = likely_deals(obs, every, 1, rng) if likely else obs.determinize(1, rng, every)
                following = (states["seat"] + 1) % players
                truth = states["loc"] == following[:, None]
                same = drawn.reshape(8, 64)["loc"] == following[:, None, None]
                hits[likely].append((same & truth[:, None]).sum(axis=2).mean())
        past.note(states, live, actions)

    play_tables(game, [Scripted(game)], [[0] * players] * 8, range(8), look=look)
    assert np.mean(hits[True]) > np.mean(hits[False]) + 0.2


def test_without_a_past_worlds_are_as_likely_as_ever_and_those_of_other_tables_are_refused():
    game, rng = tantra_envs.game("tarot"), np.random.default_rng(0)
    obs, other = (Observation(game, game.new(seed)) for seed in (0, 1))
    assert (obs.log_odds(obs.determinize(5, rng), 0) == 0).all()
    with pytest.raises(ValueError, match="determinizations of table 0 look different"):
        obs.log_odds(other.determinize(2, rng), 0)


def test_worlds_are_kept_as_often_as_is_likely():
    odds = np.log([1e-9, 0.5, 0.25, 0.25])
    kept = np.bincount(resampled(odds, 400, np.random.default_rng(0)), minlength=4)
    assert abs(kept - 400 * np.exp(odds)).max() <= 1
    assert len(set(resampled(np.zeros(7), 7, np.random.default_rng(1)))) == 7


@pytest.mark.parametrize(("name", "value"), [("tantrix", "moves"), ("tantra", "moves"), ("tarot", "yes")])
def test_beliefs_that_a_game_does_not_have_are_refused_in_one_line(name, value):
    with pytest.raises(ValueError, match=rf"search:belief={value} is not allowed") as refused:
        opponent(f"search:belief={value}", tantra_envs.game(name))
    assert "\n" not in str(refused.value)
