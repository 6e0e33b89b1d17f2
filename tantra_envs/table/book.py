"""The rules of a game as a page, and the meaning of its cards and phases."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from ..core.game import Game
from ..sentences import glossary
from .page import head

_OPTION = re.compile(r" \(option \w+\)")
_ACTIONS = re.compile(r"^Actions\.")  # the paragraph about names of actions, which programs use
_ITEM_WORD = re.compile(r"^([^\n:=]+) = ([^\n:]+):", re.MULTILINE)
_ITEM_START = re.compile(r"^(  )([^\n:]+)(?=: )", re.MULTILINE)
_CODE = re.compile(r"[A-Z]{3,}")
_HEADING = re.compile(r"^([A-Z][a-z]+(?: [a-z]+)?)\.(?: |$)")


def terms(game: Game) -> dict[str, str]:
    """Return the meaning of special cards, phases (in words) and other terms of a game, in the order to read them."""
    return dict(
        _phase_in_words(term, text) if term in game.phases else (term, text) for term, text in glossary(game).items()
    )


def _phase_in_words(phase: str, text: str) -> tuple[str, str]:
    """Return the words for a phase and its meaning: the first sentence of a glossary names the phase."""
    name, _, meaning = text.partition(". ")
    return (name, meaning) if meaning else (phase.capitalize(), text)


def goal(game: Game) -> str:
    """Return the first paragraph of the rules, which says how the game is won."""
    return " ".join(rules(game).split("\n\n")[0].split())


def rules(game: Game) -> str:
    """Return the rules for players: with the names of the table, without names of phases, options and actions."""
    parts = [part for part in game.rules_text.split("\n\n") if not _ACTIONS.match(part)]
    text = _without_phases(_OPTION.sub("", "\n\n".join(parts)), game.phases)
    names = _names(game.id)
    text = _ITEM_START.sub(lambda item: item[1] + names.get(item[2], item[2]), text)
    codes = [code for code in names if _CODE.fullmatch(code)]
    if codes:
        text = re.sub(rf"\b({'|'.join(codes)})\b", lambda code: names[code[1]], text)
    return text if text.endswith("\n") or not game.rules_text.endswith("\n") else text + "\n"


def _without_phases(text: str, phases: Sequence[str]) -> str:
    """Return a text without remarks such as "(phase ANSWER)" and "In phase PLAY"."""
    word = rf"(?:{'|'.join(phases)})\b"
    name = f"phase {word}"
    text = re.sub(rf" \((?:phase )?{word}\)|,? in {name}", "", text)
    return re.sub(rf"\bIn {name},? (\w)", lambda start: start[1].upper(), text)


@functools.cache
def _names(game: str) -> dict[str, str]:
    """Return the names that a table shows for words of the rules: {"FIVE": "Five or Below (≤5)"}."""
    folder = files(__package__.rpartition(".")[0]) / "games" / game
    text = (folder / "glossary.txt").read_text(encoding="utf-8")
    return {item: word for word, item in _ITEM_WORD.findall(text)}


def book(game: Game) -> str:
    """Return the rules and terms of a game as an HTML page that loads nothing."""
    title = f"Rules of {game.title}"
    text = "".join(_paragraph(part) for part in rules(game).split("\n\n"))
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in terms(game).items())
    glossary = f"<h2>Cards and terms</h2><dl>{rows}</dl>" if rows else ""
    return f'{head(title)}<main class="book"><h1>{escape(title)}</h1>{text}{glossary}</main></body></html>'


def _paragraph(part: str) -> str:
    """Return a part of a rules text: its heading, its lines joined, and indented lines as a list."""
    heading = _HEADING.match(part)
    lines = part[heading.end() :].split("\n") if heading else part.split("\n")
    top = f"<h2>{escape(heading[1])}</h2>" if heading else ""
    items = "".join(f"<li>{escape(line.strip())}</li>" for line in lines if line.startswith(" "))
    text = " ".join(line.strip() for line in lines if line and not line.startswith(" "))
    return top + (f"<p>{escape(text)}</p>" if text else "") + (f"<ul>{items}</ul>" if items else "")
