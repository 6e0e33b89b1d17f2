"""Who may see what: the compiled `conceal` does what the table of fields says, and a wrong table is noticed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled import proxies
from tantra_envs.core.fields import Field
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.testing.play import play

from .games import GAMES as NAMES
from .games import contract

FIRST, STEP, MOST = 12, 9, 40  # positions that are looked at
GAMES = {name: tantra_envs.game(name, **contract(name).BASE) for name in NAMES}
each_game = pytest.mark.parametrize("name", GAMES)


def positions(game: Game) -> list[States]:
    """Return the first positions of a random game, and some of the later ones."""
    return [state.copy() for i, state in enumerate(play(game, 5)) if i < FIRST or i % STEP == 0][:MOST]


def shown(field: Field, state: States, observer: int) -> Any:
    """Return what the table says `observer` sees of a field, seats not renumbered; None if a kernel decides it all."""
    content = state[field.name][0].copy()
    if (field.seen_by == "rule" and field.reveals != "all") or field.by == "team":
        return None
    if field.seen_by == "nobody":
        return np.zeros_like(content)
    if field.by == "seat" and field.seen_by not in ("all", "rule"):
        for row in range(len(content)):
            if not sees(field, state, observer, row // field.rows):
                content[row] = 0
    return content


def sees(field: Field, state: States, observer: int, seat: int) -> bool:
    if seat >= state["seats"][0]:
        return False
    if callable(field.seen_by):
        kernel = getattr(field.seen_by, "py_func", field.seen_by)
        return bool(kernel(proxies.wrap(state)[0], observer, seat))
    return seat == observer


@each_game
def test_conceal_does_what_the_table_of_fields_says(name):
    game = GAMES[name]
    for state in positions(game):
        for observer in range(game.players):
            concealed = game.conceal(state, observer, 0)
            for field in game.fields:
                expected = shown(field, state, observer)
                if expected is not None:
                    assert np.array_equal(concealed[field.name][0], expected), (field.name, observer)


@each_game
def test_a_hidden_field_that_is_shown_to_all_tells_what_redealing_changes(name):
    """Take the visibility of one field away: what is then shown differs between a table and its redealt copies."""
    game = GAMES[name]
    hidden = [field for field in game.fields if field.seen_by not in ("all", "rule")]
    noticed = set()
    for state in positions(game):
        for observer in range(game.players):
            redealt = game.redeal(state, 3, observer)
            for field in hidden:
                faulty = replace(field, seen_by="all")
                same = np.array_equal(shown(field, state, observer), shown(field, redealt, observer))
                assert same, (field.name, observer)
                if not np.array_equal(shown(faulty, state, observer), shown(faulty, redealt, observer)):
                    noticed.add(field.name)
    secret = {field.name for field in hidden if any(bytes(state[field.name]).strip(b"\0") for state in positions(game))}
    scratch = {"deck", "room", "left", "decks", "decks_n"}  # of dealing and searching
    assert noticed | scratch >= secret, secret - noticed - scratch
