"""Action features of Tarot: they agree with the rules."""

import pytest

import tantra_envs
from tantra_envs.games.tarot.actions import YES
from tantra_envs.games.tarot.agents import features as f
from tantra_envs.games.tarot.material import FOOL, KING, RANK_OF, SUIT_OF, TRUMPS
from tantra_envs.games.tarot.state import Phase

from ..features import action_features, positions

CONFIGS = [{}, {"players": 3}, {"trick_points": "cards", "king_cut": "any", "talon": "take_first"}]


def table_of(**config):
    return tantra_envs.game("tarot", episode="hand", **config)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_last_card_of_a_trick_brings_the_points_that_its_features_promise(config):
    game, seen = table_of(**config), set()
    for state, seat in positions(game, 10, share=1):
        if state["phase"][0] != Phase.PLAY or state["trick_n"][0] < game.players - 1 or state["hand_n"][0].sum() <= 1:
            continue
        actions, features, _ = action_features(game, state, seat)
        for action, row in zip(actions, features, strict=True):
            after = state.copy()
            game.apply_action(after, action)
            gains = (after["points"] - state["points"])[0]
            gains[seat] -= 5 * (action == FOOL)
            taken = bool((after["taken"] > state["taken"])[0, seat])
            assert (row[f.A.winning], row[f.A.odds], row[f.A.last]) == (taken, taken, 1)
            if config.get("king_cut") != "any":
                points = row[f.A.trick_points] + (row[f.A.cut] if taken else 0)
                wins = gains[seat] if taken else gains.max() - 5 * _king_cut(state[0], action)
                assert points * f.POINTS_WHOLE == pytest.approx(wins)
            seen.add((taken, bool(row[f.A.cut])))
    assert len(seen) > 2


def _king_cut(s, card):
    """Return whether a trump takes the King of the suit that was led, if this card is played."""
    cards = [other for other in (*s["trick"][: s["trick_n"]].tolist(), card) if other != FOOL]
    kings = [other for other in cards if RANK_OF[other] == KING and SUIT_OF[other] == SUIT_OF[cards[0]]]
    return bool(kings) and min(cards) < TRUMPS


def test_a_class_is_described_by_its_points_and_a_card_by_those_that_go_with_it():
    game, shown, lost = table_of(), 0, 0
    for state, seat in positions(game, 12, share=1):
        actions, features, _ = action_features(game, state, seat)
        if state["phase"][0] == Phase.DECLARE:
            after = state.copy()
            game.apply_action(after, YES)
            row = features[actions.index(YES)]
            if after["hand_no"][0] == state["hand_no"][0]:
                assert row[f.A.class_points] * f.POINTS_WHOLE == pytest.approx(
                    (after["points"] - state["points"])[0, seat]
                )
                shown += 1
        lost += (features[:, f.A.class_loss] > 0).sum() if state["phase"][0] == Phase.DISCARD else 0
    assert shown > 5 and lost > 5
