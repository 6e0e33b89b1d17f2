"""Events of Tarot on known positions; all points have a source, and sentences count the tricks of the tables."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tantra_envs
from tantra_envs.drawing import move
from tantra_envs.games.tarot.material import CARD_NAMES
from tantra_envs.games.tarot.words.events import Source, events
from tantra_envs.games.tarot.words.reasons import reasons
from tantra_envs.words.sentences import log_line

PLAY = {"hands": [["CK", "S2", "T0"], ["T5", "S3", "S4"]], "leader": 0, "dealer": 1}
ASKED = {"phase": "DECLARE", "cur": 1, "class": "greater"}
SHOW = {"hands": [["W2", "W3", "W4"], ["T17", "T18", "T19"]], "dealer": 0, **ASKED}
CALL = {"hands": [["T17", "T18", "T19"], ["CK", "SK", "W2"]], "dealer": 0, "phase": "CALL", "cur": 1}


def played(config, position, *words):
    """The last action: the game, the tables before and after it, its number."""
    game = tantra_envs.game("tarot", **config)
    after = game.from_position(position)
    for word in words:
        before, action = after.copy(), game.parse_action(after, word)
        game.apply_action(after, action)
    return game, before, action, after


def made(event):
    """The points of an event that are not zero, by source and seat."""
    return {
        (Source(source).name, seat): int(points)
        for source, row in enumerate(event["points"])
        for seat, points in enumerate(row)
        if points
    }


@pytest.mark.parametrize(("position", "words", "points", "winner"), [
    (PLAY, ["CK"], {}, -1),
    (PLAY, ["CK", "T5"], {("TRICKS", 1): 5, ("KINGS", 1): 5}, 1),  # T-50
    (PLAY, ["S2", "S4"], {("TRICKS", 1): 1}, 1),  # T-64
    (PLAY, ["T0"], {("FOOL", 0): 5}, -1),  # T-62
    ({**PLAY, "hands": [["CK"], ["T5"]], "trick_no": 24}, ["CK", "T5"], {("TRICKS", 1): 5, ("KINGS", 1): 5}, 1),
    (SHOW, ["YES"], {("SHOWN", 1): 5}, -1),  # T-31
    (SHOW, ["NO"], {}, -1),
    (CALL, ["YES"], {("CALLED", 1): 5}, -1),  # T-45
])  # fmt: skip
def test_what_an_action_did(position, words, points, winner):
    _, before, action, after = played({"players": 2}, position, *words)
    event = events(before, action, after)[0]
    assert (made(event), event["winner"]) == (points, winner)
    cards = [CARD_NAMES[card] for card in event["trick"][:2]]
    assert cards == words if winner >= 0 else not event["trick"].any()


def test_points_shown_after_a_call_are_not_for_the_call():
    """Without questions the next seat shows its cards at once."""
    game, before, action, after = played({"players": 2, "auto_declare": True}, CALL, "YES")
    assert made(events(before, action, after)[0]) == {("CALLED", 1): 5, ("SHOWN", 0): 5}
    rows = dict(reasons(game, [move(game, before, action)], after))
    assert rows == {"calls": [0, 5], "cards shown": [5, 0]}


@pytest.mark.parametrize("config", [{"players": 2}, {"players": 3, "auto_declare": True, "king_cut": "any"}], ids=str)
def test_all_points_have_a_source_and_sentences_count_the_tricks_of_the_tables(config):
    game, rng, tricks = tantra_envs.game("tarot", episode="hand", **config), np.random.default_rng(5), 0
    names, taken = ["Ann", "Bob", "Cy"], 0
    for seed in range(4):
        after = game.new(seed)
        while not after["over"][0]:
            before, action = after.copy(), rng.choice(game.legal(after))
            game.apply_action(after, action)
            event = events(before, action, after)[0]
            points = event["points"].sum(axis=0)
            assert (points == after["points"][0] - before["points"][0]).all()
            taken += event["winner"] == 0
            line = log_line(game, before, action, after, None, names[: game.players])
            tricks += any(re.match("Ann .*wins the (last )?trick", clause) for clause in line.split("; "))
    assert taken == tricks > 20
