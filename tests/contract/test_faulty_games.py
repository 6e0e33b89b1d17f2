"""The checks of games notice a scripted agent that breaks a promise, and a redeal that changes nothing."""

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled.drivers import Drivers
from tantra_envs.core.fields import Fields
from tantra_envs.testing import check_game, check_redeal, check_scripted

GAME = tantra_envs.game("karma")
STATE = GAME.new(1)


def illegal(known, masks, work, values, actions):
    actions[:] = masks.argmin(axis=1)


def lowest_rated(known, masks, work, values, actions):
    ratings = np.empty(masks.shape)
    GAME.drivers.rate_rows(known, masks, work, ratings)
    actions[:] = np.where(masks == 1, -ratings, -np.inf).argmax(axis=1)


@pytest.mark.parametrize(
    ("broken", "words"), [(illegal, "the scripted agent chooses 1; legal: "), (lowest_rated, "but rates .* highest")]
)
def test_an_agent_with_wrong_actions_is_noticed(broken, words):
    check_scripted(GAME, STATE)
    with pytest.raises(AssertionError, match=words):
        check_scripted(replace(GAME, drivers=Drivers(**vars(GAME.drivers) | {"choose_rows": broken})), STATE)


@pytest.mark.parametrize(
    ("worth", "words"),
    [
        (lambda game, known: np.full(len(known), np.nan), "`worth` returns .*nan"),
        (lambda game, known: np.zeros((len(known), 2)), "`worth` returns .* for one table"),
    ],
)
def test_an_agent_with_wrong_values_is_noticed(worth, words):
    player = SimpleNamespace(prepare=GAME.scripted.prepare, worth=worth)
    with pytest.raises(AssertionError, match=words):
        check_scripted(replace(GAME, player=player), STATE)


BROKEN = """
from dataclasses import replace

import tantra_envs
from tantra_envs.core.compiled.drivers import Drivers
from tantra_envs.testing import {check}

game = tantra_envs.game("karma")

def stays(states, *_):
    return {value}

try:
    {check}(replace(game, drivers=Drivers(**vars(game.drivers) | dict({driver}=stays))), *{arguments})
except AssertionError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("check", "driver", "value", "arguments", "words"),
    [
        ("check_batch", "step_batch", "2", "[1]", "of its mask is illegal in the batch"),
        ("check_batch", "step_batch", "-1", "[1]", "in the batch: the table differs"),
        ("check_redeal", "redeal_rows", "None", "[game.new(1), 2]", "keeps the random stream"),
    ],
)
def test_checks_notice_without_asserts_too(check, driver, value, arguments, words):
    """`python -O` leaves out every assert, with what it calls."""
    program = BROKEN.format(check=check, driver=driver, value=value, arguments=arguments)
    done = subprocess.run([sys.executable, "-O", "-c", program], capture_output=True, text=True, check=False)
    assert words in done.stdout, done.stderr


def test_a_game_without_an_agent_and_a_table_that_is_over_are_passed_by():
    check_scripted(replace(GAME, player=None), STATE)
    over = STATE.copy()
    over["over"] = 1
    check_scripted(GAME, over)


def test_redeals_of_few_tiles_that_are_equal_by_chance_are_no_fault():
    game = tantra_envs.game("tantrix:mini")
    assert all(check_redeal(game, game.new(seed), seed) for seed in range(20))  # three tiles are in the bag
    check_game(game)


def test_a_redeal_that_changes_nothing_is_noticed(monkeypatch):
    """Unless the table of fields hides nothing, or the game is for one seat."""
    monkeypatch.setattr("tantra_envs.testing.games.check_table", lambda *_: False)
    with pytest.raises(AssertionError, match="redeal never changes anything, but hidden from some seat: hands, "):
        check_game(GAME, games=1)
    check_game(GAME, games=1, hides=False)
    check_game(tantra_envs.game("tantrix", mode="solitaire"), games=1)
    fields = [replace(field, seen_by="all") if field.name != "rng" else field for field in GAME.fields]
    check_game(replace(GAME, fields=Fields(GAME.id, *fields, cards=GAME.fields.card_names)), games=1)


def test_a_table_that_the_check_of_the_game_refuses_is_noticed():
    def refused(_, tables):
        tables.require(tables["plies"] < 5, "plies", "0..4")

    with pytest.raises(AssertionError, match=r"plays a table that its own check refuses: .*plies=5 is not allowed"):
        check_game(replace(GAME, consistent=refused), games=1)
