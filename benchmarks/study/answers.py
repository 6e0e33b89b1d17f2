"""Answer the questions of a study in plain sentences, from the templates in `questions.toml`.

An answer begins with what the strongest agents show. Then it says which other agents show the same. A difference that
only weaker agents show is called their mistake or their style: a rule does not cause it for those who play better.
The answers are about the first variant. With two variants, they are about the change from the first to the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from tantra_envs.programs.files import read_toml
from tantra_envs.words.english import capital, listed

from ..harness.figures import EVEN
from ..harness.lineups import Lineup
from ..harness.pages import is_clear
from .matchups import BASE
from .results import FigureRow, Results, is_map, to_act
from .skill import EXPLAINED, SCORE
from .tally import LENGTH, MEDIAN

TEMPLATES = read_toml(Path(__file__).with_name("questions.toml"))
COMPARED_SENTENCES, TRAINED_SENTENCES = TEMPLATES["compared"], TEMPLATES["trained"]
RARE = 0.01  # a smaller share has a decimal
ENOUGH = 4  # agents of the headline have at least the most deals divided by this


@dataclass(frozen=True)
class Question:
    """A question that the verdict answers, and its sentences: see `questions.toml`."""

    text: str
    measure: tuple[str, str, str]  # section, name, and part or ""
    figure: str
    note: str
    change: Mapping[str, str]
    alone: Mapping[str, str] | None = None
    even: float | None = None
    both: bool = False

    @property
    def name(self) -> str:
        """The name of the measure."""
        return self.measure[1]

    def even_value(self, as_change: bool) -> float | None:
        """Return the value at which nothing is above or below: of a figure, or of its change."""
        return 0.0 if as_change else self.even


QUESTIONS = [Question(**{**question, "measure": tuple(question["measure"])}) for question in TEMPLATES["question"]]


def heading(results: Results) -> str:
    """Return what the verdict is about: the game, with the first variant, or with two variants the change."""
    first, *others = results["variants"]
    if len(others) == 1:
        return f"{title(results)} with {others[0]} instead of {first}"
    return f"{title(results)} with {first}" if first != BASE else title(results)


def title(results: Results) -> str:
    """Return the name of the game, and whether only one hand or round of it is played."""
    episode = results.get("config", {}).get("episode", "game")
    return str(results["title"]) + (f", one {episode}" if episode != "game" else "")


class Evidence:
    """The figures of a study by what they measure, and the order of its agents."""

    def __init__(self, results: Results, rows: Sequence[FigureRow]) -> None:
        self.results, self.rows = results, rows
        self.variants: list[str] = list(results["variants"])
        self.first, *self.others = self.variants
        self._by_figure: dict[tuple[str, ...], list[FigureRow]] = {}
        for row in rows:
            self._by_figure.setdefault((row.section, row.measure, row.part, row.variant), []).append(row)

    def of(self, question: Question, variant: str, section: str = "") -> list[FigureRow]:
        """Return the figures of a question; those of `section` in place of its own."""
        own, measure, part = question.measure
        return self._by_figure.get((section or own, measure, part, variant), [])

    @property
    def team(self) -> str:
        """The word for those who win or lose together."""
        return "team" if self.results["teams"] != self.results["players"] else "seat"

    @cached_property
    def most_deals(self) -> int:
        """The largest number of deals of a line-up."""
        return max((row.deals for row in self.rows if not row.lineup.is_detail), default=0)

    @cached_property
    def strength(self) -> dict[str, int]:
        """The agents of the study by name, with their place from the weakest to the strongest.

        It is the order in which the study names them, except that an agent comes after those that it clearly beats.
        """
        lineups = [row.lineup for rows in self._by_figure.values() for row in rows]
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

    def head(self, question: Question, variant: str = "", section: str = "") -> Lineup | None:
        """Return the line-up that an answer is about, None without figures.

        It is that of the strongest agents with enough deals. Of pairs it is the closest one with a clear difference.
        """
        if question.name in (SCORE.name, EXPLAINED.name):
            return self._closest_pair(section or "skill")
        mine = [row for row in self.of(question, self.first, section) if not row.lineup.is_detail]
        there = {row.lineup for row in self.of(question, variant, section)}  # too few deals may have been counted
        mine = [row for row in mine if row.lineup in there] or mine
        enough = [row.lineup for row in mine if ENOUGH * row.deals >= max(row.deals for row in mine)]
        return max(enough, key=lambda lineup: self.strength[lineup.agent], default=None)

    def _closest_pair(self, section: str) -> Lineup | None:
        every = self._by_figure.get((section, SCORE.name, "", self.first), [])
        pairs = [row for row in every if not row.lineup.is_trained]
        most = [row for row in pairs if row.deals == max(row.deals for row in pairs)]
        clear = [row for row in most if row.differs and row.value > EVEN]
        closest = min(reversed(clear), key=lambda row: row.value, default=most[-1] if most else None)
        return closest.lineup if closest else None


def headline(evidence: Evidence) -> list[str]:
    """Return the verdict: a paragraph for each question.

    Before them come variants that leave games as they are, and how strong trained agents are. With several variants
    after the first, a paragraph about the changes that each of them shows follows.
    """
    answered = [" ".join(lines) for _, lines in answers(evidence)]
    return [*sameness(evidence.results), *_strength(evidence), *answered, *_changes(evidence)]


def answers(evidence: Evidence) -> list[tuple[Question, list[str]]]:
    """Return the questions that the figures answer, with the sentences of each answer.

    If all games of two variants were the same, the answers are about the first one.
    """
    others = evidence.others
    equal, games = evidence.results.get("same_games", {}).get(others[0], (0, 1)) if len(others) == 1 else (1, 1)
    found: dict[str, tuple[Question, list[str]]] = {}
    for question in QUESTIONS:
        comparison = Comparison(question, evidence, others[0] if equal < games else "")
        if question.text not in found and comparison.head:
            found[question.text] = question, comparison.lines
    return list(found.values())


def sameness(results: Results) -> list[str]:
    """Return sentences about games that are the same as with the first variant. Older results did not count them."""
    same, by_lineup = results.get("same_games", {}), results.get("same_by_lineup", {})
    lines, is_only = list[str](), len(same) == 1
    if is_map(results) and (unchanged := [variant for variant, (equal, games) in same.items() if equal == games]):
        lines = [COMPARED_SENTENCES["map"].format(variants=listed(unchanged))]
        same = {variant: counts for variant, counts in same.items() if variant not in unchanged}
    for variant, (equal, games) in same.items():
        words = {"variant": variant, "base": results["variants"][0], "equal": equal, "games": games}
        never = [] if equal == games else _unchanged(by_lineup.get(variant, {}))
        some = ["some"] if 0 < equal < games and is_only else []
        lines += [
            COMPARED_SENTENCES[kind].format(**words) for kind in (["all"] if equal == games else some * (not never))
        ]
        lines += [COMPARED_SENTENCES["never"].format(**{**words, "agents": name, "games": n}) for name, n in never]
    return lines


@dataclass(frozen=True)
class Finding:
    """What the games of one line-up show about a question: its clear results by seat, and the row that shows most."""

    lineup: Lineup
    clear: Mapping[int, str]  # "above" or "below"
    row: FigureRow
    before: FigureRow | None  # the row of the first variant

    @property
    def agents(self) -> str:
        """The agents, as they are called in a sentence."""
        return " against ".join(filter(None, (self.lineup.agent, self.lineup.others)))


@dataclass(frozen=True)
class Comparison:
    """A question about the first variant, or about the change to another one, and what all agents show about it."""

    question: Question
    evidence: Evidence
    second: str = ""
    section: str = ""  # in place of that of the question

    @cached_property
    def head(self) -> Finding | None:
        """The finding of the headline; None without figures."""
        lineup = self.evidence.head(self.question, self.second, self.section)
        return next((own for own in self.findings if own.lineup == lineup), None)

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings of all line-ups, those of the strongest agents last."""
        base, new = self._rows(self.evidence.first), self._rows(self.second)
        lineups = dict.fromkeys(row.lineup for row in base if not row.lineup.is_detail)
        both = {row.lineup for row in new}
        is_change = self.evidence.head(self.question, self.second, self.section) in both
        found = [self._finding(own, base, new if is_change else []) for own in lineups if not is_change or own in both]
        return sorted(found, key=lambda own: self.evidence.strength[own.lineup.agent])

    @property
    def is_clear_change(self) -> bool:
        """Whether the agents of the headline, or any others against themselves, show a clear change."""
        changed = [own for own in self.findings if own == self.head or not own.lineup.is_pair]
        return any(own.clear and own.before for own in changed)

    @property
    def lines(self) -> list[str]:
        """The sentences of the answer."""
        if not (head := self.head):
            return []
        lines = [self._sentence(head)]
        if head.before and self.question.both:
            alone = self._finding(head.lineup, self._rows(self.second), [])
            line = self._sentence(alone)
            lines.append(f"With {self.second}, {line[0].lower()}{line[1:]}")
        others = [own for own in self.findings if own != head and not self._is_other_pair(own)]
        lines += self._compared(head, others)
        trained = [own for own in others if own.lineup.is_mean]
        return lines + [f"{capital(self._figure(own, f'the {self._seat(own)}'))}{self._moved(own)}." for own in trained]

    def _rows(self, variant: str) -> list[FigureRow]:
        return self.evidence.of(self.question, variant, self.section)

    def _finding(self, lineup: Lineup, base: Sequence[FigureRow], new: Sequence[FigureRow]) -> Finding:
        as_change, rows = bool(new), new or base
        mine = [row for row in rows if row.lineup == lineup]
        clear = {row.seat: result for row in mine if (result := self._result(row, as_change)) != "none"}
        if lineup.is_mean:
            clear = {seat: end for seat, end in clear.items() if self._is_unanimous(rows, lineup, seat, as_change)}
        row = max(mine, key=lambda row: (row.seat in clear, row.number(as_change) or 0.0))
        before = next((own for own in base if new and (own.lineup, own.seat) == (lineup, row.seat)), None)
        return Finding(lineup, clear, row, before)

    def _is_unanimous(self, rows: Sequence[FigureRow], lineup: Lineup, seat: int, as_change: bool) -> bool:
        """Return whether all trained agents are on one side of even."""
        even = self.question.even_value(as_change) or 0.0
        return len({value > even for value in _single(rows, lineup, seat, as_change)}) == 1

    def _result(self, row: FigureRow, as_change: bool) -> str:
        """Return "above" or "below" for a clear figure or change, otherwise "none"."""
        even, value = self.question.even_value(as_change), row.number(as_change)
        clear = row.changed if as_change else row.differs
        if not as_change and even == 0:  # the measure itself has no even value
            clear = is_clear(row.low, row.high, 3)
        return "none" if even is None or value is None or not clear else "above" if value > even else "below"

    def _is_other_pair(self, own: Finding) -> bool:
        """Return whether a pair is not compared: alone among others, trained agents are no pair like the others.

        Without a change, the scores of pairs differ because agents do. A pair whose first agent is worse is the mirror
        of another one.
        """
        is_score = self.question.name == SCORE.name
        is_left_out = (is_score and own.lineup.is_trained) or own.before is None
        return own.lineup.is_pair and (is_left_out or own.row.value < (self.question.even or 0.0))

    def _sentence(self, own: Finding) -> str:
        """Return what these agents show."""
        start, it = self._start(own), "it" if own.clear else f"the {self._seat(own)}"
        return capital(f"{start}{': ' * bool(start)}{self._figure(own, it)}.")

    def _start(self, own: Finding) -> str:
        """Return the beginning of a sentence: that something is clear, or that nothing is."""
        texts = self.question.change if own.before else self.question.alone or {}
        text = texts.get(own.clear.get(own.row.seat, "none"), "")
        return text.format(seat=self._seat(own), team=self.evidence.team)

    def _figure(self, own: Finding, it: str) -> str:
        lineup = own.lineup
        words = {"agents": own.agents, "better": lineup.agent, "worse": lineup.others or "", "value": self._value(own)}
        return self.question.figure.format(**words, team=self.evidence.team, it=it)

    def _value(self, own: Finding) -> str:
        """Return a figure; of a change both figures, with as many decimals as show the change."""
        if not own.before:
            return _number(own.row)
        usual = max(_places(own.row), _places(own.before))
        pairs = [(_number(own.row, places), _number(own.before, places)) for places in range(usual, usual + 3)]
        shown = [pair for pair in pairs if pair[0] != pair[1]] if own.clear else []
        now, was = [*shown, pairs[0]][0]
        return f"{now} instead of {was}" if now != was else now

    def _seat(self, own: Finding) -> str:
        return to_act(own.row.seat, self.evidence.results.get("first_seat", ""))

    def _compared(self, head: Finding, others: Sequence[Finding]) -> list[str]:
        """Return sentences that compare other agents with those of the headline."""
        if not (head.before or self.question.alone):
            values = [f"{self._value(own)} ({own.agents})" for own in others]
            return [COMPARED_SENTENCES["values"].format(values=listed(values))] if values else []
        seat, order = head.row.seat, self.evidence.strength
        result = head.clear.get(seat)
        agree = [own for own in others if own.clear.get(seat) == result and bool(own.clear) == bool(head.clear)]
        equal = [own for own in agree if self._has_enough(own, head)]
        silent = [own for own in others if head.clear and not own.clear and self._has_enough(own, head)]
        unlike_pairs = {"equal": equal, "silent": silent} if not head.lineup.is_pair else {}
        lines = [self._about(kind, head, group) for kind, group in unlike_pairs.items() if group]
        lines += [self._about("pair", head, [head])] if head.clear and self._same_games(head) else []
        groups: dict[tuple[str, str], list[Finding]] = {}
        for own in others:
            if own.clear and own not in agree:
                is_weaker = order[own.lineup.agent] < order[head.lineup.agent] and not own.lineup.is_pair
                kind = "differ" if head.clear else "weaker" if is_weaker else "other"
                start = self._start(own)
                groups.setdefault((kind, start[:1].lower() + start[1:]), []).append(own)
        return lines + [self._about(kind, head, group, start) for (kind, start), group in groups.items()]

    def _has_enough(self, own: Finding, head: Finding) -> bool:
        """Return whether agents would show what those of the headline show, or show something themselves."""
        return bool(own.clear) or ENOUGH * own.row.deals >= head.row.deals

    def _about(self, kind: str, head: Finding, group: Sequence[Finding], start: str = "") -> str:
        values = "; ".join(self._value(own) for own in group)
        same = self._same_games(head)
        why = COMPARED_SENTENCES["same" if same else "stronger"].format(agents=head.agents, games=same)
        deals = max(own.row.deals for own in group)
        agents = listed([own.agents for own in group]) + " agents" * (not head.lineup.is_pair)
        words = {"agents": agents, "why": why, "deals": deals, "games": same, "start": start, "values": values}
        lineup = head.lineup
        return capital(COMPARED_SENTENCES[kind].format(**words, better=lineup.agent, worse=lineup.others))

    def _same_games(self, head: Finding) -> int:
        """Return the games of the headline's agents against themselves if the change left all of them as they were."""
        same = self.evidence.results.get("same_by_lineup", {}).get(self.second, {}) if head.before else {}
        return dict(_unchanged(same)).get(head.lineup.agent, 0)

    def _moved(self, own: Finding) -> str:
        """Return the change, what it was after half of the training, and its range over the trained agents."""
        as_change, rows = bool(own.before), self._rows(self.second if own.before else self.evidence.first)
        after_half = own.lineup.after_half, own.row.seat
        half = [row for row in rows if (row.lineup, row.seat) == after_half and row.number(as_change) is not None]
        single = sorted(_single(rows, own.lineup, own.row.seat, as_change))
        ends = [_signed(own.row, value, as_change) for value in single] or [""]
        words = {
            "all": _signed(own.row, own.row.number(as_change), as_change),
            "half": _signed(half[0], half[0].number(as_change), as_change) if half else "",
            "n": len(single),
        }
        parts = ["half"] * bool(half) + ["single"] * (len(set(ends)) > 1)
        details = [TRAINED_SENTENCES[part].format(**words, least=ends[0], most=ends[-1]) for part in parts]
        change = TRAINED_SENTENCES["change"].format(**words) if as_change else ""
        return change + f" ({'; '.join(details)})" * bool(details)


def _changes(evidence: Evidence) -> list[str]:
    """Return for each of several variants the clear changes.

    Some variants have figures only in the section `options`.
    """
    base = f" instead of {evidence.first}" if evidence.first != BASE else ""
    same = evidence.results.get("same_games", {})
    lines, unchanged = [], []
    for variant in evidence.others if len(evidence.others) > 1 else []:
        found: dict[str, list[str]] = {}
        for question in QUESTIONS:
            section = "" if evidence.of(question, variant) else "options"
            comparison = Comparison(question, evidence, variant, section)
            if question.text not in found and comparison.head and comparison.is_clear_change:
                found[question.text] = comparison.lines
        if found:
            lines.append(f"With {variant}{base}: " + " ".join(line for own in found.values() for line in own))
        elif variant not in same or same[variant][0] < same[variant][1]:
            unchanged.append(variant)
    return lines + ([f"With {listed(unchanged)}{base}: {COMPARED_SENTENCES['nothing']}"] if unchanged else [])


def _strength(evidence: Evidence) -> list[str]:
    """Return what trained agents, alone among others, score in every variant, and whether they are weaker."""
    (skill,) = (question for question in QUESTIONS if question.name == SCORE.name)
    variants = evidence.results["variants"]
    every = [row for name in variants for row in evidence.of(skill, name) or evidence.of(skill, name, "options")]
    trained = [row for row in every if row.lineup.is_mean]
    if not trained:
        return []
    names = {name: f"with {name}" if name != BASE else name for name in variants}
    figures = []
    for row in trained:
        likes = (own for own in every if own.variant == row.variant)
        half = next((own for own in likes if own.lineup == row.lineup.after_half), None)
        after = f" ({TRAINED_SENTENCES['half'].format(half=_number(half))})" if half else ""
        figures.append(f"{_number(row)} {names[row.variant]}{after}")
    weak = any(row.differs and row.value < EVEN for row in trained)
    words = {"worse": trained[0].lineup.others, "figures": listed(figures)}
    return [" ".join(TRAINED_SENTENCES[kind].format(**words) for kind in ["strength", *["weak"] * weak])]


def _single(rows: Iterable[FigureRow], mean: Lineup, seat: int, as_change: bool) -> list[float]:
    """Return the values or changes whose mean is that of a line-up: one for each trained agent that has it."""
    mine = [row for row in rows if row.seat == seat and row.lineup.trained and row.lineup.mean == mean]
    return [value for row in mine if (value := row.number(as_change)) is not None]


def _unchanged(same: Mapping[str, Sequence[int]]) -> list[tuple[str, int]]:
    """Return the agents whose games against themselves were all the same, and the number of these games."""
    counts = {Lineup.parse(text): count for text, count in same.items()}
    return [(own.agent, games) for own, (equal, games) in counts.items() if not own.is_pair and equal == games > 0]


def _signed(row: FigureRow, value: float | None, as_change: bool) -> str:
    """Return a value of a figure as in the answers, or a change of it with a sign; "" for none."""
    if value is None:
        return ""
    if not as_change:
        return _number(replace(row, value=value))
    return f"{value:+.0f}" if _in_actions(row) else f"{100 * value:+.1f}"


def _number(row: FigureRow, places: int | None = None) -> str:
    """Return a length in actions, or a share as a number of 100."""
    value = row.value if _in_actions(row) else 100 * row.value
    return f"{value:.{_places(row) if places is None else places}f}"


def _places(row: FigureRow) -> int:
    """Return the usual decimals of a figure."""
    return int(not _in_actions(row) and 0 < round(row.value, 3) < RARE)


def _in_actions(row: FigureRow) -> bool:
    return row.measure in (LENGTH.name, MEDIAN.name)
