"""Action features of Tarot: they agree with the rules, and nothing hidden changes them."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.features import describe
from tantra_envs.games.tarot import features as f
from tantra_envs.games.tarot.actions import NO, YES
from tantra_envs.games.tarot.material import CARDS, FOOL, KING, RANK_OF, SUIT_OF, TRUMPS
from tantra_envs.games.tarot.state import Phase, Place
from tantra_envs.testing import play

CONFIGS = [{}, {"players": 3}, {"trick_points": "cards", "king_cut": "any", "talon": "take_first"}]


def positions(deals, every=1, **config):
    """Yield positions of games that random agents play, with the seat to decide and its features."""
    game = tantra_envs.game("tarot", episode="hand", **config)
    for deal in range(deals):
        for state in play(game, deal):
            if not state["over"][0] and state["plies"][0] % every == 0:
                seat = int(state["seat"][0])
                _, actions, features, table = describe(game, game.conceal(state, seat))
                yield game, state.copy(), seat, actions, features, table[0]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_every_legal_action_is_described(config):
    phases = set()
    for game, state, _, actions, features, table in positions(6, **config):
        assert actions.tolist() == game.legal(state)
        assert features.shape == (len(actions), f.FEATURES) and table.shape == (f.TABLE,)
        assert (features[:, : f.KINDS].sum(axis=1) == 1).all() and np.isfinite(features).all()
        assert ((features[:, f.KINDS - 1] == 1) == (actions == NO)).all()
        phases.add(int(table[: Phase.OVER].argmax()))
    assert phases >= {Phase.DISCARD, Phase.DECLARE, Phase.CALL, Phase.PLAY}


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_last_card_of_a_trick_brings_the_points_that_its_features_promise(config):
    seen = set()
    for game, state, seat, actions, features, _ in positions(10, **config):
        if state["phase"][0] != Phase.PLAY or state["trick_n"][0] < game.players - 1 or state["hand_n"][0].sum() <= 1:
            continue
        for action, row in zip(actions, features, strict=True):
            after = state.copy()
            game.apply_action(after, int(action))
            gains = (after["points"] - state["points"])[0]
            gains[seat] -= 5 * (action == FOOL)
            taken = bool((after["taken"] > state["taken"])[0, seat])
            assert (row[f.WINNING], row[f.ODDS], row[f.LAST]) == (taken, taken, 1)
            if config.get("king_cut") != "any":
                points = row[f.POINTS] + (row[f.CUT] if taken else 0)
                wins = gains[seat] if taken else gains.max() - 5 * _king_cut(state[0], int(action))
                assert points * f.POINTS_WHOLE == pytest.approx(wins)
            seen.add((taken, bool(row[f.CUT])))
    assert len(seen) > 2


def _king_cut(s, card):
    """Return whether a trump takes the King of the suit that was led, if this card is played."""
    cards = [other for other in (*s["trick"][: s["trick_n"]].tolist(), card) if other != FOOL]
    kings = [other for other in cards if RANK_OF[other] == KING and SUIT_OF[other] == SUIT_OF[cards[0]]]
    return bool(kings) and min(cards) < TRUMPS


def test_a_suit_is_described_by_the_cards_held_and_not_yet_seen():
    for _, state, seat, actions, features, table in positions(3, every=3, players=3):
        s, held = state[0], state["loc"][0] == seat
        gone = (s["loc"] >= Place.TRICK) | ((s["loc"] == Place.DISCARDED) & (s["dealer"] == seat))
        assert table[f.OWN_TRUMPS : f.UNSEEN_TRUMPS].tolist() == held[:TRUMPS].tolist()
        for action, row in zip(actions, features, strict=True):
            if action >= CARDS or action == FOOL:
                continue
            suit = np.equal(SUIT_OF, SUIT_OF[action])
            higher = suit & (np.arange(CARDS) > action)
            counts = [(held & suit).sum() - 1, (~held & ~gone & suit).sum(), (held & higher).sum(),
                      (~held & ~gone & higher).sum()]  # fmt: skip
            assert row[f.HELD : f.HIGHER_OUT + 1] * f.SUIT_WHOLE == pytest.approx(counts)


def test_a_class_is_described_by_its_points_and_a_card_by_those_that_go_with_it():
    shown = lost = 0
    for game, state, seat, actions, features, _ in positions(12):
        if state["phase"][0] == Phase.DECLARE:
            after = state.copy()
            game.apply_action(after, YES)
            row = features[actions.tolist().index(YES)]
            if after["hand_no"][0] == state["hand_no"][0]:
                assert row[f.SHOWN] * f.POINTS_WHOLE == pytest.approx((after["points"] - state["points"])[0, seat])
                shown += 1
        lost += (features[:, f.LOST] > 0).sum() if state["phase"][0] == Phase.DISCARD else 0
    assert shown > 5 and lost > 5


@pytest.mark.parametrize("players", [2, 3])
def test_nothing_hidden_changes_the_features(players):
    changed = 0
    for game, state, seat, actions, features, table in positions(2, every=5, players=players):
        other = game.redeal(state, 5, seat)
        changed += (other["loc"] != state["loc"]).any()
        known = game.conceal(other, seat)
        before = known.copy()
        _, again, other_features, other_table = describe(game, known)
        assert (known == before).all()
        assert np.array_equal(again, actions)
        assert np.array_equal(other_features, features) and np.array_equal(other_table[0], table)
    assert changed > 5
