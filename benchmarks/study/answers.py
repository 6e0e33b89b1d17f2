"""Answer the questions of a study as a table: a row for every kind of agent, strongest first, retrained ones above all.

A study of one variant asks about its figures, a study of two about the changes. With more variants, rows about clear
changes follow. All rows are tested together by the method of Holm, so that of twenty studies of a change that changes
nothing, about one calls something clear. `headline` is one sentence, in a form of `questions.toml`, about the first row
of each question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tantra_envs.programs.files import read_toml
from tantra_envs.words.english import listed

from ..harness.figures import EVEN, holm, p_value, smallest_clear
from ..harness.lineups import Lineup
from ..harness.pages import number
from .matchups import BASE
from .results import Ends, FigureRow, Results, to_act
from .skill import EXPLAINED, SCORE
from .tally import LENGTH, MEDIAN

TEMPLATES = read_toml(Path(__file__).with_name("questions.toml"))
HEADLINES = TEMPLATES["headline"]
FEWEST_SEEDS = 3  # of retrained agents, so that a result can be clear
FINE = 4.0  # intervals that are narrower, in actions or of 100, have a decimal
ENOUGH = 4  # the first row of a question has at least the most deals divided by this


@dataclass(frozen=True)
class Question:
    """A question, the measure that answers it, and the words of clear answers: see `questions.toml`."""

    text: str
    measure: tuple[str, str, str]  # section, name, and part or ""
    note: str
    more: str
    less: str
    above: str = ""
    below: str = ""
    even: float | None = None


QUESTIONS = [Question(**{**question, "measure": tuple(question["measure"])}) for question in TEMPLATES["question"]]


@dataclass(frozen=True)
class Answer:
    """What the games of one line-up show about a question: a figure, or its change from the first variant."""

    question: Question
    row: FigureRow
    before: FigureRow | None  # the figure of the first variant, if the answer is about a change
    ends: Ends | None  # what is tested with its interval: the change, or the difference from even
    agents: str
    note: str  # why the result cannot be clear: the agents were not trained with the rule, or too few were
    is_clear: bool = False
    unseen: float = 0.0  # a smaller change, or difference, would not have been clear

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table: agents, value, what is tested with its interval, the result, and what was not seen."""
        agents = f"{self.agents} ({self.note})" if self.note else self.agents
        values = [self._text(own.value) for own in (self.before, self.row) if own]
        if self.ends is None:
            interval = f"[{self._text(self.row.low)}, {self._text(self.row.high)}]"
            return agents, f"{self.seat}{values[0]}", interval, "", ""
        change, low, high = (self._text(end, signed=True) for end in self.ends)
        result = "clear" if self.is_clear else "not clear" if any(self.ends) else "the same"
        return agents, self.seat + " → ".join(values), f"{change} [{low}, {high}]", result, self._unseen()

    @property
    def seat(self) -> str:
        """The seat, if the answer is about one, with a colon."""
        return f"{self.row.label}: " if self.row.seat else ""

    @property
    def finding(self) -> str:
        """The words of a clear answer."""
        question, above = self.question, self.ends is not None and self.ends[0] > 0
        words = (question.more, question.less) if self.before else (question.above, question.below)
        return words[not above].format(seat=self.row.label)

    def _text(self, value: float, signed: bool = False) -> str:
        size, (_, low, high) = 1.0 if _in_actions(self.row) else 100.0, self.ends or (0.0, self.row.low, self.row.high)
        return number(size * value, int(0 < size * (high - low) < FINE), signed)

    def _unseen(self) -> str:
        if self.unseen == 0:
            return ""
        if self.unseen == float("inf"):
            return "anything: too few deals"
        what = "a change" if self.before else "a difference"
        return f"{what} of less than {self._text(self.unseen)}{' actions' if _in_actions(self.row) else ' of 100'}"


class Answers:
    """The table of a study, and its headline."""

    def __init__(self, results: Results, rows: Sequence[FigureRow]) -> None:
        self.results, self.rows = results, rows
        self.variants: list[str] = list(results["variants"])
        self.first, *self.others = self.variants
        self._by_figure: dict[tuple[str, ...], list[FigureRow]] = {}
        for row in rows:
            self._by_figure.setdefault((row.section, row.measure, row.part, row.variant), []).append(row)
        whole, changes = list(self._answers()), list(self._changes())
        judged = iter(_judged([*whole, *changes]))
        every = [next(judged) for _ in whole]
        self.table = _one_by_lineup(every)
        self.changes = [own for own in _one_by_lineup(list(judged)) if own.is_clear]

    @cached_property
    def most_deals(self) -> int:
        """The largest number of deals of a line-up."""
        return max((row.deals for row in self.rows if not row.lineup.is_detail), default=0)

    @cached_property
    def strength(self) -> dict[str, int]:
        """The agents by name with their place, from the weakest: as the study names them, but after those they beat."""
        lineups = [row.lineup for row in self.rows]
        trained = [lineup.agent for lineup in lineups if lineup.is_trained]
        order = list(dict.fromkeys([*trained, *self.results.get("agents", ()), *(lineup.agent for lineup in lineups)]))
        for row in self._by_figure.get(("skill", SCORE.name, "", self.first), []):
            pair = row.lineup.agent, row.lineup.others
            if row.differs and set(pair) <= set(order):
                winner, loser = pair if row.value > EVEN else pair[::-1]
                if order.index(winner) < order.index(loser):
                    order.remove(winner)
                    order.insert(order.index(loser) + 1, winner)
        return {name: place for place, name in enumerate(order)}

    @property
    def second(self) -> str:
        """The variant whose changes the table is about; "" if it is about the first variant."""
        equal, games = self.results.get("same_games", {}).get(self.others[0], (0, 1)) if self.others else (1, 1)
        return self.others[0] if len(self.others) == 1 and equal < games else ""

    @property
    def heading(self) -> str:
        """What the table is about: the game, with the first variant, or with two variants the change."""
        if len(self.others) == 1:
            return f"{title(self.results)} with {self.others[0]} instead of {self.first}"
        return f"{title(self.results)} with {self.first}" if self.first != BASE else title(self.results)

    @property
    def headline(self) -> str:
        """One sentence about the first row of every question, or about the changes of several variants."""
        heads = [next(own for own in self.table if own.question is question) for question in self.questions]
        found = [own.finding for own in heads if own.is_clear and own.finding]
        changed = list(dict.fromkeys(own.row.variant for own in self.changes))
        games = self.results.get("same_games", {}).get((self.others or [""])[0], (0, 0))[1]
        words = {"games": games, "findings": listed(found), "changed": len(changed), "names": listed(changed)}
        return str(HEADLINES[self._form(heads, found)].format(**words, variants=len(self.others)))

    @property
    def questions(self) -> list[Question]:
        """The questions that have a row."""
        return list({id(own.question): own.question for own in self.table}.values())

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns of `Answer.cells`."""
        value = f"{self.first} → {self.second}" if self.second else self.first if self.first != BASE else "value"
        return "agents", value, "change" if self.second else "interval", "result", "not seen"

    @property
    def grouped(self) -> dict[str, list[Answer]]:
        """The rows by question, and then the clear changes of each of several variants."""
        groups: dict[str, list[Answer]] = {}
        for own in self.table:
            groups.setdefault(own.question.text, []).append(own)
        for own in self.changes:
            groups.setdefault(own.row.variant, []).append(own)
        return groups

    def head(self, question: Question) -> Lineup:
        """Return the line-up of the first row of a question."""
        return next(own.row.lineup for own in self.table if own.question is question)

    def _form(self, heads: Sequence[Answer], found: Sequence[str]) -> str:
        if len(self.others) > 1:
            return "map" if self.changes else "map_nothing"
        if self.others and not self.second:
            return "same"
        if found:
            return "change" if self.second else "level"
        if self.second and any(own.note and own.ends and abs(own.ends[0]) > own.unseen for own in heads):
            return "retrain"
        return "nothing" if self.second else "unclear"

    def _answers(self) -> Iterator[Answer]:
        """Yield the answers of the table: for each question all seats of all line-ups, in the order of the rows."""
        answered: dict[str, Question] = {}
        for question in QUESTIONS:
            own = self._of(question, self.second or self.first, question.measure[0])
            if own and answered.setdefault(question.text, question) is question:
                yield from own

    def _changes(self) -> Iterator[Answer]:
        """Yield the answers about each of several variants. Some have figures only in the section `options`."""
        for variant in self.others if len(self.others) > 1 else []:
            for question in QUESTIONS:
                yield from self._of(question, variant, question.measure[0]) or self._of(question, variant, "options")

    def _of(self, question: Question, variant: str, section: str) -> list[Answer]:
        _, measure, part = question.measure
        base = {(row.lineup, row.seat): row for row in self._by_figure.get((section, measure, part, self.first), [])}
        rows = [row for row in self._by_figure.get((section, measure, part, variant), []) if not self._is_left_out(row)]
        most = max((row.deals for row in rows), default=0)
        rows.sort(key=lambda row: (not row.lineup.is_mean, ENOUGH * row.deals < most, -self.strength[row.lineup.agent]))
        if variant == self.first:
            return [self._answer(question, row, None, _difference(row, question.even)) for row in rows]
        changed = [(row, ends) for row in rows if (ends := row.ends_of_change)]
        return [self._answer(question, row, base[row.lineup, row.seat], ends) for row, ends in changed]

    def _is_left_out(self, row: FigureRow) -> bool:
        """Return whether a row is a detail, or a pair that is the mirror of another one."""
        lineup, of_pair = row.lineup, row.measure in (SCORE.name, EXPLAINED.name)
        if lineup.is_detail or (lineup.is_pair and not of_pair):
            return True
        mirrored = lineup.is_pair and not lineup.is_trained and lineup.others in self.strength
        return mirrored and self.strength[lineup.agent] < self.strength[str(lineup.others)]

    def _unknown(self, variant: str, lineup: Lineup) -> list[str]:
        """Return the options of a variant with which agents of a line-up were not trained."""
        unknown: dict[str | None, list[str]] = self.results.get("untrained", {}).get(variant, {})
        return list(dict.fromkeys([*unknown.get(lineup.agent, ()), *unknown.get(lineup.others, ())]))

    def _answer(self, question: Question, row: FigureRow, before: FigureRow | None, ends: Ends | None) -> Answer:
        lineup, training = row.lineup, self.results.get("training", {})
        agents = " among ".join(filter(None, (lineup.agent, lineup.others)))
        options = self._unknown(row.variant, lineup)
        options = [word for word in options if not before or word not in self._unknown(self.first, lineup)]
        note = f"not trained with {', '.join(options)}" if options and ends else ""
        if lineup.is_mean:
            agents = agents.replace(lineup.agent, f"{training.get('agents', 0)} retrained", 1)
            note = "fewer than three seeds" if training.get("agents", 0) < FEWEST_SEEDS else ""
        label = to_act(row.seat, self.results.get("first_seat", "")) if row.seat else ""
        return Answer(question, replace(row, label=label), before, ends, agents, note)


def title(results: Results) -> str:
    """Return the name of the game, and whether only one hand or round of it is played."""
    episode = results.get("config", {}).get("episode", "game")
    return str(results["title"]) + (f", one {episode}" if episode != "game" else "")


def _judged(every: Sequence[Answer]) -> list[Answer]:
    """Return the answers with their results, of which all are tested together."""
    tests = {_test(own): p_value(*own.ends, own.row.deals) for own in every if own.ends}
    clear = holm(tests)

    def judged(own: Answer) -> Answer:
        if own.ends is None:
            return own
        unseen = smallest_clear((own.ends[2] - own.ends[1]) / 2, own.row.deals, len(tests))
        return replace(own, is_clear=_test(own) in clear and not own.note, unseen=unseen)

    return [judged(own) for own in every]


def _test(own: Answer) -> tuple[Any, ...]:
    """Return the name of a test. Two seats are one test, because their scores add up to 1."""
    row, ends = own.row, own.ends or (0.0, 0.0, 0.0)
    return (own.question.text, row.variant, row.lineup, round(abs(ends[0]), 5) if row.seat else 0)


def _one_by_lineup(every: Sequence[Answer]) -> list[Answer]:
    """Return for each question, variant and line-up the answer of the seat that differs most, a clear one first."""
    best: dict[tuple[Any, ...], Answer] = {}
    for own in every:
        key = own.question.text, own.row.variant, own.row.lineup
        rank = [(each.is_clear, each.ends[0] if each.ends else 0.0) for each in (own, best.get(key, own))]
        best[key] = own if rank[0] >= rank[1] else best[key]
    return list(best.values())


def _difference(row: FigureRow, even: float | None) -> Ends | None:
    return None if even is None else (row.value - even, row.low - even, row.high - even)


def _in_actions(row: FigureRow) -> bool:
    return row.measure in (LENGTH.name, MEDIAN.name)
