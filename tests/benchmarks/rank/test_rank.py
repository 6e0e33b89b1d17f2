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
from benchmarks.harness import shards
from benchmarks.rank import page, report, results, statistics, study, suite
from benchmarks.rank.command import Args
from benchmarks.rank.submission import validate
from tantra_envs import games
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.seeds import DEALS, deal_seeds
from tantra_envs.opponents import opponent, origin
from training.examples.baselines.course import CURVE_DEALS, CURVE_SEED

WORDS = ("rank", "greedy", "--games", "karma", "--deals", "3", "--search-deals", "1", "--name", "mine")


def rank(runs, *words):
    return main([*WORDS, "--runs", str(runs), *words])


def content(runs):
    return json.loads((runs / "mine/results.json").read_text())


def comparable(runs):
    found = content(runs)
    del found["command"], found["date"], found["games"]["karma"]["milliseconds"]
    return found


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    """The folder of a ranking of `greedy` in Karma."""
    runs = tmp_path_factory.mktemp("runs")
    assert rank(runs) == 0
    return runs


def test_a_program_is_counted_and_asked_in_its_games_only(tmp_path, program):
    words = [WORDS[0], program.word("nonsense"), *WORDS[2:], "--runs", str(tmp_path)]
    assert main(words) == 0
    row = content(tmp_path)["games"]["karma"]
    used, asked = row["program"], program.questions
    assert used["decisions"] == asked and used["repeated"] == pytest.approx(asked // 3 / asked, abs=1e-3)
    assert row["milliseconds"] == pytest.approx(1000 * used["seconds"], rel=1e-3)
    assert main(words) == 0
    assert program.questions == asked


def test_every_game_has_one_benchmark_variant_and_the_panel_can_play_it():
    pages = Path(games.__file__).parent.glob("*/README.md")
    assert set(BENCHMARKS) == {page.parent.name for page in pages}  # those of the project
    for name in BENCHMARKS:
        game, agents = shards.build(suite.table(name, suite.PANEL))
        assert [agent.name for agent in agents] == list(suite.PANEL)
        assert game.players == BENCHMARKS[name][1]


def test_no_training_uses_the_deals_of_the_benchmark():
    """Training refuses the seed of the benchmark, and the series of environments are deals of seed 0."""
    from tantra_envs.envs import vector
    from training import options

    with pytest.raises(ValueError, match=f"seed={suite.SEED} is not allowed"):
        options.check(SimpleNamespace(seed=suite.SEED, threads=1, final_deals=1))
    deals = deal_seeds(suite.SEED, 0, suite.DEALS)
    assert deals.min() >= suite.SEED * DEALS > vector.SEEDS
    assert not set(deals.tolist()) & set(deal_seeds(CURVE_SEED, 0, CURVE_DEALS).tolist())


def test_a_score_is_the_mean_over_the_panel(ranked):
    found = content(ranked)
    row = found["games"]["karma"]
    assert (found["suite"], found["seed"], found["score"]) == (suite.VERSION, suite.SEED, None)
    assert row["panel"]["greedy"] is None  # an agent does not play itself
    means = [score["mean"] if score else 0.5 for score in row["panel"].values()]
    assert row["score"]["mean"] == pytest.approx(np.mean(means))
    assert row["score"]["low"] <= row["score"]["mean"] <= row["score"]["high"]
    assert {score["n"] for score in row["panel"].values() if score} == {3, 1}
    assert row["panel_origins"]["search:16"] == origin(opponent("search:16", tantra_envs.game("karma")))
    assert (ranked / "mine/standing.png").read_bytes().startswith(b"\x89PNG")


def test_a_game_may_be_named_by_its_variant(tmp_path):
    args = Args("uniform", games=("tarot:hand", "tarot"), deals=1, runs=tmp_path)
    assert list(study.prepare(args).agents) == ["tarot"]


def test_an_interrupted_ranking_goes_on_to_the_same_scores(ranked, tmp_path, stopped_after):
    stopped_after(2, lambda: rank(tmp_path))
    assert rank(tmp_path) == 0
    assert comparable(tmp_path) == comparable(ranked)


def test_the_agent_is_placed_among_the_others(ranked):
    mine = content(ranked)
    better, worse = copy.deepcopy(mine), copy.deepcopy(mine)
    better["label"], worse["label"] = "better", "worse"
    better["games"]["karma"]["score"] = {"mean": 0.99, "low": 0.98, "high": 1.0, "n": 3}
    worse["games"]["karma"]["score"] = {"mean": 0.01, "low": 0.0, "high": 0.02, "n": 3}
    rows = report.standing(mine, {"a": worse, "b": better, "c": copy.deepcopy(worse)}, "karma")
    assert [label for label, _, _ in rows] == ["better", "greedy", "worse"]
    assert [own for _, _, own in rows] == [False, True, False]
    assert report.picture({"karma": rows}).axes[0].get_title() == "karma"


def test_the_sentence_to_cite_names_the_suite_the_version_the_deals_and_the_training(ranked):
    mine = content(ranked)
    sentence = report.citation(mine)
    assert sentence.startswith("To cite, as a preliminary result: greedy scores 0.")
    assert (
        f"in karma of tantra_envs suite {suite.VERSION}, version {mine['version']} (3 deals, 1 against search:16; "
        in sentence
    )
    assert sentence.endswith("no training declared).")
    trained = report.citation({**mine, "training": {"decisions": 250_000, "cpu_minutes": 12.04}})
    assert trained.endswith("trained for 250,000 decisions and 12.04 CPU minutes).")
    assert f"scores 0.500 [0.400, 0.600] in tantra_envs suite {suite.VERSION}" in report.citation(
        {**mine, "score": run_of(0.5)}
    )


def test_the_interval_over_seeds_covers_the_deals_and_the_seeds():
    assert statistics.over_seeds([run_of(0.5)]) == run_of(0.5)
    equal = statistics.over_seeds([run_of(0.5)] * 3)
    assert (equal["low"], equal["high"]) == pytest.approx((0.4, 0.6))  # all seeds play the same deals
    different = statistics.over_seeds([run_of(0.4), run_of(0.5), run_of(0.6)])
    half = np.hypot(0.1, 4.30 * 0.1 / np.sqrt(3))
    assert (different["mean"], different["low"], different["n"]) == pytest.approx((0.5, 0.5 - half, 10))
    assert statistics.over_seeds([run_of(0.1), run_of(0.9)])["high"] == 1.0


def test_results_of_somebody_else_are_validated(ranked, capsys):
    assert main(["submit", str(ranked / "mine/results.json")]) == 0
    shown = capsys.readouterr().out
    assert "is valid" in shown and "greedy, karma" in shown and "preliminary" in shown


def set_in(content, path, value):
    for key in path[:-1]:
        content = content[key]
    content[path[-1]] = value


KARMA = ("games", "karma")
WRONG = [
    (("suite",), "v0"),
    (("seed",), 0),
    (("seed",), True),
    (("version",), "0.2"),
    (("date",), "yesterday"),
    (("command",), None),
    (("agent",), ["greedy"]),
    (("label",), "a | b"),
    (("label",), ""),
    (("training",), []),
    (("training", "decisions"), "many"),
    (("training", "cpu_minutes"), -1),
    (("training", "cpu_minutes"), float("inf")),
    (("training", "seed"), 1.5),
    (("training", "library"), 3),
    (("training", "curve"), {}),
    (("training", "curve"), [{"decisions": 1, "cpu_minutes": 1, "agent": "x", "score": {"uniform": 0.5}}]),
    (("games",), {}),
    (("games",), []),
    (("games", "chess"), {}),
    (("score",), 0.5),
    (KARMA, None),
    ((*KARMA, "variant"), "karma:easy"),
    ((*KARMA, "players"), 3),
    ((*KARMA, "game"), "karma_v9"),
    ((*KARMA, "config"), {"copies": 3}),
    ((*KARMA, "origin"), "mine"),
    ((*KARMA, "milliseconds"), float("nan")),
    ((*KARMA, "panel"), {}),
    ((*KARMA, "panel_origins", "search:16", "margin"), 2.0),
    ((*KARMA, "deals_digests"), None),
    ((*KARMA, "deals_digests", "3"), "0" * 16),
    ((*KARMA, "panel", "scripted"), None),
    ((*KARMA, "panel", "scripted", "n"), 2),
    ((*KARMA, "panel", "scripted", "n"), 2000),
    ((*KARMA, "panel", "scripted", "n"), 3.0),
    ((*KARMA, "panel", "scripted", "low"), 0.99),
    ((*KARMA, "panel", "scripted", "high"), 1.1),
    ((*KARMA, "panel", "scripted", "truncated"), "few"),
    ((*KARMA, "panel", "uniform"), {}),
    ((*KARMA, "score", "mean"), 0.9),
    ((*KARMA, "score", "n"), "3"),
]


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


def test_every_field_is_needed(ranked, tmp_path):
    """Without any one of its fields, at any depth, a file is refused in one line."""
    file, whole = tmp_path / "theirs.json", content(ranked)
    for path in paths(whole):
        found = copy.deepcopy(whole)
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
        (("--games", "chess"), "games='chess' is not allowed; allowed: karma, tarot"),
        (("--quick",), "quick=True is not allowed with deals or search_deals"),
        (("--search-deals", "4"), "search_deals=4 is not allowed; allowed: 1..3"),
        (("--deals", "0", "--search-deals", "1"), "deals=0 is not allowed"),
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
    assert ("could not be made" in error) == made.startswith("raise")
    assert not (tmp_path / "runs").exists()


def test_deals_have_a_digest_of_what_seats_see():
    game = suite.rules("karma")
    assert suite.deals_digest(game, 3) == suite.deals_digest(game, 3) != suite.deals_digest(game, 4)
    assert results.references(results.FOLDER / "nothing") == {}


def run_of(mean, half=0.1):
    return {"mean": mean, "low": mean - half, "high": mean + half, "n": 10}


def test_statistics_over_games():
    runs = {str(mean): [run_of(mean, 0.01)] for mean in (0.0, 0.4, 0.5, 0.6, 1.0)}
    middle = statistics.iqm(runs)
    assert middle.mean == pytest.approx((0.75 * 0.4 + 0.5 + 0.75 * 0.6) / 2.5)
    assert middle.low < middle.mean < middle.high and middle.high - middle.low < 0.02
    assert statistics.profile(runs, np.array([0.0, 0.5, 1.0])).tolist() == [1.0, 0.6, 0.2]
    seeds = statistics.iqm({**runs, "0.5": [run_of(0.45, 0.01), run_of(0.55, 0.01)]})  # a game counts once
    assert seeds.mean == pytest.approx(middle.mean) and seeds.high - seeds.low > middle.high - middle.low
    better, worse = {"karma": [run_of(0.6)], "tarot": [run_of(0.9)]}, {"karma": [run_of(0.5)]}
    assert 0.85 < statistics.improvement(better, worse) < 0.95
    assert statistics.improvement(better, better) == 0.5
    with pytest.raises(ValueError, match="a game that both played"):
        statistics.improvement({"tarot": [run_of(0.6)]}, worse)


def test_statistics_are_about_agents_that_played_every_game():
    played = {
        "scripted": dict.fromkeys(BENCHMARKS, 0.5),
        "better": dict.fromkeys(BENCHMARKS, 0.9),
        "some games": {"karma": 0.9},
    }
    runs = {
        label: {game: [{"score": run_of(x), "origin": {}, "training": {}}] for game, x in own.items()}
        for label, own in played.items()
    }
    table = page.statistics(runs)
    assert "| better | 0.9" in table and "| some games |" not in table
    assert [line.split("|")[-2].strip() for line in table.splitlines()[2:]] == ["-", "1.00"]


def test_a_page_is_filled_in_from_results(ranked):
    mine = content(ranked)
    point = {"decisions": 10, "cpu_minutes": 0.5, "agent": "x", "score": {"uniform": run_of(0.5)}}
    told = {"seed": 4, "library": "rlcard 1.2.0", "decisions": 10, "cpu_minutes": 0.5, "curve": [point]}
    others = {seed: {**mine, "label": "DQN", "training": {**told, "seed": seed, "decisions": seed}} for seed in (5, 4)}
    own = {**mine, "label": "own", "training": {"decisions": 7, "cpu_minutes": None}}
    runs = page.runs_of({"a": mine, "b": others[5], "c": others[4], "d": own})
    parts = "".join(f"<!-- {part} -->\nold\n<!-- end -->\n" for part in ("scores", "panel", "training"))
    text = page.filled(f"before\n{parts}after", runs)
    score = mine["games"]["karma"]["score"]
    assert f"| DQN | {score['mean']:.3f} [" in text and "] (2 seeds) |" in text and "old" not in text
    assert text.count("| DQN | `karma` |") == 2  # one row in each of the other tables
    assert "| DQN | `karma` | 4, 5 | rlcard 1.2.0 | 4 | 0.50 |" in text
    assert "| own | `karma` | - | - | 7 | - |" in text and "| greedy | `karma` | -" not in text
    assert page.filled(text, runs) == text
    (score_of_own,) = [line for line in text.splitlines() if line.startswith("| own | 0")]
    assert "(1 seed)" not in score_of_own  # the greedy agent has no training seed
    trained = page.runs_of({"a": others[5]})
    (one,) = [line for line in page.scores(trained).splitlines() if line.startswith("| DQN")]
    assert "] (1 seed) |" in one
    axes = page.standings({**runs, "one": trained["DQN"]}).axes[0]
    hollow = [line for line in axes.lines if line.get_markerfacecolor() == "none" and len(line.get_xdata())]
    assert any(line.get_ydata().tolist() == [len(runs)] for line in hollow)
    drawn = {name: draw() for name, draw in page.pictures(runs).items()}
    assert set(drawn) == {"rank", "rank-curves", "rank-profiles"}
    assert [axes.get_title() for axes in drawn["rank-curves"].axes] == ["karma", ""]
