"""The sentences follow the figures: planted ones give the sentence that they must give, open ones say so."""

from __future__ import annotations

import polars as pl
import pytest

import tantra_envs
from benchmarks.balance.questions.drama import comebacks
from benchmarks.balance.questions.length import cut_offs, length
from benchmarks.balance.questions.results import seats, spread
from benchmarks.balance.questions.skill import skill
from benchmarks.report import sentences
from benchmarks.report.reading import SCHEMA
from benchmarks.report.told import Told, is_beyond

KARMA = tantra_envs.game("karma")
PAIR = "search:8 - scripted"


def row(section, question, figure, value, half=0.01, lineup="scripted", **more):
    told = {"section": section, "question": question, "figure": figure, "lineup": lineup, "deals": 100}
    return {**dict.fromkeys(SCHEMA), **told, "value": value, "low": value - half, "high": value + half, **more}


def told(*rows):
    return Told(pl.DataFrame(list(rows), SCHEMA))


def of_seats(*scores, half=0.01, lineup="scripted", deals=100):
    title = seats(KARMA).title
    return [row("levels", title, f"seat {i}", s, half, lineup, deals=deals) for i, s in enumerate(scores, start=1)]


def of_skill(score, half=0.01, lineup=PAIR):
    return row("levels", skill(KARMA).title, "score of A", score, half, lineup)


def of_levels(*names):
    return [row("levels", length(KARMA).title, "mean length", 100.0, 2.0, name) for name in names]


def decided(*shares, half=0.05, lineup="scripted"):
    return [row("chances", "decided", "decided", s, half, lineup, at=k) for k, s in enumerate(shares)]


def test_an_unfair_seat_is_named_with_what_it_scores_among_all_players():
    said = sentences.fairness(KARMA, told(*of_seats(0.45, 0.55), *of_seats(0.48, 0.52, lineup="search:8", deals=20)))
    assert said == (
        "The seats are not equal: seat 1, which acts first, scores 0.450 [0.440, 0.460] among `scripted` players, "
        "0.480 [0.470, 0.490] among `search:8` players, where 0.5 is even."
    )


def test_fair_seats_are_told_with_what_could_have_been_missed():
    said = sentences.fairness(KARMA, told(*of_seats(0.49, 0.51, half=0.03)))
    assert said.startswith("No seat is surely better than another: the furthest from even, seat 1")
    assert said.endswith("could have missed an advantage of 0.040.")


def test_one_surprise_among_many_seats_is_none():
    one = row("levels", "", "", 0.511)
    assert is_beyond(one, 0.5, 1) and not is_beyond(one, 0.5, 12)
    twelve = of_seats(0.511, *[0.5] * 11)
    assert sentences.fairness(KARMA, told(*twelve)).startswith("No seat is surely")


@pytest.mark.parametrize(("score", "half", "verdict"), [
    (0.9, 0.01, "Skill decides nearly all: `search:8` scores 0.900 [0.890, 0.910] alone among `scripted` players"),
    (0.7, 0.01, "Skill counts for much: "),
    (0.7, 0.12, "Skill counts or decides nearly all, these games do not tell which: "),
    (0.53, 0.01, "Skill hardly counts: "),
    (0.53, 0.05, "Whether skill counts these deals leave open: "),
    (0.4, 0.05, "Who was taken for the better player loses: "),
])  # fmt: skip
def test_how_much_skill_counts_follows_the_interval(score, half, verdict):
    found = told(*of_levels("uniform", "scripted", "search:8"), of_skill(score, half))
    assert sentences.skilfulness(KARMA, found).startswith(verdict)


def test_all_weaker_players_are_named_and_what_is_explained():
    part = row("levels", skill(KARMA).title, "explained by the agents", 0.2, lineup=PAIR)
    found = told(
        *of_levels("uniform", "scripted", "search:8"), of_skill(0.6), part, of_skill(0.99, 0.0, "search:8 - uniform")
    )
    said = sentences.skilfulness(KARMA, found)
    assert "among `scripted` players, and 0.990 [0.990, 0.990] among `uniform` ones" in said
    assert "who plays explains 0.200 [0.190, 0.210]" in said
    assert sentences.skilfulness(KARMA, told(*of_levels("scripted"))).startswith("How much skill counts is open")


def test_length_and_end_are_of_who_played_most():
    own = [
        *of_levels("uniform"),
        row("levels", length(KARMA).title, "mean length", 1234.0, 20.0, deals=500),
        row("levels", cut_offs(KARMA).title, "cut off", 0.0, 0.0),
        row("levels", spread(KARMA).title, "best to last", 5.0, 0.5),
    ]
    assert sentences.course(KARMA, told(*own)) == (
        "A game takes 1234 [1214, 1254] actions among `scripted` players, 100.0 [98.0, 102.0] among `uniform` players; "
        "of the first none is cut off, 0.000 [0.000, 0.000], "
        "and best and last end 5.000 [4.500, 5.500] apart, in cards left."
    )


@pytest.mark.parametrize(("shares", "half", "verdict"), [
    ([0.1, 0.2, 0.6, 0.9], 0.05, "early: half of them are so for good in tenth 3 among `scripted` players; "),
    ([0.1] * 8 + [0.6, 0.9], 0.05, "late: "),
    ([0.1] * 10, 0.05, "only at the very end: half of them are so for good only when they end among"),
    ([0.1] * 6 + [0.48, 0.49, 0.6, 0.7], 0.05, "in its second half or late, these games do not tell which: half "),
])  # fmt: skip
def test_when_games_are_decided_is_read_from_the_curve(shares, half, verdict):
    back = row("chances", "games", "comebacks", 0.25, 0.05)
    said = sentences.tension(told(*decided(*shares, half=half), back))
    assert said.startswith(f"A game is decided {verdict}")
    assert said.endswith("; won from a chance of 0.2 or less are 0.250 [0.200, 0.300] of them.")


def freedom(name, worth, half=0.02):
    return row("restricted", f"never does {name}", name, worth, half)


def change(variant, figure, value, half=0.01):
    return row("changes", comebacks(KARMA).title, figure, value, half, variant=variant)


def test_what_matters_most_is_named():
    rules = [
        change("players=3", "length", 0.9),
        change("copies=3", "length", 0.5),
        change("copies=3", "comebacks", 0.1),
        change("decks=2", "length", -0.2),
    ]
    found = told(freedom("a", 0.1), freedom("b", 0.3), freedom("c", -0.4), *rules)
    assert sentences.what_matters(found) == (
        "The freedom that matters most is `b` among `scripted` players: who never does b scores less by "
        "+0.300 [+0.280, +0.320]; the rule that matters most is `copies=3`: the length of a game by "
        "+0.500 [+0.490, +0.510] of what it was."
    )


def test_what_cannot_be_told_apart_is_named_together():
    found = told(
        freedom("a", 0.28), freedom("b", 0.3), change("x=1", "comebacks", -0.2), change("y=2", "first to act", 0.19)
    )
    said = sentences.what_matters(found)
    assert "The freedoms that matter most are `b` and `a`, which cannot be told apart" in said
    assert "the rules that matter most are `x=1` and `y=2`, which cannot be told apart" in said


def test_nothing_sure_is_told_so():
    found = told(freedom("a", 0.01), change("x=1", "length", 0.01, 0.05))
    assert sentences.what_matters(found) == (
        "No freedom is surely worth anything among `scripted` players; "
        "of 1 rules that were varied none surely changes anything."
    )
    assert sentences.what_matters(told(freedom("a", 0.2))).endswith("; no rule was varied.")
