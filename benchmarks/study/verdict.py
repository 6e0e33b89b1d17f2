"""The opening of a study's page: one verdict, and four answers in plain words with small charts.

With several variants, each box has an answer for every variant, and its change from the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tantra_envs.english import listed
from tantra_envs.table.lobby import picture

from ..harness.formatting import digits, is_clear, is_sure, with_ends
from .results import Results, Row
from .skill import EXPLAINED, SCORE
from .tally import COMEBACKS, CUT_OFF, LENGTH, SEAT
from .variants import BASE

EVEN = 0.5
STRONG, SOME = 0.5, 0.2  # shares of the way from even to the highest score, from which skill decides or counts
SMALL = 0.04  # advantage of a seat that matters only a little
OPEN, TURNED = 0.35, 0.2  # comebacks from which a game stays open, and from which it can be turned
FEW = 3  # with more variants, the opening is about the first one only
RARE = 0.01  # share of games stopped at a limit that need not be mentioned
WIDTH, HIGH, LABEL = 300, 20, 84  # of a chart and its rows, in units


@dataclass(frozen=True)
class Answer:
    """The answer to one question about one variant of a game."""

    short: str  # part of the verdict, such as "no seat has a clear advantage"
    sentence: str
    chart: str  # SVG, or ""
    rows: Sequence[Row]  # figures on which it rests


@dataclass(frozen=True)
class Change:
    """The difference of a variant from the first one."""

    variant: str
    short: str  # part of the verdict, such as "games are clearly longer"
    sentence: str


@dataclass(frozen=True)
class Box:
    """One question with the answers of all variants, by their names ("" for the only one)."""

    question: str
    answers: Mapping[str, Answer]
    changes: Sequence[Change]


@dataclass(frozen=True)
class Opening:
    """What a page begins with."""

    picture: str  # SVG, or "" for a game without a picture
    verdict: str
    boxes: Sequence[Box]


def opening(results: Results, rows: Sequence[Row]) -> Opening:
    """Return the opening of a page: about all variants if they are few, otherwise about the first one."""
    variants = list(results["variants"])
    first, shown = variants[0], variants if len(variants) <= FEW else variants[:1]
    rows = _without_other_pairs(rows, first)
    boxes = []
    for question, answer_of, words in QUESTIONS:
        answers = {name: answer_of([row for row in rows if row["variant"] == name], results) for name in shown}
        given = {name: answer for name, answer in answers.items() if answer}
        if first in given:
            named = {"" if name == BASE else name: answer for name, answer in given.items()}
            changes = [_change(name, answer.rows, words) for name, answer in given.items() if name != first]
            boxes.append(Box(question, named, [change for change in changes if change]))
    content = picture(results["game"])
    return Opening(content.decode() if content else "", _verdict(results["title"], variants, boxes), boxes)


def _verdict(title: str, variants: Sequence[str], boxes: Sequence[Box]) -> str:
    """Return the answers in one sentence; of two variants, what changes between them."""
    changes = [change.short for box in boxes for change in box.changes]
    if len(variants) == 2 and changes:
        return f"{title} with {variants[1]} instead of {variants[0]}: {listed(changes)}."
    name = f"{title} with {variants[0]}" if variants[0] != BASE else title
    short = [next(iter(box.answers.values())).short for box in boxes]
    return f"{name}: {listed(short)}." if short else ""


def _change(variant: str, rows: Sequence[Row], words: tuple[str, str, str]) -> Change | None:
    """Return the change of the figure that changes most; `words` are for more, for less and for no clear change."""
    changed = [row for row in rows if row["change"] is not None]
    if not changed:
        return None
    row = max(changed, key=lambda row: (_is_changed(row), abs(row["change"])))
    more, less, same = words
    short = same if not _is_changed(row) else more if row["change"] > 0 else less
    before = row["value"] - row["change"]
    if row["measure"] == LENGTH.name and _is_changed(row):
        short += f" ({row['value']:.0f} actions instead of {before:.0f})"
    places = digits(row["value"])
    ends = with_ends(row["change"], row["change_low"], row["change_high"], places, signed=True)
    name = f"{to_act(row['seat'])}: " if row["seat"] else ""
    clear = "a clear change" if _is_changed(row) else "no clear change"
    return Change(variant, short.format(seat=to_act(row["seat"])), f"{name}{ends}, {clear}")


def _is_changed(row: Row) -> bool:
    return is_clear(row["change_low"], row["change_high"], digits(row["value"]))


def to_act(seat: int) -> str:
    """Return the name of a seat by its place in the order of play: "1st to act"."""
    ending = "th" if seat in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(seat % 10, "th")
    return f"{seat}{ending} to act"


def _fairness(rows: Sequence[Row], results: Results) -> Answer | None:
    """Return whether the place at the table matters."""
    seats = _most_deals([row for row in rows if (row["section"], row["measure"]) == ("seats", SEAT.name)])
    if not seats:
        return None
    clear = [row for row in seats if is_sure(row["low"] - EVEN, row["high"] - EVEN)]
    least, most = (_hundred(of(row["value"] for row in seats)) for of in (min, max))
    if clear:
        row = max(clear, key=lambda row: abs(row["value"] - EVEN))
        small = abs(row["value"] - EVEN) < SMALL
        short = "the place at the table matters a little" if small else "the place at the table matters"
        sentence = f"The seat {to_act(row['seat'])} beats {_hundred(row['value'])} of 100 opponents. 50 is even."
    else:
        short = "no seat has a clear advantage"
        sentence = f"Every seat beats between {least} and {most} of 100 opponents. Chance can explain the difference."
    sentence += f" All seats: {seats[0]['lineup']}."
    return Answer(short, sentence, chart([(to_act(row["seat"]), row) for row in seats]), seats)


def _without_other_pairs(rows: Sequence[Row], variant: str) -> list[Row]:
    """Return the rows without the skill of all pairs of agents but one: the closest one with a clear difference."""
    scores = [row for row in rows if row["section"] == "skill" and row["measure"] == SCORE.name]
    first = [row for row in scores if row["variant"] == variant]
    clear = [row for row in first if row["low"] > EVEN]
    if not first:
        return [row for row in rows if row["section"] != "skill"]
    pair = min(clear, key=lambda row: row["value"]) if clear else max(first, key=lambda row: row["value"])
    return [row for row in rows if row["section"] != "skill" or row["lineup"] == pair["lineup"]]


def _skill(rows: Sequence[Row], results: Results) -> Answer | None:
    """Return how much an agent gains over the next weaker one."""
    skill = [row for row in rows if row["section"] == "skill"]
    scores = [row for row in skill if row["measure"] == SCORE.name]
    if not scores:
        return None
    row = scores[0]
    better, _, worse = row["lineup"].partition(" - ")
    most = results.get("most", 1.0)
    gain = (row["value"] - EVEN) / (most - EVEN)
    short = "skill decides" if gain >= STRONG else "skill counts" if gain >= SOME else "skill counts a little"
    short = short if row["low"] > EVEN else "skill does not show"
    sentence = f"Agent {better} beats {_hundred(row['value'])} of 100 opponents of the kind {worse}. "
    sentence += f"50 is even, and {_hundred(most)} is the most."
    parts = {one["part"]: _hundred(one["value"]) for one in skill if one["measure"] == EXPLAINED.name}
    if len(parts) == len(EXPLAINED.names):
        agents, deal, neither = (parts[name] for name in EXPLAINED.names)
        sentence += f" The agents explain {agents} % of the differences between results, the deal {deal} %, and chance "
        sentence += f"during play {neither} %."
    return Answer(short, sentence, chart([(better, row)]), scores)


def _length(rows: Sequence[Row], results: Results) -> Answer | None:
    """Return how long a game is."""
    lengths = _most_deals([row for row in rows if (row["section"], row["measure"]) == ("length", LENGTH.name)])
    if not lengths:
        return None
    row = lengths[0]
    actions = f"{row['value']:.0f}"
    stopped = [one for one in rows if one["measure"] == CUT_OFF.name and one["lineup"] == row["lineup"]]
    often = next((one["value"] for one in stopped if one["section"] == "length"), 0.0)
    more = f" {max(1, _hundred(often))} of 100 games never ended and were stopped." if often > RARE else ""
    sentence = f"A game takes {actions} actions on average, those of all seats together ({row['lineup']}).{more}"
    return Answer(f"a game takes about {actions} actions", sentence, "", lengths[:1])


def _suspense(rows: Sequence[Row], results: Results) -> Answer | None:
    """Return whether a game stays open."""
    turned = _most_deals([row for row in rows if (row["section"], row["measure"]) == ("tension", COMEBACKS.name)])
    if not turned:
        return None
    row = turned[0]
    value = row["value"]
    late = "it stays open until late" if value >= OPEN else "it can be turned"
    short = late if value >= TURNED else "the first half decides"
    sentence = f"Of 100 seats that are last at half time, {_hundred(value)} still end in the better half of the table "
    sentence += f"({row['lineup']})."
    return Answer(short, sentence, chart([("comebacks", row)]), turned[:1])


QUESTIONS = (  # each with the words for a clear rise, a clear fall, and no clear change
    (
        "Is it fair?",
        _fairness,
        (
            "the seat that is {seat} does clearly better",
            "the seat that is {seat} does clearly worse",
            "no seat is clearly better or worse off",
        ),
    ),
    (
        "Does skill matter?",
        _skill,
        (
            "the better agent wins clearly more often",
            "the better agent wins clearly less often",
            "skill counts neither clearly more nor less",
        ),
    ),
    (
        "How long is it?",
        _length,
        ("games are clearly longer", "games are clearly shorter", "games are not clearly longer or shorter"),
    ),
    (
        "Does it stay open?",
        _suspense,
        (
            "comebacks are clearly more frequent",
            "comebacks are clearly less frequent",
            "comebacks are not clearly more or less frequent",
        ),
    ),
)


def _most_deals(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the line-up with the most deals; of several, of the last."""
    if not rows:
        return []
    best = max(rows, key=lambda row: (row["deals"], rows.index(row)))
    return [row for row in rows if row["lineup"] == best["lineup"]]


def _hundred(share: float) -> int:
    return round(100 * share)


def chart(entries: Sequence[tuple[str, Row]]) -> str:
    """Return an SVG with a bar for each share, its interval, and a line at one half."""
    high = HIGH * len(entries) + 4
    parts = [_bar(name, row, 2 + HIGH * i) for i, (name, row) in enumerate(entries)]
    words = "; ".join(f"{name} {_hundred(row['value'])} of 100" for name, row in entries)
    half = _across(EVEN)
    return (
        f'<svg viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" role="img" aria-label="{escape(words)}">{"".join(parts)}'
        f'<path d="M{half} 0V{high}" stroke="var(--ink)" stroke-dasharray="3 3"/></svg>'
    )


def _bar(name: str, row: Row, top: int) -> str:
    """Return the bar of one share, with its name on the left and its interval as a thin line."""
    start, end, low, high = (_across(share) for share in (0.0, row["value"], row["low"], row["high"]))
    middle = top + HIGH // 2
    return (
        f'<text x="0" y="{middle + 4}" font-size="12" fill="var(--ink)">{escape(name[:12])}</text>'
        f'<rect x="{start}" y="{top + 4}" width="{end - start}" height="{HIGH - 8}" fill="var(--c0)"/>'
        f'<path d="M{low} {middle}H{high}" stroke="var(--ink)" stroke-width="2"/>'
    )


def _across(share: float) -> int:
    return LABEL + round((WIDTH - LABEL) * min(1.0, max(0.0, share)))
