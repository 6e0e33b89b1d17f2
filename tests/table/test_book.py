"""The rules for players: the names of the table, without phases, options and names of actions."""

import re

import pytest

import tantra_envs
from tantra_envs.games import SHIPPED
from tantra_envs.table.book import rules, scoring
from tantra_envs.words.sentences import glossary
from tests.contract.games import words

MODES = ("gobble", "solitaire", "discovery", "rainbow", "daily")


@pytest.mark.parametrize("name", SHIPPED)
def test_rules_for_players_name_no_phase_and_no_action(name):
    game = tantra_envs.game(name)
    text = rules(game)
    assert "phase " not in text and "(option " not in text and "\nActions." not in text
    assert len(text) > len(game.rules_text) / 2


CASES = [*((name, {}) for name in SHIPPED), *(("tantrix", {"mode": mode}) for mode in MODES)]
CODE = re.compile(r"[A-Z]{2,}|\b\d+[A-Z]\b|-?\d+,-?\d+|_")  # names of cards, phases and cells for programs
ROMAN = re.compile(r"\b[IVX]+\b")


@pytest.mark.parametrize(("name", "config"), CASES, ids=words)
def test_rules_and_terms_for_players_have_no_codes(name, config):
    game = tantra_envs.game(name, **config)
    shown = [rules(game), *(part for entry in glossary(game).items() for part in entry)]
    assert not [text for text in shown if CODE.search(ROMAN.sub("", text))]


def test_rules_for_players_use_the_names_of_the_table():
    text = rules(tantra_envs.game("karma"))
    assert "  Five or Below (≤5): The next player may play only a number from 1 to 5" in text
    assert "FIVE" not in text and "TABLE" not in text
    assert "Your turn. You play one card" in text
    text = rules(tantra_envs.game("kanastic"))
    assert "The cards Sword and Artifact are wild. A Shield can only be discarded." in text
    assert "The suits are hearts, diamonds, spades and clubs." in text


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("kanastic", ["Artifact 50", "600 points, or 300", "1200", "costs 100", "doubles the scores of all teams"]),
        ("tantra", ["jokers 25", "300 if"]),
        ("tarot", ["5 if it has an honour", "Greater Trumps", "difference to the second"]),
    ],
)
def test_how_points_are_counted_is_in_the_rules_of_scores(name, facts):
    lines = scoring(tantra_envs.game(name))
    assert all(any(fact in line for line in lines) for fact in facts)
    assert not any("\n" in line or "wins anyway" in line for line in lines)
