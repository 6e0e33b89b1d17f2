"""Read the action in a reply of a language model. Only the end of the reply counts, and nothing is guessed.

A reply that names no legal action, several actions, or more than an action is refused with a message for the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ..core.game import Game
from ..core.state import States

SHOWN = 80  # characters of a reply in a message
BRACES = 32  # of a reply that can begin a JSON object

_THINK = r"(?:think|thinking|thoughts?|reasoning|reflection)"
_THOUGHT_ENDS, _THOUGHT_BEGINS = (re.compile(rf"<{sign}{_THINK}>|\[{sign}think\]", re.I) for sign in ("/", ""))
_LINE_TAG = re.compile(r"</?(?:final_?)?(?:action|answer|move)>|```", re.I)
_DECORATION = re.compile(r"\*\*|[`\[\]\"\u201c\u201d]")
_BULLET = re.compile(r"^(?:[-*>\u2022\u2192]+|->|=>|\d+[.)])\s+")
_TIMES = re.compile(r"\s*[\xd7*]\s*(?=\d)|\s+x\s*(?=\d)|(?<=\d)x\s+(?=\d)")  # "play 9 x 2" is "play 9x2"
_REASON = r"(?:reasons?|reasoning|explanation|rationale|justification|because|since)\b"
_LABEL = r"(?:(?:my|the|our|final|next|best|chosen) )*(?:action|answer|move|reply|choice|decision)(?: is| will be)?"
_WILL = r"(?:(?: will|['\u2019]ll| choose| decide| pick| select| am going|['\u2019]m going)(?: to)?)*"
_POLITE = re.compile(  # words around an action that cannot change it
    r"(?:(?:so|thus|therefore|hence|ok|okay|finally),? )?"
    rf"(?:{_LABEL}\s*[:=-]*\s*(?:to )?|(?:(?:i|we){_WILL}|let me|let['\u2019]s) )?"
    r"(?P<action>.+?)"
    rf"(?P<after>(?: (?:now|please|here|this turn|this time))*(?: is (?:the )?best)?(?:[.,;]? {_REASON}.*)?)"
)
_AMOUNT = re.compile(  # it could change how many cards an action plays
    r"\d|[\xd7+&]"
    r"|\b(?:one|two|three|four|twice|thrice|both|double|pair|triple|times|all|every|each|again|another|also|too)\b"
)
_KEYS = ("action", "answer", "move")  # of a JSON object that is a reply
_REASON_KEY = re.compile(rf"{_REASON}|{_THINK}|analysis|comment|confidence", re.I)


class UnreadableError(ValueError):
    """Raised for a reply without a legal action. Its message explains to the model what is wrong."""


def read_reply(game: Game, state: States, reply: str) -> int:
    """Return the legal action of the table `state`, shape (1,), that the last line of a reply names.

    Actions in earlier lines are never played. Thoughts in `<think>` tags are ignored. A sentence, the
    content of an `<action>` tag and a JSON object {"action": ".."} count as lines. Bullets, quotes, bold, `[brackets]`,
    "Action:", "I will .." and a reason after the action are ignored.

    Raises:
        UnreadableError: The last line names no action, an illegal one, several, or more than an action. The message
            describes what is wrong.
    """
    names = {game.action_name(state, action).lower(): action for action in game.legal(state)}
    line = _last_line(names, reply)
    meaning = _meaning(game, state, names, line) if line else ""
    if isinstance(meaning, int):
        return meaning
    legal = ", ".join(game.action_name(state, action) for action in game.legal(state))
    raise UnreadableError(f"{meaning or 'No action was found in your reply.'} Legal now: {legal}.")


def last_line(reply: str) -> str:
    """Return the last line or sentence of a reply in lower case, without thoughts, decoration and reasons."""
    return _last_line({}, reply)


def _last_line(names: Mapping[str, int], reply: str) -> str:
    """Return the last line or sentence of a reply without reasons after it, tidied by `_tidy`; "" = none."""
    answer = _THOUGHT_BEGINS.split(_THOUGHT_ENDS.split(reply)[-1])[0]  # either tag can be missing
    answer = _without_json(_LINE_TAG.sub("\n", answer).strip())
    for line in reversed(answer.splitlines()):
        if _is_reason(names, tidy := _tidy(line)):
            continue
        sentences = [words for sentence in re.split(r"(?<=[.!?])\s", line) if (words := _tidy(sentence))]
        while len(sentences) > 1 and _is_reason(names, sentences[-1]):
            sentences.pop()
        if tidy:
            return sentences[-1] if sentences else tidy
    return ""


def _tidy(line: str) -> str:
    """Return a line in lower case without bullets, decoration and punctuation around it."""
    words = _BULLET.sub("", _DECORATION.sub("", line).strip(" \t.,;:!'*_()"))
    return _TIMES.sub("x", " ".join(words.lower().split()))


def _without_json(reply: str) -> str:
    """Return a reply with its last JSON object replaced by a line with the action of the object.

    An object stays as it is if other keys than reasons could change the action.
    """
    for start in [brace.start() for brace in re.finditer(r"\{", reply)][-BRACES:]:
        try:
            fields = json.loads(reply[start:])
        except (ValueError, RecursionError):
            continue
        actions = [value for key, value in fields.items() if key.lower() in _KEYS]
        others = [key for key in fields if key.lower() not in _KEYS and not _REASON_KEY.fullmatch(key)]
        if len(actions) == 1 and isinstance(actions[0], str) and not others:
            return f"{reply[:start]}\n{actions[0]}"
        break
    return reply


def _is_reason(names: Mapping[str, int], line: str) -> bool:
    """Return whether a line only explains the action before it."""
    return bool(re.match(_REASON, line)) and not _AMOUNT.search(line) and not _named(names, line)


def _meaning(game: Game, state: States, names: Mapping[str, int], line: str) -> int | str:
    """Return the action that a line names, or what is wrong with it; "" if it names no action."""
    polite = _POLITE.fullmatch(line)
    readings = [line]
    if polite and not _AMOUNT.search(polite["after"]):
        readings += [polite["action"], polite["action"].removeprefix("play ")]  # cards of Tarot have no verb
    for words in readings:
        action = names.get(words)
        if action is None:
            try:
                action = game.parse_action(state, words)
            except (ValueError, IndexError):
                continue
        return action if action in names.values() else f"{words[:SHOWN]!r} is not legal now."
    named = _named(names, line)
    if len(named) > 1:
        return f"Several actions are named: {', '.join(named)}."
    return f"{line[:SHOWN]!r} is more than an action; to play {named[0]!r}, reply with it alone." if named else ""


def _named(names: Mapping[str, int], line: str) -> list[str]:
    """Return the names of legal actions in a line, longest first. A name inside another one does not count."""
    named = []
    for name in sorted(names, key=len, reverse=True):
        if name in line:
            line, times = re.subn(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "|", line)
            if times:
                named.append(name)
    return named
