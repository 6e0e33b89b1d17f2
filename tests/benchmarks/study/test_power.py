"""A pilot says which differences a study shows, and how many deals smaller ones take."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.study import experiment, power, tally

WORDS = ["study", "karma", "--vary", "copies=2,3", "--agents", "greedy", "scripted", "--deals", "400", "--power"]


def row(half, **values):
    empty = dict.fromkeys(("change_low", "change_high"))
    named = {"measure": tally.SEAT.name, "part": "", "lineup": "scripted", "seat": 1, "deals": 100}
    return {**named, **empty, "low": 0.5 - half, "high": 0.5 + half, **values}


def test_four_of_five_studies_find_what_is_said_to_be_shown():
    rng, deviation, planned = np.random.default_rng(1), 0.35, 1000
    half = 1.96 * deviation / math.sqrt(100)
    (found,) = power.powers([row(half)], {"scripted": planned})
    scores = found.shown + deviation * rng.standard_normal((4000, planned))
    clear = np.abs(scores.mean(axis=1)) > 1.96 * scores.std(axis=1) / math.sqrt(planned)
    assert 0.78 < clear.mean() < 0.82
    for wanted, deals in zip(power.WANTED, found.deals, strict=True):
        means = wanted + deviation / math.sqrt(deals) * rng.standard_normal(20_000)
        assert 0.78 < (np.abs(means) > 1.96 * deviation / math.sqrt(deals)).mean() < 0.82


def test_a_change_has_a_line_of_its_own_and_other_measures_have_none():
    rows = [row(0.1, change_low=-0.2, change_high=0.1), row(0.1, measure="length"), row(0.0, seat=2)]
    figure, change = power.powers(rows, {"scripted": 100})
    assert (figure.label, change.label) == ("score by seat, scripted, 1st to act", f"change of {figure.label}")
    assert change.shown == pytest.approx(1.5 * figure.shown)


def test_a_figure_is_shown_with_the_deals_of_its_line_up():
    rows = [row(0.1), row(0.1, lineup="search", deals=50)]
    scripted, search = power.powers(rows, {"scripted": 400, "search": 50})
    assert search.shown == pytest.approx(0.1 * power.SURE)
    assert scripted.shown == pytest.approx(search.shown / 2)


def test_a_pilot_is_played_once_and_times_a_stopped_study(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(experiment, "PILOT", 6)
    words = [*WORDS, "--runs", str(tmp_path)]
    with monkeypatch.context() as stopped:

        def stop(*_):
            raise KeyboardInterrupt

        stopped.setattr(experiment, "_count", stop)  # all games are played
        with pytest.raises(SystemExit):
            main(words)
    (folder,) = tmp_path.iterdir()
    files = {file: file.stat().st_mtime_ns for file in folder.glob("records/*")}
    assert sum(int(file.stem.split("_")[-1]) for file in folder.glob("records/0_scripted_*.parquet")) == 6
    capsys.readouterr()
    assert main(words) == 0
    assert {file: file.stat().st_mtime_ns for file in folder.glob("records/*")} == files
    assert "Seats and skill take " in capsys.readouterr().out and not list(folder.glob("*.html"))


def test_agents_with_fewer_deals_keep_them(tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "PILOT", 6)
    seen = []
    monkeypatch.setattr(power, "powers", lambda rows, planned: seen.append(planned) or [])
    words = [{"greedy": "greedy@4", "scripted": "scripted@9"}.get(word, word) for word in WORDS]
    assert main([*words, "--runs", str(tmp_path), "--name", "mine"]) == 0
    sizes = {file.stem.split("_")[1]: file.stem.split("_")[-1] for file in tmp_path.glob("mine-pilot/records/0_*")}
    assert sizes == {"greedy": "4", "scripted": "6", "scripted-among-greedy": "4"}
    assert [{str(lineup): deals for lineup, deals in planned.items()} for planned in seen] == [
        {"greedy": 4, "scripted": 9, "scripted - greedy": 4}
    ]


def test_a_pilot_does_not_train(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([*WORDS, "--runs", str(tmp_path), "--retrain"])
    assert "retrain=True is not allowed with --power" in capsys.readouterr().err


def test_sections_without_power_are_refused(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main([*WORDS, "--runs", str(tmp_path), "--sections", "tension"])
    assert ended.value.code == 2
    assert "sections='tension' is not allowed with --power; allowed: seats skill" in capsys.readouterr().err
