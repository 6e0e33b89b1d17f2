"""Opening by brute force: every sequence of placements tried with plain counts, written apart from the rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

RANKS = ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
POINTS = dict(zip(RANKS, [5] * 5 + [10] * 5 + [20], strict=True))
NEEDED = {1: 45, 2: 90, 3: 120}
MOST_WILD = {1: 99, 2: 1, 3: 2}


class Opening:
    """What a player holds and has laid in this turn. `pick`: the formation begun with a taken card."""

    def __init__(self, hand, stage, suit_rule="three_suits", pick=None, pickup_wilds=False, partial=False):
        self.hand = Counter(hand)
        self.stage, self.any = stage, suit_rule == "any"
        self.barred = pick if not pickup_wilds else None
        self.partial = partial
        self.ranks: dict[str, Counter] = {}
        self.suit: dict[int, str] = {}

    def copy(self):
        other = Opening([], self.stage)
        other.__dict__.update(self.__dict__)
        other.hand, other.suit = self.hand.copy(), dict(self.suit)
        other.ranks = {rank: cards.copy() for rank, cards in self.ranks.items()}
        return other

    def key(self):
        laid = tuple((rank, tuple(sorted(cards.items()))) for rank, cards in sorted(self.ranks.items()))
        return tuple(sorted((+self.hand).items())), laid, tuple(sorted(self.suit.items()))

    def held(self, card):
        return self.hand[card] > 0

    def steps(self):
        """Every table after one placement, whatever is left in the hand."""
        for rank in RANKS:
            yield from self._begin(rank) if rank not in self.ranks else self._add(rank)
        yield from self._begin_suit() if not self.suit else self._grow_suit()

    def _begin(self, rank):
        own = [card for card in self.hand.elements() if card[:-1] == rank and card not in ("SW", "AR", "SH")]
        for three in {tuple(sorted(cards)) for cards in combinations(own, 3)}:
            suits = {card[-1].replace("G", "S") for card in three}
            if self.any or len(suits) == 3:
                after = self.copy()
                after.hand -= Counter(three)
                after.ranks[rank] = Counter(three)
                yield after

    def _add(self, rank):
        cards = self.ranks[rank]
        wild = cards["SW"] + cards["AR"]
        choices = [f"{rank}{suit}" for suit in "HDSCG"]
        if wild < 3 and self.barred != rank:
            choices += ["SW", "AR"]
        for card in choices:
            if self.held(card) and cards.total() < 8:
                after = self.copy()
                after.hand[card] -= 1
                after.ranks[rank][card] += 1
                yield after

    def _begin_suit(self):
        golds = [r for r, rank in enumerate(RANKS) if self.held(f"{rank}G")]
        for three in combinations(golds, 3):
            if three[2] - three[0] - 2 <= min(3, self.hand["AR"]):
                after = self.copy()
                for r in range(three[0], three[2] + 1):
                    card = f"{RANKS[r]}G" if r in three else "AR"
                    after.hand[card] -= 1
                    after.suit[r] = card
                yield after

    def _grow_suit(self):
        artifacts = sum(card == "AR" for card in self.suit.values())
        for r in (min(self.suit) - 1, max(self.suit) + 1):
            if 0 <= r < len(RANKS):
                choices = [f"{RANKS[r]}G"] + (["AR"] if artifacts < 3 and self.barred != "SUIT" else [])
                for card in choices:
                    if self.held(card):
                        after = self.copy()
                        after.hand[card] -= 1
                        after.suit[r] = card
                        yield after

    def met(self):
        if len(self.suit) >= (1 if self.partial else 7):
            return True
        if self.stage == 4:
            return self.has_canasta()
        laid = sum(self.ranks.values(), Counter(self.suit.values()))
        wild = laid["SW"] + laid["AR"]
        points = 25 * laid["SW"] + 50 * laid["AR"]
        points += sum(n * POINTS[card[:-1]] for card, n in laid.items() if card not in ("SW", "AR"))
        return points >= NEEDED[self.stage] and wild <= MOST_WILD[self.stage]

    def has_canasta(self):
        return any(cards.total() >= 7 for cards in self.ranks.values())

    def can_open(self, seen=None):
        """Is there a sequence of placements to the initial meld with a legal discard after it?"""
        seen = set() if seen is None else seen
        left = self.hand.total()
        if self.met():
            return left >= 2 or (left == 1 and (self.has_canasta() or len(self.suit) >= 7))
        if left < 2 or self.key() in seen:
            return False
        seen.add(self.key())
        return any(after.can_open(seen) for after in self.steps())
