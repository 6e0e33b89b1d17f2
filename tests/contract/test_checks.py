"""The checks of games notice a scripted agent that breaks a promise, and a redeal that changes nothing."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.fields import Fields
from tantra_envs.testing import check_game, check_scripted

GAME = tantra_envs.game("karma")
STATE = GAME.new(1)
SCRIPTED = {"choose": GAME.scripted.choose, "prepare": GAME.scripted.prepare, "worth": GAME.scripted.worth}


def illegal(game, known, masks):
    return masks.argmin(axis=1)


def lowest_rated(game, known, masks):
    ratings = np.empty(masks.shape)
    game.drivers.rate_rows(known, masks, game.scripted.prepare(game), ratings)
    return np.where(masks == 1, -ratings, -np.inf).argmax(axis=1)


@pytest.mark.parametrize(
    ("name", "broken", "words"),
    [
        ("choose", illegal, "the scripted agent chooses 1; legal: "),
        ("choose", lowest_rated, "but rates .* highest"),
        ("worth", lambda game, known: np.full(len(known), np.nan), "`worth` returns .*nan"),
        ("worth", lambda game, known: np.zeros((len(known), 2)), "`worth` returns .* for one table"),
    ],
)
def test_a_broken_agent_is_noticed(name, broken, words):
    check_scripted(GAME, STATE)
    game = replace(GAME, player=SimpleNamespace(**{**SCRIPTED, name: broken}))
    with pytest.raises(AssertionError, match=words):
        check_scripted(game, STATE)


def test_a_game_without_an_agent_and_a_table_that_is_over_are_passed_by():
    check_scripted(replace(GAME, player=None), STATE)
    over = STATE.copy()
    over["over"] = 1
    check_scripted(GAME, over)


def test_a_redeal_that_changes_nothing_is_noticed(monkeypatch):
    """Unless the table of fields hides nothing, or the game is for one seat."""
    monkeypatch.setattr("tantra_envs.testing.games.check_table", lambda *_: False)
    with pytest.raises(AssertionError, match="redeal never changes anything, but hidden from some seat: hands, "):
        check_game(GAME, games=1)
    check_game(GAME, games=1, hides=False)
    check_game(tantra_envs.game("tantrix", mode="solitaire"), games=1)
    fields = [replace(field, seen_by="all") if field.name != "rng" else field for field in GAME.fields]
    check_game(replace(GAME, fields=Fields(GAME.id, *fields)), games=1)
