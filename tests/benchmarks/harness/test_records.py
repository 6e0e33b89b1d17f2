"""Records: games replay to the same ends; changed files and other files are refused."""

import json

import polars
import pytest

from benchmarks import check
from benchmarks.harness import plans, records
from benchmarks.harness.plans import MatchSpec, Shard

MATCH = MatchSpec("karma", (("players", 3), ("max_moves", 60)), ("uniform", "greedy"), (0, 1, 1), 7)


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """Three games of three, some cut off."""
    file = tmp_path_factory.mktemp("records") / "games.parquet"
    records.write(file, plans.match_label(MATCH), plans.play_shard(Shard(MATCH, 0, 1)))
    return file


def changed(record, tmp_path, facts=(), **columns):
    """A copy of a record with other columns, and other facts about its match."""
    file, label = tmp_path / "changed.parquet", json.loads(polars.read_parquet_metadata(record)[records.LABEL])
    metadata = {records.LABEL: json.dumps({**label, **dict(facts)})}
    polars.read_parquet(record).with_columns(**columns).write_parquet(file, metadata=metadata)
    return file


def test_games_replay_to_the_same_ends(record, capsys):
    assert check.main([str(record)]) == 0
    assert "3 games are played again to the same results" in capsys.readouterr().out
    found = records.read(record)
    assert (found.game.players, found.game.config["max_moves"]) == (3, 60)
    assert found.games["seats"].to_list()[0] == ["uniform", "greedy", "greedy"]
    assert [len(actions) for actions in found.games["actions"]] == records.replay(found)[0]["plies"].tolist()


ACTIONS = polars.col("actions")


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"deal": polars.col("deal") + 1}, r"game 0: actions is"),
        ({"actions": ACTIONS.list.slice(0, ACTIONS.list.len() - 1)}, r"game 0: actions is"),
        ({"rewards": polars.col("rewards").list.eval(polars.element() + 1)}, "game 0: rewards is"),
        ({"truncated": ~polars.col("truncated")}, "game 0: truncated is"),
        ({"digest": polars.lit("0" * 32)}, "game 0: digest is"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_what_was_changed_is_found_out(record, tmp_path, columns, told):
    with pytest.raises(ValueError, match=told):
        check.play_again(changed(record, tmp_path, **columns))


def test_an_action_that_is_illegal_is_named_with_its_place(record, tmp_path):
    longer = changed(record, tmp_path, actions=ACTIONS.list.concat(polars.lit([0], polars.List(polars.Int32))))
    with pytest.raises(ValueError, match=r"changed.parquet: game \d: action 0 at ply \d+ is illegal"):
        records.replay(records.read(longer))


def test_a_flipped_bit_is_found_out_or_changes_nothing(record, tmp_path, capfd):
    """The library that reads Parquet panics at some of them, which is no error that Python catches by default."""
    whole, file, refused, known = record.read_bytes(), tmp_path / "flipped.parquet", 0, records.read(record)
    for place in range(0, len(whole), 11):
        file.write_bytes(bytes([*whole[:place], whole[place] ^ (1 << place % 8), *whole[place + 1 :]]))
        try:
            found = records.read(file)
            if found.label != known.label or not found.games.equals(known.games):
                assert check.play_again(file) == 3 and found.games.equals(known.games)
        except ValueError as error:
            refused += str(file) in str(error)
    assert refused > 50
    assert "panicked" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("columns", "facts", "told"),
    [
        ({"deal": polars.lit(None, polars.Int64)}, {}, "its column deal must have a value in every row"),
        ({"seats": polars.col("seats").list.head(2)}, {}, "its column seats must have 3 entries in every row"),
        ({"rewards": polars.col("rewards").list.head(1)}, {}, "its column rewards must have 3 entries in every row"),
        ({}, {"agents": ["greedy"]}, "'uniform' is not an agent of its match"),
        ({}, {"config": 3}, "its metadata have no game with options"),
        ({}, {"game": None}, "its metadata have no game with options"),
        ({}, {"game": "karma_v9"}, "was played under karma_v9, but this version has karma_v0"),
        ({"a": polars.lit(1)}, {}, "is not a record: its columns are deal, .*, not deal, "),
    ],
)
def test_damage_is_named_by_all_who_read_records(record, tmp_path, columns, facts, told):
    file = changed(record, tmp_path, facts, **columns)
    with pytest.raises(ValueError, match=told):
        records.read(file)
    assert not records.is_sound(file)


def test_what_is_no_record_is_told_in_one_line(record, tmp_path, capsys):
    games, label = polars.read_parquet(record), polars.read_parquet_metadata(record)
    (tmp_path / "noise").write_bytes(b"noise")
    games.clear().write_parquet(tmp_path / "empty", metadata={records.LABEL: label[records.LABEL]})
    records.write(tmp_path / "games", records.label(records.read(record).game), games)
    wrong = {
        "none": " does not exist",
        "noise": "is damaged, or not a record",
        "empty": "has no games",
        "games": "is not a record of a match: its metadata have no agents",
    }
    for name, told in wrong.items():
        with pytest.raises(SystemExit) as stop:
            check.main([str(tmp_path / name)])
        assert stop.value.code == 1
        assert told in capsys.readouterr().err
