"""The game at a table: what follows from its moves, going back, and saved games."""

import json

import numpy as np
import pytest

import tantra_envs
from tantra_envs.games import SHIPPED
from tantra_envs.table.history import History, deal, saved_history


def played(game, actions=40, seed=1):
    """A game with some uniform legal actions."""
    history, rng = deal(game, seed), np.random.default_rng(seed)
    while len(history.moves) < actions and not history.is_over:
        history.play(int(rng.choice(game.legal(history.state))))
    return history


def contents(history):
    """All that follows from the moves."""
    return (history.state.tobytes(), history.totals.tolist(), history.scores, [past.words for past in history.moves])


@pytest.mark.parametrize("name", SHIPPED)
def test_a_saved_game_is_played_again_to_the_same_table(name):
    history = played(tantra_envs.game(name))
    again = saved_history(history.save())
    assert contents(again) == contents(history)
    assert again.save() == history.save()


@pytest.mark.parametrize("name", SHIPPED)
def test_going_back_is_as_if_the_later_actions_had_not_been_taken(name):
    game = tantra_envs.game(name)
    history, rng = played(game, 0), np.random.default_rng(1)
    kept = [contents(history)]
    for _ in range(25):
        history.play(int(rng.choice(game.legal(history.state))))
        kept.append(contents(history))
    for length in (24, 24, 10, 0):
        history.back_to(length)
        assert contents(history) == kept[length]


@pytest.mark.parametrize("is_branch", [False, True])
def test_agents_remember_no_action_that_was_taken_back_and_a_branch_is_another_game(is_branch):
    history = played(tantra_envs.game("tarot"), 30)
    before = history.save()
    shorter, twin = history.branched(12) if is_branch else history, History(history.game, history.start)
    shorter.back_to(10)
    for past in shorter.moves:
        twin.play(past.action)
    assert contents(shorter) == contents(twin)
    samples = np.concatenate([history.game.redeal(twin.state, seed, 0) for seed in range(4)])
    odds = [each.past.log_odds(samples, 0, 0).tolist() for each in (shorter, twin)]
    assert odds[0] == odds[1] and any(odds[0])
    assert shorter.facts.deal == history.facts.deal
    assert (history.save() == before, shorter.facts.branch) == (is_branch, is_branch)


def damaged(save):
    """The bytes of a saved game with damages, in which each field has a wrong value."""
    content = json.loads(save)
    wrong = [
        {"format": "something else"}, {"actions": [*content["actions"], 0, 0, 0]}, {"actions": content["actions"][:-1]},
        {"actions": 3}, {"table": "0" * 64}, {"start": {"phase": "PLAY", "hands": 3}}, {"game": "chess"},
        {"game": "tarot"}, {"config": {**content["config"], "reward": "placement"}}, {"config": None}, {"deal": "3"},
        {"deal": True}, {"seats": ["me"]}, {"seats": ["me", 3]}, {"names": "ab"}, {"hints": None},
    ]  # fmt: skip
    return [b"", b"[]", save[:-40], *(json.dumps({**content, **changes}).encode() for changes in wrong)]


def test_damaged_saves_are_refused():
    for data in damaged(played(tantra_envs.game("karma"), 12).save()):
        with pytest.raises(ValueError, match="not a saved game, or damaged"):
            saved_history(data)


def test_no_changed_byte_leads_to_another_game():
    """A change is refused, or it is of no importance, such as the case of an escaped letter."""
    history = played(tantra_envs.game("karma"), 5)
    save = history.save()
    for i in range(0, len(save), 7):
        for changed in (save[i] ^ 1, save[i] ^ 32, ord("0") if save[i] != ord("0") else ord("1")):
            try:
                again = saved_history(save[:i] + bytes([changed]) + save[i + 1 :])
            except ValueError:
                continue
            assert again.state.tobytes() == history.state.tobytes()
