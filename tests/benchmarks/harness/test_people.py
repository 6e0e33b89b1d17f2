"""Games of people as records: which count, how they replay, and how agents compare on their deals."""

import pytest

from benchmarks import records as command
from benchmarks.harness import people, records
from tantra_envs.commands.play import Args, prepare
from tests.table.serving import is_over, play


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def record_game(here, seed, seats=("me:Ann", "scripted"), change=lambda table: None, options=()):
    """Record a game in which the scripted agent plays for the person."""
    args = Args("karma", ("players=2", *options), seats=seats, seed=seed, record=here / "people", best=here / "b.json")
    table, _ = prepare(args)
    change(table)
    play(table, is_over)


def hinted(table):
    table.history.facts.hints = 1


def test_games_of_people_become_records_that_replay(here, capsys):
    for seed in (1, 2, 2):  # the last one is a deal that the person knows
        record_game(here, seed)
    record_game(here, 3, change=hinted)
    record_game(here, 2, seats=("me:Bob", "scripted"))
    record_game(here, 2, options=("copies=3",))
    assert command.main(["collect", "people", "--out", "records"]) == 0
    shown = capsys.readouterr().out
    assert "left out: 1, because each repeats a deal" in shown and "left out: 1, because each had hints" in shown
    files = sorted((here / "records").iterdir())
    assert [file.name for file in files] == ["karma_v0-copies=3.parquet", "karma_v0.parquet"]
    assert command.main(["verify", *map(str, files)]) == 0
    assert "3 games replay to the same results" in capsys.readouterr().out
    record = records.read(files[1])
    seats = record.games["seats"].to_list()
    assert sorted(zip(record.games["deal"], (one[0] for one in seats), strict=True)) == [
        (1, "me:Ann"),
        (2, "me:Ann"),
        (2, "me:Bob"),
    ]
    assert command.main(["show", str(files[1]), "--worst", "me:Bob"]) == 0


def test_agents_play_the_deals_of_each_person(here, capsys):
    for seed in (1, 2):
        record_game(here, seed)
    record_game(here, 1, seats=("scripted", "me"))
    command.main(["collect", "people", "--out", "records"])
    capsys.readouterr()
    assert command.main(["compare", "records/karma_v0.parquet", "--agents", "scripted", "uniform"]) == 0
    shown = capsys.readouterr().out
    assert "me:Ann, 2 deals" in shown and "me, 1 deal" in shown
    scripted = [line for line in shown.splitlines() if line.startswith("scripted ")]
    assert len(scripted) == 2 and all("+0.000" in line for line in scripted)


def test_what_has_no_games_of_people_is_refused(here, capsys):
    for words, message in (
        (["collect", "none", "--out", "records"], "folder='none' is not allowed: it does not exist"),
        (["collect", str(here), "--out", "records"], "it has no game that counts"),
        (["compare", "none.parquet"], "record file 'none.parquet' does not exist"),
    ):
        with pytest.raises(SystemExit):
            command.main(words)
        assert message in capsys.readouterr().err
    (here / "game.json").write_text("{}")
    with pytest.raises(ValueError, match=r"game\.json: not a saved game"):
        people.collect(here, here / "records")
