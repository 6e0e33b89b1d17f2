"""The rules of a game as a page, and the meaning of its cards and phases."""

from __future__ import annotations

import re
from html import escape

from ..core.game import Game
from ..sentences import glossary
from .page import STYLE

_OPTION = re.compile(r" \(option \w+\)")
_HEADING = re.compile(r"^([A-Z][a-z]+(?: [a-z]+)?)\.(?: |$)")


def terms(game: Game) -> dict[str, str]:
    """Return the meaning of special cards, phases and other terms of a game, in the order to read them."""
    return glossary(game)


def goal(game: Game) -> str:
    """Return the first paragraph of the rules, which says how the game is won."""
    return _OPTION.sub("", " ".join(game.rules_text.split("\n\n")[0].split()))


def book(game: Game) -> str:
    """Return the rules and terms of a game as an HTML page that loads nothing."""
    title = escape(f"Rules of {game.title}")
    rules = "".join(_paragraph(part) for part in game.rules_text.split("\n\n"))
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in terms(game).items())
    glossary = f"<h2>Cards and terms</h2><dl>{rows}</dl>" if rows else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>"
        f'<body><main class="book"><h1>{title}</h1>{rules}{glossary}</main></body></html>'
    )


def _paragraph(part: str) -> str:
    """Return a part of a rules text: its heading, its lines joined, and indented lines as a list."""
    heading = _HEADING.match(part)
    lines = part[heading.end() :].split("\n") if heading else part.split("\n")
    top = f"<h2>{escape(heading[1])}</h2>" if heading else ""
    items = "".join(f"<li>{escape(line.strip())}</li>" for line in lines if line.startswith(" "))
    text = " ".join(line.strip() for line in lines if line and not line.startswith(" "))
    return top + (f"<p>{escape(text)}</p>" if text else "") + (f"<ul>{items}</ul>" if items else "")
