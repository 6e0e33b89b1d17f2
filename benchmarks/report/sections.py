"""The parts of a page: what each asks, its picture, its tables, and whose command makes it alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from matplotlib.figure import Figure

from ..balance.games import load
from ..balance.question import SELF_PLAY, Question
from ..balance.questions.drama import lead_changes
from ..balance.questions.length import cut_offs, length
from ..balance.questions.results import seats, spread
from ..balance.questions.skill import skill
from ..balance.study import in_words
from ..balance.variants import BASE
from ..chances.reading import LOST, SURE
from ..harness.formatting import is_sure
from ..harness.themes import inline_svg
from ..restricted.plots import picture as bars
from . import plots
from .reading import CHANGES, MEASURES, measured
from .study import CHANCES, LEVELS, RESTRICTED, RULES, Played, Row, Study
from .told import Told, changed, said

Cell = tuple[str, bool]  # its text, and does it stand out?
NOTHING: Cell = ("-", False)


@dataclass(frozen=True)
class Table:
    """Rows of cells, each under a head."""

    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]


@dataclass(frozen=True)
class Section:
    """A part of the page."""

    title: str
    text: str
    command: str  # that makes it alone
    picture: str  # an SVG; empty = none
    tables: Sequence[Table]


def sections(study: Study, played: Played, told: Told) -> list[Section]:
    """All parts of a page, in its order."""
    game = study.game
    made = [_seats(study, told), _matchups(study, told), _lengths(study, told), _drama(study, told)]
    made += [_freedoms(study, played.restricted, told)] if played.restricted else []
    made += [_worth(study, question, told) for question in load(game).questions(game)]
    made += [_rules(study, told)] if RULES in study.parts else []
    return [section for section in made if any(table.rows for table in section.tables)]


def _seats(study: Study, told: Told) -> Section:
    asked = seats(study.game)
    text = f"{asked.description} Every player sits at all seats of its table. What is surely not even stands out."
    tables = [_by_player(told, asked, told.levels())]
    return Section(asked.title, text, study.commands[LEVELS], _drawn("seats", plots.seat_shares, study, told), tables)


def _matchups(study: Study, told: Told) -> Section:
    asked = skill(study.game)
    pairs = [lineup for lineup in told.lineups(LEVELS) if lineup not in told.levels()]
    text = (
        "What the player of a row scores alone among copies of the player of a column, over duplicate deals with seats "
        f"rotated; 0.5 is even. {asked.description}"
    )
    names = [figure.name for figure in asked.figures]
    found = {(row["lineup"], row["figure"]): row for row in told.rows(LEVELS, question=asked.title)}
    rows = [(pair, [_cell(found.get((pair, name))) for name in names]) for pair in pairs]
    picture = _drawn("matchups", plots.matchups, study, told) if pairs else ""
    return Section("Who beats whom?", text, study.commands[LEVELS], picture, [Table(["A - B", *names], rows)])


def _lengths(study: Study, told: Told) -> Section:
    game, levels = study.game, told.levels()
    asked = [length(game), cut_offs(game), spread(game), lead_changes(game)]
    text = (
        "Actions of all seats until the end; the last bar stands for all games that are longer still. "
        f"{cut_offs(game).description} {spread(game).description}"
    )
    rows = [row for question in asked for row in _by_player(told, question, levels).rows]
    picture = inline_svg(lambda: plots.lengths(told), "lengths")
    return Section("How long is a game?", text, study.commands[LEVELS], picture, [Table(["", *levels], rows)])


def _drama(study: Study, told: Told) -> Section:
    lineups = told.lineups(CHANCES)
    worlds = study.parts[CHANCES].worlds
    text = (
        f"In every tenth of a game the chance of each seat is the mean of {worlds} playouts: what it cannot know is "
        "drawn again, and the scripted player plays on. A game is decided for good when the later winner's chance "
        f"stays at {SURE} or more, a comeback is a game won from a chance of {LOST} or less."
    )
    cells = {
        name: {row["figure"]: row for row in told.rows(CHANCES, question="games", lineup=name)} for name in lineups
    }
    names = list(dict.fromkeys(figure for own in cells.values() for figure in own))
    rows = [(name, [_cell(cells[lineup].get(name)) for lineup in lineups]) for name in names]
    picture = inline_svg(lambda: plots.tension(told), "tension")
    return Section("How tense is it?", text, study.commands[CHANCES], picture, [Table(["", *lineups], rows)])


def _freedoms(study: Study, found: Row, told: Told) -> Section:
    lineups = told.lineups(RESTRICTED)
    text = (
        "A player without one of its freedoms sits alone among players of its kind that have them all; what it scores "
        "less than 0.5 is what the freedom is worth. What is surely worth something stands out."
    )
    rows = [
        (f"{row['figure']}: {row['question']}", [_cell(told.one(RESTRICTED, figure=row["figure"], lineup=name), 0)
                                                  for name in lineups])
        for row in told.rows(RESTRICTED, lineup=lineups[0])
    ]  # fmt: skip
    picture = inline_svg(lambda: bars(found), "freedoms")
    return Section(
        "What is each freedom worth?", text, study.commands[RESTRICTED], picture, [Table(["", *lineups], rows)]
    )


def _worth(study: Study, question: Question, told: Told) -> Section:
    """A question of the game's own: what its cards, tiles and formations are worth."""
    levels, text = told.levels(), question.description
    if question.games == SELF_PLAY:
        played = levels
    else:
        played = [in_words([stronger, weaker]) for weaker, stronger in combinations(levels, 2)]
        text += " A, the stronger, stands first."
    return Section(question.title, text, study.commands[LEVELS], "", [_by_player(told, question, played)])


def _rules(study: Study, told: Told) -> Section:
    """Every rule by itself, the one that changes most first."""
    asked = measured(study.game)
    order = _by_size(told)
    base = [told.one(RULES, question=title, figure=figure, variant=BASE) for title, figure in asked.values()]
    rows = [(BASE, [_cell(row) for row in base])]
    rows += [(variant, [_change(told, key, variant) for key in asked.values()]) for variant in order]
    lineups = told.lineups(RULES)
    text = (
        "Each rule is changed by itself, everything else stays as given, and all play the same deals, so that changes "
        "are paired: of the length in actions, of the score of who acts first, of the better player's "
        f"({lineups[-1]}), and of the share of those last half way who end in the better half. In the picture lengths "
        f"are relative. Changes that are sure stand out; of {len(order) * len(asked)} one in twenty does so by chance."
    )
    picture = inline_svg(lambda: plots.rules(told, order), "rules")
    heads = [f"{study.table}, {lineups[0]}", *MEASURES]
    return Section("What does every rule change?", text, study.commands[RULES], picture, [Table(heads, rows)])


def _by_size(told: Told) -> list[str]:
    """The rules, what changes most first: lengths count relative to the base."""
    size: dict[str, float] = {}
    for row in told.rows(CHANGES):
        size[row["variant"]] = max(size.get(row["variant"], 0.0), abs(row["value"]))
    return sorted(size, key=lambda variant: -size[variant])


def _change(told: Told, key: tuple[str, str], variant: str) -> Cell:
    title, figure = key
    row = told.one(RULES, question=title, figure=figure, variant=variant)
    if row is None or row["change"] is None:
        return NOTHING
    return changed(row), is_sure(row["change_low"], row["change_high"])


def _by_player(told: Told, question: Question, lineups: Sequence[str]) -> Table:
    """A row for each figure of a question, a column for each line-up."""
    names = [figure.name for figure in question.figures]
    found = {(row["figure"], row["lineup"]): row for row in told.rows(LEVELS, question=question.title)}
    rows = [(name, [_cell(found.get((name, lineup)), question.even) for lineup in lineups]) for name in names]
    return Table(["", *lineups], [row for row in rows if any(cell != NOTHING for cell in row[1])])


def _cell(row: Row | None, even: float | None = None) -> Cell:
    """A figure, which stands out where it is surely not even."""
    if row is None:
        return NOTHING
    differs = even is not None and is_sure(row["low"] - even, row["high"] - even)
    return said(row, signed=even == 0), differs


def _drawn(name: str, draw: Callable[..., Figure], study: Study, told: Told) -> str:
    return inline_svg(lambda: draw(study.game, told), name)
