"""Answer the questions of a study in one table: what agents show, whether it is clear, and what could not be seen.

A row is a question and a kind of agent, strongest first. With several variants a row is about the change from the first
one, and never about a level. All rows are tested together by the method of Holm, so one in twenty studies of a change
that changes nothing calls anything clear. Agents that were not trained under a variant are marked, and the mean of
fewer than three trained agents is never clear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist

from tantra_envs.matches.intervals import ALPHA, NORMAL
from tantra_envs.words.english import listed

from ..harness.figures import EVEN, holm, p_value
from ..harness.pages import with_ends
from .decisions import KINGMAKING_DEALS, RANDOM
from .matchups import BASE
from .results import Ends, FigureRow, Results
from .skill import EXPLAINED, SCORE
from .tally import CUT_OFF, LAST_SCORE, LENGTH, MEDIAN, SEAT

POWER = NormalDist().inv_cdf(0.8)  # a difference that cannot have been overlooked is seen in four of five studies
FEWEST_SEEDS = 3  # trained agents of a variant whose mean may be clear
MANY = 4  # with more variants only clear answers are listed
SAME = "the same games"
# The forms of the headline
CLEAR = "Clear with {new}{instead}: {answers}."
UNTRAINED = "Agents that were not trained with {new} show: {answers}. Ask again with --retrain."
NOTHING = "Nothing is clear{about}. The table lists the smallest differences that could not have been overlooked."
NEVER = "All games with {new} were the same as with {old}: the change never came up."


@dataclass(frozen=True)
class Question:
    """A question about the games, and the measure that answers it."""

    text: str
    section: str
    measure: str
    note: str
    part: str = ""
    even: float | None = None  # the value without an effect; without it only changes answer the question
    unit: str = "of 100"

    @property
    def scale(self) -> float:
        """The number of units for a value of 1."""
        return 100.0 if self.unit.endswith("100") else 1.0


ACTIONS = "The actions of all seats together. Half of the games take more, half take less."
QUESTIONS = (
    Question("Is a seat better?", "seats", SEAT.name, "A seat beats 50 of 100 opponents if none is better.", even=EVEN),
    Question(
        "Does the deal decide?",
        "skill",
        EXPLAINED.name,
        "The part of the differences between results that the deal explains; below 0 it favours no seat.",
        "by the deal",
        0.0,
        "parts of 100",
    ),
    Question("Does skill matter?", "skill", SCORE.name, "How many of 100 opponents the first agent beats.", even=EVEN),
    Question("How long is it?", "length", MEDIAN.name, ACTIONS, unit="actions"),
    Question("How long is it?", "length", LENGTH.name, "The mean number of actions of all seats.", unit="actions"),
    Question("Does every game end?", "length", CUT_OFF.name, "Games that are stopped at a limit.", even=0.0),
    Question(
        "Does it stay open?",
        "tension",
        LAST_SCORE.name,
        "How many of 100 opponents the last at half beats in the end. At 50 the first half has no influence.",
        even=EVEN,
    ),
    Question("Do decisions matter?", "agency", RANDOM.name, "The best action against a random one.", even=0.0),
    Question(
        "Can the last player choose the winner?",
        "agency",
        KINGMAKING_DEALS.name,
        "Deals in which the last player decides between two others.",
        even=0.0,
    ),
)


@dataclass(frozen=True)
class Answer:
    """What one kind of agent shows about a question."""

    question: Question
    row: FigureRow  # of several seats the one that shows most
    before: FigureRow | None  # the figure of the first variant, of a change
    ends: Ends  # the difference from even, or the change, with its interval
    is_clear: bool = False
    unseen: float = 0.0  # a smaller difference may have been overlooked
    untrained: bool = False  # whether an agent was not trained under the variant
    same: int = 0  # games, if all were the same as with the first variant

    @property
    def agents(self) -> str:
        """The agents and the seat."""
        return ", ".join(filter(None, (str(self.row.lineup), self.row.label if self.row.seat else "")))

    @property
    def value(self) -> str:
        """The value, or both values of a change."""
        rows = [self.row] if self.before is None else [self.before, self.row]
        return " -> ".join(self._number(row.value) for row in rows) + f" {self.question.unit}"

    @property
    def interval(self) -> str:
        """The interval of the value, or the change with its interval."""
        if self.same:
            return SAME
        scale, row = self.question.scale, self.row
        if self.before is None:
            return f"[{self._number(row.low)}, {self._number(row.high)}]"
        return with_ends(*(scale * end for end in self.ends), self._places, signed=True)

    @property
    def limit(self) -> str:
        """The smallest difference that could not have been overlooked."""
        return "" if self.same else f"less than {self._number(self.unseen)}"

    @property
    def _places(self) -> int:
        return 0 if self.question.scale * max(abs(end) for end in self.ends) >= 1 else 1

    def _number(self, value: float) -> str:
        return f"{self.question.scale * value:.{self._places}f}"


class Evidence:
    """The figures of a study by what they measure, and the order of its agents."""

    def __init__(self, results: Results, rows: Sequence[FigureRow]) -> None:
        self.results, self.rows = results, rows
        self.variants: list[str] = list(results["variants"])
        self.first, *self.others = self.variants
        keys = ((row.section, row.measure, row.part, row.variant, row.lineup, row.seat) for row in rows)
        self._by_key = dict(zip(keys, rows, strict=True))

    @cached_property
    def most_deals(self) -> int:
        """The largest number of deals of a line-up."""
        return max((row.deals for row in self.rows if not row.lineup.is_detail), default=0)

    @cached_property
    def strength(self) -> dict[str, int]:
        """The agents by name, with their place from the weakest to the strongest: trained agents come last.

        It is the order in which the study names them, except that an agent comes after those that it clearly beats.
        """
        order = list(dict.fromkeys([*self.results.get("agents", ()), *(row.lineup.agent for row in self.rows)]))
        for row in self.rows:
            pair = row.lineup.agent, row.lineup.others or ""
            if (row.measure, row.variant) == (SCORE.name, self.first) and row.differs and pair[1] in order:
                winner, loser = pair if row.value > EVEN else pair[::-1]
                if order.index(winner) < order.index(loser):
                    order.remove(winner)
                    order.insert(order.index(loser) + 1, winner)
        trained = {row.lineup.agent for row in self.rows if row.lineup.is_trained}
        return {name: place for place, name in enumerate(sorted(order, key=lambda name: name in trained))}

    def of(self, question: Question, variant: str) -> list[FigureRow]:
        """Return the figures of a question, strongest agents first: of its section, or of the section `options`."""
        key = question.measure, question.part, variant
        rows = [row for row in self.rows if (row.measure, row.part, row.variant) == key and not row.lineup.is_detail]
        own = [row for row in rows if row.section == question.section] or [r for r in rows if r.section == "options"]
        return sorted((row for row in own if not _is_mirror(row)), key=lambda row: -self.strength[row.lineup.agent])

    def answers(self, every: bool = False) -> list[Answer]:
        """Return the answers, question by question; of many variants only clear ones, unless `every` is true."""
        found = self._judged
        return found if every or len(self.variants) <= MANY else [answer for answer in found if answer.is_clear]

    @cached_property
    def _judged(self) -> list[Answer]:
        """All answers, with those that are clear when all are tested together."""
        every = list(self._asked())
        tests = {_test(answer): p_value(*answer.ends) for answer in every if not answer.same}
        clear, quantile = holm(tests), NormalDist().inv_cdf(1 - ALPHA / 2 / max(1, len(tests)))
        best: dict[tuple[object, ...], Answer] = {}
        for answer in every:
            key = answer.question.text, answer.row.variant, answer.row.lineup
            if key not in best or p_value(*answer.ends) < p_value(*best[key].ends):
                best[key] = answer
        seeds = self.results.get("training", {}).get("agents", 0)
        return [
            replace(
                answer,
                is_clear=_test(answer) in clear and not (answer.row.lineup.is_mean and seeds < FEWEST_SEEDS),
                unseen=(quantile + POWER) / NORMAL * (answer.ends[2] - answer.ends[1]) / 2,
            )
            for answer in best.values()
        ]

    def _asked(self) -> Iterator[Answer]:
        """Yield an answer for every question, variant, line-up and seat that has figures."""
        texts: dict[tuple[str, str], Question] = {}
        for question in QUESTIONS:
            for variant in self.others or [self.first]:
                for row in self.of(question, variant):
                    if texts.setdefault((question.text, variant), question) == question:
                        yield from self._of_row(question, row)

    def _of_row(self, question: Question, row: FigureRow) -> Iterator[Answer]:
        names = {row.lineup.agent, row.lineup.others}
        untrained = bool(names & set(self.results.get("untrained", {}).get(row.variant, ())))
        if not self.others:
            if question.even is not None:
                ends = row.value - question.even, row.low - question.even, row.high - question.even
                yield Answer(question, row, None, ends, untrained=untrained)
            return
        key = (row.section, row.measure, row.part, self.first, row.lineup, row.seat)
        before, ends = self._by_key.get(key), row.ends_of_change
        if before and ends:
            equal, games = self.results.get("same_by_lineup", {}).get(row.variant, {}).get(str(row.lineup), (0, 1))
            yield Answer(question, row, before, ends, untrained=untrained, same=games if equal == games else 0)


def headline(evidence: Evidence) -> list[str]:
    """Return the answers that are clear, in a sentence for each variant; the variants without an effect come last."""
    base, lines, never = evidence.first, list[str](), list[str]()
    every = evidence.answers(every=True)
    instead = f" instead of {base}" if evidence.others and base != BASE else ""
    for variant in evidence.others or [base]:
        equal, games = evidence.results.get("same_games", {}).get(variant, (0, 1))
        if evidence.others and equal == games:
            never.append(variant)
            continue
        for form, untrained in ((CLEAR, False), (UNTRAINED, True)):
            own = [a for a in every if a.row.variant == variant and a.is_clear and a.untrained == untrained]
            strongest = {a.question.text: a for a in reversed(own)}
            words = [f"{a.question.text} {a.value} ({a.agents})" for a in reversed(strongest.values())]
            if words:
                lines.append(form.format(new=variant, instead=instead, answers="; ".join(words)))
    if every and not lines and len(never) < max(1, len(evidence.others)):
        about = f" with {evidence.others[0]} instead of {base}" if len(evidence.others) == 1 else ""
        lines.append(NOTHING.format(about=about))
    return lines + [NEVER.format(new=listed(never), old=base)] * bool(never)


def heading(results: Results) -> str:
    """Return what the answers are about: the game, with the first variant, or with two variants the change."""
    first, *others = results["variants"]
    if len(others) == 1:
        return f"{title(results)} with {others[0]} instead of {first}"
    return f"{title(results)} with {first}" if first != BASE else title(results)


def title(results: Results) -> str:
    """Return the name of the game, and whether only one hand or round of it is played."""
    episode = results.get("config", {}).get("episode", "game")
    return str(results["title"]) + (f", one {episode}" if episode != "game" else "")


def _is_mirror(row: FigureRow) -> bool:
    """Return whether a pair has its first agent as the worse one, which makes it the mirror of another pair."""
    return row.measure == SCORE.name and row.lineup.is_pair and not row.lineup.is_trained and row.value < EVEN


def _test(answer: Answer) -> tuple[object, ...]:
    """Return the name of a test. Two seats are one test, because their scores add up to 1."""
    return answer.question.text, answer.row.variant, answer.row.lineup, round(abs(answer.ends[0]), 5)
