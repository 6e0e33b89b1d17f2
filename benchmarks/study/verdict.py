"""The opening of a study's page: a headline in plain words, and a box with small charts for each of its lines.

With two variants the lines are about the change. The terminal prints the same lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import tantra_envs
from tantra_envs import measures
from tantra_envs.drawing import draw, is_drawn
from tantra_envs.english import capital, listed
from tantra_envs.games import GAMES
from tantra_envs.table.lobby import LEVELS

from ..harness.formatting import digits, is_clear, is_sure, with_ends
from .results import Results, Row
from .skill import EXPLAINED, FINISHED, SCORE
from .tally import CUT_OFF, LAST_SCORE, LENGTH, MEDIAN, SEAT
from .variants import BASE

EVEN = 0.5
STRONG, SOME = 0.5, 0.2  # shares of the way from even to the highest score, from which skill decides or counts
MUCH, PART = 0.3, 0.1  # shares of the differences, from which the deal decides much or a part
OPEN, TURNED = 0.35, 0.2  # scores of the last at half, from which a game stays open, and from which it can be turned
FEW = 3  # with more variants, the opening is about the first one only
SMALL = 0.005  # changes of shares and scores that two digits do not show
RARE = 0.01  # share of games stopped at a limit that need not be mentioned
WIDTH, HIGH, LABEL, NUMBER = 320, 20, 84, 36  # of a chart, its rows, and the words and numbers next to its bars


@dataclass(frozen=True)
class Box:
    """One question: its line of the headline, a chart for each variant, and the changes from the first one."""

    question: str
    note: str
    line: str
    charts: Mapping[str, str]  # SVG by variant
    changes: Mapping[str, Sequence[tuple[str, bool]]]  # by variant: a change as text, and whether it is clear


@dataclass(frozen=True)
class Opening:
    """The beginning of a page."""

    picture: str  # SVG, or "" for a game without a picture
    title: str
    agents: Mapping[str, str]  # how each agent plays
    boxes: Sequence[Box]


@dataclass(frozen=True)
class _Study:
    """The figures that the opening is about."""

    results: Results
    variants: Sequence[str]
    rows: Sequence[Row]
    every: Sequence[Row]  # the rows with all pairs of agents

    @property
    def other(self) -> str:
        """The second of two variants; "" if there are not two."""
        return self.variants[1] if len(self.results["variants"]) == 2 else ""

    def figures(self, section: str, measure: str, part: str = "") -> dict[str, list[Row]]:
        """Return the rows of a measure by variant; nothing if the first variant has none."""
        names = section, measure, part
        rows = [row for row in self.rows if (row["section"], row["measure"], row["part"]) == names]
        by_variant = {variant: [row for row in rows if row["variant"] == variant] for variant in self.variants}
        return {name: rows for name, rows in by_variant.items() if rows} if by_variant[self.variants[0]] else {}


def opening(results: Results, rows: Sequence[Row]) -> Opening:
    """Return the opening of a page: about all variants if they are few, otherwise about the first one."""
    variants = list(results["variants"])
    shown = variants if len(variants) <= FEW else variants[:1]
    study = _Study(results, shown, _without_other_pairs(rows, variants[0]), rows)
    title = f"{results['title']} with {variants[0]}" if variants[0] != BASE else results["title"]
    if study.other:
        title = f"{results['title']} with {study.other} instead of {variants[0]}"
    words = {agent: LEVELS.get(agent.partition(":")[0], ("", ""))[1] for agent in results.get("agents", [])}
    boxes = [box for question in QUESTIONS if (box := question(study))]
    return Opening(_picture(results), title, {name: how for name, how in words.items() if how}, boxes)


def _picture(results: Results) -> str:
    """Return the table of the first variant after the deal, with the seats named in the order of play."""
    if results["game"] not in GAMES:
        return ""
    game = tantra_envs.game(results["game"], **{"players": results["players"], **results["config"]})
    if not is_drawn(game):
        return ""
    state = game.new(results["seed"])
    first = int(measures.of_game(game).Worth.first(state)[0])
    names = [to_act((seat - first) % game.players % len(game.teams) + 1) for seat in range(game.players)]
    return draw(game, state, first, legal=False, names=names)


def to_act(seat: int) -> str:
    """Return the name of a seat by its place in the order of play: "1st to act"."""
    ending = "th" if seat in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(seat % 10, "th")
    return f"{seat}{ending} to act"


# The questions


def _seats(study: _Study) -> Box | None:
    """Ask whether a place in the order of play has an advantage."""
    figures = study.figures("seats", SEAT.name)
    if not figures:
        return None
    lineups = [seats for rows in figures.values() for seats in _by_lineup(rows).values()]
    clear = [row for seats in lineups if (row := _furthest(seats))]
    main = {id(row) for rows in figures.values() for row in _most_deals(rows)}
    agents = _most_deals(figures[study.variants[0]])[0]["lineup"]
    parts = [_unfair(row, study) for row in clear]
    if not main & set(map(id, clear)):
        parts.insert(0, "no seat is clearly better or worse" + f" in games of {agents} agents" * bool(clear))
    line = "; ".join(parts)
    most = {name: [max(rows, key=_change_size) for rows in _by_lineup(every).values()]
            for name, every in figures.items()}  # fmt: skip
    changed = [row for rows in most.values() for row in rows if _direction(row)]
    if changed:
        seats = [f"the {to_act(row['seat'])} in games of {row['lineup']} agents" for row in changed]
        line += f". The score changes clearly for {listed(seats)}"
    charts = {
        variant: chart([(to_act(row["seat"]), row, _hundred(row["value"])) for row in _most_deals(rows)])
        for variant, rows in figures.items()
    }
    note = f"A seat beats 50 of 100 opponents if none has an advantage. The charts are of {agents} agents."
    note += " Among many figures one in twenty looks clear by chance: test a surprise with another --seed."
    return Box("Is a seat better?", note, line, charts, _changes(most))


def _deal(study: _Study) -> Box | None:
    """Ask how much of the results is decided by the deal."""
    figures = study.figures("skill", EXPLAINED.name, "by the deal")
    if not figures:
        return None
    row, new = _before_and_after(study, figures)
    pair = _pair(row)
    parts = {name: study.figures("skill", EXPLAINED.name, f"by {name}") for name in ("the agents", "the deal")}
    charts = {}
    for variant in figures:
        bars = [(name, rows[variant][0], _hundred(rows[variant][0]["value"])) for name, rows in parts.items()]
        charts[variant] = chart(bars, None)
    note = f"Shares of the differences between the results of {pair}, the closest pair with a clear difference, in %. "
    note += "The rest is neither: agents play the same cards differently, and some choose at random. "
    note += "A share of the deal below 0 means that the deals favour no seat."
    if new:
        words = "how much the deal decides does not change clearly"
        words = (words, "the deal decides clearly more", "the deal decides clearly less")[_direction(new)]
        line = f"{words}: {_percent(new)} of the differences between results of {pair}, "
        line += f"instead of {_percent(row)}{_other_pairs(study, new)}"
    else:
        size = "much" if row["value"] >= MUCH else "a part" if row["value"] >= PART else "little"
        line = f"the deal decides {size}: {_percent(row)} of the differences between results of {pair}"
    return Box("Does the deal decide?", note, line, charts, _changes(figures))


def _skill(study: _Study) -> Box | None:
    """Ask how much an agent gains over the next weaker one."""
    figures = study.figures("skill", SCORE.name)
    if not figures:
        return None
    row, new = _before_and_after(study, figures)
    better, _, worse = row["lineup"].partition(" - ")
    most = study.results.get("most", 1.0)
    finished = study.figures("skill", FINISHED.name)
    stopped = _stopped(study, "skill", row["lineup"])
    note = f"50 is even, and {_hundred(most)} is the most.{stopped}"
    if finished and stopped:
        parts = [f"{_hundred(rows[0]['value'])} of 100{_of(name, study)}" for name, rows in finished.items()]
        note += f" They are often ties. Among finished games the score is {listed(parts)}."
    games = study.results.get("teams", 2) == 2
    scores = f"{better} scores" if games else f"{better}, alone among {worse} agents, beats"
    ends = f"of 100 against {worse}, where a tie counts half" if games else "of 100 opponents"
    if new:
        verb = ("does not change clearly", "rises clearly", "falls clearly")[_direction(new)]
        line = f"the score of the better agent {verb}: {scores} {_hundred(new['value'])} instead of "
        line += f"{_hundred(row['value'])} {ends}{_other_pairs(study, new)}"
    else:
        gain = (row["value"] - EVEN) / (most - EVEN)
        short = "skill decides" if gain >= STRONG else "skill counts" if gain >= SOME else "skill counts a little"
        short = short if row["low"] > EVEN else "skill does not show"
        line = f"{short}: {scores} {_hundred(row['value'])} {ends}"
    return Box("Does skill matter?", note, line, _bars(figures, _hundred), _changes(figures))


def _length(study: _Study) -> Box | None:
    """Ask how long a typical game is."""
    figures = study.figures("length", MEDIAN.name) or study.figures("length", LENGTH.name)
    if not figures:
        return None
    row, new = _before_and_after(study, figures)
    mean = row["measure"] == LENGTH.name
    actions = "actions" + " on average" * mean
    line = f"a{'' if mean else ' typical'} game of {row['lineup']} agents takes "
    if new:
        words = ("neither clearly longer nor shorter", "clearly longer", "clearly shorter")
        line = f"games are {_outcomes(figures[study.other], words)}. {capital(line)}{new['value']:.0f} {actions} "
        line += f"instead of {row['value']:.0f}"
    else:
        line += f"{row['value']:.0f} {actions}"
    stopped = _stopped(study, "length")
    note = "The actions of all seats together." + " Half of the games take more, half take less." * (not mean)
    note += " Stopped games raise the average." * bool(mean and stopped)
    most = max(row["high"] for rows in figures.values() for row in rows)
    charts = _bars(figures, round, None, most)
    return Box("How long is it?", note, f"{line}.{stopped}".removesuffix("."), charts, _changes(figures))


def _suspense(study: _Study) -> Box | None:
    """Ask whether a game stays open."""
    figures = study.figures("tension", LAST_SCORE.name)
    if not figures:
        return None
    row, new = _before_and_after(study, figures)
    who = "team" if study.results.get("teams") != study.results.get("players") else "seat"
    last = f"with {row['lineup']} agents, the {who} that is last after half of the actions beats"
    note = f"How many of 100 opponents the {who} that alone is last after half of the actions beats in the end. "
    note += "At 50, with any number of players, the first half of a game has no influence."
    if new:
        words = ("does not change clearly", "rises clearly", "falls clearly")
        line = f"the score of the last at half {_outcomes(figures[study.other], words)}. {capital(last)} "
        line += f"{_hundred(new['value'])} of 100 opponents in the end, instead of {_hundred(row['value'])}"
    else:
        late = "a game stays open until late" if row["value"] >= OPEN else "a game can still turn in its second half"
        late = late if row["value"] >= TURNED else "the first half decides most games"
        line = f"{late}: {last} {_hundred(row['value'])} of 100 opponents in the end"
    return Box("Does it stay open?", note, line, _bars(figures, _hundred), _changes(figures))


QUESTIONS: tuple[Callable[[_Study], Box | None], ...] = (_seats, _deal, _skill, _length, _suspense)


# The words


def lines(first: Opening) -> list[str]:
    """Return the lines of the headline as sentences."""
    return [f"{capital(box.line)}." for box in first.boxes]


def _before_and_after(study: _Study, figures: Mapping[str, Sequence[Row]]) -> tuple[Row, Row | None]:
    """Return the figure of the main agents under the first variant, and under the second of two."""
    row = _most_deals(figures[study.variants[0]])[-1]
    new = [other for other in figures.get(study.other, ()) if other["lineup"] == row["lineup"]]
    return row, new[0] if new and new[0]["change"] is not None else None


def _other_pairs(study: _Study, new: Row) -> str:
    """Return a sentence about the pairs of agents for which a figure changes clearly in another direction."""
    kind = {name: new[name] for name in ("section", "measure", "part", "variant")}
    rows = [row for row in study.every if kind.items() <= row.items() and _gain(row) not in (0, _direction(new))]
    what, up, down = ("the gap", "widens", "narrows") if new["measure"] == SCORE.name else ("it", "rises", "falls")
    pairs = {verb: [_pair(row) for row in rows if _gain(row) == by] for verb, by in ((up, 1), (down, -1))}
    words = [f"{verb} clearly for {listed(names)}" for verb, names in pairs.items() if names]
    return f". Other pairs disagree: {what} {listed(words)}" if words else ""


def _gain(row: Row) -> int:
    """Return the direction of a change, 0 if it is small; for the score of the worse agent, that of the better one."""
    if abs(row["change"] or 0.0) < SMALL:
        return 0
    return -_direction(row) if row["measure"] == SCORE.name and row["value"] < EVEN else _direction(row)


def _pair(row: Row) -> str:
    return str(row["lineup"]).replace(" - ", " against ")


def _outcomes(rows: Sequence[Row], words: tuple[str, str, str]) -> str:
    """Return the direction of a change as text, by agent where they disagree. `words` are for none, up and down."""
    agents: dict[str, list[str]] = {}
    for row in reversed(rows):
        agents.setdefault(words[_direction(row)], []).append(row["lineup"])
    if len(agents) == 1:
        return next(iter(agents)) + " with all agents" * (len(rows) > 1)
    return ", ".join(f"{word} with {listed(names)} agents" for word, names in agents.items())


def _changes(figures: Mapping[str, Sequence[Row]]) -> dict[str, list[tuple[str, bool]]]:
    """Return the changes of all variants as text, and whether they are clear."""
    return {
        variant: [(_change(row), bool(_direction(row))) for row in rows if row["change"] is not None]
        for variant, rows in figures.items()
        if any(row["change"] is not None for row in rows)
    }


def _change(row: Row) -> str:
    share = row["measure"] not in (MEDIAN.name, LENGTH.name)
    change, low, high = (row[name] * (100 if share else 1) for name in ("change", "change_low", "change_high"))
    ends = with_ends(change, low, high, places=int(share), signed=True)
    seat = f", {to_act(row['seat'])}" if row["seat"] else ""
    return f"{row['lineup']}{seat}: {ends}, {'clear' if _direction(row) else 'not clear'}"


def _direction(row: Row) -> int:
    """Return 1 for a clear rise, -1 for a clear fall, otherwise 0."""
    if row["change"] is None or not is_clear(row["change_low"], row["change_high"], digits(row["value"])):
        return 0
    return 1 if row["change"] > 0 else -1


def _change_size(row: Row) -> tuple[bool, float]:
    return bool(_direction(row)), abs(row["change"] or 0.0)


def _furthest(seats: Sequence[Row]) -> Row | None:
    """Return the seat that is furthest from even among those that clearly differ; of two equal ones, the better one."""
    clear = [row for row in seats if is_sure(row["low"] - EVEN, row["high"] - EVEN)]
    return max(clear, key=lambda row: (round(abs(row["value"] - EVEN), 3), row["value"]), default=None)


def _stopped(study: _Study, section: str, lineup: str = "") -> str:
    """Return a sentence about games that were stopped at a limit, "" if they are rare."""
    parts = [
        f"{max(1, _hundred(row['value']))} of 100 games of {_where(row, study)}"
        for rows in study.figures(section, CUT_OFF.name).values()
        for row in rows
        if row["value"] > RARE and row["lineup"] == (lineup or row["lineup"]) and (lineup or " - " not in row["lineup"])
    ]
    return f" Some games do not end and are stopped at a limit: {listed(parts)}." if parts else ""


def _unfair(row: Row, study: _Study) -> str:
    """Return a clause about a seat that is clearly better or worse than the others."""
    better = "better" if row["value"] > EVEN else "worse"
    seat = f"the {to_act(row['seat'])} is clearly {better} in games of {_where(row, study)}"
    return f"{seat} and beats {_hundred(row['value'])} of 100 opponents"


def _where(row: Row, study: _Study) -> str:
    """Return the agents of a figure, and its variant where there are several: "scripted agents with copies=2"."""
    agents = "" if " - " in row["lineup"] else " agents"
    return f"{row['lineup']}{agents}{_of(row['variant'], study)}"


def _of(variant: str, study: _Study) -> str:
    return f" with {variant}" if len(study.variants) > 1 else ""


def _percent(row: Row) -> str:
    return f"{_hundred(row['value'])} % [{_hundred(row['low'])}, {_hundred(row['high'])}]"


def _hundred(share: float) -> int:
    return round(100 * share)


# The figures


def _without_other_pairs(rows: Sequence[Row], variant: str) -> list[Row]:
    """Return the rows without the skill of all pairs but one.

    Among the pairs with the most deals it is the closest one with a clear difference.
    """
    scores = [row for row in rows if row["section"] == "skill" and row["measure"] == SCORE.name]
    most = max((row["deals"] for row in scores), default=0)
    first = [row for row in scores if row["variant"] == variant and row["deals"] == most]
    clear = [row for row in first if row["low"] > EVEN]
    if not first:
        return [row for row in rows if row["section"] != "skill"]
    pair = min(clear, key=lambda row: row["value"]) if clear else max(first, key=lambda row: row["value"])
    return [row for row in rows if row["section"] != "skill" or row["lineup"] == pair["lineup"]]


def _most_deals(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the line-up with the most deals; of several, of the last."""
    best = max(rows, key=lambda row: (row["deals"], rows.index(row)))
    return [row for row in rows if row["lineup"] == best["lineup"]]


def _by_lineup(rows: Sequence[Row]) -> dict[str, list[Row]]:
    lineups = dict.fromkeys(row["lineup"] for row in rows)
    return {lineup: [row for row in rows if row["lineup"] == lineup] for lineup in lineups}


# The charts


def _bars(
    figures: Mapping[str, Sequence[Row]],
    number: Callable[[float], int],
    even: float | None = EVEN,
    most: float = 1.0,
) -> dict[str, str]:
    """Return a chart for each variant, with a bar for each line-up."""
    return {
        variant: chart([(row["lineup"].partition(" - ")[0], row, number(row["value"])) for row in rows], even, most)
        for variant, rows in figures.items()
    }


def chart(bars: Sequence[tuple[str, Row, int]], even: float | None = EVEN, most: float = 1.0) -> str:
    """Return an SVG with a bar for each figure, its number and its interval, and a line at the even value."""
    high = HIGH * len(bars) + 4
    parts = [_bar(name, row, number, 2 + HIGH * i, most) for i, (name, row, number) in enumerate(bars)]
    words = "; ".join(f"{name} {number}" for name, _, number in bars)
    if even is not None:
        parts.append(f'<path d="M{_across(even)} 0V{high}" stroke="var(--ink)" stroke-dasharray="3 3"/>')
    head = f'<svg viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" role="img" aria-label="{escape(words)}">'
    return f"{head}{''.join(parts)}</svg>"


def _bar(name: str, row: Row, number: int, top: int, most: float) -> str:
    """Return the bar of one figure between its name and its number, with its interval as a thin line."""
    start, end, low, high = (_across(value / most) for value in (0.0, row["value"], row["low"], row["high"]))
    middle = top + HIGH // 2
    return (
        f'<text x="0" y="{middle + 4}" font-size="12" fill="var(--ink)">{escape(name[:12])}</text>'
        f'<rect x="{start}" y="{top + 4}" width="{end - start}" height="{HIGH - 8}" fill="var(--c0)"/>'
        f'<path d="M{low} {middle}H{high}" stroke="var(--ink)" stroke-width="2"/>'
        f'<text x="{WIDTH}" y="{middle + 4}" font-size="12" text-anchor="end" fill="var(--ink)">{number}</text>'
    )


def _across(share: float) -> int:
    return LABEL + round((WIDTH - LABEL - NUMBER) * min(1.0, max(0.0, share)))
