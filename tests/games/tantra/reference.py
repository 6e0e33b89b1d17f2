"""What may be laid down and laid off, by trying everything: slow, plain, and written apart from the game.

Cards are types 0..51, 52 JOKER, 53 WILD; a hand is a sorted tuple. A contract is a list of ("kind" | "run", size).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

JOKER, WILD = 52, 53


def fillings(place_options: list[list[int]], hand: Counter[int], check) -> Iterator[tuple[int, ...]]:
    """Every way to choose one card for each place out of a hand."""

    def go(i: int, chosen: tuple[int, ...], left: Counter[int]) -> Iterator[tuple[int, ...]]:
        if i == len(place_options):
            if check(chosen):
                yield chosen
            return
        for card in place_options[i]:
            if left[card]:
                left[card] -= 1
                yield from go(i + 1, (*chosen, card), left)
                left[card] += 1

    yield from go(0, (), Counter(hand))


def run_is_valid(suit: int, lo: int, cards: tuple[int, ...], pairs: bool) -> bool:
    """R-23, read word by word."""
    hi = lo + len(cards) - 1

    def natural(place: int) -> int:
        return suit * 13 + (place - 1) % 13

    mates = []
    for place, card in enumerate(cards, start=lo):
        if card >= 52 or card == natural(place):
            continue
        if not pairs or not lo < place < hi:
            return False
        for mate in (place - 1, place + 1):
            if card == natural(mate):
                if cards[mate - lo] != natural(mate):
                    return False
                mates.append(mate)
                break
        else:
            return False
    return len(mates) == len(set(mates))


def sets_of(kind: str, size: int, template: int, hand: Counter[int], pairs: bool, jokers: bool, naturals: int):
    """The sets of a template that a hand holds: kinds with suits ascending, then WILD, then JOKER."""
    wild = [WILD, *([JOKER] if jokers else [])]
    if kind == "kind":
        order = [suit * 13 + template for suit in range(4)] + wild
        options = [order] * size

        def check(cards):
            places = [order.index(card) for card in cards]
            return places == sorted(places) and sum(card < 52 for card in cards) >= naturals
    else:
        suit, lo = template // 13, template % 13 + 1
        if lo + size - 1 > 14:
            return
        around = [[p for p in (q - 1, q, q + 1) if 1 <= p <= 14] for q in range(lo, lo + size)]
        options = [sorted({suit * 13 + (p - 1) % 13 for p in places}) + wild for places in around]

        def check(cards):
            return run_is_valid(suit, lo, cards, pairs) and sum(card < 52 for card in cards) >= naturals

    yield from fillings(options, hand, check)


def can_lay_down(contract, hand, pairs: bool, jokers: bool, naturals: int, lowest: int = 0) -> bool:
    """Are there disjoint sets for the whole contract? The first of them must have a template of `lowest` or more."""
    return _can(tuple(contract), tuple(sorted(hand)), pairs, jokers, naturals, lowest)


@cache
def _can(contract, hand, pairs, jokers, naturals, lowest) -> bool:
    return not contract or any(
        _may_begin(contract, template, hand, pairs, jokers, naturals)
        for template in range(lowest, 13 if contract[0][0] == "kind" else 52)
    )


def _may_begin(contract, template, hand, *how) -> bool:
    """Is there a first set of this template with which all sets can be laid down?"""
    return any(_leads_on(contract, template, cards, hand, *how)
               for cards in sets_of(*contract[0], template, Counter(hand), *how))  # fmt: skip


def _leads_on(contract, template, cards, hand, *how) -> bool:
    """Can the later sets be laid down after these cards for the first one?"""
    below = template if contract[1:2] == contract[:1] else 0
    left = Counter(hand)
    left.subtract(cards)
    return can_lay_down(contract[1:], left.elements(), *how, below)


def templates(contract, hand, pairs: bool, jokers: bool, naturals: int) -> set[int]:
    """The templates of the first set with which all sets can be laid down."""
    every = range(13 if contract[0][0] == "kind" else 52)
    return {template for template in every if _may_begin(contract, template, hand, pairs, jokers, naturals)}


def first_cards(contract, template, placed, hand, pairs: bool, jokers: bool, naturals: int) -> set[int]:
    """The cards that may follow `placed` in a set of `template`, so that all sets can be laid down."""
    whole, found = Counter(hand) + Counter(placed), set()
    for cards in sets_of(*contract[0], template, whole, pairs, jokers, naturals):
        if cards[: len(placed)] == tuple(placed) and cards[len(placed)] not in found:
            if _leads_on(contract, template, cards, whole.elements(), pairs, jokers, naturals):
                found.add(cards[len(placed)])
    return found


def lay_off_cards(suit, lo, cards, high: bool, hand, pairs: bool, jokers: bool) -> set[int]:
    """The first cards of all groups that may be laid off at one end of a run, a card staying in hand."""
    found = set()
    wild = [WILD, *([JOKER] if jokers else [])]
    for length in range(1, 4):
        if length >= len(hand):
            break
        places = [len(cards) + lo + i for i in range(length)] if high else [lo - 1 - i for i in range(length)]
        if not all(1 <= place <= 14 for place in places):
            break
        near = [[suit * 13 + (p - 1) % 13 for p in (q - 1, q, q + 1) if 1 <= p <= 14] + wild for q in places]
        for group in fillings(near, Counter(hand), lambda _: True):
            if any(_is_finished(suit, places[: i + 1], group[: i + 1]) for i in range(length - 1)):
                continue  # a smaller group was complete: the rest is another lay-off
            whole = (*cards, *group) if high else (*reversed(group), *cards)
            if run_is_valid(suit, lo if high else places[-1], tuple(whole), pairs):
                found.add(group[0])
    return found


def _is_finished(suit, places, group) -> bool:
    """Does the last card end a lay-off: a wild card, or natural in its place?"""
    return group[-1] >= 52 or group[-1] == suit * 13 + (places[-1] - 1) % 13
