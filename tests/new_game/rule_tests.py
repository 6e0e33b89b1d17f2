"""The rules of Nim."""

from __future__ import annotations

import tantra_envs


def test_as_many_as_the_other_took_are_allowed_only_as_the_last_tokens():
    game = tantra_envs.game("nim")
    assert game.legal(game.from_position({"left": 8, "last": 2})) == [0, 2]
    assert game.legal(game.from_position({"left": 2, "last": 2})) == [0, 1]


def test_the_last_token_wins():
    game = tantra_envs.game("nim")
    state = game.from_position({"left": 2, "last": 1, "cur": 0})
    game.apply_action(state, game.parse_action(state, "take 2"))
    assert state["over"][0] and state["rewards"][0].tolist() == [1.0, -1.0]
