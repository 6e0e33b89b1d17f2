"""Five plain sentences that open a page, written from its figures; where an interval leaves something open they say so.

Where the most telling of several figures is looked for, chance finds one, too: it counts as sure only if it would with
as many looks, by Bonferroni's rule.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tantra_envs.core.game import Game

from ..balance.questions.length import cut_offs, length
from ..balance.questions.results import seats, spread
from ..balance.questions.skill import skill
from ..balance.study import in_words
from ..chances.reading import LOST
from ..chances.sampling import TENTHS
from .reading import CHANGES
from .study import CHANCES, LEVELS, RESTRICTED, Row
from .told import Told, is_beyond, main_lineup, said

EVEN = 0.5
SEATS = "players="  # which changes more than any rule, and is no rule
COUNTS = ((0.55, "hardly counts"), (0.65, "counts"), (0.8, "counts for much"), (1.01, "decides nearly all"))
DECIDED = ((4, "early"), (8, "in its second half"), (10, "late"), (12, "only at the very end"))  # before which tenth
MEANING = {
    "length": "the length of a game by {} of what it was",
    "first to act": "the score of who acts first by {}",
    "better player": "the better player's score by {}",
    "comebacks": "the share of those who come back from last by {}",
}


def sentences(game: Game, figures: pl.DataFrame) -> list[str]:
    """How fair the seats are, how much skill counts, how games go and end, how tense they are, what matters most."""
    told = Told(figures)
    return [fairness(game, told), skilfulness(game, told), course(game, told), tension(told), what_matters(told)]


def fairness(game: Game, told: Told) -> str:
    """Is a seat better than another?"""
    every = told.rows(LEVELS, question=seats(game).title)
    own = main_lineup(every)
    who = "team" if game.partners else "seat"
    furthest = max(own, key=lambda row: round(abs(row["value"] - EVEN), 9))  # of two the first
    score = f"{_which(furthest)} scores {said(furthest)} {_among(furthest)}"
    if not is_beyond(furthest, EVEN, len(own)):
        unseen = max(max(abs(row["low"] - EVEN), abs(row["high"] - EVEN)) for row in own)
        return (
            f"No {who} is surely better than another: the furthest from even, {score}, where 0.5 is even, and so many "
            f"deals could have missed an advantage of {unseen:.3f}."
        )
    others = [row for row in every if row["figure"] == furthest["figure"] and row is not furthest]
    also = "".join(f", {said(row)} {_among(row)}" for row in others if row["lineup"] != furthest["lineup"])
    return f"The {who}s are not equal: {score}{also}, where 0.5 is even."


def skilfulness(game: Game, told: Told) -> str:
    """Does the better player win?"""
    asked = skill(game)
    levels = told.levels()
    met = [(weaker, _against(told, asked.title, levels[-1], weaker)) for weaker in reversed(levels[:-1])]
    scores = [(weaker, row) for weaker, row in met if row]
    if not scores:
        return "How much skill counts is open: only one kind of player has played."
    (weaker, row), *rest = scores
    also = "".join(f", and {said(other)} among `{name}` ones" for name, other in rest)
    score = f"`{levels[-1]}` scores {said(row)} alone among `{weaker}` players{also}, where 0.5 is even"
    luck = told.one(LEVELS, question=asked.title, figure="explained by the agents", lineup=row["lineup"])
    part = f"; who plays explains {said(luck)} of what tells results of the first pair apart" if luck else ""
    return f"{_counts(row)}: {score}{part}."


def course(game: Game, told: Told) -> str:
    """How long is a game, and how does it end?"""
    rows = told.rows(LEVELS, question=length(game).title, figure=length(game).figures[0].name)
    own = main_lineup(rows)[0]
    others = [row for row in rows if row is not own and row["lineup"] != own["lineup"]]
    also = "".join(f", {said(row)} {_among(row)}" for row in others)
    cut = told.one(LEVELS, question=cut_offs(game).title, lineup=own["lineup"])
    apart = told.one(LEVELS, question=spread(game).title, lineup=own["lineup"])
    ends = f"; of the first {_cut_off(cut)}" if cut else ""
    ends += f", and best and last end {said(apart)} apart, in {spread(game).unit}" if apart else ""
    return f"A game takes {said(own)} actions {_among(own)}{also}{ends}."


def tension(told: Told) -> str:
    """When are games decided, and does the last come back?"""
    lineups = told.lineups(CHANCES)
    if not lineups:
        return "How tense it is was not asked."
    main = main_lineup(told.rows(CHANCES))[0]["lineup"]
    lineups = [main, *(name for name in lineups if name != main)]
    halves = {name: _half(told, name) for name in lineups}
    when = _listed([f"{_when(*halves[name])} among `{name}` players" for name in lineups])
    back = [told.one(CHANCES, lineup=name, figure="comebacks") for name in lineups]
    lost = _listed([said(row) for row in back if row])
    early, late = halves[main]
    verdict = _either(_word(DECIDED, early), _word(DECIDED, late))
    return (
        f"A game is decided {verdict}: half of them are so for good {when}; "
        f"won from a chance of {LOST} or less are {lost} of them."
    )


def what_matters(told: Told) -> str:
    """Which freedom is worth most, and which rule changes most."""
    rules = _rules(told)
    return f"{_freedoms(told)}; {rules[0].lower()}{rules[1:]}."


def _against(told: Told, question: str, stronger: str, weaker: str) -> Row | None:
    """What the stronger scores alone among the weaker."""
    return told.one(LEVELS, question=question, figure="score of A", lineup=in_words([stronger, weaker]))


def _counts(row: Row) -> str:
    if row["high"] < EVEN:
        return "Who was taken for the better player loses"
    if row["low"] <= EVEN:
        return "Whether skill counts these deals leave open"
    return f"Skill {_either(_word(COUNTS, row['low']), _word(COUNTS, row['high']))}"


def _cut_off(row: Row) -> str:
    return f"none is cut off, {said(row)}" if row["value"] == 0 else f"{said(row)} are cut off"


def _when(early: int, late: int) -> str:
    """The tenth in which half of the games are decided, or what is known of it."""
    if early == late:
        return f"in tenth {early}" if early <= len(TENTHS) else "only when they end"
    return f"not before tenth {early}" if late > len(TENTHS) else f"between tenth {early} and {late}"


def _half(told: Told, lineup: str) -> tuple[int, int]:
    """The first tenth, from 1, in which half of the games may be decided, and in which they surely are; else 11."""
    rows = told.rows(CHANCES, question="decided", lineup=lineup)
    never = len(TENTHS) + 1
    may, are = (min((int(row["at"]) + 1 for row in rows if row[end] >= EVEN), default=never) for end in ("high", "low"))
    return may, are


def _freedoms(told: Told) -> str:
    rows = told.rows(RESTRICTED)
    if not rows:
        return "What freedoms are worth was not asked"
    own = main_lineup(rows)
    sure = sorted((row for row in own if is_beyond(row, 0, len(own))), key=lambda row: -row["value"])
    best = [row for row in sure if row["value"] > 0 and row["high"] >= sure[0]["low"]]
    if not best:
        return f"No freedom is surely worth anything {_among(own[0])}"
    told_each = [f"who {row['question']} scores less by {said(row, signed=True)}" for row in best]
    return f"{_most(best, 'figure', 'freedom')} {_among(best[0])}: {', '.join(told_each)}"


def _rules(told: Told) -> str:
    rows = [row for row in told.rows(CHANGES) if not row["variant"].startswith(SEATS)]
    if not rows:
        return "No rule was varied"
    sure = sorted((row for row in rows if is_beyond(row, 0, len(rows))), key=lambda row: -abs(row["value"]))
    if not sure:
        return f"Of {len({row['variant'] for row in rows})} rules that were varied none surely changes anything"
    least = min(abs(sure[0]["low"]), abs(sure[0]["high"]))
    near = [row for row in sure if max(abs(row["low"]), abs(row["high"])) >= least]
    best = list({row["variant"]: row for row in reversed(near)}.values())[::-1]
    told_each = [MEANING[row["figure"]].format(said(row, signed=True)) for row in best]
    return f"{_most(best, 'variant', 'rule')}: {', '.join(told_each)}"


def _most(best: Sequence[Row], column: str, what: str) -> str:
    names = [f"`{row[column]}`" for row in best]
    if len(names) == 1:
        return f"The {what} that matters most is {names[0]}"
    return f"The {what}s that matter most are {_listed(names)}, which cannot be told apart"


def _which(row: Row) -> str:
    return f"{row['figure']}, which acts first," if row["figure"].endswith(" 1") else str(row["figure"])


def _among(row: Row) -> str:
    return f"among `{row['lineup']}` players"


def _word(scale: Sequence[tuple[float, str]], value: float) -> str:
    return next(word for end, word in scale if value < end)


def _either(one: str, other: str) -> str:
    return one if one == other else f"{one} or {other}, these games do not tell which"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
