"""Describe a game in plain sentences: the question to the seat to decide, actions, their effects, and a glossary.

    prompt(game, state, seat)                     "Choose three cards to lay face up: two left."
    action_words(game, state, action, seat)       "play two 7s"
    effect(game, before, action, after, seat)     "picks up six cards"
    log_line(game, before, action, after, seat)   "Ann plays the 7; Bob picks up six cards"
    glossary(game)                                {"Five or Below (≤5)": "The next player may play only ..", ..}

The functions take whole tables and show a game only what `seat` may see of them. Every game may have a module
`words/sentences.py` with functions of the same names. Games without it use the names of their actions and phases. The
first effect of the actor may say the action itself: then the module has a function `says_action`, and a line does not
repeat it.
A function `is_quiet` of the module names actions that a log leaves out.
A function `secretly` of the module describes an action to readers who must not learn which one it is, and a function
`consequence` says what an action surely brings. Where `action_words` returns "", the phrase is the description of the
block of actions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import ModuleType

from ..core.game import Game
from ..core.rules_text import read_rules
from ..core.state import States
from ..extras import folder_of, module_of
from .english import YOU, capital, clause, inner_clause, listed, verb_of

NOBODY = -1  # subject of an effect that is a whole clause
SECRETLY = "decides in secret"
OVER = "The game is over."
Effect = tuple[int, str]  # subject and phrase, as in `english`; or NOBODY and a clause
_ITEM = re.compile(r"^  (\w(?:(?! - )[^:\n])*): (.+(?:\n  (?!\w[^:\n]*: |.* - ).+)*)", re.MULTILINE)
_PHASE = re.compile(r" \((?:phase )?[A-Z]{3,}\)")
_LIST = re.compile(r"[,:] | and ")
_ENTRY = re.compile(r"^([^\n:]+): (.+)$", re.MULTILINE)


def prompt(game: Game, state: States, seat: int | None = None, names: Sequence[str] | None = None) -> str:
    """Return what the seat to decide is asked now.

    Args:
        game: The game.
        state: One table, shape (1,).
        seat: The reader, who sees only what this seat may see; None = all cards are open.
        names: Names of all seats. By default the reader is "You" and others are called by their numbers.

    Returns:
        A question or request if the reader is to decide or sees all cards, otherwise what the others wait for.
    """
    names, own = _named(game, seat, names), module(game)
    s = state[0]
    decider = int(s["seat"])
    if s["over"]:
        return OVER
    if own is None or (seat is not None and seat != decider):
        return waiting(game, state, seat, names)
    question: str = own.question(game, game.as_seen(state, seat), names)
    return question if seat is not None else f"{names[decider]}: {question}"


def waiting(game: Game, state: States, seat: int | None = None, names: Sequence[str] | None = None) -> str:
    """Return what the table waits for, as a sentence about the seat to decide. The arguments are those of `prompt`."""
    s, own = state[0], module(game)
    doing = own.WAITS[game.phases[s["phase"]]] if own else f"to decide, in phase {game.phases[s['phase']]}"
    return f"{clause(_named(game, seat, names), int(s['seat']), f'be {doing}')}."


def action_words(
    game: Game, state: States, action: int, seat: int | None = None, names: Sequence[str] | None = None
) -> str:
    """Return an action as a phrase that begins with its verb, such as "play two 7s: clears the pile".

    Args:
        game: The game.
        state: The table before the action, shape (1,).
        action: An action that is legal there.
        seat: The reader, who sees only what this seat may see; None = all cards are open.
        names: Names of all seats. By default the reader is "You" and others are called by their numbers.
    """
    own, seen = module(game), game.as_seen(state, seat)
    phrase = _phrase(game, seen, action, _named(game, seat, names))
    sure = own.consequence(game, seen, int(action)) if own and hasattr(own, "consequence") else ""
    return f"{phrase}: {sure}" if sure else phrase


def _phrase(game: Game, seen: States, action: int, names: Sequence[str]) -> str:
    """Return an action as a phrase without its consequence."""
    own = module(game)
    if own is None:
        return game.action_name(seen, action)
    return own.action_words(game, seen, int(action), names) or game.actions.at(int(action)).description


def effect(
    game: Game, before: States, action: int, after: States, seat: int | None = None, names: Sequence[str] | None = None
) -> str:
    """Return the effect of an action, "" if nothing is worth saying. The action itself is not said again.

    Args:
        game: The game.
        before: The table before the action, shape (1,).
        action: The action.
        after: The table after it.
        seat: The reader, who sees only what this seat may see; None = all cards are open.
        names: Names of all seats. By default the reader is "You" and others are called by their numbers.
    """
    names, actor = _named(game, seat, names), int(before["seat"][0])
    found = list(_effects(game, before, action, after, seat, names))
    if found and not is_secret(game, before, seat):
        itself = actor, _phrase(game, game.as_seen(before, seat), action, names)
        found = found[found[0] == itself :]
    return _joined(names, "", actor, found)


def _effects(
    game: Game, before: States, action: int, after: States, seat: int | None, names: Sequence[str]
) -> Sequence[Effect]:
    """Return the effects of an action as subjects and phrases, as far as the reader may know them."""
    own = module(game)
    if own is None:
        return ()
    known = None if is_secret(game, before, seat) else int(action)
    found: Sequence[Effect] = own.effects(game, game.as_seen(before, seat), known, game.as_seen(after, seat), names)
    return found


def log_line(
    game: Game, before: States, action: int, after: States, seat: int | None = None, names: Sequence[str] | None = None
) -> str:
    """Return an action and its effect as one line: "Ann plays the 7; Bob picks up six cards".

    The arguments are those of `effect`. The line hides actions that were taken in secret.
    """
    own, names = module(game), _named(game, seat, names)
    actor = int(before["seat"][0])
    if own is None:
        return f"{names[actor]}: {SECRETLY if is_secret(game, before, seat) else game.action_name(before, action)}"
    secret, effects = is_secret(game, before, seat), _effects(game, before, action, after, seat, names)
    may_say = effects and effects[0][0] == actor and hasattr(own, "says_action")
    if may_say and own.says_action(game, None if secret else int(action)):
        said, effects = clause(names, *effects[0]), effects[1:]
    elif secret:
        phrase = own.secretly(game, game.as_seen(before, seat)) if hasattr(own, "secretly") else ""
        said = clause(names, actor, phrase) if phrase else f"{names[actor]} {SECRETLY}"
    else:
        said = clause(names, actor, _phrase(game, game.as_seen(before, seat), action, names))
    return _joined(names, said, actor, effects)


def is_quiet(game: Game, before: States, action: int, after: States) -> bool:
    """Return whether a log can do without an action, because a later line says more, by the module of the game."""
    own = module(game)
    return bool(own and hasattr(own, "is_quiet") and own.is_quiet(game, before, int(action), after))


def is_secret(game: Game, state: States, seat: int | None) -> bool:
    """Return whether a reader must not learn the action of the seat to decide; so it is in games without sentences."""
    own, s = module(game), state[0]
    others = seat not in (None, int(s["seat"]))
    return others and (own is None or game.phases[s["phase"]] in own.SECRET)


def glossary(game: Game) -> dict[str, str]:
    """Return the meaning of special cards (by the names that drawings show), of phases and of terms, in this order."""
    own = module(game)
    if own is None:
        return {}
    text = read_rules(folder_of(game) / "words/glossary.txt", game.config)
    rules = {word: " ".join(meaning.split()) for word, meaning in _ITEM.findall(game.rules_text)}
    entries: dict[str, str] = {}
    for key, meaning in _ENTRY.findall(text):
        word, _, item = key.partition(" = ")  # in `WORD = ITEM: more`, ITEM is a word or item of the rules
        parts = (_sentence(rules[item]) if item in rules else "", meaning if meaning != "." else "")
        entries[word] = " ".join(part for part in parts if part)
    return entries


def _sentence(item: str) -> str:
    """Return an item of a list as a sentence, without remarks such as "(phase TARGET)"."""
    item = _PHASE.sub("", item)
    return capital(item) if item.endswith(".") else f"{capital(item)}."


def module(game: Game) -> ModuleType | None:
    """Return the module `sentences` in the package of the game, or None if it does not exist."""
    return module_of(game, "words.sentences")


def seat_names(game: Game, seat: int | None) -> list[str]:
    """Return the names of seats for a reader: "You" and numbers."""
    return [YOU if j == seat else f"Seat {j}" for j in range(game.players)]


def _named(game: Game, seat: int | None, names: Sequence[str] | None) -> list[str]:
    return seat_names(game, seat) if names is None else list(names)


def _joined(names: Sequence[str], said: str, actor: int, effects: Sequence[Effect]) -> str:
    """Return a clause about the actor and effects as one line: "Ann plays the 9 and is out; you lose".

    A plain phrase about the subject of a plain clause joins it; lists would be hard to tell apart.
    """
    clauses, subject = [[said]], actor
    for seat, phrase in effects:
        joins = seat == subject and (clauses[-1] == [""] or not _LIST.search(f"{clauses[-1][-1]} {phrase}"))
        if seat == NOBODY:
            clauses.append([phrase])
        elif joins:
            clauses[-1].append(verb_of(names, seat, phrase))
        else:
            clauses.append([inner_clause(names, seat, phrase)])
        subject = seat
    return "; ".join(listed([part for part in parts if part]) for parts in clauses if any(parts))
