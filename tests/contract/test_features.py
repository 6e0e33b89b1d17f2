"""Action features of every configuration: named, and equal by every road."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import tantra_envs
from tantra_envs.core.observation import Observation

from .games import configurations, kinds_of_tables, words

TABLES, STEPS = 4, 20
every_configuration = pytest.mark.parametrize(("name", "config"), configurations(), ids=words)
every_kind = pytest.mark.parametrize(("name", "variant"), kinds_of_tables(), ids=words)


def bytes_of(described: Any) -> list[bytes]:
    values = described.values() if isinstance(described, dict) else described
    return [array.tobytes() for array in values]


@every_configuration
def test_descriptions_are_the_same_by_every_road(name: str, config: dict[str, Any]) -> None:
    game = tantra_envs.game(name, **config)
    columns = game.features.of_action.columns, game.features.of_table.columns
    assert tuple(map(len, columns)) == game.features.sizes
    assert all(len(set(names)) == len(names) for names in columns)
    kinds = [block.slice for block in game.features.of_action if block.name == "kind"]
    with tantra_envs.make_batch(name, TABLES, seed=3, threads=2, view="features", **config) as batch:
        for _ in range(STEPS):
            described, states = batch.described, batch.states.copy()
            masks = game.views(states, batch.seats)[1]
            assert (described.counts == masks.sum(axis=1)).all()
            assert (described.actions == np.nonzero(masks)[1]).all()
            assert all((described.features[:, kind].sum(axis=1) == 1).all() for kind in kinds)
            for rows, blocks in (
                (described.features, game.features.of_action),
                (described.tables, game.features.of_table),
            ):
                low, high = blocks.bounds
                assert (low <= rows).all() and (rows <= high).all() and np.isfinite([low, high]).all()
            expected = bytes_of(described)
            assert bytes_of(game.describe(states)) == expected
            assert bytes_of(Observation(game, states).described) == expected
            assert bytes_of(game.describe(game.conceal(states, batch.seats))) == expected
            batch.step(batch.sample())
        assert bytes_of(pickle.loads(pickle.dumps(batch)).described) == bytes_of(batch.described)


@every_kind
def test_a_seat_that_does_not_decide_and_a_table_that_is_over_have_no_actions(name: str, variant: str | None) -> None:
    game = tantra_envs.game(name, variant)
    state = game.new(1)
    others = [seat for seat in range(game.players) if seat != state["seat"][0]]
    for seat in others[:1]:
        described = game.describe(state, seat)
        assert described.counts.tolist() == [0] and not len(described.actions)
    while not state["over"][0]:
        legal = game.legal(state)
        game.apply_action(state, legal[int(state["plies"][0]) * 7919 % len(legal)])
    assert game.describe(state).counts.tolist() == [0]


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the checks: features have no bounds, observations are dicts
@pytest.mark.parametrize("name", tantra_envs.GAMES)
def test_the_checks_of_gymnasium_and_pettingzoo_pass(name: str) -> None:
    check_env(tantra_envs.make_seat(name, view="features"), skip_render_check=True)
    api_test(tantra_envs.make(name, view="features"), num_cycles=30)


def test_a_list_that_is_too_short_leaves_actions_out_and_says_how_many() -> None:
    from dataclasses import replace

    from tantra_envs.envs.vector import SeatVectorEnv

    game = replace(tantra_envs.game("karma"), most_legal=2)
    tables = SeatVectorEnv(game, 3, view="features")
    with pytest.warns(UserWarning, match="2 places"):
        lists, infos = tables.reset(seed=1)
    counts = game.describe(tables.known()).counts
    assert (infos["left_out"] == np.maximum(0, counts - 2)).all() and infos["left_out"].any()
    assert (lists["action_mask"].sum(axis=1) == np.minimum(2, counts)).all()


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({"view": "cards"}, "view"), ({"view": "features", "mask_in_observation": True}, "mask_in_observation")],
)
def test_views_that_do_not_exist_are_refused(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=f"{field}="):
        tantra_envs.make_seat_vector("karma", 1, **arguments)


def test_a_flat_list_is_refused() -> None:
    with pytest.raises(ValueError, match="flat=True"):
        tantra_envs.make("karma", flat=True, view="features")
