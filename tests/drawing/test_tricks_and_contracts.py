"""The last trick: it stays until the next card, lies beside it then, and is shown at the end of a hand."""

import re
from html import unescape

import tantra_envs
from tantra_envs import drawing
from tantra_envs.table.ending import end_of_round

TRUMP = ", a trump: it beats all plain cards and lower trumps"


def titles(svg):
    """The tooltips of a drawing."""
    return [unescape(title) for title in re.findall(r"<title>(.*?)</title>", svg)]


def play(game, state, *names, last=None):
    """Play actions; return the record of the last one."""
    for name in names:
        action = game.parse_action(state, name)
        last = drawing.move(game, state, action, last)
        game.apply_action(state, action)
    return last


def test_a_finished_trick_stays_until_the_next_card_and_then_lies_beside():
    game = tantra_envs.game("tarot", players=2)
    hands = [["CK", "S2", "S5"], ["T5", "S3", "S4"]]
    state = game.from_position({"hands": hands, "leader": 0, "dealer": 1})
    last = play(game, state, "CK")
    assert "last trick" not in drawing.draw(game, state, 0, last=last)
    last = play(game, state, "T5", last=last)
    svg = drawing.draw(game, state, 0, last=last)
    assert {"King of Cups", f"The Pontiff (V){TRUMP}"} <= set(titles(svg)) and ">wins<" in svg
    last = play(game, state, "S3", last=last)
    shown = titles(drawing.draw(game, state, 0, last=last))
    assert "last trick, Seat 0: King of Cups" in shown and "last trick, Seat 1: The Pontiff (V), which won" in shown
    last = play(game, state, "S2", last=last)
    assert "3 of Swords" in titles(drawing.draw(game, state, 0, last=last))
    assert "King of Cups" not in titles(drawing.draw(game, state, 0, last=last))


def test_the_end_of_a_hand_has_its_last_trick_and_the_next_hand_has_none():
    game = tantra_envs.game("tarot", players=2)
    state = game.from_position({"hands": [["CK"], ["T5"]], "leader": 0, "dealer": 1, "trick_no": 24})
    last = play(game, state, "CK")
    last = play(game, state, "T5", last=last)
    assert ">win" not in drawing.draw(game, state, None, last=last)  # the next hand begins with an empty trick
    for seat in (None, 0, 1):
        svg = drawing.draw(game, end_of_round(game, last), seat, last=last)
        assert titles(svg).count(f"The Pontiff (V){TRUMP}") == 1 and titles(svg).count("King of Cups") == 1
        assert ">wins<" in svg or ">win<" in svg
        assert "last trick, " not in svg and "hand, face down" not in svg


def test_the_last_trick_is_in_pictures_of_the_environment():
    env = tantra_envs.factory.make_raw("tarot", players=2, render_mode="svg", talon="blind")
    env.reset(seed=3)
    while "last trick" not in env.render():
        env.step(env.game.legal(env._states)[0])
    assert not any(env.terminations.values())
