"""Put numbers, cards and seats into English sentences.

A phrase is a sentence without its subject that begins with a verb in its base form: `play two 7s`. `clause` adds the
subject: "You play two 7s", "Ann plays two 7s".
"""

from __future__ import annotations

from collections.abc import Sequence

YOU = "You"  # name of the reader's own seat
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
            "twelfth")  # fmt: skip
RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}  # ranks that are not numbers
PLURALS = {"2": "twos", "3": "threes", "4": "fours", "5": "fives", "6": "sixes", "7": "sevens", "8": "eights",
           "9": "nines", "10": "tens", "J": "jacks", "Q": "queens", "K": "kings", "A": "aces"}  # fmt: skip
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_THIRD = {"have": "has", "be": "is", "may": "may", "must": "must", "do": "does"}
_HISSING = ("s", "x", "z", "ch", "sh", "o")


def number(n: int) -> str:
    """Return a number as a word up to twelve, otherwise in digits."""
    return NUMBERS[n] if 0 <= n < len(NUMBERS) else str(n)


def counted(n: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: "one card", "two cards"."""
    return f"{number(n)} {noun if n == 1 else plural or f'{noun}s'}"


def in_digits(n: int, noun: str) -> str:
    """Return a number in digits with its noun: "1 card", "14 cards"."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return parts as a list: "a", "a and b", "a, b and c"."""
    return f" {last} ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def rank_name(rank: str) -> str:
    """Return a rank of a French pack as text: "7", "queen"."""
    return RANKS.get(rank, rank)


def playing_card(rank: str, suit: str) -> str:
    """Return a card of a French pack as text: "queen of hearts"."""
    return f"{rank_name(rank)} of {SUITS[suit]}"


def capital(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


# Seats


def is_you(names: Sequence[str], seat: int) -> bool:
    """Return whether the seat is the reader's own."""
    return names[seat] == YOU


def mentioned(names: Sequence[str], seat: int) -> str:
    """Return the name of a seat inside a sentence."""
    return "you" if is_you(names, seat) else names[seat]


def owner(names: Sequence[str], seat: int) -> str:
    """Return the name of a seat as an owner: "your", "Ann's"."""
    return "your" if is_you(names, seat) else f"{names[seat]}'s"


def third_person(phrase: str) -> str:
    """Return a phrase for he, she or it: "plays two 7s"."""
    verb, _, rest = phrase.partition(" ")
    if verb in _THIRD:
        verb = _THIRD[verb]
    elif verb.endswith("y") and verb[-2] not in "aeiou":
        verb = f"{verb[:-1]}ies"
    else:
        verb += "es" if verb.endswith(_HISSING) else "s"
    return f"{verb} {rest}".rstrip()


def verb_of(names: Sequence[str], seat: int, phrase: str) -> str:
    """Return a phrase that agrees with its subject, without the subject."""
    if not is_you(names, seat):
        return third_person(phrase)
    return f"are{phrase[2:]}" if phrase.partition(" ")[0] == "be" else phrase


def clause(names: Sequence[str], seat: int, phrase: str) -> str:
    """Return a phrase with its subject: "You play two 7s", "Ann plays two 7s"."""
    return f"{names[seat]} {verb_of(names, seat, phrase)}"


def inner_clause(names: Sequence[str], seat: int, phrase: str) -> str:
    """Return a phrase with its subject inside a sentence: "you play two 7s", "Ann plays two 7s"."""
    return f"{mentioned(names, seat)} {verb_of(names, seat, phrase)}"
