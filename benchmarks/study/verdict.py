"""Answer the questions of a study in plain sentences, from the templates in `questions.toml`.

The answers are about the first variant. With two variants, they are about the change from the first to the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tantra_envs.english import capital, listed
from tantra_envs.files import read_toml

from ..harness.formatting import Row, is_clear
from . import learners
from .results import Results
from .skill import SCORE
from .tally import LENGTH, MEDIAN, to_act
from .variants import BASE

TEMPLATES = read_toml(Path(__file__).with_name("questions.toml"))
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
    """Return the verdict: a paragraph for each question, and before them one for each variant that changes nothing.

    With trained agents, the first paragraph is how strong they are. With several variants after the first, paragraphs
    about the changes that they show follow.
    """
    answered = [" ".join(lines) for _, lines in answers(results, rows)]
    return [*sameness(results), *_strength(results, rows), *answered, *_changes(results, rows)]


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
            old, now = (_rows(question, every, name) for name in (first, second))
            lines += Comparison(question, lineup, now if new else old, old if new else ()).lines(results)
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


def _rows(question: Question, rows: Sequence[Row], variant: str, section: str = "") -> list[Row]:
    own, measure, part = question["measure"]
    names = [section or own, measure, part, variant]
    return [row for row in rows if [row["section"], row["measure"], row["part"], row["variant"]] == names]


def _rows_of_any(question: Question, rows: Sequence[Row], variant: str) -> list[Row]:
    """Return the figures of a question, or those of the section `options` if a variant has no others."""
    return _rows(question, rows, variant) or _rows(question, rows, variant, "options")


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
            words = _words(results, row, base)
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


def _changes(results: Results, rows: Sequence[Row]) -> list[str]:
    """Return for each of several variants the clear changes, and whether trained agents agree with the others."""
    first, *others = results["variants"]
    base = f" instead of {first}" if first != BASE else ""
    several = others if results.get("training") and len(others) > 1 else []
    return [f"With {variant}{base}: {_change(results, rows, variant)}" for variant in several]


def _change(results: Results, rows: Sequence[Row], variant: str) -> str:
    """Return the clear changes from the first variant. Some variants have figures only in the section `options`."""
    found: dict[str, list[str]] = {}
    for question in QUESTIONS:
        base, new = (_rows_of_any(question, rows, name) for name in (results["variants"][0], variant))
        comparison = Comparison(question, lineup_of(question, results, rows), new, base)
        if question["text"] not in found and (comparison.ours or comparison.theirs):
            others = ([row for row in own if not learners.is_trained(row["lineup"])] for own in (new, base))
            lines = comparison.lines(results, alone=True) or _lines(question, results, comparison.lineup, *others)
            found[question["text"]] = lines
    return " ".join(line for lines in found.values() for line in lines) or AGREEMENT["nothing"]


def _strength(results: Results, rows: Sequence[Row]) -> list[str]:
    """Return what trained agents, alone among others, score in every variant, and whether they are weaker."""
    (skill,) = (question for question in QUESTIONS if question["measure"][1] == SCORE.name)
    every = [row for name in results["variants"] for row in _rows_of_any(skill, rows, name)]
    trained = [row for row in every if learners.is_mean(row["lineup"])]
    if not trained:
        return []
    names = {name: f"with {name}" if name != BASE else name for name in results["variants"]}
    halves = [learners.after_half(every, row, "value") for row in trained]
    after = [f" ({AGREEMENT['half'].format(half=_number(half))})" if half else "" for half in halves]
    figures = [f"{_number(row)} {names[row['variant']]}{half}" for row, half in zip(trained, after, strict=True)]
    weak = any(row["differs"] and row["value"] < EVEN for row in trained)
    words = _words(results, trained[0]) | {"figures": listed(figures)}
    return [" ".join(AGREEMENT[kind].format(**words) for kind in ["strength", *["weak"] * weak])]


@dataclass(frozen=True)
class Comparison:
    """The figures of trained agents and of a line-up of others, or the changes of these figures from the base."""

    question: Question
    lineup: str  # of others
    rows: Sequence[Row]
    base: Sequence[Row] = ()

    @property
    def value(self) -> str:
        """The column that is compared."""
        return "change" if self.base else "value"

    @property
    def ours(self) -> dict[int, str]:
        """The clear results of the line-up of others, by seat."""
        return self._clear(row for row in self.rows if row["lineup"] == self.lineup)

    @property
    def theirs(self) -> dict[int, str]:
        """The clear results of trained agents, by seat: of their mean, if all of them are on one side."""
        return {seat: result for seat, result in self._clear(self._trained).items() if self._is_unanimous(seat)}

    @property
    def _trained(self) -> list[Row]:
        """The figures of all trained agents together. Alone among others they are no pair like the others."""
        rows = [] if self.question["measure"][1] == SCORE.name else self.rows
        return [row for row in rows if learners.is_mean(row["lineup"]) and row[self.value] is not None]

    def _clear(self, rows: Iterable[Row]) -> dict[int, str]:
        results = {row["seat"]: _result(self.question, row, self.value) for row in rows}
        return {seat: result for seat, result in results.items() if result != "none"}

    def _is_unanimous(self, seat: int) -> bool:
        even = 0.0 if self.base else self.question["even"]
        means = [row for row in self._trained if row["seat"] == seat]
        single = [each for row in means for each in learners.single(self.rows, row, self.value)]
        return len({row[self.value] > even for row in single}) == 1

    def lines(self, results: Results, alone: bool = False) -> list[str]:
        """Return whether they agree, and how far training moved the figure: no lines without trained agents.

        With `alone`, no answer about the others comes before.
        """
        if not (trained := self._trained):
            return []
        ours, theirs = self.ours, self.theirs
        row = _clearest(self.question, [row for row in trained if row["seat"] in theirs] or trained, self.value)
        words = _words(results, row, self.base)
        words |= {"agent": self.lineup.partition(" - ")[0], "it": f"the {words['seat']}"}
        words["figure"] = self.question["figure"].format(**words)
        words["start"] = self._start(theirs, row["seat"], words)
        words["that"] = f" that {words['start']}" if alone else ""
        words["this"] = f"that {self._start(ours, row['seat'], words)}" if alone else "this"
        line = capital(AGREEMENT[self._kind(ours, theirs)].format(**words))
        return [f"{line}{_moved(self.rows, row, self.value)}."]

    def _start(self, clear: Mapping[int, str], seat: int, words: Mapping[str, str]) -> str:
        """Return the beginning of an answer, about this seat if it is clear."""
        seat = seat if seat in clear else next(iter(clear), seat)
        text = self.question["change"] if self.base else self.question.get("alone", {})
        start: str = text.get(clear.get(seat, "none"), "").format(**{**words, "seat": to_act(seat)})
        return start[:1].lower() + start[1:]

    def _kind(self, ours: Mapping[int, str], theirs: Mapping[int, str]) -> str:
        if not (self.base or "alone" in self.question):
            return "plain"
        if ours == theirs:
            return "agree" if ours else "neither"
        return "only" if not ours else "missing" if not theirs else "differ"


def _moved(rows: Sequence[Row], row: Row, value: str) -> str:
    """Return the change, what it was after half of the training, and its range over the trained agents."""
    half, single = learners.after_half(rows, row, value), learners.single(rows, row, value)
    ends = [_signed(each, value) for each in sorted(single, key=lambda each: each[value])] or [""]
    words = {"all": _signed(row, value), "half": _signed(half, value) if half else "", "n": len(single)}
    parts = ["half"] * bool(half) + ["single"] * (len(set(ends)) > 1)
    details = [AGREEMENT[part].format(**words, least=ends[0], most=ends[-1]) for part in parts]
    change = AGREEMENT["change"].format(**words) if value == "change" else ""
    return change + f" ({'; '.join(details)})" * bool(details)


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


def _words(results: Results, row: Row, base: Sequence[Row] = ()) -> dict[str, str]:
    """Return what the placeholders of a template stand for."""
    before = next((own for own in base if (own["lineup"], own["seat"]) == (row["lineup"], row["seat"])), None)
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
    return row["measure"] in (LENGTH.name, MEDIAN.name)


def _pair(row: Row) -> str:
    return str(row["lineup"]).replace(" - ", " against ")
