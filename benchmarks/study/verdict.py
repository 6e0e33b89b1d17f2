"""Answer the questions of a study in plain sentences, from the templates in `questions.toml`.

The answers are about the first variant. With two variants, they are about the change from the first to the second.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tantra_envs.english import capital, listed

from ..harness.formatting import Row, is_clear
from . import learners
from .results import Results
from .skill import SCORE
from .tally import CUT_OFF, to_act
from .variants import BASE

TEMPLATES = tomllib.loads(Path(__file__).with_name("questions.toml").read_text(encoding="utf-8"))
QUESTIONS, AGREEMENT = TEMPLATES["question"], TEMPLATES["trained"]
EVEN = 0.5
RARE = 0.01  # a smaller share has a decimal
Question = Mapping[str, Any]


def heading(results: Results) -> str:
    """Return what the verdict is about: the game, with the first variant, or with two variants the change."""
    first, *others = results["variants"]
    if len(others) == 1:
        return f"{results['title']} with {others[0]} instead of {first}"
    return f"{results['title']} with {first}" if first != BASE else str(results["title"])


def headline(results: Results, rows: Sequence[Row]) -> list[str]:
    """Return the verdict: a paragraph for each question, and before them one for each variant that changes nothing."""
    return [*sameness(results), *(" ".join(lines) for _, lines in answers(results, rows))]


def answers(results: Results, rows: Sequence[Row]) -> list[tuple[Question, list[str]]]:
    """Return the questions that the figures answer, with the sentences of each answer.

    If all games of two variants were the same, the answers are about the first one.
    """
    first, *others = results["variants"]
    equal, games = results.get("same_games", {}).get(others[0], (0, 1)) if len(others) == 1 else (1, 1)
    second = others[0] if equal < games else ""
    found: dict[str, tuple[Question, list[str]]] = {}
    every, rows = rows, [row for row in rows if not learners.is_trained(row["lineup"])]
    for question in QUESTIONS:
        base, new = (_rows(question, rows, variant) for variant in (first, second))
        lineup = lineup_of(question, results, rows)
        if lineup in _lineups(base) and question["text"] not in found:
            new = new if lineup in _lineups(new) else []  # too few deals may have been counted
            lines = _lines(question, results, lineup, new or base, base if new else [])
            alone = _lines(question, results, lineup, new) if new and question.get("both") else []
            lines += [f"With {second}, {line[0].lower()}{line[1:]}" for line in alone]
            lines += _trained_line(
                question, results, lineup, [_rows(question, every, name) for name in (first, second)]
            )
            found[question["text"]] = question, lines
    return list(found.values())


def lineup_of(question: Question, results: Results, rows: Sequence[Row]) -> str:
    """Return the line-up that an answer is about: the last with the most deals, which has the strongest agents.

    Of pairs it is the closest one with a clear difference. Without figures it is "".
    """
    pairs = question["measure"][0] == "skill"
    rows = [row for row in rows if not learners.is_trained(row["lineup"])]
    mine = _rows({"measure": ["skill", SCORE.name, ""]} if pairs else question, rows, results["variants"][0])
    most = [row for row in mine if row["deals"] == max(row["deals"] for row in mine)]
    clear = [row for row in most if pairs and row["differs"] and row["value"] > EVEN]
    return _lineups(sorted(clear, key=lambda row: -row["value"]) or most or [{"lineup": ""}])[-1]


def sameness(results: Results) -> list[str]:
    """Return sentences about variants with the same games as the first one. Older results did not count them."""
    same, base = results.get("same_games", {}), results["variants"][0]
    never = "All {games:,} games with {variant} were the same as with {base}: the change never came up."
    some = "{equal:,} of {games:,} games with {variant} were the same as with {base}."
    return [
        (never if equal == games else some).format(equal=equal, games=games, variant=variant, base=base)
        for variant, (equal, games) in same.items()
        if equal == games or (equal and len(same) == 1)
    ]


def _rows(question: Question, rows: Sequence[Row], variant: str) -> list[Row]:
    names = [*question["measure"], variant]
    return [row for row in rows if [row["section"], row["measure"], row["part"], row["variant"]] == names]


def _lineups(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row["lineup"] for row in rows))


def _lines(
    question: Question, results: Results, lineup: str, rows: Sequence[Row], base: Sequence[Row] = ()
) -> list[str]:
    """Return sentences about figures: their changes from the base, or without one their distances from even."""
    beginnings, value = (question["change"], "change") if base else (question.get("alone", {}), "value")
    every, figures = question.get("every", False), dict[str, list[str]]()
    for name in _lineups(rows) if every else [lineup]:
        mine = [row for row in rows if row["lineup"] == name]
        row = _clearest(question, mine, value)
        if (result := _result(question, row, value)) != "none" or not every:
            before = next((own for own in base if (own["lineup"], own["seat"]) == (name, row["seat"])), None)
            words = _words(results, row, before)
            start, figure = (text.format(**words) for text in (beginnings.get(result, ""), question["figure"]))
            figures.setdefault(start, []).append(figure)
    lines = [capital(f"{start}{': ' * bool(start)}{listed(parts)}.") for start, parts in figures.items()]
    for other, verb in (("above", "rises"), ("below", "falls")) if base and not every else ():
        against = [row for row in rows if _result(question, row, value) == other != result]
        names = [_pair(row) for row in against if " - " not in row["lineup"] or row["value"] >= question["even"]]
        lines += [f"This figure clearly {verb} for {listed(names)}."] if names else []
    return lines or [f"{beginnings['none']}."]


def _clearest(question: Question, rows: Sequence[Row], value: str) -> Row:
    """Return the row that an answer is about: of several seats, a clear one."""
    return max(rows, key=lambda row: (_result(question, row, value) != "none", row[value] or 0.0))


def _trained_line(question: Question, results: Results, lineup: str, by_variant: Sequence[Sequence[Row]]) -> list[str]:
    """Return whether trained agents agree with a line-up of others, and how far their training moved the figure."""
    base, new = by_variant
    rows, value, starts = (new, "change", question["change"]) if new else (base, "value", question.get("alone", {}))
    trained = [row for row in rows if learners.is_trained(row["lineup"]) and not learners.is_detail(row["lineup"])]
    if not trained:
        return []
    ours = _clear(question, [row for row in rows if row["lineup"] == lineup], value)
    theirs = _clear(question, trained, value)
    theirs = {seat: of for seat, of in theirs.items() if _unanimous(question, rows, seat, value)}
    row = _clearest(question, [row for row in trained if row["seat"] in theirs] or trained, value)
    before = next((own for own in base if (own["lineup"], own["seat"]) == (row["lineup"], row["seat"])), None)
    words = _words(results, row, before if new else None)
    start = starts.get(theirs.get(row["seat"]), "").format(**words)
    words |= {"agent": lineup.partition(" - ")[0], "start": start[:1].lower() + start[1:], "it": f"the {words['seat']}"}
    words["figure"] = question["figure"].format(**words)
    clear = _clear(question, [row for row in rows if not learners.is_trained(row["lineup"])], value)
    others = question.get("every", False) and clear and not ours and not theirs
    kind = "plain" if not starts else "neither" if others else _agreement(ours, theirs)
    line = AGREEMENT[kind].format(**words)
    return [f"{capital(', '.join([line, *_moved(rows, row, value)]))}."]


def _clear(question: Question, rows: Sequence[Row], value: str) -> dict[int, str]:
    """Return the clear results by seat."""
    return {row["seat"]: result for row in rows if (result := _result(question, row, value)) != "none"}


def _unanimous(question: Question, rows: Sequence[Row], seat: int, value: str) -> bool:
    """Return whether the figures of all trained agents are on one side of the even value."""
    even = 0.0 if value == "change" else question["even"]
    single = [row for row in rows if row["seat"] == seat and learners.NAMES.match(row["lineup"])]
    return len({row[value] > even for row in single if row["lineup"].startswith(learners.TRAINED)}) == 1


def _agreement(ours: Mapping[int, str], theirs: Mapping[int, str]) -> str:
    if ours == theirs:
        return "agree"
    return "only" if not ours else "missing" if not theirs else "differ"


def _moved(rows: Sequence[Row], row: Row, value: str) -> list[str]:
    """Return the change, what it was after half of the training, and its range over the trained agents."""
    half, single = learners.after_half(rows, row), learners.single(rows, row, value)
    ends = [_signed(each, value) for each in sorted(single, key=lambda each: each[value])]
    parts = ["change"] * (value == "change") + ["half"] * bool(half) + ["single"] * (len(single) > 1)
    words = {"all": _signed(row, value), "half": _signed(half, value) if half else "", "n": len(single)}
    return [AGREEMENT[part].format(**words, least=ends[0], most=ends[-1]) for part in parts]


def _signed(row: Row, value: str) -> str:
    """Return a figure as in the answers, or its change with a sign."""
    if value == "value":
        return _number(row)
    return f"{row['change']:+.0f}" if _in_actions(row) else f"{100 * row['change']:+.1f}"


def _result(question: Question, row: Row, value: str) -> str:
    """Return "above" or "below" for a clear figure or change, otherwise "none"."""
    even = 0.0 if value == "change" else question.get("even")
    clear = row["changed" if value == "change" else "differs"]
    if value == "value" and even == 0:  # the measure itself has no even value
        clear = is_clear(row["low"], row["high"], 3)
    return "none" if even is None or not clear else "above" if row[value] > even else "below"


def _words(results: Results, row: Row, before: Row | None) -> dict[str, str]:
    """Return what the placeholders of a template stand for."""
    better, _, worse = row["lineup"].partition(" - ")
    value = _number(row) + (f" instead of {_number(before)}" if before else "")
    team = "team" if results["teams"] != results["players"] else "seat"
    words = {"agents": _pair(row), "better": better, "worse": worse, "value": value, "team": team}
    return {**words, "seat": to_act(row["seat"]), "it": "it"}


def _number(row: Row) -> str:
    """Return a length in actions, or a share as a number of 100."""
    if _in_actions(row):
        return f"{row['value']:.0f}"
    return f"{100 * row['value']:.{int(0 < round(row['value'], 3) < RARE)}f}"


def _in_actions(row: Row) -> bool:
    return bool(row["section"] == "length" and row["measure"] != CUT_OFF.name)


def _pair(row: Row) -> str:
    return str(row["lineup"]).replace(" - ", " against ")
