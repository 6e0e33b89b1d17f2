"""Scores over minutes: read from runs of either kind, drawn, and refused where they tell no minutes."""

from __future__ import annotations

import json

import pytest

from benchmarks import curves

SETTINGS = {"game": "karma", "players": None}


def result(mean, opponent="scripted"):
    return {"opponent": opponent, "score": {"mean": mean, "low": mean - 0.01, "high": mean + 0.01, "n": 9}}


@pytest.fixture
def runs(tmp_path):
    """A run of self-play measured twice on the way, and three turns of a crank, of which the last is the eleventh."""
    on_the_way = [{"greedy": [0.7, 0.6, 0.8], "scripted": [mean, 0.4, 0.6]} for mean in (0.45, 0.48)]
    history = [{"decisions": 9 * i, "scores": scores} for i, scores in enumerate(on_the_way)]
    played = {"settings": SETTINGS, "history": history, "minutes": [0.5, 1.5, 2.0], "results": [result(0.47)]}
    (tmp_path / "played").mkdir()
    (tmp_path / "played/results.json").write_text(json.dumps(played))
    for number, minutes, mean in ((1, 2.0, 0.51), (2, 3.0, 0.56), (11, 3.0, 0.58)):
        turn = tmp_path / f"cranked/turn-{number}"
        turn.mkdir(parents=True)
        row = {"minutes": minutes, "results": [result(0.7, "greedy"), result(mean)]}
        (turn / "results.json").write_text(json.dumps(row))
    (tmp_path / "cranked/turn-12").mkdir()  # still going
    (tmp_path / "cranked/settings.json").write_text(json.dumps({**SETTINGS, "players": 2}))
    return tmp_path


def test_minutes_of_turns_add_up_and_a_run_ends_with_its_last_measurement(runs):
    cranked, played = (curves.curve(f"{runs}/{name}", "scripted") for name in ("cranked", "played"))
    assert cranked.minutes == [2.0, 5.0, 8.0] and [mean for mean, _, _ in cranked.scores] == [0.51, 0.56, 0.58]
    assert played.minutes == [0.5, 1.5, 2.0] and [mean for mean, _, _ in played.scores] == [0.45, 0.48, 0.47]
    assert played.scores[0] == (0.45, 0.4, 0.6) and played.label == "played" and played.game.players == 2
    assert [mean for mean, _, _ in curves.curve(f"a b={runs}/cranked", "greedy").scores] == [0.7, 0.7, 0.7]


def test_the_picture_is_drawn_for_both_themes_with_a_colour_for_each_label(runs, capsys):
    words = [f"results=with={runs}/played", f"labels={runs}/cranked", f"labels={runs}/cranked"]
    out = runs / "new/karma.svg"
    assert curves.main([*words, "--out", str(out)]) == 0
    light, dark = (out.with_name(f"karma-{theme}.svg") for theme in ("light", "dark"))
    assert capsys.readouterr().out == f"kept: {light}, {dark}\n"
    text = light.read_text()
    assert "minutes of a processor" in text and "score against scripted" in text and "Karma for 2" in text
    assert text.count(">labels<") == 1 and text.count(">results=with<") == 1
    before = light.read_bytes(), dark.read_bytes()
    assert before[0] != before[1] and curves.main([*words, "--out", str(out)]) == 0
    assert before == (light.read_bytes(), dark.read_bytes())
    lines = curves.picture([curves.curve(word, "scripted") for word in words], "scripted").axes[0].lines[1:]
    first, second, third = (line.get_color() for line in lines)
    assert second == third != first


def test_minutes_that_are_not_told_may_be_assumed_and_show(runs):
    spoil(runs, "a turn of several processes")
    assumed = curves.curve(f"{runs}/cranked", "scripted", assume=4.0)
    assert assumed.minutes == [2.0, 6.0, 9.0] and assumed.told == [True, False, False]
    drawn = curves.picture([assumed], "scripted").axes[0].lines
    assert [list(line.get_xdata()) for line in drawn[1:]] == [[2.0, 6.0, 9.0], [6.0, 9.0]]
    assert drawn[2].get_markerfacecolor() == "none"


def spoil(runs, how):
    """A run that cannot be drawn: its words."""
    cranked, played = runs / "cranked", runs / "played"
    if how == "a turn of several processes":
        (cranked / "turn-2/results.json").write_text(json.dumps({"minutes": None, "results": [result(0.5)]}))
    if how == "another game":
        (cranked / "settings.json").write_text(json.dumps({**SETTINGS, "players": 3}))
    if how == "another variant":
        (cranked / "settings.json").write_text(json.dumps({"game": "karma:quick", "players": None}))
    if how == "no minutes":
        (played / "results.json").write_text(json.dumps({"settings": SETTINGS, "results": [result(0.5)]}))
    if how == "cut short":
        (played / "results.json").write_text("{")
    return [str(runs / "none"), str(played)] if how == "nothing there" else [str(played), str(cranked)]


@pytest.mark.parametrize(
    ("how", "more", "told"),
    [
        ("a turn of several processes", [], "turn-2/results.json does not tell its minutes: several processes"),
        ("another game", [], "cranked learned karma_v0 for 3, "),
        ("another variant", [], "cranked learned karma_v0 for 2 with "),
        ("no minutes", [], "played/results.json does not tell its minutes"),
        ("cut short", [], "played/results.json cannot be read"),
        ("nothing there", [], "none is no run that came to its end"),
        ("", ["--opponent", "greedy"], "opponent='greedy' is not allowed; allowed: scripted"),
        ("", ["--assume", "-1"], "assume=-1.0 is not allowed; allowed: 0 or more"),
        ("", ["--out", "karma.png"], "out='karma.png' is not allowed; allowed: a file that ends in .svg"),
    ],
)
def test_mistakes_are_told_in_one_line(runs, how, more, told, capsys):
    words = spoil(runs, how)
    before = sorted(runs.rglob("*"))
    with pytest.raises(SystemExit) as stop:
        curves.main([*words, "--out", str(runs / "a.svg"), *more])
    (line,) = capsys.readouterr().err.splitlines()
    assert stop.value.code == 2 and told in line and sorted(runs.rglob("*")) == before
