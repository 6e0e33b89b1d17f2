"""Parts of every table: a headline, a panel for each seat, the last action as text, and buttons for other actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.game import Game
from ..core.state import States
from ..words import sentences
from ..words.english import clause, owner
from .layout import Box
from .shapes import shape
from .sheet import Sheet, num
from .text import escape, fit, width, wrap

MARGIN = 5.0
HEADLINE = 18.0
BUTTON = 15.0
NARROW = 260.0  # width of a panel that has its name and its facts in two lines
LINE, LINES = 8.6, 2  # size and number of lines for the last action


def headline(sheet: Sheet, title: str, now: str, legend: str = "") -> Box:
    """Write the title and the current phase. Return the box below, which has no lower edge.

    A bare drawing has a `legend` of its signs instead of the phase, which its page shows.
    """
    sheet.caption = f"{title}, {now}"
    room = sheet.width - 2 * MARGIN
    title, size = fit(title, 10, room * 0.6)
    used = width(title, size) * 0.92
    sheet.text(MARGIN + 2, 13, title, size, "b")
    if words := legend if sheet.bare else now:
        sheet.text(sheet.width - MARGIN - 2, 13, words, 9, "soft e", room - used - 8)
    return Box(MARGIN, HEADLINE, room, 10_000)


def to_decide(sheet: Sheet, game: Game, state: States) -> str:
    """Return the seat to decide and what it is doing, as text."""
    s, own = state[0], sentences.module(game)
    if s["over"]:
        return "the end"
    phase = game.phases[s["phase"]]
    doing = own.WAITS[phase] if own else f"to decide, in phase {phase}"
    return clause(sheet.names, int(s["seat"]), f"be {doing}")


def panel(
    sheet: Sheet, box: Box, name: str, facts: str, *, turn: bool, dim: bool = False, seat: int | None = None
) -> Box:
    """Draw the panel of a seat or team, with its name and `facts` in one line or, if it is narrow, in two.

    Returns:
        The box below the lines.
    """
    mark = "" if seat is None else f' data-seat="{seat}"'
    sheet.box(box, "panel", "turn" if turn else "line", 2 if turn else 1, mark=mark)
    x = box.x + 5
    if turn:
        sheet.add(shape("arrow", x + 3, box.y + 8.2, 9, "turn"))
        x += 9
    room = box.w - (x - box.x) - 5
    if facts and box.w < NARROW:
        sheet.text(x, box.y + 11.2, name, 9, "b soft" if dim else "b", room)
        sheet.text(box.x + 5, box.y + 24, facts, 8.2, "soft", box.w - 10)
        return Box(box.x + 4, box.y + 28, box.w - 8, box.h - 32)
    needed = width(facts, 8.2)
    part = max(room * 0.3, room - needed - 4)
    name, size = fit(name, 9, part)
    sheet.text(x, box.y + 11.2, name, size, "b soft" if dim else "b")
    if facts:
        sheet.text(box.x + box.w - 5, box.y + 11.2, facts, 8.2, "soft e", room - min(part, width(name, size)) - 4)
    return Box(box.x + 4, box.y + 15, box.w - 8, box.h - 19)


def hidden_card(sheet: Sheet, seat: int) -> str:
    """Return the title of a card in the hand of a seat that the reader does not see: "a card in Ann's hand"."""
    return f"a card in {owner(sheet.names, seat)} hand, face down"


def others(sheet: Sheet) -> list[int]:
    """Return the seats besides the front one, clockwise from its left."""
    players = len(sheet.names)
    return [(sheet.front + i) % players for i in range(1, players)]


def bottom(sheet: Sheet, rest: Box, high: float) -> Box:
    """Return the box at the lower edge, for the seat in front. The table ends below it."""
    sheet.height = rest.y + high
    return rest.top(high)[0]


def footer(sheet: Sheet, line: str, name: Callable[[int], str]) -> None:
    """Write the last action or the result, and a button for every legal action that no part of the table offers.

    A bare drawing has neither: its page shows them.

    Args:
        sheet: The drawing, whose height is that of the table.
        line: The last action or the result.
        name: Returns the name of an action, for its tooltip.
    """
    y = sheet.height + 2
    if sheet.bare:
        sheet.caption += f"; {line}" if line else ""
        sheet.height = y + 3
        return
    if line:
        sheet.add(f'<circle cx="{num(MARGIN + 5)}" cy="{num(y + 6)}" r="2.6" fill="var(--last)"/>')
        room = sheet.width - 2 * MARGIN - 14
        for i, part in enumerate(wrap(line, LINE, room, LINES)):
            sheet.text(MARGIN + 11, y + 9 + (LINE + 2) * i, part, LINE, "b", room)
        sheet.caption += f"; {line}"
    sheet.height = y + 5 + (LINE + 2) * LINES  # the same with any line, because the frames of a film have one size
    _buttons(sheet, [(action, sheet.phrase(action), name(action)) for action in sorted(sheet.legal - sheet.offered)])


def _buttons(sheet: Sheet, offers: Sequence[tuple[int, str, str]]) -> None:
    if not offers:
        return
    x, y, right = MARGIN, sheet.height, sheet.width - MARGIN
    for action, phrase, name in offers:
        words, size = fit(phrase, 8.2, right - MARGIN - 9)
        title = phrase if phrase == name else f"{phrase} ({name})"
        w = width(words, size) + 9
        if x + w > right and x > MARGIN:
            x, y = MARGIN, y + BUTTON + 3
        where = f'x="{num(x + w / 2)}" y="{num(y + 10.6)}" font-size="{num(size)}"'
        sheet.add(
            f"<g{sheet.offer(action)}><title>{escape(title)}</title>"
            f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(BUTTON)}" rx="7" fill="var(--panel)" '
            'stroke="var(--go)" stroke-width="1.3"/>'
            f'<text {where} class="m">{escape(words)}</text></g>'
        )
        x += w + 4
    sheet.height = y + BUTTON + 4
