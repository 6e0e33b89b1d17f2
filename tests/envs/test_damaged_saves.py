"""Saves and pickles with damaged tables are refused before compiled code reads them."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.games import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
GOBBLE = tantra_envs.game("tantrix", mode="gobble", players=1)
KARMA = tantra_envs.game("karma", players=3)
SETS, PLACES = (
    tantra_envs.game("karma", players=3, clear_set=3),
    tantra_envs.game("karma", players=3, reward="placement"),
)


def vector(game=KARMA, tables=4):
    made = SeatVectorEnv(game, tables, opponents="scripted")
    made.reset(seed=3)
    return made


@pytest.mark.parametrize(
    ("game", "name", "places", "value", "problem"),
    [
        # Kernels would read behind the record, and end the process.
        (GOBBLE, "_states", ("border_n", 1), 32000, "tantrix_v0: table 1 is damaged: border_n="),
        (KARMA, "_states", (slice(2, 3),), SETS.new(1), "other options"),
        (
            KARMA,
            "_states",
            (slice(2, 3),),
            PLACES.new(1),
            r"table 2 is damaged: opt=.* allowed: the options of the game",
        ),
        (KARMA, "_streams", (-1, -1), -1, r"_streams must be .*0\.\.4294967295"),
        (KARMA, "_learners", (-1,), 3, r"_learners must be .*0\.\.2"),
        # It would be shown what it may do by another seat's cards.
        (KARMA, "_learners", (slice(None),), [0, 1, 2, 0], "_learners must be the seat to decide"),
        (KARMA, "_sitting", (-1, -1), 1, r"_sitting must be .*0\.\.0"),
        (KARMA, "_gained", (-1,), np.nan, "_gained must be .*finite"),
    ],
)
def test_a_damaged_save_is_refused(game, name, places, value, problem):
    tables = vector(game)
    saved = tables.save()
    *outer, last = places
    part = saved[name][outer[0]] if outer else saved[name]
    part[last] = value
    with pytest.raises(ValueError, match=problem):
        tables.load(saved)
    tables.load(tables.save())


def pickled():
    """An environment of each kind in the middle of a game, and its array of tables."""
    table = TableEnv(GOBBLE)
    table.reset(seed=2)
    yield table, table._states
    yield table, table._start
    single = SeatEnv(GOBBLE)
    single.reset(seed=2)
    yield single, single._tables._states
    many = vector(GOBBLE)
    yield many, many._states
    batch = BatchEnv(GOBBLE, 4)
    yield batch, batch.states


@pytest.mark.parametrize("number", range(5))
def test_a_pickle_with_damaged_tables_is_refused(number):
    env, states = list(pickled())[number]
    pickle.loads(pickle.dumps(env))
    states["border_n"][-1] = 32000
    with pytest.raises(ValueError, match=r"is damaged: border_n="):
        pickle.loads(pickle.dumps(env))


def test_a_pickled_batch_with_other_masks_is_refused():
    batch = BatchEnv(KARMA, 4)
    batch._legal[:] = 1
    with pytest.raises(ValueError, match="do not belong to its tables"):
        pickle.loads(pickle.dumps(batch))


@pytest.mark.parametrize("name", SHIPPED)
def test_damaged_records_are_refused_or_are_other_tables(name):
    """What passes the check reads back by its position to the same bytes, and can be played on."""
    command = [sys.executable, "-m", "tests.games.damaged_records", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    refused, passed = (sum(int(line.split()[column]) for line in done.stdout.splitlines()) for column in (1, 2))
    assert refused > passed > 0
