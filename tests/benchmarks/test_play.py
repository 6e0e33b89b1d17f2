"""Plans: rows from TOML are played into records, shown as one table of results, and refused where they are wrong."""

import shutil

import polars as pl
import pytest

import tantra_envs
from agents import load_all
from benchmarks.__main__ import main
from benchmarks.harness import plans, records, rows
from benchmarks.harness.played import PLAN, read_folder
from benchmarks.views import OF_PLANS
from tantra_envs.matches.match import play_match
from tantra_envs.programs import results as files
from tests.docs.pages import ROOT, blocks

STRANGER = """\
game = "karma:sixty"
players = 4
deals = 3

[[rows]]
agent = "greedy"
against = ["uniform", "scripted", "search:2@2"]
"""


def toml(folder, text, name="sixty"):
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folder of a plan with two rows of four seats, and a table of three agents."""
    folder = tmp_path_factory.mktemp("plan")
    more = STRANGER.replace(', "search:2@2"', "") + '\n[[rows]]\nlineup = ["uniform", "greedy", "scripted", "greedy"]\n'
    assert main(["play", toml(folder, more), "--runs", str(folder)]) == 0
    return folder / "sixty"


def test_a_stranger_asks_three_questions_in_ten_lines(played):
    game, found = tantra_envs.game("karma:sixty", players=4), files.read(played / "results.csv")
    scores = found.filter(pl.col("measure") == "score").rows_by_key("others", named=True)
    games = read_folder(played).games
    rows_of = {row.match.agents[1]: row.name for row in read_folder(played).rows}
    for other in ("uniform", "scripted"):
        (line,) = scores[other]
        match = play_match(game, load_all(["greedy", other], game), [0, 1, 1, 1], 3)
        own, means = match.score(0), records.means_of_deals(games.filter(match=rows_of[other]), "agent")
        for column, name in enumerate(("greedy", other)):
            scores_of_deals = means.filter(agent=name).sort("deal")["score"].to_list()
            assert scores_of_deals == pytest.approx(match.scores[:, column].tolist())
        assert (line["value"], line["low"], line["high"], line["deals"]) == (own.mean, own.low, own.high, 3)
        assert (line["table"], line["agent"]) == ("karma:sixty players=4", "greedy")
    assert dict(found.schema) == files.SCHEMA
    assert [line["agent"] for line in scores["greedy scripted"]] == ["uniform"]


def test_outcomes_have_a_row_for_every_team_of_every_game_of_the_records(played):
    for file in sorted((played / "records").iterdir()):
        record = records.read(file)
        games = records.outcomes(record)
        assert dict(games.schema) == records.OUTCOMES and len(games) == 4 * len(record.games) == 4 * 4 * 3
        assert games["agent"].to_list() == record.games["seats"].explode().to_list()
        assert games["reward"].to_list() == record.games["rewards"].explode().to_list()
        sums = games.group_by("deal", "rotation").agg(pl.col("score", "alone").sum())
        assert set(sums["score"].round(9)) == {2.0} and set(sums["alone"]) == {1}


def test_the_plan_on_the_page_has_ten_lines_and_is_read(tmp_path):
    (text,) = [text for text in blocks(ROOT / "docs/tournaments.md", "toml") if "[[rows]]" in text]
    assert len(text.splitlines()) <= 10
    request = rows.from_toml(tmp_path / toml(tmp_path, text))
    assert [row.match.agents for row in request.rows] == [
        ("greedy", own) for own in ("uniform", "scripted", "search:16")
    ]
    assert {row.table for row in request.rows} == {"karma:sixty players=4"}


def test_several_folders_are_one_table(played, tmp_path):
    assert main(["show", "scores", str(played), str(played), "--results", str(tmp_path / "both.csv")]) == 0
    assert len(files.read(tmp_path / "both.csv")) == 2 * 4 * 3


@pytest.mark.parametrize("view", OF_PLANS)
def test_views_of_plans_show_rows_in_which_some_agents_are_never_alone(played, view, tmp_path, capsys, refusal):
    own = str(shutil.copytree(played, tmp_path / "own"))
    assert main(["show", view, own]) == 0
    assert "greedy" in capsys.readouterr().out
    assert f"has results of {view}; allowed: those of study" in refusal(main, ["show", "study", own])


def test_rows_of_one_lone_agent_have_no_standings(tmp_path, refusal):
    file = toml(tmp_path, 'view = "standings"\n' + STRANGER.replace(', "search:2@2"', ""))
    assert "no standings; show scores" in refusal(main, ["play", file, "--runs", str(tmp_path)], 1)


def test_more_deals_take_the_place_of_a_smaller_shard(tmp_path):
    every = [f"records/a_{first:07d}_{size}.parquet" for first, size in ((0, 40), (0, 50), (256, 9), (256, 256))]
    (tmp_path / "records").mkdir()
    for name in every:
        (tmp_path / name).touch()
    assert records.files_of(tmp_path) == [tmp_path / every[1], tmp_path / every[3]]


def test_rows_with_one_name_are_played_once_with_the_most_deals():
    base = plans.MatchSpec("karma", (), (), (), 0)
    request = rows.Request([rows.pair(base, "greedy", "uniform", n, tag) for n, tag in ((3, "few"), (9, "many"))])
    assert [(row.deals, row.tags) for row in request.rows] == [(9, ("few", "many"))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (STRANGER.replace("agent =", "player ="), "unknown key 'player'; keys: game, players, "),
        (STRANGER.replace("deals = 3", 'deals = "3"'), "deals='3' is not allowed; allowed: int"),
        (STRANGER.replace('"uniform"', '"greedy"'), "against='greedy' is not allowed: it has the name of the agent"),
        (STRANGER.replace('"uniform"', '"wizard"'), "unknown agent 'wizard'"),
        (STRANGER.split("against", maxsplit=1)[0], "a row needs game, and agent with against, or lineup"),
        (STRANGER.replace("karma:sixty", "tantrix:solitaire").replace("= 4", "= 1"), "games with opponents"),
        (STRANGER.replace("against", "lineup"), "lineup is not allowed with agent"),
        ('game = "karma"\n[[rows]]\nlineup = ["greedy"]', "lineup='greedy' is not allowed; allowed: agents"),
        ('game = "karma"\nrows = []', "the plan has no row"),
        ('game = "karma"\nrows = [3]', "rows=[3] is not allowed"),
        ('view = "study"\n' + STRANGER, "view='study' is not allowed; allowed: scores, standings, ladder"),
    ],
)
def test_mistakes_in_a_plan_are_refused_in_one_line(text, told, tmp_path, refusal):
    file = toml(tmp_path, text)
    line = refusal(main, ["play", file, "--runs", str(tmp_path)])
    assert line.startswith("error: ") and told in line
    assert not list(tmp_path.rglob("*.parquet"))


@pytest.mark.parametrize("content", ["[]", '{"rows": [{}]}', '{"rows": [], "shard": "x", "times": []}'])
def test_a_damaged_plan_is_named(content, tmp_path):
    (tmp_path / PLAN).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"{PLAN} is damaged, or not a plan"):
        read_folder(tmp_path)


def test_results_are_read_as_they_were_written_and_damage_is_named(tmp_path):
    facts = {"game": "karma_v0", "table": "karma players=2", "agent": "a", "others": "", "seed": 0, "version": "1.2.3"}
    lines = [files.line({**facts, "digest": "00"}, "score", {"value": 0.1 + 0.2, "low": None, "deals": 3}, 'x, "y"')]
    table, file = files.table(lines, "scores"), tmp_path / "results.csv"
    files.write(file, table, "python -m benchmarks play 'my plan.toml'")
    assert files.read(file).equals(table) and files.command_of(file).endswith("'my plan.toml'")
    file.write_text(file.read_text(encoding="utf-8").replace("0.3", "much"), encoding="utf-8")
    for wrong in (file, tmp_path / "none.csv"):
        with pytest.raises(ValueError, match="is damaged, or not a table of results"):
            files.read(wrong)
