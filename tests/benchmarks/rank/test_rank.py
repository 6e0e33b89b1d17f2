"""The benchmark suite: an agent is ranked, goes on after a stop, and results of others are validated."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tantra_envs
from benchmarks.__main__ import main
from benchmarks.harness import plans, records, trainer
from benchmarks.rank import experiment, exploiters, ranking, report, suite
from benchmarks.rank.command import Args
from benchmarks.rank.submission import validate
from tantra_envs import games
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.seeds import DEALS, deal_seeds
from tantra_envs.opponents import learned, opponent, origin
from training.examples.baselines.course import CURVE_DEALS, CURVE_SEED

ROOT = Path(__file__).resolve().parents[3]
TABLES = ("karma", "karma-4")
WORDS = ("rank", "greedy", "--games", "karma", "--deals", "10", "--name", "mine")


def rank(runs, *words):
    return main([*WORDS, "--runs", str(runs), *words])


def content(runs, name="mine"):
    return json.loads((runs / name / "results.json").read_text())


def comparable(runs):
    found = content(runs)
    del found["command"], found["date"]
    for row in found["tables"].values():
        del row["milliseconds"]
    return found


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    """The folder of a ranking of `greedy` in Karma."""
    runs = tmp_path_factory.mktemp("runs")
    assert rank(runs) == 0
    return runs


@pytest.fixture
def few_opponents(monkeypatch):
    """Panels without searches."""
    public, held_out = ("uniform", "scripted"), ("held-out:late",)
    monkeypatch.setattr(suite, "PANEL", (*public, *held_out))
    monkeypatch.setattr(suite, "PANELS", {"public": public, "held_out": held_out})


# The protocol


def test_every_game_has_a_table_of_the_suite_and_the_panels_can_play_it():
    pages = Path(games.__file__).parent.glob("*/README.md")
    assert set(suite.GAMES) == {page.parent.name for page in pages} == set(map(suite.game_of, suite.TABLES))
    for table, (_, players) in suite.TABLES.items():
        game, agents = plans.build(suite.match(table, suite.PANEL))
        assert [agent.name for agent in agents] == list(suite.PANEL)
        assert game.players == players
    assert [table for table in suite.TABLES if suite.TOGETHER in suite.others(table)] == ["kanastic"]


def test_deals_depend_on_the_cost_of_the_opponent_and_the_size_of_the_table():
    assert suite.deals("karma", "mine", suite.LEARNED) == 500 and suite.deals("karma-4", "mine", "learned") == 250
    assert suite.deals("tarot", "mine", "search:16") == suite.deals("tarot", "held-out:search", "mine") == 50
    assert (
        suite.deals("tantra", "search:64,base=learned", "uniform") == suite.deals("tantra", "ismcts", "uniform") == 15
    )
    assert suite.deals("tarot", "mine", "uniform", 20) == 20 and suite.deals("tantra", "mine", "search:16", 20) == 1


def test_training_seeds_and_searches_play_a_third_of_the_deals():
    def fewer(table, opponent):
        return suite.deals(table, "mine", opponent, suite.FEWER_DEALS)

    assert [fewer("karma", name) for name in (suite.LEARNED, "search:16")] == [167, 17]
    assert [fewer("karma-4", name) for name in (suite.LEARNED, "search:16")] == [84, 6]


def test_no_training_uses_the_deals_of_the_benchmark():
    """Training refuses the seed of the benchmark, and the series of environments are deals of seed 0."""
    from tantra_envs.envs import vector
    from training import options

    with pytest.raises(ValueError, match=f"seed={suite.SEED} is not allowed"):
        options.check(SimpleNamespace(seed=suite.SEED, threads=1, final_deals=1))
    deals = deal_seeds(suite.SEED, 0, suite.DEALS)
    assert deals.min() >= suite.SEED * DEALS > vector.SEEDS
    assert not set(deals.tolist()) & set(deal_seeds(CURVE_SEED, 0, CURVE_DEALS).tolist())


def test_deals_have_a_digest_of_what_seats_see():
    game = suite.rules("karma")
    assert suite.deals_digest(game, 3) == suite.deals_digest(game, 3) != suite.deals_digest(game, 4)
    assert ranking.references(ranking.FOLDER / "nothing") == {}


def test_both_agents_of_a_pair_play_the_same_games():
    for table in suite.TABLES:
        for one, other in (("greedy", "uniform"), ("mine.py:Mine", "search:16")):
            both = [suite.meeting(table, suite.AGAINST, *names, 1).matches for names in ((one, other), (other, one))]
            assert [*both[0].values()] == [*both[1].values()]


@pytest.mark.whole
def test_a_pair_is_the_other_one_turned_round(ranked, tmp_path):
    """Every deal of A against B gives 1 - that of B against A, also at tables of four and with random agents."""
    assert main(["rank", "uniform", *WORDS[2:], "--runs", str(tmp_path)]) == 0
    for table in TABLES:
        units = suite.units(table)
        one = content(ranked)["tables"][table]["pairs"]["uniform"]
        other = content(tmp_path)["tables"][table]["pairs"]["greedy"]
        assert len(one["points"]) == (1 if table == "karma" else 2)
        for own, theirs in zip(one["points"], other["points"][::-1], strict=True):
            assert (ranking.decode(own) + ranking.decode(theirs) == units).all()
        assert one["mean"] + other["mean"] == pytest.approx(1, abs=1e-12)
        assert one["truncated"] == other["truncated"]
    both = [content(ranked), content(tmp_path)]
    assert ranking.rated(ranking.by_label(both)) == ranking.rated(ranking.by_label(both[::-1]))


def test_points_are_read_from_the_digits_that_they_are_written_with():
    points = np.arange(36)
    assert ranking.encode(points) == ranking.DIGITS
    assert ranking.decode(ranking.DIGITS).tolist() == points.tolist()


# Rankings


@pytest.mark.whole
def test_a_program_is_counted_and_asked_in_its_games_only(tmp_path, program, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "400")
    words = [WORDS[0], program.word("nonsense"), "--games", "tarot", "--deals", "1", "--name", "mine"]
    words += ["--runs", str(tmp_path)]
    assert main(words) == 0
    row = content(tmp_path)["tables"]["tarot"]
    used, asked = row["program"], program.questions
    assert used["repeated"] == pytest.approx(asked // 3 / asked, abs=2e-2)
    share = f"{100 * used['drawn']:.1f}% of its decisions drawn at random"
    assert " ".join(capsys.readouterr().out.split()).count(share) == 3, "at both tables of scores, and to cite"
    assert row["milliseconds"] == pytest.approx(1000 * used["seconds"], rel=1e-3)
    assert main(words) == 0
    assert program.questions == asked


@pytest.mark.whole
def test_scores_are_means_over_the_panels(ranked):
    found = content(ranked)
    assert (found["suite"], found["seed"], found["scores"]) == (suite.VERSION, suite.SEED, None)
    assert set(found["tables"]) == set(TABLES)
    for table, row in found["tables"].items():
        assert row["pairs"]["greedy"] is None  # an agent does not play itself
        for panel, names in suite.PANELS.items():
            means = [row["pairs"][name]["mean"] if row["pairs"][name] else 0.5 for name in names]
            assert row[panel]["mean"] == pytest.approx(np.mean(means))
            assert row[panel]["low"] <= row[panel]["mean"] <= row[panel]["high"]
        assert {pair["n"] for pair in row["pairs"].values() if pair} == {10, 1} if table == "karma" else {5, 1}
    row = found["tables"]["karma"]
    assert row["panel_origins"]["search:16"] == origin(opponent("search:16", tantra_envs.game("karma")))
    assert len(row["panel_origins"]["held-out:search"]["digest"]) == 12


def test_games_may_be_named_by_variants_and_tables():
    assert experiment.tables_of(("tarot:hand", "tarot")) == ["tarot", "tarot-3"]
    assert experiment.tables_of(("karma-4",)) == ["karma-4"] and experiment.tables_of(("karma-2",)) == ["karma"]
    assert experiment.tables_of(()) == list(suite.TABLES)
    with pytest.raises(ValueError, match="games='chess' is not allowed"):
        experiment.tables_of(("chess",))


@pytest.mark.whole
def test_an_interrupted_ranking_goes_on_to_the_same_scores(ranked, tmp_path, stopped_after):
    stopped_after(2, lambda: rank(tmp_path))
    assert rank(tmp_path) == 0
    assert comparable(tmp_path) == comparable(ranked)


@pytest.mark.whole
def test_the_agent_is_placed_among_the_others_by_its_rating(ranked):
    mine = content(ranked)
    better, worse = changed(mine, "better", lambda units, _: units), changed(mine, "worse", lambda *_: 0)
    rows = ranking.rated(ranking.by_label([mine, better, worse]))
    labels = list(rows)
    assert labels[0] == "better" and labels[-1] == "worse" and set(suite.PANEL) < set(labels)
    assert rows["scripted"]["mean"] == 1000
    assert report.standings(rows, "greedy").axes[0].get_yticklabels()[0].get_text() == "better"


@pytest.mark.whole
def test_an_incomplete_row_has_no_place_and_no_rating(ranked, tmp_path, capsys, monkeypatch):
    assert rank(ranked) == 0
    shown = capsys.readouterr().out
    assert "without a place and a rating: it lacks tables (karma" not in shown  # it has those
    assert "incomplete under suite v3, so without a place and a rating: it lacks tables (" in shown
    assert "place " not in shown.replace("a place", "") and not (ranked / "mine/standing.png").exists()
    monkeypatch.setattr(suite, "missing", lambda rows: [])
    assert rank(ranked) == 0
    assert "place 16 of" in capsys.readouterr().out or (ranked / "mine/standing.png").exists()


def test_rows_of_one_label_are_complete_together():
    seeds = [whole(seed=seed, decisions=9) for seed in (1, 2, 3)]
    assert [report._continues(row, seeds[0]) for row in seeds] == [False, True, True]
    parts = [whole(tables=[table]) for table in suite.TABLES]
    assert all(report._continues(row, parts[0]) for row in parts[1:])
    assert not report._continues({**seeds[1], "label": "other"}, seeds[0])


def changed(row, label, points_of):
    """Results of another agent with other points."""
    other = copy.deepcopy(row)
    other["label"] = other["agent"] = label
    for table, result in other["tables"].items():
        units = suite.units(table)
        for name, pair in [*result["pairs"].items()]:
            if pair:
                pair["points"] = [ranking.encode(np.full(pair["n"], points_of(units, name)))] * len(pair["points"])
    return other


@pytest.mark.whole
def test_the_sentence_to_cite_names_the_suite_the_version_the_deals_and_the_training(ranked):
    mine = content(ranked)
    sentence = report.citation(mine)
    assert sentence.startswith("To cite, as an incomplete result: greedy scores 0.")
    assert f"tantra_envs suite {suite.VERSION}, version {mine['version']} (1 to 10 deals; " in sentence
    trained = report.citation({**mine, "agent": "x", "training": {"decisions": 250_000, "cpu_minutes": 12.04}})
    assert trained.endswith("trained for 250,000 decisions and 12.04 CPU minutes).")
    assert report.citation({**mine, "agent": "x"}).endswith("no training declared).")
    assert f"0.500 [0.400, 0.600] against public ones in tantra_envs suite {suite.VERSION}" in report.citation(
        {**mine, "scores": dict.fromkeys(suite.PANELS, run_of(0.5))}
    )


def test_the_interval_over_seeds_covers_the_deals_and_the_seeds():
    assert ranking.over_seeds([run_of(0.5)]) == run_of(0.5)
    equal = ranking.over_seeds([run_of(0.5)] * 3)
    assert (equal["low"], equal["high"]) == pytest.approx((0.4, 0.6))  # all seeds play the same deals
    different = ranking.over_seeds([run_of(0.4), run_of(0.5), run_of(0.6)])
    half = np.hypot(0.1, 4.30 * 0.1 / np.sqrt(3))
    assert (different["mean"], different["low"], different["n"]) == pytest.approx((0.5, 0.5 - half, 10))
    assert ranking.over_seeds([run_of(0.1), run_of(0.9)])["high"] == 1.0
    assert ranking.over_seeds([run_of(1000), run_of(1100)], ranking.NO_BOUNDS)["high"] > 1000


def run_of(mean, half=0.1):
    return {"mean": mean, "low": mean - half, "high": mean + half, "n": 10}


# Partners and exploiters


@pytest.mark.whole
def test_a_partner_plays_all_other_seats(tmp_path, few_opponents):
    """The agent sits once in every seat, and has the score of its team."""
    words = ["rank", "scripted", "--games", "kanastic", "--deals", "2", "--name", "mine", "--runs", str(tmp_path)]
    assert main(words) == 0
    found = content(tmp_path)
    row = found["tables"]["kanastic"]
    assert set(row["partners"]) == set(suite.PARTNERS)
    assert all(len(score["points"][0]) == 2 for score in row["partners"].values())
    file = next((tmp_path / "mine/records").glob("kanastic-held-out-late-partner*"))
    record = records.read(file)
    place = suite.ordered("scripted", "held-out:late").index("scripted")
    assert [seats.tolist().count(place) for seats in record.seating] == [1] * 8
    assert sorted((record.seating[:4] == place).argmax(axis=1).tolist()) == [0, 1, 2, 3]
    assert "is valid" in validate(tmp_path / "mine/results.json")
    share = report.with_partners("kanastic", found, [])
    assert 0 <= share["low"] <= share["mean"] <= share["high"] <= 1


def test_the_score_with_partners_is_a_share_of_the_best_known_one():
    def of(digit):
        text = ranking.encode(np.full(50, digit))
        return {name: {"points": [text], "mean": digit / 8} for name in suite.PARTNERS}

    assert ranking.shares("kanastic", of(6), [of(6)])["mean"] == 1
    assert ranking.shares("kanastic", of(3), [of(6), of(3)])["mean"] == pytest.approx(0.5)
    assert ranking.shares("kanastic", of(2), [of(2)])["mean"] == pytest.approx(0.5)  # of the partner with itself
    own = {**of(6), "held-out:late": None}
    assert ranking.shares("kanastic", own, [own])["mean"] == pytest.approx(1)


@pytest.mark.whole
def test_an_exploiter_is_trained_and_measured_once(tmp_path, monkeypatch, few_opponents):
    monkeypatch.setattr(exploiters, "DECISIONS", dict.fromkeys(suite.GAMES, 200))
    monkeypatch.setattr(exploiters, "DEALS", 2)
    commands = []
    train = trainer.train
    few = ("--tables", "8")
    monkeypatch.setattr(trainer, "train", lambda words, log: (commands.append(words), train([*words, *few], log)))
    words = ["rank", "uniform", "--games", "karma-4", "--deals", "1", "--exploit", "--name", "mine"]
    for _ in range(2):
        assert main([*words, "--runs", str(tmp_path)]) == 0
    assert len(commands) == 1 and "--exploit" in commands[0]
    found = content(tmp_path)
    score, search = (found["tables"]["karma-4"]["exploiters"][name] for name in suite.EXPLOITERS)
    assert score["n"] == search["n"] == 2 and score["decisions"] == 200 and score["cpu_minutes"] > 0
    assert (search["search"], search["playouts"]) == ("search:16", "scripted")
    assert not any("exploitability" in words for words in suite.missing([found]))


@pytest.mark.parametrize(
    ("agent", "reason"), [("held-out:early", "held-out:early of karma"), ("text:cat", "'text:cat' is a program")]
)
def test_held_out_agents_and_programs_are_not_exploited(tmp_path, capsys, few_opponents, agent, reason):
    words = ["rank", agent, "--games", "karma-4", "--deals", "1", "--exploit", "--runs", str(tmp_path)]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert reason in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# Completeness


def whole(agent="mine", seed=None, decisions=0, tables=tuple(suite.TABLES)):
    """Results with everything that the protocol demands, as far as completeness reads them."""
    return {
        "agent": agent,
        "label": agent,
        "training": {"decisions": decisions, "cpu_minutes": 0, **({} if seed is None else {"seed": seed})},
        "tables": {
            table: {
                "pairs": {
                    name: {"n": suite.deals(table, agent, name), "points": [str(seed)]}
                    for name in suite.PANEL
                    if name != agent
                },
                **({"partners": {name: {"n": 500} for name in suite.PARTNERS}} if table == "kanastic" else {}),
                "exploiters": {"trained": {"mean": 0.5}, "search": None},
            }
            for table in tables
        },
    }


def test_complete_rows_lack_nothing():
    assert suite.missing([whole()]) == []
    assert suite.missing([whole(suite.LEARNED, decisions=None)]) == []
    assert suite.missing([whole(seed=seed, decisions=9) for seed in (1, 2, 3)]) == []
    games = [whole(seed=seed, decisions=9, tables=[table]) for seed in (1, 2, 3) for table in suite.TABLES]
    assert suite.missing(games) == []
    one = whole(seed=1, decisions=9)
    copies = [{**one, "training": {**one["training"], "seed": seed}} for seed in (1, 2, 3)]
    assert suite.missing(copies) == ["3 training seeds (all tables)"]
    search = "search:16,base=ppo:mine.safetensors"
    assert suite.missing([whole(search, decisions=None)]) == [suite.DECLARATION]
    assert suite.missing([whole("search:16,base=learned,eta=20", decisions=None)]) == []


@pytest.mark.parametrize(("deals", "lacks"), [(167, []), (166, ["deals (karma)"])])
def test_a_training_seed_needs_a_third_of_the_deals(deals, lacks):
    seeds = [whole(seed=seed, decisions=9) for seed in (1, 2, 3)]
    seeds[1]["tables"]["karma"]["pairs"][suite.LEARNED]["n"] = deals
    assert suite.missing(seeds) == lacks


def test_the_best_of_the_exploiters_and_their_start_counts():
    trained, search = ({"mean": mean, "low": 0.5, "high": 0.8, "n": 2} for mean in (0.6, 0.7))
    won, lost = {"points": ["44"]}, {"points": ["00"]}  # points of the agent in two deals, of 4 each

    def best(trained, search, pair):
        exploiters = {"trained": trained, "search": search}
        return ranking.best_exploiter("karma", {"exploiters": exploiters, "pairs": {suite.LEARNED: pair}})

    for pair, by, mean in ((won, "trained", 0.6), (lost, suite.LEARNED, 1.0), (None, "trained", 0.6)):
        assert (best(trained, None, pair)["by"], best(trained, None, pair)["mean"]) == (by, mean)
    assert best(trained, search, won)["by"] == "search" and best(None, search, won)["mean"] == 0.7
    beaten = {**trained, "mean": 0.4}
    assert best(beaten, None, None)["mean"] == suite.EVEN
    assert best(None, None, won) is None


@pytest.mark.parametrize("name", ["panel:learned", "learned", "search:mine"])
def test_an_agent_cannot_have_the_name_of_another_one(tmp_path, capsys, name):
    file = tmp_path / "mine.py"
    file.write_text(AGENT.format(made="pass", acts="pass").replace('"mine"', repr(name)))
    with pytest.raises(SystemExit) as ended:
        main(["rank", f"{file}:Mine", "--games", "karma", "--runs", str(tmp_path)])
    assert ended.value.code == 2 and f"{name!r} of another agent" in capsys.readouterr().err


def test_incomplete_rows_are_found_in_the_data():
    assert "tables (karma-4, tarot" in suite.missing([whole(tables=["karma"])])[0]
    fewer = whole()
    fewer["tables"]["tarot"]["pairs"]["search:16"]["n"] = 49
    assert suite.missing([fewer]) == ["deals (tarot)"]
    alone = whole()
    alone["tables"]["kanastic"]["partners"]["held-out:late"]["n"] = 499
    assert suite.missing([alone]) == ["deals (kanastic)"]
    unexploited = whole()
    unexploited["tables"]["tantra"]["exploiters"]["trained"] = None
    assert suite.missing([unexploited]) == ["exploitability (tantra)"]
    assert suite.missing([{**unexploited, "agent": "held-out:late"}]) == []
    assert suite.missing([{**unexploited, "agent": "search:64"}]) == []
    seeds = [
        {**row, "training": {"decisions": 9, "cpu_minutes": 1, "seed": i}}
        for i, row in enumerate([whole(seed=1), unexploited, whole(seed=3)])
    ]
    assert suite.missing(seeds) == []  # one of the seeds is enough
    (seeds,) = suite.missing([whole(seed=1, decisions=9)])
    assert seeds == "3 training seeds (all tables)"
    assert suite.missing([whole(decisions=None)]) == [suite.DECLARATION]
    (seeds,) = suite.missing([whole(seed=seed, decisions=9) for seed in (None, 1, 2)])
    assert seeds == "3 training seeds (all tables)"
    minutes = whole()
    minutes["training"] = {"decisions": 9, "cpu_minutes": None}
    assert suite.DECLARATION in suite.missing([minutes])


@pytest.mark.whole
def test_the_page_marks_rows_from_the_data(ranked):
    mine = content(ranked)
    rows = ranking.by_label([mine])
    (line,) = [line for line in report.all_agents(rows).splitlines() if line.startswith("| `greedy` |")]
    assert line.endswith("| no |")
    (other,) = [line for line in report.all_agents(rows).splitlines() if line.startswith("| `search:16` |")]
    assert other.endswith("| opponent only |") and other.count("|") == line.count("|")
    assert "`greedy`: tables (tarot" in report.lacking(rows)


@pytest.mark.whole
def test_parts_of_a_page_are_made_from_results(ranked):
    mine = content(ranked)
    told = {"library": "rlcard 1.2.0", "cpu_minutes": 0.5}
    dqn = {**changed(mine, "DQN", lambda units, _: units // 2), "agent": "ppo:x"}
    seeds = [{**dqn, "training": {**told, "seed": seed, "decisions": seed}} for seed in (5, 4)]
    rows = ranking.by_label([mine, *seeds])
    text = "\n".join(make(rows) for make in (report.all_agents, report.tables, report.lacking, report.pairs))
    assert "| 2 | 4 | 0.5 |" in text and text.count("| DQN | `karma` |") == 1
    assert "3 training seeds (karma, karma-4)" in text
    axes = report.standings(ranking.rated(rows)).axes[0]
    assert {label.get_text() for label in axes.get_yticklabels()} == {"DQN", *suite.PANEL}


def test_the_page_explains_every_column_of_its_table():
    text = (ROOT / "docs/benchmark.md").read_text(encoding="utf-8")
    assert [head for head in ("rating", *report.COLUMNS) if f"**{head}**" not in text] == []
    assert f"| agent | rating | {' | '.join(report.COLUMNS)} |" in text


# Submissions


@pytest.mark.whole
def test_results_of_somebody_else_are_validated(ranked, capsys):
    assert main(["submit", str(ranked / "mine/results.json")]) == 0
    shown = capsys.readouterr().out
    assert "is valid" in shown and "greedy, karma" in shown and "incomplete" in shown


def set_in(content, path, value):
    for key in path[:-1]:
        content = content[key]
    content[path[-1]] = value


KARMA = ("tables", "karma")
PAIR = (*KARMA, "pairs", "scripted")
WRONG = [
    (("suite",), "v1.1"),
    (("seed",), 0),
    (("seed",), True),
    (("version",), "0.2"),
    (("version",), "9.9.9"),
    (("date",), "yesterday"),
    (("command",), None),
    (("agent",), ["greedy"]),
    (("label",), "a | b"),
    (("label",), ""),
    (("label",), "panel:learned"),
    (("training",), []),
    (("training", "decisions"), "many"),
    (("training", "cpu_minutes"), -1),
    (("training", "cpu_minutes"), float("inf")),
    (("training", "seed"), 1.5),
    (("training", "library"), 3),
    (("training", "curve"), {}),
    (("training", "curve"), [{"decisions": 1, "cpu_minutes": 1, "agent": "x", "score": {"uniform": 0.5}}]),
    (("tables",), {}),
    (("tables",), []),
    (("tables", "chess"), {}),
    (("scores",), 0.5),
    (("scores",), {"public": {"mean": 0.5}}),
    (KARMA, None),
    ((*KARMA, "variant"), "karma:easy"),
    ((*KARMA, "players"), 3),
    ((*KARMA, "game"), "karma_v9"),
    ((*KARMA, "config"), {"copies": 3}),
    ((*KARMA, "origin"), "mine"),
    ((*KARMA, "milliseconds"), float("nan")),
    ((*KARMA, "milliseconds"), 0),
    ((*KARMA, "exploiters"), 0.5),
    (
        (*KARMA, "exploiters", "trained"),
        {"mean": 0.5, "low": 0.4, "high": 0.6, "n": 200, "decisions": 7, "cpu_minutes": 1},
    ),
    ((*KARMA, "exploiters", "search"), {"mean": 0.5, "low": 0.4, "high": 0.6, "n": 200}),
    (("exact",), {"karma:mini": "little"}),
    (("exact",), {"chess": 0.5}),
    (("exact",), {"karma:mini": -3}),
    (("exact",), {"karma:mini": float("nan")}),
    (("training", "met"), ["self", "held-out:late"]),
    (("training", "met"), ["ppo:agents/held_out/weights/karma-late.safetensors"]),
    (("training", "command"), "python -m training ppo --opponents held-out:late"),
    (("training", "inputs"), "cards"),
    (("training", "met"), "self"),
    ((*KARMA, "pairs"), {}),
    ((*KARMA, "panel_origins", "search:16", "margin"), 2.0),
    ((*KARMA, "panel_origins", "panel:learned", "digest"), "0" * 12),
    ((*KARMA, "deals_digests"), None),
    ((*KARMA, "deals_digests", "10"), "0" * 16),
    (PAIR, None),
    ((*PAIR, "n"), 2),
    ((*PAIR, "n"), 2000),
    ((*PAIR, "n"), 10.0),
    ((*PAIR, "low"), 0.99),
    ((*PAIR, "high"), 1.1),
    ((*PAIR, "mean"), 0.123),
    ((*PAIR, "truncated"), "few"),
    ((*PAIR, "points"), ["4" * 10]),
    ((*PAIR, "points"), ["9" * 10]),
    ((*PAIR, "points"), []),
    ((*KARMA, "pairs", "uniform"), {}),
    ((*KARMA, "public", "mean"), 0.9),
    ((*KARMA, "held_out", "n"), "3"),
]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("path", "value"), WRONG, ids=lambda value: ".".join(value) if isinstance(value, tuple) else ""
)
def test_a_wrong_field_is_refused_by_name(ranked, tmp_path, path, value):
    found = content(ranked)
    set_in(found, path, value)
    file = tmp_path / "theirs.json"
    file.write_text(json.dumps(found))
    with pytest.raises(ValueError, match=r"theirs\.json") as refused:
        validate(file)
    assert len(str(refused.value).splitlines()) == 1
    assert any(name in str(refused.value) for name in path[-2:])


@pytest.mark.whole
def test_every_field_is_needed(ranked, tmp_path):
    """Without any one of its fields, at any depth, a file is refused in one line."""
    file, complete = tmp_path / "theirs.json", content(ranked)
    del complete["tables"]["karma-4"], complete["training"]["inputs"], complete["training"]["met"]
    for path in paths(complete):
        found = copy.deepcopy(complete)
        parent = found
        for key in path[:-1]:
            parent = parent[key]
        del parent[path[-1]]
        file.write_text(json.dumps(found))
        with pytest.raises(ValueError, match=r"theirs\.json"):
            validate(file)


def paths(content, path=()):
    """The paths of all fields, except facts about the agent's own origin."""
    for key, value in content.items():
        yield (*path, key)
        if isinstance(value, dict) and key != "origin":
            yield from paths(value, (*path, key))


@pytest.mark.parametrize("text", ["", "[]", "null", "3", '"x"', "[" * 100_000, "\udcff"], ids=range(7))
def test_a_damaged_file_is_refused(tmp_path, text):
    file = tmp_path / "theirs.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError, match=r"theirs\.json"):
        validate(file)


def test_what_is_declared_about_a_training_is_checked(tmp_path, capsys):
    file = tmp_path / "training.json"
    file.write_text('{"decisions": "many", "cpu_minutes": 1}')
    with pytest.raises(SystemExit) as ended:
        rank(tmp_path, "--training", str(file))
    assert ended.value.code == 2 and "decisions" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["--training-seed", "-1"], "training_seed=-1"),
        (["--training", "x.json", "--training-seed", "1"], "training='x.json'"),
    ],
)
def test_a_wrong_seed_of_training_is_refused(tmp_path, capsys, words, field):
    with pytest.raises(SystemExit) as ended:
        rank(tmp_path, *words)
    assert ended.value.code == 2 and field in capsys.readouterr().err


def test_a_declared_seed_of_training_stands_in_the_results():
    declared = experiment._training(Args("uniform", decisions=9, cpu_minutes=1.0, training_seed=2))
    assert declared == {"decisions": 9, "cpu_minutes": 1.0, "seed": 2}


def test_a_file_that_is_no_result_is_refused_in_one_line(tmp_path, capsys):
    file = tmp_path / "theirs.json"
    file.write_text('{"suite": "v1"}')
    with pytest.raises(SystemExit) as ended:
        main(["submit", str(file)])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "theirs.json" in line and "command, version" in line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--decisions", "-1"), "decisions=-1 is not allowed; allowed: 0 or more"),
        (("--games", "chess"), "games='chess' is not allowed; allowed: kanastic, "),
        (("--quick",), "quick=True is not allowed with deals"),
        (("--deals", "0"), "deals=0 is not allowed"),
        (("--deals", "501"), "deals=501 is not allowed; allowed: 1..500"),
        (("--label", "panel:learned"), "label='panel:learned' is not allowed"),
        (("--label", "learned"), "label='learned' is not allowed"),
        (("--met", "held-out:late"), "met='held-out:late' is not allowed: no training may meet held-out agents"),
        (("--met", "self", "search:4,base=Held_Out:early"), "is not allowed: no training may meet held-out agents"),
        (
            ("--decisions", "1000000000", "--cpu-minutes", "0"),
            "cpu_minutes=0.0 is not allowed with decisions=1,000,000",
        ),
        (("--inputs", "cards"), "inputs='cards' is not allowed; allowed: nothing, observation, features, state"),
        (("--met", "nobody", "self"), "met='nobody self' is not allowed"),
        (("--exact", "nothing.json"), "exact='nothing.json' cannot be read"),
        (("--label", "a|b"), "label='a|b' is not allowed"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path, capsys, words, message):
    with pytest.raises(SystemExit) as ended:
        rank(tmp_path, *words)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


AGENT = """import numpy as np
class Mine:
    name = "mine"
    def __init__(self, game):
        {made}
    def act(self, obs, rng):
        {acts}
"""


@pytest.mark.parametrize(
    ("made", "acts", "reason"),
    [
        ("raise RuntimeError('size mismatch: 519, 202')", "pass", "RuntimeError: size mismatch: 519, 202"),
        ("raise SystemExit", "pass", "SystemExit"),
        ("pass", "raise SystemExit", "SystemExit"),
        ("pass", "return obs.observation @ np.ones((519, 1))", "ValueError: matmul"),
        ("pass", "return [-1]", "returned the illegal action -1"),
    ],
)
def test_an_agent_for_another_game_is_refused_by_name(tmp_path, capsys, made, acts, reason):
    file = tmp_path / "agent.py"
    file.write_text(AGENT.format(made=made, acts=acts))
    with pytest.raises(SystemExit) as ended:
        main(["rank", f"{file}:Mine", "--games", "karma", "--quick", "--runs", str(tmp_path / "runs")])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert reason in error
    assert f"{file}:Mine" in error
    assert ("could not be made" in error) == (made != "pass")
    assert "cannot play karma (" in error and "--games" in error
    assert not (tmp_path / "runs").exists()


@pytest.mark.filterwarnings("error")
def test_the_agents_of_the_suite_give_no_warning_at_its_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(learned, "_warnings_given", set())
    plans._agent.cache_clear()
    experiment.prepare(Args("uniform", games=("tarot-2",), quick=True, runs=tmp_path))
    assert not learned._warnings_given


def test_the_options_of_a_ranking_have_the_defaults_of_the_suite():
    args = Args("uniform")
    assert set(BENCHMARKS) == set(suite.GAMES)
    assert experiment._deals(args, {"decisions": None}) == experiment._deals(args, {"decisions": 0}) == suite.DEALS
    assert experiment._deals(Args("mine.py:Mine"), {"decisions": 10}) == suite.FEWER_DEALS
    assert experiment._deals(Args("search:64"), {"decisions": 0}) == suite.FEWER_DEALS
    assert experiment._deals(Args("search:16"), {"decisions": None}) == suite.DEALS  # it belongs to a panel
