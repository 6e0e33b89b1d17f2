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

SMALL = "8,candidates=4,margin=0,belief=moves"
ROW = np.zeros(1, np.int64)


class Told:
    """A table that is played and whose past is kept."""

    def __init__(self, game, deck, dealer):
        self.game, self.past = game, Past(game, 1)
        self.state = game.new(0, deck=[CARD_NAMES[card] for card in deck], dealer=dealer)
        self.decided = []

    def do(self, action: int) -> None:
        s = self.state[0]
        self.decided.append((int(s["seat"]), int(s["phase"]), action))
        self.past.note(self.state, ROW, np.array([action]))
        self.game.apply_action(self.state, action)

    def seen(self) -> Observation:
        return Observation(self.game, self.state, past=self.past)


def twins(game, seed: int, plies: int):
    """Two tables that look equal to the seat that decides, after the same public actions from different deals."""
    rng = np.random.default_rng(seed)
    deck, dealer = rng.permutation(78), seed % game.players
    one = Told(game, deck, dealer)
    scripted = Scripted(game)
    for _ in range(plies):
        one.do(int(scripted.act(one.seen(), rng)[0]))
    seat = int(one.state["seat"][0])
    here, there = one.state["loc"][0], game.redeal(one.state, 50 + seed, seat)["loc"][0]
    other, becomes = deck.copy(), np.arange(78)
    for place in range(Place.TRICK):  # cards of a place now were dealt into the slots of those that lie there in truth
        before, after = np.flatnonzero(here == place), np.flatnonzero(there == place)
        becomes[np.setdiff1d(before, after)] = np.setdiff1d(after, before)
    two = Told(game, becomes[other], dealer)
    for whose, phase, action in one.decided:
        hidden = phase == Phase.DISCARD and whose != seat
        now = int(becomes[action]) if hidden else action
        if (whose, phase) != (two.state["seat"][0], two.state["phase"][0]) or now not in game.legal(two.state):
            return None  # with those cards they would have been asked something else
        two.do(now)
    same = (one.seen().observation == two.seen().observation).all()
    return (one, two) if same else None  # or they would have shown something else


@pytest.mark.parametrize("players", [2, 3])
def test_what_it_cannot_see_does_not_matter(players):
    game, found = tantra_envs.game("tarot", players=players), 0
    agent = Search(game, SMALL)
    for seed in range(40):
        pair = twins(game, seed, 20 + seed)
        if pair is None or (pair[0].state["loc"] == pair[1].state["loc"]).all():
            continue
        one, two = (table.seen() for table in pair)
        sampled = one.determinize(20, np.random.default_rng(1))
        assert np.ptp(one.log_odds(sampled, 0)) > 0
        assert (one.log_odds(sampled, 0) == two.log_odds(sampled, 0)).all()
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
            every = np.arange(8)
            for likely in (True, False):
                drawn = likely_deals(obs, every, 64, rng) if likely else obs.determinize(64, rng)
                following = (states["seat"] + 1) % players
                truth = states["loc"] == following[:, None]
                same = drawn.reshape(8, 64)["loc"] == following[:, None, None]
                hits[likely].append((same & truth[:, None]).sum(axis=2).mean())
        past.note(states, live, actions)

    play_tables(game, [Scripted(game)], [[0] * players] * 8, range(8), look=look)
    assert np.mean(hits[True]) > np.mean(hits[False]) + 0.1


def test_without_a_past_worlds_are_as_likely_as_ever():
    game = tantra_envs.game("tarot")
    obs = Observation(game, game.new(0))
    assert (obs.log_odds(obs.determinize(5, np.random.default_rng(0)), 0) == 0).all()


def test_only_worlds_of_the_table_are_weighed():
    game = tantra_envs.game("tarot")
    obs, other = (Observation(game, game.new(seed)) for seed in (0, 1))
    with pytest.raises(ValueError, match="determinizations of table 0 look different"):
        obs.log_odds(other.determinize(2, np.random.default_rng(0)), 0)


def test_worlds_are_kept_as_often_as_is_likely():
    odds = np.log([1e-9, 0.5, 0.25, 0.25])
    kept = np.bincount(resampled(odds, 400, np.random.default_rng(0)), minlength=4)
    assert abs(kept - 400 * np.exp(odds)).max() <= 1
    assert len(set(resampled(np.zeros(7), 7, np.random.default_rng(1)))) == 7


def test_a_game_without_beliefs_refuses_them_in_one_line():
    for name in ("tantrix", "tantra"):
        with pytest.raises(ValueError, match=r"belief=moves is not allowed") as refused:
            opponent("search:belief=moves", tantra_envs.game(name))
        assert "\n" not in str(refused.value)
    with pytest.raises(ValueError, match=r"search:belief=yes is not allowed"):
        opponent("search:belief=yes", tantra_envs.game("tarot"))
