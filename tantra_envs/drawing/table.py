"""Parts of every table: a headline, a panel for each seat, the last action as text, and buttons for other actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.game import Game
from ..core.state import States
from .layout import Box
from .shapes import shape
from .sheet import Move, Sheet, num
from .text import escape, fit, width

MARGIN = 5.0
HEADLINE = 18.0
BUTTON = 15.0
SECRETLY = "decides in secret"


def headline(sheet: Sheet, title: str, now: str) -> Box:
    """Write the title and the current phase. Return the box below, which has no lower edge."""
    sheet.caption = f"{title}, {now}"
    room = sheet.width - 2 * MARGIN
    title, size = fit(title, 10, room * 0.6)
    used = width(title, size) * 0.92
    sheet.text(MARGIN + 2, 13, title, size, "b")
    sheet.text(sheet.width - MARGIN - 2, 13, now, 9, "soft e", room - used - 8)
    return Box(MARGIN, HEADLINE, room, 10_000)


def to_decide(sheet: Sheet, game: Game, state: States) -> str:
    """Return the phase and the seat to decide, as text."""
    s = state[0]
    phase = game.phases[s["phase"]].lower()
    return "the end" if s["over"] else f"{phase} · {sheet.names[s['seat']]} to decide"


def panel(sheet: Sheet, box: Box, name: str, facts: str, *, turn: bool, dim: bool = False) -> Box:
    """Draw the panel of a seat or team, with its name and `facts` in one line. Return the box below the line."""
    sheet.box(box, "panel", "turn" if turn else "line", 2 if turn else 1)
    x = box.x + 5
    if turn:
        sheet.add(shape("arrow", x + 3, box.y + 8.2, 9, "turn"))
        x += 9
    room = box.w - (x - box.x) - 5
    needed = width(facts, 8.2)
    part = max(room * 0.3, room - needed - 4)
    name, size = fit(name, 9, part)
    sheet.text(x, box.y + 11.2, name, size, "b soft" if dim else "b")
    sheet.text(box.x + box.w - 5, box.y + 11.2, facts, 8.2, "soft e", room - min(part, width(name, size)) - 4)
    return Box(box.x + 4, box.y + 15, box.w - 8, box.h - 19)


def others(players: int, seat: int | None) -> list[int]:
    """Return the other seats, clockwise from the left of the reader. A reader without a seat counts as seat 0."""
    own = seat or 0
    return [(own + i) % players for i in range(1, players)]


def footer(sheet: Sheet, secret: frozenset[str], result: str, words: Callable[[int], str]) -> None:
    """Write the last action or the result, and a button for every legal action that no part of the table offers.

    Only the seat that acted may know its action in the phases `secret`.
    """
    line = result
    if sheet.last and not result:
        line = f"{sheet.names[sheet.last.seat]}: {words_for(sheet.seat, sheet.last, secret)}"
    y = sheet.height + 2
    if line:
        sheet.add(f'<circle cx="{num(MARGIN + 5)}" cy="{num(y + 6)}" r="2.6" fill="var(--last)"/>')
        sheet.text(MARGIN + 11, y + 9, line, 9, "b", sheet.width - 2 * MARGIN - 14)
        sheet.caption += f"; {line}"
    sheet.height = y + 14
    _buttons(sheet, [(action, words(action)) for action in sorted(sheet.legal - sheet.offered)])


def words_for(seat: int | None, move: Move, secret: frozenset[str]) -> str:
    """Return an action as text, as far as the reader may know it."""
    hidden = seat not in (None, move.seat) and move.phase in secret
    return SECRETLY if hidden else move.words


def _buttons(sheet: Sheet, offers: Sequence[tuple[int, str]]) -> None:
    if not offers:
        return
    x, y, right = MARGIN, sheet.height, sheet.width - MARGIN
    for action, words in offers:
        w = width(words, 8.2) + 9
        if x + w > right and x > MARGIN:
            x, y = MARGIN, y + BUTTON + 3
        sheet.add(
            f"<g{sheet.offer(action)}><title>{escape(words)}</title>"
            f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(BUTTON)}" rx="7" fill="var(--panel)" '
            'stroke="var(--go)" stroke-width="1.3"/>'
            f'<text x="{num(x + w / 2)}" y="{num(y + 10.6)}" font-size="8.2" class="m">{escape(words)}</text></g>'
        )
        x += w + 4
    sheet.height = y + BUTTON + 4
