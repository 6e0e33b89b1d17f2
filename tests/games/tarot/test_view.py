"""The whole observation computed a second time, from the position as text, and compared number by number."""

import numpy as np
import pytest

import tantra_envs
from tantra_envs.testing import play

from .table import DECK

PHASES = ["DISCARD", "DECLARE", "CALL", "ANSWER", "RETURN", "PLAY"]
CLASSES = ["greater", "lesser", "trumps", "tarots", "seq_trumps", "seq_W", "seq_C", "seq_S", "seq_P"]


def many(cards):
    return [float(card in cards) for card in DECK]


def one(names, name):
    return [float(name == other) for other in names]


def winning(p):
    """The seat that wins the trick so far, None before a suit is led."""
    cards = [card for card in p["trick"] if card != "T0"]
    if not cards:
        return None
    trumps = [card for card in cards if card[0] == "T"]
    best = max(trumps or [card for card in cards if card[0] == cards[0][0]], key=DECK.index)
    return (p["leader"] + p["trick"].index(best)) % len(p["hands"])


def expected(config, p, seat, class_points):
    """`class_points`: what YES adds to the points of the seat to decide."""
    n = config["players"]
    round_table = [(seat + i) % n for i in range(n)]
    others, over = round_table[1:], p["phase"] == "OVER"
    in_trick = {(p["leader"] + i) % n: [card] for i, card in enumerate(p["trick"])}
    elsewhere = [card for hand in p["hands"] for card in hand] + p["trick"] + p["discards"] + p["talon"] + p["dead"]
    suits = [card[0] for card in p["trick"] if card != "T0"] if p["phase"] == "PLAY" else []
    view = many(p["hands"][seat]) + many(set(p["hands"][seat]) & set(p["exposed"]))
    view += many(p["discards"] if seat == p["dealer"] else []) + many(set(DECK) - set(elsewhere))
    for other in others:
        view += many(in_trick.get(other, []))
    for other in others:
        given = {card for card, giver in p["giver"].items() if giver == seat}
        view += many(set(p["hands"][other]) & (set(p["exposed"]) | given))
    view += one(PHASES, p["phase"]) + one(CLASSES, p["class"])
    view += [class_points / 30 if p["phase"] == "DECLARE" and seat == p["cur"] else 0.0]
    view += one("TWCSP", suits[0] if suits else None)
    for who in (p["dealer"], p["leader"], None if over else p["cur"], winning(p)):
        view += one(round_table, who)
    view += [p["trick_no"] / 25, p["hand_no"] / config["max_hands"]]
    for other in round_table:
        view += [p["totals"][other] / config["target"], p["points"][other] / 100, p["taken"][other] / 25]
        view += [len(p["hands"][other]) / 28, p["no_tarot"][other], *p["void"][other]]
    return np.array(view)


@pytest.mark.parametrize(
    "config",
    [
        {"players": 2, "target": 20},
        {"players": 3, "target": 10},
        {"players": 3, "target": 10, "talon": "take_first", "max_moves": 60},
    ],
)
def test_every_number_of_every_seat_in_whole_games(config):
    game = tantra_envs.game("tarot", **config)
    n = game.players
    assert (game.view.size, game.actions.size) == (335 + 156 * (n - 1) + 14 * n, 80)
    for seed in range(2):
        for state in play(game, seed):
            position = game.position(state)
            worth = 0
            if position["phase"] == "DECLARE":
                shown = state.copy()
                game.apply_action(shown, game.parse_action(shown, "yes"))
                worth = game.position(shown)["points"][position["cur"]] - position["points"][position["cur"]]
            for seat in range(n):
                view = expected(game.config, position, seat, worth)
                np.testing.assert_allclose(game.observation(state, seat), view, rtol=3e-7, err_msg=str(position))
