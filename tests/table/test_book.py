"""The rules for players: the names of the table, without phases, options and names of actions."""

import pytest

import tantra_envs
from tantra_envs.games import SHIPPED
from tantra_envs.table.book import rules, terms


@pytest.mark.parametrize("name", SHIPPED)
def test_rules_for_players_name_no_phase_and_no_action(name):
    game = tantra_envs.game(name)
    text = rules(game)
    assert "phase " not in text and "(option " not in text and "\nActions." not in text
    assert len(text) > len(game.rules_text) / 2


@pytest.mark.parametrize("name", SHIPPED)
def test_terms_for_players_name_no_phase(name):
    game = tantra_envs.game(name)
    assert not set(terms(game)) & set(game.phases)
    assert all(terms(game).values())


def test_rules_for_players_use_the_names_of_the_table():
    text = rules(tantra_envs.game("karma"))
    assert "  Five or Below (≤5): The next player may play only a number from 1 to 5" in text
    assert "FIVE" not in text and "TABLE" not in text
    assert "Your turn. You play one card" in text
