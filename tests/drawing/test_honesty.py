"""A drawing for a seat holds nothing that the seat cannot know."""

from html import escape

import pytest

import tantra_envs
from tantra_envs import drawing
from tantra_envs.words import sentences
from tests.contract.games import words

from .tables import CONFIGURATIONS, moments


@pytest.mark.parametrize(("name", "config"), CONFIGURATIONS, ids=words)
def test_what_is_hidden_changes_no_byte(name, config):
    game = tantra_envs.game(name, **config)
    for state, last in moments(game):
        for seat in range(game.players):
            seen = drawing.draw(game, state, seat, last=last)
            for seed in (1, 2):
                other = game.redeal(state, seed, seat)
                assert drawing.draw(game, other, seat, last=last) == seen, (game.phases[state["phase"][0]], seat)


@pytest.mark.parametrize(("name", "config"), CONFIGURATIONS, ids=words)
def test_legal_actions_are_for_the_seat_that_decides(name, config):
    game = tantra_envs.game(name, **config)
    for state, last in moments(game):
        for seat in range(game.players):
            if seat != state["seat"][0]:
                svg = drawing.draw(game, state, seat, last=last, legal=True)
                assert 'data-action="' not in svg and 'data-choose="' not in svg


SECRET = [("karma", {"players": 3}, "SETUP"), ("tarot", {"players": 3}, "DISCARD")]


@pytest.mark.parametrize(("name", "config", "phase"), SECRET)
def test_what_was_done_in_secret_is_not_told(name, config, phase):
    game = tantra_envs.game(name, **config)
    state = game.new(1)
    assert game.phases[state["phase"][0]] == phase
    seat, other = int(state["seat"][0]), (int(state["seat"][0]) + 1) % game.players
    one, two = (drawing.move(game, state, action) for action in game.legal(state)[:2])
    assert drawing.draw(game, state, other, last=one) == drawing.draw(game, state, other, last=two)
    assert drawing.draw(game, state, seat, last=one) != drawing.draw(game, state, seat, last=two)
    assert escape(sentences.log_line(game, one.before, one.action, one.after)) in drawing.draw(game, state, last=one)


def test_open_tables_do_show_the_hands():
    game = tantra_envs.game("karma", players=3)
    state = game.new(2)
    assert drawing.draw(game, state) != drawing.draw(game, game.redeal(state, 5, 0))
