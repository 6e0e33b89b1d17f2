"""The time to strength: measurements at growing times that do not count, an early end, and runs that are kept."""

from __future__ import annotations

import itertools
from functools import partial
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")
pytest.importorskip("polars")

from tantra_envs.matches.intervals import Estimate
from tantra_envs.programs import results as files
from training import strength

MINUTES_OF_MEASUREMENT = 5.0
GAMES = ("karma", "tarot:hand")


class Clock:
    """CPU minutes that stub learners and measurements pass."""

    def __init__(self) -> None:
        self.minutes, self.runs, self.updates, self.stop_in = 7.0, [], 0, None

    def learn(self, name: str, seed: int, learner: str = "stub", update: float = 1 / 32, best: float = 1.0):
        """Yield scores that grow by 0.5 a minute up to `best`; the first update of a process takes a minute more."""
        self.minutes += 0.0 if (name, learner) in self.runs else 1.0
        self.runs.append((name, learner))
        for number in itertools.count(1):
            self.minutes += update
            self.updates += 1
            if number > 1 and self.stop_in == name:
                raise KeyboardInterrupt
            yield min(best, 0.5 * number * update)

    def evaluate(self, game, agent, opponent, deals, seed):
        """Return the score that the learner yielded."""
        self.minutes += MINUTES_OF_MEASUREMENT
        assert opponent.name == "scripted" and seed == strength.SEED
        return SimpleNamespace(score=Estimate(agent, agent - 0.03, agent + 0.03, deals))


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(strength, "cpu_minutes", lambda: clock.minutes)
    monkeypatch.setattr(strength, "evaluate", clock.evaluate)
    stubs = {"stub": clock.learn, "weak": partial(clock.learn, learner="weak", best=0.55)}
    monkeypatch.setattr(strength, "LEARNERS", stubs)
    return clock


def words(file, *games, learners=("stub",), seeds=("1",), minutes="2", deals="40"):
    options = ["--minutes", minutes, "--deals", deals, "--results", str(file)]
    return [*games, "--learners", *learners, "--seeds", *seeds, *options]


def measured(name, learner, args):
    return files.table(list(strength.measured(name, learner, 1, args)), "strength")


def test_times_grow_without_measurements_and_the_first_update_and_a_run_ends_early(clock):
    run = measured("karma", "stub", strength.Args(minutes=2.0, deals=40))
    times = run["part"].cast(float).to_list()
    assert times == [0.125, 0.188, 0.281, 0.438, 0.656, 1.0, 1.5]  # whole updates of 1 / 32 minutes
    assert run["value"].to_list() == pytest.approx([minutes / 2 for minutes in times], abs=0.001)
    assert set(run["deals"]) == {40}
    assert clock.updates == 1 + 48  # one before the clock starts, none after the last mark
    assert strength.reached(run, 0.5) == 1.0 and strength.reached(run, 0.9) is None


def test_a_run_that_misses_a_mark_ends_with_its_time(clock):
    run = measured("karma", "weak", strength.Args(minutes=1.25, deals=40))
    assert run["part"][-1] == "1.250" and strength.reached(run, strength.MARKS[-1]) is None


def runs_in(file):
    scores = files.read(file).filter(measure="score")
    return scores.select("table", "agent", "seed", "version").unique(maintain_order=True)


def test_finished_runs_are_kept_and_the_same_command_runs_the_others(clock, tmp_path, capsys, refusal, monkeypatch):
    def absent(game, seed):
        raise ImportError("adapters.jax needs jax")

    monkeypatch.setitem(strength.LEARNERS, "absent", absent)
    file, clock.stop_in = tmp_path / "strength.csv", "tarot:hand"
    command = words(file, *GAMES, learners=("absent", "stub", "weak"))
    with pytest.raises(SystemExit) as ended:
        strength.main(command)
    assert ended.value.code == 130
    first = files.read(file)
    assert runs_in(file).select("table", "agent").rows() == [("karma", "stub"), ("karma", "weak")]
    clock.stop_in, clock.runs, _ = None, [], capsys.readouterr()
    monkeypatch.setattr(strength.tantra_envs, "__version__", "9.9.9")  # of the runs that are missing
    strength.main(command)
    assert [version == "9.9.9" for version in runs_in(file)["version"]] == [False, False, True, True]
    assert {name for name, _ in clock.runs} == {"tarot:hand"}
    assert files.read(file)[: len(first)].equals(first) and len(runs_in(file)) == 4
    assert files.command_of(file).startswith("python -m training strength karma tarot:hand ")
    printed = capsys.readouterr().out
    assert "not in 2.0" in printed and printed.count("adapters.jax needs jax") == 1
    assert "absent: skipped, because a library is missing: adapters.jax needs jax\n" in printed
    before = file.read_bytes()
    for said, option in (("deals=50 is not allowed; allowed: 40", {"deals": "50"}), ("minutes=3.0", {"minutes": "3"})):
        other = words(file, *GAMES, **option)
        assert said in refusal(strength.main, other) and file.read_bytes() == before


FOREIGN = files.table([files.line({"agent": "scripted"}, "score", {"value": 0.5})], "ladder").write_csv()


@pytest.mark.parametrize(
    ("words", "content", "problem"),
    [
        (["--learners", "sb4"], None, "ppo, sb3, sb3-observation, jax"),
        (["tantrix:solitaire"], None, "games with opponents"),
        ([], "[]", "other.csv"),
        ([], f"# x\n{FOREIGN}", "other.csv"),
    ],
)
def test_what_is_not_allowed_is_named_and_no_file_is_overwritten(tmp_path, refusal, words, content, problem):
    file = tmp_path / "other.csv"
    if content:
        file.write_text(content)
    assert problem in refusal(strength.main, [*words, "--results", str(file)])
    assert [other.read_text() for other in tmp_path.iterdir()] == ([content] if content else [])


def test_a_row_has_the_slowest_seed_and_the_lowest_score_at_the_end():
    def run(learner, seed, *points):
        facts = {"table": "karma", "agent": learner, "seed": seed}
        ends = ((t, {"value": s, "low": s - 0.1, "high": s + 0.1, "deals": 9}) for t, s in points)
        return [files.line(facts, "score", score, f"{time:.3f}") for time, score in ends]

    runs = [
        files.line({}, strength.MOST, {"value": 0.5, "deals": 9}),
        *run("sb3", 1, (0.1, 0.4), (0.2, 0.51), (0.3, 0.62)),
        *run("ppo", 1, (0.1, 0.7)),
        *run("sb3", 2, (0.1, 0.4), (0.25, 0.52), (0.5, 0.45)),
    ]
    assert strength.rows(files.table(runs, "strength")) == [
        ["`karma`", "`ppo`", "0.10", "0.10", "0.700 [0.600, 0.800]", "1"],
        ["`karma`", "`sb3`", "0.25", "not in 0.5", "0.450 [0.350, 0.550]", "2"],
    ]


@pytest.mark.parametrize("learner", list(strength.LEARNERS))
def test_every_learner_yields_agents_that_play(learner, tmp_path, monkeypatch):
    if learner.startswith("sb3"):
        sb3 = pytest.importorskip("training.examples.sb3")
        monkeypatch.setattr(sb3, "OPTIONS", {**sb3.OPTIONS, "n_steps": 4, "n_epochs": 1})
    if learner == "jax":
        jax = pytest.importorskip("training.examples.jax")
        monkeypatch.setattr(jax, "LENGTH", 4)
    monkeypatch.setattr(strength, "PPOArgs", partial(strength.PPOArgs, tables=16, steps=8))
    file = tmp_path / "strength.csv"
    strength.main(words(file, "karma", learners=(learner,), minutes="0.01", deals="4"))
    point = files.read(file).filter(measure="score").row(0, named=True)  # the first update after its 0.01 minutes
    assert (point["table"], point["game"], point["agent"], point["seed"]) == ("karma", "karma_v0", learner, 1)
    assert 0.01 <= float(point["part"]) < 1 and point["deals"] == 4 and 0 <= point["value"] <= 1
