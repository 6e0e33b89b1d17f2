"""Events of all games: concealed tables have those of whole tables, and every fact occurs."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.extras import module_of
from tantra_envs.games import SHIPPED
from tantra_envs.words.sentences import is_secret

from .games import GAMES as NAMES
from .games import contract

GAMES = {name: tantra_envs.game(name, **contract(name).BASE) for name in NAMES}
OWN = {name: module for name, game in GAMES.items() if (module := module_of(game, "words.events"))}
TABLES, PLIES, STEP = 48, 400, 11


@pytest.fixture(scope="module", params=OWN)
def moments(request):
    """The name of a game, and every action at some tables: the tables before it, the actions, the tables after it."""
    game, rng, played = GAMES[request.param], np.random.default_rng(3), []
    states = game.blanks(TABLES)
    game.drivers.deal_rows(states, np.arange(TABLES), np.arange(TABLES))
    for _ in range(PLIES):
        rows = np.flatnonzero(states["over"] == 0)
        if not len(rows):
            break
        mask = Observation(game, states, rows).action_mask
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        before = states[rows]
        game.drivers.apply_rows(states, rows, actions)
        played.append((before, actions, states[rows]))
    return request.param, played


def test_every_game_of_the_project_has_events():
    assert set(SHIPPED) <= set(OWN)


def test_concealed_tables_have_the_same_events(moments):
    """The action too is hidden where others do not see it."""
    name, played = moments
    game, own = GAMES[name], OWN[name]
    for tables, actions, later in played[::STEP]:
        before, action, after = tables[:1], int(actions[0]), later[:1]
        whole = own.events(before, action, after)
        for seat in range(game.players):
            known = -1 if is_secret(game, before, seat) else action
            seen = own.events(game.as_seen(before, seat), known, game.as_seen(after, seat))
            assert seen.tobytes() == whole.tobytes()


def test_the_events_of_many_tables_are_those_of_each(moments):
    name, played = moments
    own = OWN[name]
    for before, actions, after in played[::STEP]:
        kept = before.copy()
        many = own.events(before, actions, after)
        assert before.tobytes() == kept.tobytes()
        for i, event in enumerate(many):
            assert own.events(before[i : i + 1], actions[i], after[i : i + 1])[0] == event


def test_every_fact_occurs(moments):
    """A field that never changes is not filled in, or no fact of the game."""
    name, played = moments
    found = np.concatenate([OWN[name].events(*moment) for moment in played])
    constant = {fact for fact in found.dtype.names if (found[fact] == found[fact][0]).all()}
    assert constant - {"padding"} == set(getattr(contract(name), "RARE_FACTS", ()))
