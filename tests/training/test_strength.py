"""The time to strength: measurements at growing times that do not count, an early end, and runs that are kept."""

from __future__ import annotations

import itertools
import json
from functools import partial
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")

from tantra_envs.matches.intervals import Estimate
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
    options = ["--minutes", minutes, "--deals", deals, "--json", str(file)]
    return [*games, "--learners", *learners, "--seeds", *seeds, *options]


def test_times_grow_without_measurements_and_the_first_update_and_a_run_ends_early(clock):
    args = strength.Args(minutes=2.0, deals=40)
    history = strength.measured("karma", "stub", 1, args)["history"]
    times = [row["minutes"] for row in history]
    assert times == [0.125, 0.188, 0.281, 0.438, 0.656, 1.0, 1.5]  # whole updates of 1 / 32 minutes
    assert [row["score"]["mean"] for row in history] == pytest.approx([minutes / 2 for minutes in times], abs=0.001)
    assert all(row["score"]["n"] == 40 for row in history)
    assert clock.updates == 1 + 48  # one before the clock starts, none after the last mark
    assert strength.reached(history, 0.5) == 1.0 and strength.reached(history, 0.9) is None


def test_a_run_that_misses_a_mark_ends_with_its_time(clock):
    history = strength.measured("karma", "weak", 1, strength.Args(minutes=1.25, deals=40))["history"]
    assert history[-1]["minutes"] == 1.25 and strength.reached(history, strength.MARKS[-1]) is None


def test_finished_runs_are_kept_and_the_same_command_runs_the_others(clock, tmp_path, capsys):
    file, clock.stop_in = tmp_path / "strength.json", "tarot:hand"
    command = words(file, *GAMES, learners=("stub", "weak"))
    with pytest.raises(SystemExit) as ended:
        strength.main(command)
    assert ended.value.code == 130
    first = json.loads(file.read_text(encoding="utf-8"))
    assert [(run["game"], run["learner"]) for run in first["runs"]] == [("karma", "stub"), ("karma", "weak")]
    clock.stop_in, clock.runs = None, []
    strength.main(command)
    content = json.loads(file.read_text(encoding="utf-8"))
    assert {name for name, _ in clock.runs} == {"tarot:hand"}
    assert content["runs"][:2] == first["runs"] and len(content["runs"]) == 4
    assert (content["minutes"], content["deals"], content["seed"]) == (2, 40, 0)
    assert content["command"].startswith("python -m training strength karma tarot:hand ")
    assert "not in 2.0" in capsys.readouterr().out
    before = file.read_bytes()
    for other in (words(file, *GAMES, deals="50"), words(file, *GAMES, minutes="3")):
        with pytest.raises(SystemExit) as ended:
            strength.main(other)
        assert ended.value.code == 2 and file.read_bytes() == before
    assert "deals=50" in (error := capsys.readouterr().err) and "allowed: 40" in error and "minutes=3.0" in error


def test_a_run_keeps_the_version_that_made_it(clock, tmp_path, monkeypatch):
    file = tmp_path / "strength.json"
    monkeypatch.setattr(strength.tantra_envs, "__version__", "0.2.9")
    strength.main(words(file, "karma"))
    old = json.loads(file.read_text())
    for run in old["runs"]:
        del run["version"], run["date"]  # as in files of earlier versions: it is that of the file
    file.write_text(json.dumps({**old, "date": "2026-01-02"}))
    monkeypatch.setattr(strength.tantra_envs, "__version__", "0.3.1")
    strength.main(words(file, "karma", seeds=("1", "2")))
    runs = json.loads(file.read_text())["runs"]
    assert [(run["seed"], run["version"]) for run in runs] == [(1, "0.2.9"), (2, "0.3.1")]
    assert runs[0]["date"] == "2026-01-02"


RUN = {
    "game": "karma",
    "players": 2,
    "learner": "stub",
    "seed": 1,
    "history": [{"minutes": 0.1, "score": {"mean": 0.5, "low": 0.4, "high": 0.6, "n": 40}}],
}
DAMAGED = [
    *({name: value for name, value in RUN.items() if name != missing} for missing in ("game", "learner", "seed")),
    *({**RUN, "history": history} for history in (None, [], [1], [{"minutes": 0.1}], [{"minutes": 0.1, "score": {}}])),
    {**RUN, "history": [{"minutes": "soon", "score": RUN["history"][0]["score"]}]},
    "karma",
    None,
]


@pytest.mark.parametrize("run", DAMAGED)
def test_a_damaged_run_is_refused_before_any_work(clock, tmp_path, capsys, run):
    """The learner of this command has no row in the file."""
    file, head = tmp_path / "strength.json", {"version": "0.3.0", "date": "2026-11-28"}
    content = {**head, "minutes": 2.0, "deals": 40, "seed": strength.SEED, "runs": [RUN, run]}
    file.write_text(json.dumps(content))
    with pytest.raises(SystemExit) as ended:
        strength.main(words(file, "karma", learners=("weak",)))
    assert ended.value.code == 2 and clock.updates == 0 and json.loads(file.read_text()) == content
    assert (error := capsys.readouterr().err).count("\n") == 1 and "strength.json" in error and "damaged" in error


@pytest.mark.parametrize("content", ["", "[]", '{"runs": 1}', '{"rows": []}', '{"runs": []}', "[" * 100_000])
def test_a_file_of_something_else_is_not_overwritten(clock, tmp_path, capsys, content):
    file = tmp_path / "other.json"
    file.write_text(content)
    with pytest.raises(SystemExit) as ended:
        strength.main(words(file, "karma"))
    assert ended.value.code == 2 and file.read_text() == content and clock.updates == 0
    assert "other.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("--learners", "sb4", "ppo, sb3, sb3-observation, jax"),
        ("--minutes", "0", "0.01"),
        ("--deals", "0", "1.."),
        ("--seeds", "-1", "0.."),
        (None, "tantrix:solitaire", "no opponents"),
    ],
)
def test_options_that_are_not_allowed_are_named(tmp_path, capsys, option, value, allowed):
    file = tmp_path / "strength.json"
    with pytest.raises(SystemExit) as ended:
        strength.main([*([option, value] if option else [value]), "--json", str(file)])
    error = capsys.readouterr().err
    assert ended.value.code == 2 and not file.exists()
    assert error.count("\n") == 1 and value in error and allowed in error


def test_a_learner_without_its_library_is_skipped_with_a_line(clock, tmp_path, monkeypatch, capsys):
    def absent(game, seed):
        raise ImportError("adapters.jax needs jax")

    monkeypatch.setitem(strength.LEARNERS, "absent", absent)
    file = tmp_path / "strength.json"
    strength.main(words(file, *GAMES, learners=("absent", "stub")))
    assert [line for line in capsys.readouterr().out.splitlines() if "adapters.jax needs jax" in line] == [
        "absent: skipped, because a library is missing: adapters.jax needs jax"
    ]
    assert [run["learner"] for run in json.loads(file.read_text())["runs"]] == ["stub", "stub"]


def test_a_row_has_the_slowest_seed_and_the_lowest_score_at_the_end():
    def run(learner, seed, *points):
        history = [{"minutes": t, "score": {"mean": s, "low": s - 0.1, "high": s + 0.1, "n": 9}} for t, s in points]
        return {"game": "karma", "learner": learner, "seed": seed, "history": history}

    runs = [
        run("sb3", 1, (0.1, 0.4), (0.2, 0.51), (0.3, 0.62)),
        run("ppo", 1, (0.1, 0.7)),
        run("sb3", 2, (0.1, 0.4), (0.25, 0.52), (0.5, 0.45)),
    ]
    assert strength.rows(runs, 0.5) == [
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
    file = tmp_path / "strength.json"
    strength.main(words(file, "karma", learners=(learner,), minutes="0.01", deals="4"))
    (run,) = json.loads(file.read_text(encoding="utf-8"))["runs"]
    assert (run["game"], run["players"], run["learner"], run["seed"]) == ("karma", 2, learner, 1)
    (point,) = run["history"]  # the first update after its 0.01 minutes
    assert 0.01 <= point["minutes"] < 1 and point["score"]["n"] == 4 and 0 <= point["score"]["mean"] <= 1
