"""Karma a second time, in plain Python lists and words, written from the rulings alone.

Slow and obvious where the kernels are fast: the tests play both side by side. Cards are names, a zone is a
list, `config` the fields of the game. It shares no code with the package.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .. import sfc32

NUMBERS = [str(number) for number in range(1, 17)]
KARMA = ["GIVE", "TABLE", "BOTTOMS", "FIVE"]
CARDS = NUMBERS + KARMA


def deck_from_seed(seed: int, players: int, copies: int, dealer: int = -1) -> tuple[int, list[str]]:
    """Dealer and shuffled deck, front first, from the random stream sfc32."""
    words = sfc32.stream(seed)
    dealer = sfc32.below(words, players) if dealer < 0 else dealer
    deck = [card for card in CARDS for _ in range(copies)]
    sfc32.shuffle(words, deck)
    return dealer, deck


class Model:
    """One table."""

    def __init__(self, config: dict[str, Any], dealer: int, deck: list[str]) -> None:
        self.config, self.n = config, config["players"]
        self.set_size = config["clear_set"] or config["copies"]
        self.limit = config["max_moves"] or 50 * len(deck)
        self.table = config["table_cards"]
        each = 2 * self.table + config["hand_size"]
        self.down = [deck[each * p : each * p + self.table] for p in range(self.n)]  # K-05
        self.hands = [deck[each * p + self.table : each * (p + 1)] for p in range(self.n)]
        self.up: list[list[str]] = [[] for _ in range(self.n)]
        self.known = [Counter[str]() for _ in range(self.n)]
        self.draw, self.pile = deck[each * self.n :], list[str]()
        self.gone, self.out = Counter[str](), list[int]()
        self.run = self.moves = 0
        self.loser, self.truncated = -1, False
        self.cur = (dealer + 1) % self.n  # K-04
        self.phase, self.setup_left = "SETUP", self.n
        if config["auto_setup"]:  # K-11
            for hand, up in zip(self.hands, self.up, strict=True):
                hand.sort(key=CARDS.index)
                up += [hand.pop() for _ in range(self.table)]
            self.phase, self.setup_left = "PLAY", 0

    # What may be done

    def legal(self) -> set[str]:
        if self.phase == "SETUP":
            return {f"place {card}" for card in self.hands[self.cur]}  # K-10
        if self.phase == "TARGET":
            return {f"give {seat}" for seat in self.receivers()}
        if self.phase == "OVER":
            return set()
        words = self.plays()
        if self.phase == "FOLLOW":
            return words | ({"decline"} if self.config["follow_optional"] else set())  # K-51
        if self.pile and (self.config["voluntary_pickup"] or not words):  # K-31
            words.add("pickup")
        return words

    def plays(self) -> set[str]:
        zone = self.source()
        if zone is self.down[self.cur]:
            return {"flip"}  # K-33
        words = set()
        for card, held in Counter(zone).items():
            if self.fits(card):
                most = 1 if card in KARMA and not self.config["karma_sets"] else self.set_size  # K-41
                words |= {f"play {card}" + (f"x{k}" if k > 1 else "") for k in range(1, min(held, most) + 1)}  # K-44
        return words

    def source(self) -> list[str]:
        hand, up, down = self.hands[self.cur], self.up[self.cur], self.down[self.cur]
        order = [up, down, hand] if self.phase == "FOLLOW" else [hand, up, down]  # K-52, K-30
        return next(zone for zone in order if zone)

    def fits(self, card: str) -> bool:
        if self.phase == "FOLLOW" or card in KARMA or not self.pile:  # K-53, K-23
            return True
        top = self.pile[-1]
        if top == "FIVE":
            return int(card) <= self.config["five_limit"]  # K-21
        return top in KARMA or int(card) >= int(top)  # K-22, K-20

    def receivers(self) -> list[int]:
        others = [seat for seat in range(self.n) if seat != self.cur]
        return [seat for seat in others if self.config["give_to_out"] or self.holds(seat)]  # K-63, K-64

    def holds(self, seat: int) -> bool:
        return bool(self.hands[seat] or self.up[seat] or self.down[seat])

    # Doing it

    def apply(self, words: str) -> None:
        self.moves += 1
        actor = self.cur
        verb, _, what = words.partition(" ")
        if verb == "place":
            self.place(what)
        elif verb == "give":
            self.give(int(what))
        elif verb == "pickup":
            self.take(actor)
            self.end_play(False)
        elif verb == "decline":
            self.end_play(False)
        elif verb == "flip":
            self.flip()
        else:
            card, _, count = what.partition("x")
            self.play(card, int(count or 1))
        if self.phase != "OVER" and self.moves >= self.limit:  # K-83
            self.phase, self.truncated, self.cur = "OVER", True, actor

    def place(self, card: str) -> None:
        self.hands[self.cur].remove(card)
        self.up[self.cur].append(card)
        if len(self.up[self.cur]) == self.table:
            self.cur = (self.cur + 1) % self.n
            self.setup_left -= 1
            self.phase = "SETUP" if self.setup_left else "PLAY"

    def flip(self) -> None:
        card = self.down[self.cur].pop(0)
        if self.fits(card):
            self.lay(card, 1)
        else:
            self.pile.append(card)
            self.take(self.cur)
            self.end_play(False)

    def play(self, card: str, count: int) -> None:
        zone = self.source()
        for _ in range(count):
            zone.remove(card)
        if zone is self.hands[self.cur]:
            self.known[self.cur][card] = max(0, self.known[self.cur][card] - count)
        self.lay(card, count)

    def lay(self, card: str, count: int) -> None:
        """One play, in the order of section 9 of the rules."""
        was_empty = not self.pile
        joins = not was_empty and self.pile[-1] == card
        if self.phase == "FOLLOW" and card == "TABLE" and not self.config["chain_clears"]:  # K-56
            joins = False
        self.run = self.run + count if joins else count
        self.pile += [card] * count
        if self.run >= self.set_size and (card in NUMBERS or self.config["karma_sets"]):  # K-40, K-41
            self.gone.update(self.pile)
            self.pile, self.run = [], 0
            self.end_play(True)
        elif card == "GIVE":
            self.play_give(count)
        elif card == "TABLE" and self.holds(self.cur):  # K-55
            self.phase = "FOLLOW"
        else:
            if card == "BOTTOMS" and not was_empty:  # K-70, K-71
                self.pile.append(self.pile.pop(0))
                self.run = int(self.config["surfaced_counts"])  # K-43
            self.end_play(False)

    def play_give(self, count: int) -> None:
        self.gone["GIVE"] += count  # K-60
        del self.pile[-count:]
        self.run = 0
        if not self.pile:
            self.end_play(False)  # K-62
        elif len(self.receivers()) == 1:
            self.give(self.receivers()[0])  # K-61
        else:
            self.phase = "TARGET"

    def give(self, seat: int) -> None:
        if seat in self.out:
            self.out.remove(seat)  # K-63
        self.take(seat)
        self.end_play(False)

    def take(self, seat: int) -> None:
        self.hands[seat] += self.pile
        self.known[seat].update(self.pile)
        self.pile, self.run = [], 0

    def end_play(self, again: bool) -> None:
        """K-84: draw, out, over, next."""
        hand = self.hands[self.cur]
        while len(hand) < self.config["refill"] and self.draw:  # K-12
            hand.append(self.draw.pop(0))
        if not self.holds(self.cur):
            self.out.append(self.cur)  # K-80
        playing = [seat for seat in range(self.n) if self.holds(seat)]
        self.phase = "PLAY"
        if len(playing) == 1:
            self.phase, self.loser = "OVER", playing[0]  # K-81
        elif not (again and self.holds(self.cur)):
            self.cur = next(s for k in range(1, self.n + 1) if self.holds(s := (self.cur + k) % self.n))  # K-34

    # What is seen

    def position(self) -> dict[str, Any]:
        """In the notation of `game.position`, without config, dealer and rewards."""

        def ascending(cards: Any) -> list[str]:
            return sorted(cards, key=CARDS.index)

        return {
            "phase": self.phase,
            "cur": self.cur,
            "hands": [ascending(hand) for hand in self.hands],
            "up": [ascending(up) for up in self.up],
            "down": self.down,
            "known": [ascending(known.elements()) for known in self.known],
            "pile": self.pile,
            "run": self.run,
            "draw": self.draw,
            "out": self.out,
            "setup_left": self.setup_left,
            "moves": self.moves,
            "gone": {card: self.gone[card] for card in CARDS if self.gone[card]},
            "loser": self.loser,
            "truncated": self.truncated,
        }
