"""What was played is played again, and anything that differs is refused: games, figures and points."""

import shutil

import polars as pl
import pytest

from benchmarks.__main__ import main
from benchmarks.harness import records
from benchmarks.rank import entries, suite
from tantra_envs.programs import results as files
from tests.test_help_examples import BOT

OPPONENT = "held-out:late"
FILE = "karma-held-out-late-0_0000000_3.parquet"


@pytest.fixture(scope="module", autouse=True)
def panels():
    with pytest.MonkeyPatch.context() as patch:
        public = ("uniform", "scripted")
        patch.setattr(suite, "PANEL", (*public, OPPONENT))
        patch.setattr(suite, "PANELS", {"public": public, "held_out": (OPPONENT,)})
        yield


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    """The folder of a ranking of an agent in a file, which is gone when its games are checked."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "my_agent.py").write_text(BOT)
    words = ["rank", f"{folder / 'my_agent.py'}:MyAgent", "--games", "karma-2", "--deals", "3", "--name", "mine"]
    assert main([*words, "--runs", str(folder)]) == 0
    (folder / "my_agent.py").unlink()
    return folder / "mine"


@pytest.fixture
def folder(ranked, tmp_path):
    """A copy of the folder, which a test may change."""
    return shutil.copytree(ranked, tmp_path / "mine")


def refusal(folder, capsys):
    """Return the only line on stderr of a check that ends with 1."""
    with pytest.raises(SystemExit) as ended:
        main(["check", str(folder)])
    assert ended.value.code == 1
    *_, line = capsys.readouterr().err.splitlines()  # others tell the progress
    return line


def changed(folder, change):
    """Change the games of a record, as rows."""
    path = folder / "records" / FILE
    rows = records.read(path).games.to_dicts()
    change(rows)
    records.write(path, records.read_label(path), pl.DataFrame(rows, records.SCHEMA))


def set_points(folder):
    """Let the agent win every game in the file of the points."""
    file = folder / "results.parquet"
    won = pl.Series([[[4, 4, 4]]] * 3, dtype=entries.POINT["points"])
    pl.read_parquet(file).with_columns(points=won).write_parquet(file)


def test_games_figures_and_files_are_checked(folder, capsys):
    """Three opponents, in both games of a deal; agents that draw play the same again."""
    assert main(["check", str(folder), str(folder / "records" / FILE), str(folder / "results.csv")]) == 0
    shown = capsys.readouterr().out
    assert "mine: 18 games are played again to the same results; " in shown
    assert f"{FILE}: 6 games are played again" in shown and "figures in their intervals" in shown


def test_published_points_lead_to_the_published_figures(folder, capsys):
    shutil.rmtree(folder / "records")
    assert main(["check", str(folder)]) == 0
    assert f"{files.read(folder / 'results.csv').height} figures are computed again" in capsys.readouterr().out
    set_points(folder)
    assert "score public: value=" in refusal(folder, capsys)


@pytest.mark.parametrize("agent", [OPPONENT, "mine"])
def test_another_action_is_refused(folder, capsys, agent):
    """That of an agent by name is not the one it plays, and that of another agent leads to other positions."""
    record, seats = records.read(folder / "records" / FILE), []
    records.replay(record, lambda t: seats.append(t.before["seat"][t.rows == 0]))
    ply = next(ply for ply, seat in enumerate(seats) if record.games["seats"][0][int(seat[0])] == agent)

    def change(rows):
        rows[0]["actions"][ply] += 1

    changed(folder, change)
    line = refusal(folder, capsys)
    assert FILE in line and ("game 0" in line or "illegal" in line)


def test_a_missing_record_is_refused(folder, capsys):
    (folder / "records" / FILE).unlink()
    assert FILE in refusal(folder, capsys)


@pytest.mark.parametrize(("column", "value"), [("value", 0.123), ("deals", 4), ("digest", "0" * 8)])
def test_figures_that_do_not_follow_from_the_games_are_refused(folder, capsys, column, value):
    table = files.read(folder / "results.csv")
    row = table.with_row_index().filter(part=suite.AGAINST, others=OPPONENT)["index"][0]
    table[row, column] = value
    if column == "value":
        table[row, "low"] = 0.0
    files.write(folder / "results.csv", table, "test")
    assert f"{column}=" in refusal(folder, capsys)


def test_points_that_are_not_those_of_the_games_are_refused(folder, capsys):
    set_points(folder)
    assert "its points are not allowed; allowed: those of the games" in refusal(folder, capsys)


def test_a_declared_training_against_held_out_agents_is_refused(folder, capsys):
    table = files.read(folder / "results.csv")
    met = table.head(1).with_columns(measure=pl.lit("met"), part=pl.lit(f"self|{OPPONENT}"))
    files.write(folder / "results.csv", pl.concat([table, met]), "test")
    shutil.rmtree(folder / "records")
    assert "no training may meet held-out agents" in refusal(folder, capsys)
