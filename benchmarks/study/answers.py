"""Answer the questions of a study as a table: a row for every kind of agent, retrained ones first, then the strongest.

A study of one variant asks about its figures, a study of two about the changes. With more variants, rows about clear
changes follow. All rows are tested together by the method of Holm, so that of twenty studies of a change that changes
nothing, at most one is meant to call something clear. `headline` is one sentence, in a form of `questions.toml`, about
the first row of each question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.programs.files import Json, read_toml
from tantra_envs.words.english import listed

from ..harness.figures import holm, p_value, smallest_clear, wider_half
from ..harness.pages import number
from .matchups import BASE, TRAINED, Lineup
from .results import PLACE, SAME, SEEDS, UNTRAINED, VIEW, Ends, FigureRow, rows_of, variant_of
from .skill import EXPLAINED, SCORE
from .tally import SEAT

TEMPLATES = read_toml(Path(__file__).with_name("questions.toml"))
HEADLINES, QUESTIONS = TEMPLATES["headline"], TEMPLATES["question"]
FEWEST_SEEDS = 3  # of retrained agents, so that a result can be clear
FINE = 4.0  # intervals that are narrower, in actions or of 100, have a decimal
ENOUGH = 4  # the first row of a question has at least the most deals divided by this


@dataclass(frozen=True)
class Answer:
    """What the games of one line-up show about a question: a figure, or its change from the first variant."""

    question: Json  # of `questions.toml`
    row: FigureRow
    before: float | None  # the value of the first variant, if the answer is about a change
    ends: Ends | None  # what is tested with its interval: the change, or the difference from even
    agents: str
    note: str  # why the result cannot be clear: the agents were not trained with the rule, or too few were
    is_clear: bool = False
    unseen: float = 0.0  # a smaller change, or difference, would not have been clear

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table: agents, value, what is tested with its interval, the result, and what was not seen."""
        agents = f"{self.agents} ({self.note})" if self.note else self.agents
        seat = f"{self.row.part}: " if self.row.measure == SEAT.name else ""
        values = seat + " → ".join(self._text(value) for value in (self.before, self.row.value) if value is not None)
        if self.ends is None:
            return agents, values, f"[{self._text(self.row.low)}, {self._text(self.row.high)}]", "", ""
        change, low, high = (self._text(end, signed=True) for end in self.ends)
        result = "clear" if self.is_clear else "not clear" if any(self.ends) else "the same"
        what = "a difference" if self.before is None else "a change"
        unseen = f"{what} of less than {self._text(self.unseen)} {self.question.get('unit', 'of 100')}"
        if self.unseen == float("inf"):
            unseen = "anything: too few deals"
        return agents, values, f"{change} [{low}, {high}]", result, unseen if self.unseen else ""

    @property
    def finding(self) -> str:
        """The words of a clear answer."""
        words = ("above", "below") if self.before is None else ("more", "less")
        return str(self.question.get(words[self.ends is None or self.ends[0] <= 0], "").format(seat=self.row.part))

    def _text(self, value: float, signed: bool = False) -> str:
        size = 1.0 if "unit" in self.question else 100.0
        _, low, high = self.ends or (0.0, self.row.low, self.row.high)
        return number(size * value, int(0 < size * (high - low) < FINE), signed)


class Answers:
    """The table of a study, the clear changes of each of several variants, and the headline."""

    def __init__(self, results: pl.DataFrame) -> None:
        self.results, self.rows = results, rows_of(results)
        tables = results.filter(pl.col("view") != VIEW)["table"].unique(maintain_order=True)
        self.variants = [variant_of(table) for table in tables]
        self.first, *self.others = self.variants or [BASE]
        variant = pl.col("table").map_elements(variant_of, pl.String)
        self._facts = results.filter(view=VIEW).with_columns(variant=variant)
        self._place = dict(self._facts.filter(measure=PLACE).select("agent", "value").iter_rows())
        same: dict[str, Any] = {
            name: games for name, *games in self._facts.filter(measure=SAME).select("variant", "value", "deals").rows()
        }
        second = self.others[0] if len(self.others) == 1 else ""
        equal, self._games = same.get(second, (-1, 0))  # games that are those of the first variant, and all games
        # The variant whose changes the table is about; "" if it is about the first variant.
        self.second = "" if equal == self._games else second
        about = [self.second or self.first, *(self.others if len(self.others) > 1 else [])]
        measures = {row.measure for row in self.rows}
        asked = {own["text"]: own for own in reversed(QUESTIONS) if own["measure"][1] in measures}
        questions = [own for own in QUESTIONS if own in asked.values()]
        every = [own for variant in about for question in questions for own in self._of(question, variant)]
        judged = _one_by_lineup(_judged(every))
        self.table = [own for own in judged if own.row.variant == about[0]]
        self.changes = [own for own in judged if own.row.variant in about[1:] and own.is_clear]

    @cached_property
    def game(self) -> Game:
        """The game with its variant, at its default table."""
        return tantra_envs.game(self.results["table"][0].partition(",")[0].partition(" ")[0])

    @property
    def title(self) -> str:
        """The name of the game, and whether only one hand or round of it is played."""
        episode = self.game.config.get("episode", "game")
        return self.game.title + (f", one {episode}" if episode != "game" else "")

    @property
    def heading(self) -> str:
        """What the table is about: the game, with the first variant, or with two variants the change."""
        if len(self.others) == 1:
            return f"{self.title} with {self.others[0]} instead of {self.first}"
        return f"{self.title} with {self.first}" if self.first != BASE else self.title

    @property
    def headline(self) -> str:
        """One sentence about the first row of every question, or about the changes of several variants."""
        found = [own.finding for own in self.firsts.values() if own.is_clear and own.finding]
        changed = list(dict.fromkeys(own.row.variant for own in self.changes))
        words = {"games": self._games, "findings": listed(found), "changed": len(changed), "names": listed(changed)}
        return str(HEADLINES[self._form(found)].format(**words, variants=len(self.others)))

    @property
    def firsts(self) -> dict[str, Answer]:
        """The first row of every question by its text."""
        return {text: next(rows) for text, rows in groupby(self.table, _text_of)}

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns of `Answer.cells`."""
        value = f"{self.first} → {self.second}" if self.second else self.first if self.first != BASE else "value"
        return "agents", value, "change" if self.second else "interval", "result", "not seen"

    @property
    def grouped(self) -> dict[str, list[Answer]]:
        """The rows by question, and then the clear changes of each of several variants."""
        questions = {text: list(rows) for text, rows in groupby(self.table, _text_of)}
        return questions | {name: list(rows) for name, rows in groupby(self.changes, lambda own: own.row.variant)}

    def _form(self, found: Sequence[str]) -> str:
        if len(self.others) > 1:
            return "map" if self.changes else "map_nothing"
        if self.others and not self.second:
            return "same"
        if found:
            return "change" if self.second else "level"
        missed = any(own.note and own.ends and abs(own.ends[0]) > own.unseen for own in self.firsts.values())
        return ("retrain" if missed else "nothing") if self.second else "unclear"

    def _of(self, question: Json, variant: str) -> list[Answer]:
        """Return the answers to a question of all line-ups and seats, retrained agents first, then the strongest.

        Some variants have figures only in the section `options`.
        """
        section, measure, part = question["measure"]
        every = [row for row in self.rows if row.measure == measure and part in ("", row.part)]
        every = [row for row in every if not self._is_left_out(row.lineup, measure)]
        own = [row for row in every if row.section == section]
        if variant in self.others and len(self.others) > 1 and all(row.variant != variant for row in own):
            own = [row for row in every if row.section == "options"]
        base = {(row.lineup, row.part): row.value for row in own if row.variant == self.first}
        rows = [row for row in own if row.variant == variant]
        most = max((row.deals for row in rows), default=0)
        place = self._place.get
        rows.sort(
            key=lambda row: (row.lineup.agent != TRAINED, ENOUGH * row.deals < most, -place(row.lineup.agent, -1))
        )
        if variant == self.first:
            even = question.get("even")
            ends = [None if even is None else (row.value - even, row.low - even, row.high - even) for row in rows]
            return [self._answer(question, row, None, own) for row, own in zip(rows, ends, strict=True)]
        return [self._answer(question, row, base[row.lineup, row.part], row.change) for row in rows if row.change]

    def _is_left_out(self, lineup: Lineup, measure: str) -> bool:
        """Return whether a line-up is a pair that does not answer this question, or that is the mirror of another."""
        one, other = (self._place.get(name, -1.0) for name in lineup)
        weaker = lineup.agent != TRAINED and one < other
        return bool(lineup.others) and (weaker or measure not in (SCORE.name, EXPLAINED.name))

    def _unknown(self, variant: str, lineup: Lineup) -> list[str]:
        """Return the options of a variant with which agents of a line-up were not trained."""
        lines = self._facts.filter(pl.col("agent").is_in(lineup), measure=UNTRAINED, variant=variant)
        return list(dict.fromkeys(lines["part"]))

    def _answer(self, question: Json, row: FigureRow, before: float | None, ends: Ends | None) -> Answer:
        lineup = row.lineup
        agents = " among ".join(filter(None, lineup))
        known = self._unknown(self.first, lineup) if before is not None else []
        options = [word for word in self._unknown(row.variant, lineup) if word not in known]
        note = f"not trained with {', '.join(options)}" if options and ends else ""
        if lineup.agent == TRAINED:
            seeds = int(self._facts.filter(measure=SEEDS)["value"].sum())
            agents = agents.replace(TRAINED, f"{seeds} retrained", 1)
            note = "fewer than three seeds" if seeds < FEWEST_SEEDS else ""
        return Answer(question, row, before, ends, agents, note)


def _judged(every: Sequence[Answer]) -> list[Answer]:
    """Return the answers with their results, of which all are tested together."""
    tests = {_test(own): p_value(*own.ends, own.row.deals) for own in every if own.ends}
    clear = holm(tests)
    judged = []
    for own in every:
        unseen = smallest_clear(wider_half(*own.ends), own.row.deals, len(tests)) if own.ends else 0.0
        is_clear = own.ends is not None and _test(own) in clear and not own.note
        judged.append(replace(own, is_clear=is_clear, unseen=unseen))
    return judged


def _test(own: Answer) -> tuple[Any, ...]:
    """Return the name of a test. Two seats are one test, because their scores add up to 1."""
    row, ends = own.row, own.ends or (0.0, 0.0, 0.0)
    return (own.question["text"], row.variant, row.lineup, round(abs(ends[0]), 5) if row.measure == SEAT.name else 0)


def _one_by_lineup(every: Sequence[Answer]) -> list[Answer]:
    """Return for each question, variant and line-up the answer of the seat that differs most, a clear one first."""
    groups: dict[tuple[Any, ...], list[Answer]] = {}
    for own in every:
        groups.setdefault((_text_of(own), own.row.variant, own.row.lineup), []).append(own)
    # Of equal answers the last one counts.
    return [
        max(reversed(group), key=lambda own: (own.is_clear, own.ends[0] if own.ends else 0.0))
        for group in groups.values()
    ]


def _text_of(own: Answer) -> str:
    return str(own.question["text"])
