"""The rules of a game for players, as text and as a page."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ..core.game import Game
from ..extras import folder_of
from ..words.english import capital
from ..words.sentences import glossary
from .page import head

_OPTION = re.compile(r" \(option \w+\)")
_NOTATION = re.compile(r"^(?:Actions|Notation)\.")  # paragraphs about the words of programs
_LETTER = re.compile(r" \((?:[A-Z]|0,0|seats [^)]+)\)")  # what only programs need: "hearts (H)"
_TWICE = re.compile(r"\b(\w[\w ]*) \(\1\)")  # "SW (Sword)", after SW has become Sword
_ITEM_WORD = re.compile(r"^([^\n:=]+) = ([^\n:]+):", re.MULTILINE)
_ITEM_START = re.compile(r"^(  )([^\n:]+)(?=: )", re.MULTILINE)
_CODE = re.compile(r"[A-Z]{2,}")
_SCORING = ("Points", "Score", "Scores", "End", "Declaring")  # headings of paragraphs about points
_VALUES = re.compile(r"\bPoints: [^.]+\.")  # of cards, in a paragraph about something else
_HEADING = re.compile(r"^([A-Z][a-z]+(?: [a-z]+)?)\.(?: |$)")


def goal(game: Game) -> str:
    """Return the first paragraph of the rules, which says how the game is won."""
    return " ".join(rules(game).split("\n\n")[0].split())


def rules(game: Game) -> str:
    """Return the rules for players: with the names of the table, without names of phases, options and actions."""
    parts = [part for part in game.rules_text.split("\n\n") if not _NOTATION.match(part)]
    text = _without_phases(_LETTER.sub("", _OPTION.sub("", "\n\n".join(parts))), game.phases)
    names = _names(folder_of(game) / "words/glossary.txt")
    text = _ITEM_START.sub(lambda item: item[1] + names.get(item[2], item[2]), text)
    codes = [code for code in names if _CODE.fullmatch(code)]
    if codes:
        text = _TWICE.sub(r"\1", re.sub(rf"\b({'|'.join(codes)})\b", lambda code: names[code[1]], text))
    return text if text.endswith("\n") or not game.rules_text.endswith("\n") else text + "\n"


def scoring(game: Game) -> list[str]:
    """Return what the rules and the glossary say about the points of cards and sets, in lines."""
    lines = [f"{capital(term)}: {text}" for term, text in glossary(game).items() if " earn" in text]
    for part in rules(game).split("\n\n")[1:]:
        heading, line = _HEADING.match(part), " ".join(part.split())
        lines += [line] if heading and heading[1] in _SCORING else _VALUES.findall(line)
    return lines


def _without_phases(text: str, phases: Sequence[str]) -> str:
    """Return a text without remarks such as "(phase ANSWER)" and "In phase PLAY"."""
    word = rf"(?:{'|'.join(phases)})\b"
    name = f"phase {word}"
    text = re.sub(rf" \((?:phase )?{word}\)|,? in {name}", "", text)
    return re.sub(rf"\bIn {name},? (\w)", lambda start: start[1].upper(), text)


@functools.cache
def _names(file: Path) -> dict[str, str]:
    """Return the names that a table shows for words of the rules: {"FIVE": "Five or Below (≤5)"}."""
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return {item: word for word, item in _ITEM_WORD.findall(text)}


def book(game: Game) -> str:
    """Return the rules and terms of a game as an HTML page that loads nothing."""
    title = f"Rules of {game.title}"
    text = "".join(_paragraph(part) for part in rules(game).split("\n\n"))
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in glossary(game).items())
    terms = f"<h2>Cards and terms</h2><dl>{rows}</dl>" if rows else ""
    return f'{head(title)}<main class="book"><h1>{escape(title)}</h1>{text}{terms}</main></body></html>'


def _paragraph(part: str) -> str:
    """Return a part of a rules text: its heading, its lines joined, and indented lines as a list."""
    heading = _HEADING.match(part)
    lines = part[heading.end() :].split("\n") if heading else part.split("\n")
    top = f"<h2>{escape(heading[1])}</h2>" if heading else ""
    items = "".join(f"<li>{escape(line.strip())}</li>" for line in lines if line.startswith(" "))
    text = " ".join(line.strip() for line in lines if line and not line.startswith(" "))
    return top + (f"<p>{escape(text)}</p>" if text else "") + (f"<ul>{items}</ul>" if items else "")
