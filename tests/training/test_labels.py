"""Labels: the same for any number of workers, means over playouts, and refused where they do not belong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tantra_envs
from tantra_envs import workers
from tantra_envs.opponents import opponent

pytest.importorskip("torch")
labels = pytest.importorskip("training.learn.labels")
files = pytest.importorskip("training.learn.label_files")
games = pytest.importorskip("training.learn.games")
GAME = tantra_envs.game("karma")
GAMES = games.Games("karma", None, ("scripted",), "scripted", epsilon=0.1, share=0.1, seed=1)
METHOD = labels.Method(GAMES, determinizations=4, candidates=0, playout_length=0, values=None)


def make(folder, method=METHOD, deals=6, shard=3, processes=1, ray=False):
    with workers.executor(processes, ray) as run:
        labels.make_labels(method, deals, shard, folder, run)


def contents(folder):
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("labels")
    make(made)
    return made


def test_labels_are_of_legal_actions_at_positions_with_a_choice(folder):
    read = files.read_all([folder], GAME)
    assert len(read) > 20 and (read.masks.sum(axis=1) > 1).all()
    labelled = read.actions >= 0
    assert (labelled.sum(axis=1) == read.masks.sum(axis=1)).all()
    rows, places = np.nonzero(labelled)
    assert read.masks[rows, read.actions[rows, places]].all()
    assert (read.errors[:, 0] == 0).all() and read.errors.max() > 0.1
    values = read.values[labelled]
    assert values.min() >= -0.01 and values.max() <= 1.01 and 0.3 < values.mean() < 0.7


def test_observations_are_the_whole_numbers_that_kernels_write(folder):
    """They are stored as they were observed, not recomputed from floats."""
    read = files.read_all([folder], GAME)
    assert read.inputs.dtype == GAME.view.dtype
    rng = np.random.default_rng((GAMES.seed, 0))
    game, policies = GAMES.build()
    states = games.sample_positions(GAMES, game, policies, games.Deals(0, 3), rng)
    observed = tantra_envs.Observation(game, states).observation
    assert (GAME.view.to_float(read.inputs[: len(states)]) == observed).all()


def test_values_are_means_over_playouts_in_shared_determinizations():
    search = opponent("search:samples=64", GAME)
    obs = tantra_envs.Observation(GAME, GAME.new(3))
    first = np.flatnonzero(obs.action_mask[0])[:1]
    actions = search.candidates(obs.known, obs.action_mask, first, 3)
    twice = np.concatenate([actions, actions], axis=1)
    values = search.compare(obs, np.arange(1), twice, 64, np.random.default_rng(1))
    assert (values[:, : actions.shape[1]] == values[:, actions.shape[1] :]).all()  # the same deals, the same chance
    assert search.simulations == twice.size * 64 and set(np.unique(values.round(3))) <= {0.0, 0.5, 1.0}


def test_workers_on_ray_make_the_same(folder, tmp_path):
    pytest.importorskip("ray")
    make(tmp_path, processes=2, ray=True)
    assert contents(tmp_path) == contents(folder)


def test_two_workers_and_a_later_call_make_the_same(folder, tmp_path):
    make(tmp_path, deals=3)
    half = contents(tmp_path)
    make(tmp_path, processes=2)
    assert contents(tmp_path) == contents(folder) and half.items() <= contents(folder).items()


def test_a_file_cut_short_is_made_again_and_never_read(folder, tmp_path):
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    file = min(tmp_path.iterdir())
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ValueError, match="is damaged or not a file of labels"):
        files.read_all([tmp_path], GAME)
    make(tmp_path)
    assert contents(tmp_path) == contents(folder)


def test_other_labels_in_the_folder_are_left_alone(folder):
    before = contents(folder)
    for method in (replace(METHOD, determinizations=5), replace(METHOD, games=replace(GAMES, players=3))):
        with pytest.raises(ValueError, match="holds other labels: "):
            make(folder, method)
    assert contents(folder) == before


def test_labels_of_another_game_encoding_or_version_are_not_read(folder, tmp_path):
    with pytest.raises(ValueError, match="holds other labels: players=2; allowed: players=4"):
        files.read_all([folder], tantra_envs.game("karma", players=4))
    with pytest.raises(ValueError, match="holds other labels: game='karma_v0'; allowed: game='tarot_v0'"):
        files.read_all([folder], tantra_envs.game("tarot"))
    with pytest.raises(ValueError, match="has no files of labels"):
        files.read_all([tmp_path], GAME)
    file = min(folder.iterdir())
    older = {**files.read_origin(file), "format": 0}
    files.write(tmp_path / file.name, files.read(file, GAME), older)
    with pytest.raises(ValueError, match="holds other labels: format=0; allowed: format=3"):
        files.read_all([tmp_path], GAME)
