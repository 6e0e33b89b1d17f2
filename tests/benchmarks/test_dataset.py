"""Recorded games as a data set: what a seat saw is apart from what it could not see, and everything is described."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import polars
import pytest

import tantra_envs
from agents import load_all
from benchmarks import dataset
from benchmarks.harness import records
from benchmarks.records import main
from tantra_envs.core.observation import Observation
from tantra_envs.matches.playing import play_tables


def written(file, name):
    """A record of two games of a game for two, and the file of the record."""
    game = tantra_envs.game(name, players=2)
    seating, seeds = np.array([[0, 1], [1, 0]]), np.array([7, 7])
    outcome = play_tables(game, load_all(["uniform", "greedy"], game), seating, seeds, record=True)
    records.write(file, records.label(game), records.games(["uniform", "greedy"], seating, seeds, outcome))
    return file


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The folder of a data set of Karma and Tarot."""
    folder = tmp_path_factory.mktemp("export")
    files = [written(folder / f"{name}.parquet", f"{name}:mini") for name in ("karma", "tarot")]
    assert main(["export", *map(str, files), "--out", str(folder / "data")]) == 0
    return folder


def tables(folder):
    return (polars.read_parquet(folder / "data" / f"{table}.parquet") for table in dataset.TABLES)


def test_every_decision_can_be_made_again_from_its_row(exported):
    """The hidden position restores the table: there the seat sees the row, and plays on to the next one."""
    games, decisions = tables(exported)
    assert dict(games.schema) == dataset._schema("games")
    assert dict(decisions.schema) == dataset._schema("decisions")
    assert games["game"].to_list() == [0, 1, 2, 3]
    for facts in games.iter_rows(named=True):
        game = tantra_envs.game(facts["environment"].rpartition("_")[0], **json.loads(facts["options"]))
        state = game.new(facts["hidden_deal"])
        rows = decisions.filter(game=facts["game"])
        assert rows["ply"].to_list() == list(range(facts["actions"]))
        dtype = game.view.dtype
        for row in rows.iter_rows(named=True):
            assert game.from_position(json.loads(row["hidden_position"])).tobytes() == state.tobytes()
            assert (row["seat"], row["agent"]) == (state["seat"][0], facts["agents"][row["seat"]])
            obs = Observation(game, state)
            assert row["legal"] == np.flatnonzero(obs.action_mask[0]).tolist()
            assert (game.view.to_float(np.array([row["observation"]], dtype)) == obs.observation).all()
            assert row["action_name"] == game.action_name(state, row["action"])
            game.drivers.apply_rows(state, np.array([0]), np.array([row["action"]]))
        assert state["over"][0]


def test_only_columns_named_hidden_depend_on_what_a_seat_cannot_see(exported):
    """In the deck of a copy of the table, everything hidden is resampled: all other columns stay as they are."""
    _, decisions = tables(exported)
    game = tantra_envs.game("karma:mini", players=2)
    for row in decisions.filter(game=0).iter_rows(named=True):
        state = game.from_position(json.loads(row["hidden_position"]))
        other = game.redeal(state, seed=3, seat=row["seat"])
        compact, masks = game.views(other, row["seat"])
        assert (compact[0].tolist(), np.flatnonzero(masks[0]).tolist()) == (row["observation"], row["legal"])


def test_the_description_names_every_column_and_file(exported):
    content = json.loads((exported / "data" / dataset.CROISSANT).read_text())
    for file in content["distribution"]:
        path = exported / "data" / file["contentUrl"]
        assert file["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    for table, frame in zip(content["recordSet"], tables(exported), strict=True):
        assert [column["name"] for column in table["field"]] == frame.columns
        lists = [column["name"] for column in table["field"] if column.get("repeated")]
        assert lists == [name for name, kind in frame.schema.items() if isinstance(kind, polars.List)]


def test_the_description_is_valid_croissant(exported):
    croissant = pytest.importorskip("mlcroissant")
    data = croissant.Dataset(exported / "data" / dataset.CROISSANT)
    assert not data.metadata.ctx.issues.errors
    row = next(iter(data.records("games")))
    assert row["games/environment"] == b"karma_v0"


def test_the_same_folder_may_be_written_again_but_no_other_one(exported, capsys):
    files = [str(exported / f"{name}.parquet") for name in ("karma", "tarot")]
    assert main(["export", *files, "--out", str(exported / "data")]) == 0
    assert sorted(path.name for path in (exported / "data").iterdir()) == [
        "croissant.json",
        "decisions.parquet",
        "games.parquet",
    ]
    with pytest.raises(SystemExit) as ended:
        main(["export", files[0], "--out", str(exported)])
    assert ended.value.code == 2 and "it contains data" in capsys.readouterr().err


def test_games_that_do_not_replay_are_not_exported(exported, tmp_path):
    record = exported / "karma.parquet"
    rows = polars.read_parquet(record).with_columns(digest=polars.lit("0"))
    rows.write_parquet(tmp_path / "wrong.parquet", metadata=polars.read_parquet_metadata(record))
    with pytest.raises(ValueError, match=r"wrong\.parquet: game 0: digest"):
        dataset.export([tmp_path / "wrong.parquet"], tmp_path / "data")
    assert not list((tmp_path / "data").iterdir())
