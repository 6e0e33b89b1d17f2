"""The opening of a study's page: one verdict, and four answers in plain words with small charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tantra_envs.english import listed
from tantra_envs.table.lobby import picture

from ..harness.formatting import is_sure
from .results import Results, Row
from .skill import SCORE
from .tally import COMEBACKS, CUT_OFF, LENGTH, SEAT

EVEN = 0.5
STRONG, SOME = 0.75, 0.6  # scores from which skill decides, and from which it counts
SMALL = 0.04  # advantage of a seat that matters only a little
OPEN, TURNED = 0.35, 0.2  # comebacks from which a game stays open, and from which it can be turned
RARE = 0.01  # share of games stopped at a limit that need not be mentioned
WIDTH, HIGH, LABEL = 300, 20, 84  # of a chart and its rows, in units


@dataclass(frozen=True)
class Answer:
    """The answer to one question about a game."""

    question: str
    short: str  # part of the verdict, such as "no seat is ahead"
    sentence: str
    chart: str  # SVG, or ""


@dataclass(frozen=True)
class Opening:
    """What a page begins with."""

    picture: str  # SVG, or "" for a game without a picture
    verdict: str
    answers: Sequence[Answer]


def opening(results: Results, rows: Sequence[Row]) -> Opening:
    """Return the opening of a page, from the figures of the base variant."""
    base = [row for row in rows if row["variant"] == results["variants"][0]]
    candidates = (_fairness(base), _skill(base), _length(base), _suspense(base))
    answers = [answer for answer in candidates if answer]
    content = picture(results["game"])
    verdict = f"{results['title']}: {listed([answer.short for answer in answers])}." if answers else ""
    return Opening(content.decode() if content else "", verdict, answers)


def _fairness(rows: Sequence[Row]) -> Answer | None:
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
        sentence = f"Seat {row['seat']} beats {_hundred(row['value'])} of 100 opponents, and 50 would be even."
    else:
        short = "no seat has a clear advantage"
        sentence = f"Every seat beats between {least} and {most} of 100 opponents, and chance explains the difference."
    return Answer("Is it fair?", short, sentence, chart([(f"seat {row['seat']}", row) for row in seats]))


def _skill(rows: Sequence[Row]) -> Answer | None:
    """Return how much the best agent gains over another."""
    scores = [row for row in rows if (row["section"], row["measure"]) == ("skill", SCORE.name)]
    if not scores:
        return None
    row = max(scores, key=lambda row: row["value"])
    better, _, worse = row["lineup"].partition(" - ")
    value = row["value"]
    short = "skill decides" if value >= STRONG else "skill counts" if value >= SOME else "skill counts a little"
    short = short if row["low"] > EVEN else "skill does not show"
    sentence = f"Agent {better} beats {_hundred(value)} of 100 opponents of the kind {worse}. 50 would be pure luck."
    return Answer("Does skill matter?", short, sentence, chart([(better, row)]))


def _length(rows: Sequence[Row]) -> Answer | None:
    """Return how long a game is."""
    lengths = _most_deals([row for row in rows if (row["section"], row["measure"]) == ("length", LENGTH.name)])
    if not lengths:
        return None
    row = lengths[0]
    actions = f"{row['value']:.0f}"
    stopped = [one for one in rows if one["measure"] == CUT_OFF.name and one["lineup"] == row["lineup"]]
    often = next((one["value"] for one in stopped if one["section"] == "length"), 0.0)
    more = f" {max(1, _hundred(often))} of 100 games never ended and were stopped." if often > RARE else ""
    sentence = f"A game takes {actions} actions on average, those of all players together.{more}"
    return Answer("How long is it?", f"a game takes about {actions} actions", sentence, "")


def _suspense(rows: Sequence[Row]) -> Answer | None:
    """Return whether a game stays open."""
    turned = _most_deals([row for row in rows if (row["section"], row["measure"]) == ("tension", COMEBACKS.name)])
    if not turned:
        return None
    row = turned[0]
    value = row["value"]
    late = "it stays open until late" if value >= OPEN else "it can be turned"
    short = late if value >= TURNED else "the first half decides"
    sentence = f"Of 100 players who are last at half time, {_hundred(value)} still end in the better half of the table."
    return Answer("Does it stay open?", short, sentence, chart([("comebacks", row)]))


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
