"""Behaviour in Karma: pick-ups, karma cards, sets, and the number of cards over a game."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.karma.actions import DECLINE, PICKUP
from tantra_envs.games.karma.material import CARD_NAMES, FIRST_KARMA, GIVE, TYPES
from tantra_envs.games.karma.queries import completes_set_rows
from tantra_envs.games.karma.state import Phase
from tantra_envs.games.karma.words.events import events
from tantra_envs.measures import AgentTransitions, Counter, Ints, Kinds, Scale, Section, mean, per_game, share

IN_PILE = Scale("cards in the pile", (1, 2, 3, 4, 6, 9))
BEFORE_SET = Scale("cards in the pile", (0, 1, 2, 4, 7))
TO_DRAW = Scale("cards left to draw", (0, 1, 5, 9, 13, 17))
TENTHS = Scale("tenth of the game", tuple(range(1, 11)), end=11)
FACE_UP_KINDS = Kinds(("1-5", "6-10", "11-16", *CARD_NAMES[FIRST_KARMA:]))
KARMA = Kinds(CARD_NAMES[FIRST_KARMA:])

PICKUPS = per_game("pick-ups in a game", "Piles that it takes, including those after a turned card that does not fit.")
PICKED = mean("cards in a pick-up", "Cards that it takes with a pile.")
RECEIVED = per_game("piles received in a game", "Piles that another player gives it.")
WILLING = share(
    "picks up though it could play",
    "The share of its turns with a pile and a card that fits in which it takes the pile.",
    IN_PILE,
)
KARMA_PLAYED = per_game(
    "karma cards played in a game", "Karma cards of each type that it plays, including turned ones.", KARMA
)
KARMA_CHOSEN = share(
    "plays a karma card though a number would do",
    "The share of karma cards among its plays when both a karma card and a number fit.",
    TO_DRAW,
)
GIVEN = mean("cards given away with GIVE", "Cards in the pile that it gives to another player.")
DECLINED = share("declines the play on TABLE", "The share of its plays offered by TABLE that it declines.")
CLEARED = per_game("piles cleared in a game", "Sets that it completes.")
CLEARED_CARDS = mean("cards in a cleared pile", "Cards that leave the game with a set that it completes.")
SET_TAKEN = share(
    "completes a set when it can",
    "The share of its turns with a play that completes a set in which it chooses such a play.",
    BEFORE_SET,
)
FACE_UP = share("cards put face up", "The shares of card types among its three face-up cards.", FACE_UP_KINDS)
LOWEST = share(
    "plays the lowest number that fits", "The share of the lowest number among its plays when several numbers fit."
)
LAST = share("last with cards", "The share of games that it loses.")
LEFT = mean("cards to get rid of", "Its cards in hand and on the table, at its turns.", TENTHS)
IN_HAND = mean("cards in hand", "Its cards in hand, at its turns.", TENTHS)

SECTIONS = (
    Section("Picking up", (PICKUPS, PICKED, RECEIVED, WILLING)),
    Section("Karma cards", (KARMA_PLAYED, KARMA_CHOSEN, GIVEN, DECLINED)),
    Section("Sets", (CLEARED, CLEARED_CARDS, SET_TAKEN)),
    Section("The course of a game", (LAST, FACE_UP, LOWEST, LEFT, IN_HAND)),
)


class Behaviour:
    """Counts from the positions before and after every action."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        self._seats, self._plies, self._counter = seats[:, 0], plies, counter
        self._counts = int(game.blank["opt"]["clear_set"][0])  # largest number of identical cards in one play
        self._base = TYPES * self._counts  # first action that does not play a card

    def observe(self, t: AgentTransitions) -> None:
        """Count actions of others against the agent, then its own decisions by phase."""
        self._receive(t.only(~t.mine))
        own = t.only(t.mine)
        phase = own.before["phase"]
        self._put_up(own.only(phase == Phase.SETUP))
        self._turn(own.only(phase == Phase.PLAY))
        self._follow(own.only(phase == Phase.FOLLOW))
        self._play(own.only((phase == Phase.PLAY) | (phase == Phase.FOLLOW)))

    def end(self, states: States) -> None:
        """Count the loser."""
        self._counter.add(LAST, np.arange(len(states)), states["loser"] == self._seats)

    def _receive(self, t: AgentTransitions) -> None:
        self._counter.add(RECEIVED, t.rows, events(t.before, t.actions, t.after)["taker"] == t.seats[:, 0])

    def _put_up(self, t: AgentTransitions) -> None:
        groups = np.array([0] * 5 + [1] * 5 + [2] * 6 + [3, 4, 5, 6])  # part of FACE_UP_KINDS, by type
        self._counter.add_kinds(FACE_UP, t.rows, groups[t.actions][:, None] == np.arange(len(FACE_UP_KINDS.names)))

    def _turn(self, t: AgentTransitions) -> None:
        """Count the agent's choice among its legal actions, and the cards it has then."""
        b, seat, legal = t.before, t.seats[:, 0], t.masks[:, : self._base].reshape(len(t), self._counts, TYPES)
        numbers, karma = legal[:, 0, :FIRST_KARMA], legal[:, 0, FIRST_KARMA:].any(axis=1)
        card, chose = t.actions % TYPES, t.actions < self._base

        could = t.only((b["pile_n"] > 0) & legal[:, 0].any(axis=1))
        took = could.actions == self._base + PICKUP
        self._counter.add(WILLING, could.rows, took, part=IN_PILE.part(could.before["pile_n"]))

        both = numbers.any(axis=1) & karma & chose
        took = card[both] >= FIRST_KARMA
        self._counter.add(KARMA_CHOSEN, t.rows[both], took, part=TO_DRAW.part(b["draw_n"][both]))

        several = (numbers.sum(axis=1) > 1) & chose & (card < FIRST_KARMA)
        self._counter.add(LOWEST, t.rows[several], card[several] == numbers[several].argmax(axis=1))

        cleared = np.zeros((len(t), self._base), np.int8)
        completes_set_rows(b, cleared)
        cleared &= t.masks[:, : self._base]
        can = cleared.any(axis=1)
        took = cleared[can, np.minimum(t.actions[can], self._base - 1)] & chose[can]
        self._counter.add(SET_TAKEN, t.rows[can], took, part=BEFORE_SET.part(b["pile_n"][can]))

        tenth = TENTHS.part(b["plies"] * 10 // self._plies[t.rows] + 1)
        hand = b["hand_n"][t.k, seat].astype(np.int64)
        self._counter.add(IN_HAND, t.rows, hand, part=tenth)
        self._counter.add(LEFT, t.rows, hand + b["up_n"][t.k, seat] + b["down_n"][t.k, seat], part=tenth)

    def _follow(self, t: AgentTransitions) -> None:
        self._counter.add(DECLINED, t.rows, t.actions == self._base + DECLINE)

    def _play(self, t: AgentTransitions) -> None:
        """Count the effects of a play or a pick-up."""
        event, pile = events(t.before, t.actions, t.after), t.before["pile_n"]
        picked = event["taker"] == t.seats[:, 0]
        self._counter.add(PICKUPS, t.rows, picked)
        self._counter.add(PICKED, t.rows[picked], event["taken"][picked])

        cleared = event["cleared"] > 0
        self._counter.add(CLEARED, t.rows, cleared)
        self._counter.add(CLEARED_CARDS, t.rows[cleared], event["cleared"][cleared])

        card = event["card"]
        karma = card >= FIRST_KARMA
        self._counter.add(KARMA_PLAYED, t.rows[karma], event["count"][karma], part=card[karma] - FIRST_KARMA)
        given = (card == GIVE) & ~cleared & (pile > 0)
        self._counter.add(GIVEN, t.rows[given], pile[given])
