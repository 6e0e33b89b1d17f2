"""Records: games replay to the same ends; changed files and other files are refused."""

import json
import shlex

import numpy as np
import polars
import pytest

import tantra_envs
from agents import load_all
from benchmarks import check
from benchmarks import records as command
from benchmarks.harness import records
from tantra_envs.core.playouts import standings
from tantra_envs.matches.playing import play_tables
from tests.drawing.test_replay import content


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """Three games of three, some cut off."""
    game = tantra_envs.game("karma", players=3, max_moves=60)
    agents = load_all(["uniform", "greedy"], game)
    seating, seeds = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]), np.array([7, 7, 8])
    outcome = play_tables(game, agents, seating, seeds, record=True)
    file = tmp_path_factory.mktemp("records") / "games.parquet"
    records.write(file, records.label(game), records.games(["uniform", "greedy"], seating, seeds, outcome))
    return file


def changed(record, tmp_path, **columns):
    file = tmp_path / "changed.parquet"
    polars.read_parquet(record).with_columns(**columns).write_parquet(
        file, metadata={records.LABEL: polars.read_parquet_metadata(record)[records.LABEL]}
    )
    return file


def test_games_replay_to_the_same_ends(record, capsys):
    assert check.main([str(record)]) == 0
    assert "3 games replay to the same results" in capsys.readouterr().out
    found = records.read(record)
    assert (found.game.players, found.game.config["max_moves"]) == (3, 60)
    assert found.games["seats"].to_list()[0] == ["uniform", "greedy", "greedy"]
    assert [len(actions) for actions in found.games["actions"]] == records.replay(found)[0]["plies"].tolist()


def test_a_page_tells_what_agents_think_of_a_game(record, tmp_path, capsys):
    out = tmp_path / "game.html"
    words = [str(record), "--game", "1", "--out", str(out)]
    assert command.main([*words, "--judge", "own"]) == 0
    assert content(out.read_text(encoding="utf-8"))[0]["thoughts"] == {}  # greedy and uniform weigh nothing
    assert "Karma, deal 7" in out.read_text(encoding="utf-8")
    assert command.main([*words, "--seat", "2", "--judge", "search:2"]) == 0
    thoughts = content(out.read_text(encoding="utf-8"))[0]["thoughts"]
    assert len(thoughts) > 5 and all(told["best"] for told in thoughts.values())
    assert "deal 7" not in out.read_text(encoding="utf-8")  # it would tell all cards


def test_the_worst_loss_is_found_and_shown(tmp_path, capsys):
    """Two deals, each with the seats both ways; the worst one is picked from all by hand."""
    game = tantra_envs.game("karma")
    seating, seeds = np.array([[0, 1], [1, 0]] * 2), np.array([1, 1, 2, 2])
    outcome = play_tables(game, load_all(["uniform", "scripted"], game), seating, seeds, record=True)
    file, out = tmp_path / "my games.parquet", tmp_path / "worst.html"
    records.write(file, records.label(game), records.games(["uniform", "scripted"], seating, seeds, outcome))
    cards = -standings(game, outcome.states)
    lost = {row: cards[row, seat] for row, seat in enumerate((0, 1, 0, 1)) if outcome.rewards[row, seat] == -1}
    assert len(lost) > 1
    row = max(lost, key=lambda row: lost[row])
    assert command.main([str(file), "--worst", "uniform", "--out", str(out)]) == 0
    command_line = shlex.split(capsys.readouterr().out.splitlines()[0])
    assert command_line == ["python", "-m", "benchmarks", "records", str(file), "--game", str(row)]
    assert f"deal {seeds[row]}" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--worst", "nobody"], "allowed: greedy, uniform"),
        (["--seat", "1"], "not allowed with"),
        (["--judge", "own"], "not allowed with"),
        (["--worst", "uniform", "--game", "1"], "not allowed with"),
        (["--out", "page.txt", "--judge", "search:2"], "out='page.txt' is not allowed"),
        (["--out", "page.html", "--seat", "3", "--judge", "search:2"], "seat=3"),
        (["--out", "page.html", "--judge", "wizard"], "unknown agent 'wizard'"),
        (["--out", "page.html", "--judge", "greedy"], "judge='greedy' rates no actions"),
    ],
)
def test_options_that_fit_nothing_are_refused_before_a_judge_works(
    record, tmp_path, capsys, monkeypatch, words, message
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "opinions_on", None)
    with pytest.raises(SystemExit):
        command.main([str(record), *words])
    assert message in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_a_game_in_words(record, capsys):
    command.main([str(record), "--game", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Karma, deal 7: 0 greedy, 1 uniform, 2 greedy"
    assert "place" in lines[1]
    assert len(lines) == 2 + len(records.read(record).games["actions"][1])


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"deal": polars.col("deal") + 1}, r"game \d: "),
        (
            {"actions": polars.col("actions").list.slice(0, polars.col("actions").list.len() - 1)},
            "game 0: over is False in the replay",
        ),
        (
            {"actions": polars.col("actions").list.concat(polars.lit([0], polars.List(polars.Int32)))},
            r"game \d: action 0 at ply \d+ is illegal",
        ),
        ({"rewards": polars.col("rewards").list.eval(polars.element() + 1)}, "rewards is"),
        ({"truncated": ~polars.col("truncated")}, "truncated is"),
        ({"digest": polars.lit("0" * 32)}, "game 0: digest is"),
    ],
)
def test_what_was_changed_is_found_out(record, tmp_path, columns, told):
    with pytest.raises(ValueError, match=told):
        records.verify(changed(record, tmp_path, **columns))


def test_a_flipped_bit_is_found_out_or_changes_nothing(record, tmp_path, capfd):
    """The library that reads Parquet panics at some of them, which is no error that Python catches by default."""
    whole, file, refused = record.read_bytes(), tmp_path / "flipped.parquet", 0
    games = polars.read_parquet(record)
    for place in range(0, len(whole), 5):
        file.write_bytes(bytes([*whole[:place], whole[place] ^ (1 << place % 8), *whole[place + 1 :]]))
        try:
            assert records.verify(file) == 3
            columns = [name for name in games.columns if name != "seats"]  # nothing in a game shows who played it
            assert records.read(file).games.select(columns).equals(games.select(columns))
        except ValueError as error:
            refused += str(file) in str(error)
    assert refused > 100
    assert "panicked" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("columns", "label", "told"),
    [
        ({"deal": polars.lit(None, polars.Int64)}, {}, "its column deal must have a value in every row"),
        ({"seats": polars.col("seats").list.head(2)}, {}, "its column seats must have 3 entries in every row"),
        ({"rewards": polars.col("rewards").list.head(1)}, {}, "its column rewards must have 3 entries in every row"),
        ({}, {"agents": ["greedy"]}, "'uniform' is not an agent of its match"),
        ({}, {"config": 3}, "its metadata have no game with options"),
        ({}, {"game": None}, "its metadata have no game with options"),
    ],
)
def test_damage_is_named_by_all_who_read_records(record, tmp_path, columns, label, told):
    file = tmp_path / "damaged.parquet"
    facts = {**json.loads(polars.read_parquet_metadata(record)[records.LABEL]), **label}
    polars.read_parquet(record).with_columns(**columns).write_parquet(file, metadata={records.LABEL: json.dumps(facts)})
    for read in (records.verify, records.read):
        with pytest.raises(ValueError, match=told):
            read(file)
    assert not records.is_sound(file)


def test_what_is_no_record_is_told_in_one_line(record, tmp_path, capsys):
    label = json.loads(polars.read_parquet_metadata(record)[records.LABEL])
    files = {name: tmp_path / f"{name}.parquet" for name in ("none", "noise", "other", "version", "empty")}
    files["noise"].write_bytes(b"noise")
    games = polars.read_parquet(record)
    for name, table, facts in (
        ("other", polars.DataFrame({"a": [1]}), label),
        ("version", games, {**label, "game": "karma_v9"}),
        ("empty", games.clear(), label),
    ):
        table.write_parquet(files[name], metadata={records.LABEL: json.dumps(facts)})
    wrong = {
        "none": " does not exist",
        "noise": "is damaged, or not a record",
        "other": "is not a record: its columns are a, not deal",
        "version": "was played under karma_v9, but this version has karma_v0",
        "empty": "has no games",
    }
    for name, told in wrong.items():
        with pytest.raises(SystemExit) as stop:
            check.main([str(files[name])])
        assert stop.value.code == 1
        assert told in capsys.readouterr().err
    with pytest.raises(ValueError, match="is not a record of a match: its metadata have no agents"):
        records.outcomes(records.read(record))
