"""Answer the questions of a study as a table: a row for every kind of agent, retrained ones first, then the strongest.

A study of one variant asks about its figures, a study of two about the changes. With more variants, rows about clear
changes follow. All rows are tested together by the method of Holm, so that of twenty studies of a change that changes
nothing, at most one is meant to call something clear. `headline` is one sentence, in a form of `questions.toml`, about
the first row of each question.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import polars as pl

import tantra_envs
from tantra_envs.programs.files import Json, read_toml
from tantra_envs.words.english import listed

from ..harness.figures import holm, p_value, smallest_clear, wider_half
from ..harness.pages import number
from .matchups import BASE, TRAINED, Lineup
from .results import PLACE, SAME, SEEDS, UNTRAINED, VIEW, Ends, FigureRow, rows_of, variant_of

HEADLINES, QUESTIONS = read_toml(Path(__file__).with_name("questions.toml")).values()
FEWEST_SEEDS = 3  # of retrained agents, so that a result can be clear
FINE = 4.0  # intervals that are narrower, in actions or of 100, have a decimal
ENOUGH = 4  # the first row of a question has at least the most deals divided by this


@dataclass
class Answer:
    """What the games of one line-up show about a question: a figure, or its change from the first variant."""

    question: Json  # of `questions.toml`
    row: FigureRow
    before: float | None  # the value of the first variant, if the answer is about a change
    ends: Ends | None  # what is tested with its interval: the change, or the difference from even
    note: str  # why the result cannot be clear: the agents were not trained with the rule, or too few were
    agents: str
    is_clear: bool = False
    unseen: float = 0.0  # a smaller change, or difference, would not have been clear

    @property
    def about(self) -> tuple[str, str, Lineup]:
        """The question, the variant and the line-up: they have one row in the table."""
        return self.question["text"], self.row.variant, self.row.lineup

    @property
    def test(self) -> tuple[object, ...]:
        """The name of the test. Two seats are one test, because their scores add up to 1."""
        return *self.about, round(abs(self.ends[0]), 5) if self.ends and "seats" in self.question else 0

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table: agents, value, what is tested with its interval, the result, and what was not seen."""
        seat = f"{self.row.part}: " if "seats" in self.question else ""
        values = seat + " → ".join(self._text(value) for value in (self.before, self.row.value) if value is not None)
        if self.ends is None:
            return self.agents, values, f"[{self._text(self.row.low)}, {self._text(self.row.high)}]", "", ""
        change, low, high = (self._text(end, signed=True) for end in self.ends)
        result = "clear" if self.is_clear else "not clear" if any(self.ends) else "the same"
        less = f"of less than {self._text(self.unseen)} {self.question.get('unit', 'of 100')}"
        unseen = {0.0: "", math.inf: "anything: too few deals"}.get(
            self.unseen, f"a difference {less}" if self.before is None else f"a change {less}"
        )
        return self.agents, values, f"{change} [{low}, {high}]", result, unseen

    @property
    def finding(self) -> str:
        """The words of a clear answer."""
        words = ("below", "above") if self.before is None else ("less", "more")
        return str(self.question[words[bool(self.ends and self.ends[0] > 0)]].format(seat=self.row.part))

    def _text(self, value: float, signed: bool = False) -> str:
        size = 1.0 if "unit" in self.question else 100.0
        _, low, high = self.ends or (0.0, self.row.low, self.row.high)
        return number(size * value, int(0 < size * (high - low) < FINE), signed)


class Answers:
    """The table of a study, the clear changes of each of several variants, and the headline."""

    def __init__(self, results: pl.DataFrame) -> None:
        self.rows = rows_of(results)
        self.game = tantra_envs.game(results["table"][0].partition(",")[0].partition(" ")[0])
        episode = self.game.config.get("episode", "game")
        self.title = self.game.title + (f", one {episode}" if episode != "game" else "")
        self.variants = list(dict.fromkeys(row.variant for row in self.rows))
        self.first, *self.others = self.variants or [BASE]
        self._facts = results.filter(view=VIEW).with_columns(
            variant=pl.col("table").map_elements(variant_of, pl.String)
        )
        self._seeds = int(self._facts.filter(measure=SEEDS)["value"].sum())  # retrained agents
        self._place = dict(self._facts.filter(measure=PLACE).select("agent", "value").iter_rows()) | {TRAINED: math.inf}
        # The games that are those of the first variant, and all games
        equal, self._games = next(self._facts.filter(measure=SAME).select("value", "deals").iter_rows(), (-1, 0))
        # The variant whose changes the table is about; "" if it is about the first variant.
        self.second = self.others[0] if len(self.others) == 1 and equal != self._games else ""
        about = [self.second or self.first, *(self.others if len(self.others) > 1 else [])]
        # Of several questions with one text, the first that has figures
        measures = {row.measure for row in self.rows}
        asked = {question["text"]: question for question in reversed(QUESTIONS) if question["measure"][1] in measures}
        judged = _judged(
            [own for name in about for question in reversed(asked.values()) for own in self._of(question, name)]
        )
        self.changes = [own for own in judged if own.row.variant != about[0] and own.is_clear]
        # Rows of the table by their question, of which `firsts` has the first, and clear changes by their variant
        table = [own for own in judged if own.row.variant == about[0]]
        self.grouped = {
            str(head): list(rows)
            for head, rows in groupby([*table, *self.changes], lambda own: own.about[own.row.variant != about[0]])
        }
        self.firsts = {head: rows[0] for head, rows in self.grouped.items() if rows[0] in table}

    @property
    def headline(self) -> str:
        """One sentence about the first row of every question, or about the changes of several variants."""
        changed = list(dict.fromkeys(own.row.variant for own in self.changes))
        clear = [own.finding for own in self.firsts.values() if own.is_clear]
        missed = any(own.note and own.ends and abs(own.ends[0]) > own.unseen for own in self.firsts.values())
        form = "clear" if clear else "retrain" if self.second and missed else "nothing"
        if self.others and not self.second:
            form = "same" if len(self.others) == 1 else "map" if changed else "map_nothing"
        variant = f"{self.others[0]} instead of {self.first}" if len(self.others) == 1 else self.first
        sentence = HEADLINES[form].format(
            findings=listed(clear),
            changed=len(changed),
            variants=len(self.others),
            names=listed(changed),
            games=self._games,
        )
        return f"{self.title}{'' if variant == BASE else f' with {variant}'}: {sentence}"

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns of `Answer.cells`."""
        value = f"{self.first} → {self.second}" if self.second else self.first if self.first != BASE else "value"
        return "agents", value, "change" if self.second else "interval", "result", "not seen"

    def _of(self, question: Json, variant: str) -> Iterator[Answer]:
        """Yield the answers to a question of all line-ups and seats, retrained agents first, then the strongest.

        Some variants of a map have figures only in the section `options`.
        """
        section, measure, part = question["measure"]
        every = [
            row
            for row in self.rows
            if row.measure == measure and part in ("", row.part) and ("pairs" in question or not row.lineup.others)
            if self._place.get(row.lineup.agent, -1) >= self._place.get(row.lineup.others, -1)
        ]
        is_there = variant == self.first or any((row.section, row.variant) == (section, variant) for row in every)
        own = [row for row in every if row.section == (section if is_there or len(self.others) == 1 else "options")]
        base = {(row.lineup, row.part): row.value for row in own if row.variant == self.first != variant}
        rows = [row for row in own if row.variant == variant and (row.change or variant == self.first)]
        most, even = max((row.deals for row in rows), default=0), question.get("even")
        for row in sorted(rows, key=lambda row: (ENOUGH * row.deals < most, -self._place.get(row.lineup.agent, -1))):
            ends = (
                row.change
                if variant != self.first or even is None
                else (row.value - even, row.low - even, row.high - even)
            )
            note = self._note(row) if ends else ""
            names = " among ".join(
                f"{self._seeds} retrained" if name == TRAINED else name for name in row.lineup if name
            )
            yield Answer(
                question, row, base.get((row.lineup, row.part)), ends, note, f"{names} ({note})" if note else names
            )

    def _note(self, row: FigureRow) -> str:
        """Return why a result cannot be clear, or ""."""
        if row.lineup.agent == TRAINED:
            return "fewer than three seeds" if self._seeds < FEWEST_SEEDS else ""
        unmet = self._facts.filter(pl.col("agent").is_in(row.lineup), measure=UNTRAINED)
        options = [
            option
            for option in unmet.filter(variant=row.variant)["part"].unique(maintain_order=True)
            if row.variant == self.first or option not in unmet.filter(variant=self.first)["part"]
        ]
        return f"not trained with {', '.join(options)}" if options else ""


def _judged(every: Sequence[Answer]) -> list[Answer]:
    """Test all answers together; return for each line-up that of the seat that differs most, a clear one first."""
    tests = {own.test: p_value(*own.ends, own.row.deals) for own in every if own.ends}
    clear = holm(tests)
    for own in every:
        own.is_clear = own.ends is not None and own.test in clear and not own.note
        own.unseen = smallest_clear(wider_half(*own.ends), own.row.deals, len(tests)) if own.ends else 0.0
    ranked = sorted(every, key=lambda own: (own.is_clear, own.ends[0] if own.ends else 0.0))
    return list({own.about: own for own in (*every, *ranked)}.values())  # in the order of all, of equal ones the last
