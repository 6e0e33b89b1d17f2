"""Wrong arrays wherever arrays come in: refused with a message, never a crash, a hang or a changed table."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from tantra_envs.envs.batch import BatchEnv
from tantra_envs.envs.vector import SeatVectorEnv

from .fuzz import ENTRANCES, TABLES, layouts, wrong_arrays

ROOT = Path(__file__).resolve().parents[2]


def test_wrong_arrays_are_refused_everywhere():
    command = [sys.executable, "-m", "tests.envs.fuzz"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{done.stdout[-200:]}{done.stderr[-2000:]}"
    assert [line.rpartition(" ")[0] for line in done.stdout.splitlines()] == list(ENTRANCES)
    assert sum(1 for _ in wrong_arrays()) > 1000


@pytest.mark.parametrize("make", [BatchEnv, SeatVectorEnv])
@pytest.mark.parametrize("dtype", ["i1", "u4", "i8", "u8"])
def test_integers_are_taken_however_they_lie_in_memory(make, dtype):
    def begun():
        tables = make(tantra_envs.game("karma"), TABLES)
        tables.reset(seed=4)
        return tables

    expected = begun()
    masks = expected.action_masks if make is BatchEnv else expected.action_masks()
    actions = masks.argmax(axis=1).astype(dtype)
    views = expected.step(actions)[0]
    for array in (*layouts(actions), actions.tolist()):
        if (np.asarray(array) == actions).all():
            assert (begun().step(array)[0] == views).all()


def test_tables_are_read_however_they_lie_in_memory():
    game = tantra_envs.game("karma")
    state = game.new(1)
    frozen = state.copy()
    frozen.flags.writeable = False
    crooked = np.frombuffer(b"x" + state.tobytes(), np.uint8)[1:].view(state.dtype)
    for table in (frozen, crooked, np.repeat(state, 4)[1::3][:1], state.view(np.recarray)):
        assert game.legal(table) == game.legal(state)
        assert (game.observation(table, 1) == game.observation(state, 1)).all()
        assert game.redeal(table, 3, 0).tobytes() == game.redeal(state, 3, 0).tobytes()
    for table in (frozen, crooked):
        with pytest.raises(ValueError, match="read-only, or no plain array"):
            game.apply_action(table, game.legal(state)[0])


def test_nobody_reaches_the_masks_that_actions_are_checked_by():
    tables = SeatVectorEnv(tantra_envs.game("karma"), TABLES)
    _, infos = tables.reset(seed=1)
    illegal = tables.action_masks().argmin(axis=1)
    for masks in (infos["action_mask"], tables.action_masks()):
        masks[:] = 1
    with pytest.raises(ValueError, match="is illegal for seat"):
        tables.step(illegal)
