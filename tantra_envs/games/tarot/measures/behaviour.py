"""Behaviour in Tarot: laying away, showing, calling, the play of tricks, and points kept and lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.fields import Array
from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tarot.actions import YES
from tantra_envs.games.tarot.material import (
    CARDS,
    FOOL,
    IS_TAROT,
    JUGGLER,
    KING,
    KNAVE,
    KNIGHT,
    MAX_SEATS,
    NO_SUIT,
    QUEEN,
    RANK_OF,
    SUIT_OF,
    TALON_SIZE,
    TRICK_WORTH,
    TRICKS,
    TRUMPS,
    UNIVERSE,
)
from tantra_envs.games.tarot.state import CLASSES, Phase
from tantra_envs.games.tarot.view import suit_led
from tantra_envs.games.tarot.words.events import events
from tantra_envs.measures import AgentTransitions, Counter, Ints, Kinds, Scale, Section, mean, share

SOURCES = Kinds(("shown", "called", "tricks", "Kings cut", "Fool"))  # in the order of `events.Source`
WORTHY = Kinds(("Juggler", "Universe", "Kings", "Queens", "Knights", "Knaves"))
SUIT_NAMES = {"trumps": "trumps", "W": "Wands", "C": "Cups", "S": "Swords", "P": "Pentacles"}
SHOWABLE = Kinds(tuple(f"{SUIT_NAMES[name[4:]]} in a row" if name.startswith("seq_") else name for name in CLASSES))
CARD_KINDS = Kinds(("honours", "trumps", "Queens to Knaves", "Ten to Ace"))
TRICK_NO = Scale("trick", (1, 4, 7, 10, 13, 16, 19, 22), end=TRICKS + 1)
AT_STAKE = Scale("points of the best card on the table", (0, 2, 3, 4, 5), end=6)

POINTS = mean("own points of a hand", "Its points by source.", SOURCES)
AGAINST = mean("points of the others in a hand", "Points of all others together, by source.", SOURCES)
AHEAD = mean("points ahead", "Its points minus those of the best other at the start of a trick.", TRICK_NO)
SHOWN = share("shows what it could", "The share of classes worth points that it shows.", SHOWABLE)
CALLED = share("calls when it can", "The share of hands in which it calls for an honour, among those in which it may.")
CALL_GAINS = mean("honours gained by calls", "Honours received minus those given away, in a hand.")
LAID_AWAY = share(
    "cards laid away", "The shares of card types among the three cards that it lays away as dealer.", CARD_KINDS
)
WORTH_AWAY = mean("points laid away", "Points that its three cards would have made in tricks.")
VOIDS = mean("suits emptied by laying away", "Plain suits whose last card it lays away.")
KEPT = share("own cards brought home", "The share of its own cards of each type that are in tricks it takes.", WORTHY)
TAKEN = share(
    "cards taken from others", "The share of the others' cards of each type that are in tricks it takes.", WORTHY
)
TRICKS_TAKEN = mean("tricks in a hand", "Tricks that it takes, of 25.")
LED = share("cards led", "The shares of card types among its leads; the Fool counts as an honour.", CARD_KINDS)
TRUMPED = share(
    "trumps when it cannot follow",
    "The share of its turns in which it trumps, among those with a trump but without a card of the plain suit led.",
    AT_STAKE,
)
FOOL_SAVED = mean(
    "points on the table when the Fool is played",
    "Points of the most valuable card in the trick to which it plays the Fool.",
)

SECTIONS = (
    Section("Points", (POINTS, AGAINST, AHEAD)),
    Section("Before the play", (SHOWN, CALLED, CALL_GAINS)),
    Section("Laying away", (LAID_AWAY, WORTH_AWAY, VOIDS)),
    Section("Points kept and lost", (KEPT, TAKEN)),
    Section("The play", (LED, TRUMPED, TRICKS_TAKEN, FOOL_SAVED)),
)

# The part of every card in CARD_KINDS, and its parts in WORTHY.
KIND_OF = np.select([IS_TAROT == 1, np.arange(CARDS) < TRUMPS, TRICK_WORTH > 0], [0, 1, 2], 3)
IS_WORTHY = np.stack(
    [
        np.arange(CARDS) == JUGGLER,
        np.arange(CARDS) == UNIVERSE,
        *(rank == RANK_OF for rank in (KING, QUEEN, KNIGHT, KNAVE)),
    ],
    axis=1,
)


class Behaviour:
    """Counts from the positions before and after every action."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        self._n, self._counter = game.players, counter

    def observe(self, t: AgentTransitions) -> None:
        """Count the agent's decisions by phase, then the points that all seats make before the play and in it."""
        own = t.only(t.mine)
        phase = own.before["phase"]
        self._lay_away(own.only(phase == Phase.DISCARD))
        self._declare(own.only(phase == Phase.DECLARE))
        self._call(own.only(phase == Phase.CALL))
        self._play(own.only(phase == Phase.PLAY))
        phase, event = t.before["phase"], events(t.before, t.actions, t.after)
        self._made(t, event["points"][:, :, : self._n])
        self._asked(t.only(np.isin(phase, (Phase.CALL, Phase.ANSWER))))
        self._lead(t.only((phase == Phase.PLAY) & (t.before["trick_n"] == 0)))
        ends = event["winner"] >= 0
        self._trick_ended(t.only(ends), event[ends])

    def end(self, states: States) -> None:
        """Do nothing: hands are counted when they end."""

    # Decisions of the agent

    def _lay_away(self, t: AgentTransitions) -> None:
        third = t.before["discards_n"] == TALON_SIZE - 1
        self._counter.add_kinds(LAID_AWAY, t.rows, _one_hot(KIND_OF[t.actions], CARD_KINDS))
        self._counter.add(WORTH_AWAY, t.rows, TRICK_WORTH[t.actions], third)
        of_suit = (t.before["loc"] == t.seats) & (SUIT_OF[t.actions][:, None] == SUIT_OF)
        self._counter.add(VOIDS, t.rows, (t.actions >= TRUMPS) & (of_suit.sum(axis=1) == 1), third)

    def _declare(self, t: AgentTransitions) -> None:
        self._counter.add(SHOWN, t.rows, t.actions == YES, part=t.before["cls"])

    def _call(self, t: AgentTransitions) -> None:
        self._counter.add(CALLED, t.rows, t.actions == YES)

    def _play(self, t: AgentTransitions) -> None:
        """Count the cards that the agent leads, its trumping, and the tricks in which it plays the Fool."""
        on_table = np.arange(MAX_SEATS) < t.before["trick_n"][:, None]
        at_stake = (TRICK_WORTH[t.before["trick"]] * on_table).max(axis=1)
        leads = t.only(~on_table.any(axis=1))
        self._counter.add_kinds(LED, leads.rows, _one_hot(KIND_OF[leads.actions], CARD_KINDS))

        suit = suit_led(t.before)
        held = t.before["loc"] == t.seats
        follows = (held & (suit[:, None] == SUIT_OF)).any(axis=1)
        free = (suit > 0) & (suit != NO_SUIT) & ~follows & (held & (SUIT_OF == 0)).any(axis=1)
        trumps = SUIT_OF[t.actions[free]] == 0
        self._counter.add(TRUMPED, t.rows[free], trumps, part=AT_STAKE.part(at_stake[free]))

        fool = (t.actions == FOOL) & on_table.any(axis=1)
        self._counter.add(FOOL_SAVED, t.rows[fool], at_stake[fool])

    # Points and tricks of all seats

    def _made(self, t: AgentTransitions, points: npt.NDArray[Any]) -> None:
        """Count the points that all seats made, shape (k, sources, players)."""
        own = points[t.k, :, t.seats[:, 0]]
        self._counter.add_kinds(POINTS, t.rows, own, 0)
        self._counter.add_kinds(AGAINST, t.rows, points.sum(axis=2) - own, 0)

    def _asked(self, t: AgentTransitions) -> None:
        had, has = (((s["loc"] == t.seats) & (IS_TAROT == 1)).sum(axis=1) for s in (t.before, t.after))
        self._counter.add(CALL_GAINS, t.rows, has - had, under=0)

    def _trick_ended(self, t: AgentTransitions, event: Array) -> None:
        """Count the cards of a trick, and the end of a hand with the last one."""
        trick, player = event["trick"][:, : self._n], (t.before["leader"][:, None] + np.arange(self._n)) % self._n
        own, won = player == t.seats, event["winner"][:, None] == t.seats
        for measure, cards in ((KEPT, own), (TAKEN, ~own)):
            played = (IS_WORTHY[trick] & cards[:, :, None]).sum(axis=1)
            self._counter.add_kinds(measure, t.rows, played * won, played)
        self._counter.add(TRICKS_TAKEN, t.rows, won[:, 0], under=0)
        self._hand_ended(t.only(t.before["trick_no"] == TRICKS - 1))

    def _lead(self, t: AgentTransitions) -> None:
        points = t.before["points"][:, : self._n].astype(np.int64)
        best = np.where(t.seats == np.arange(self._n), -1, points).max(axis=1)
        self._counter.add(
            AHEAD, t.rows, points[t.k, t.seats[:, 0]] - best, part=TRICK_NO.part(t.before["trick_no"] + 1)
        )

    def _hand_ended(self, t: AgentTransitions) -> None:
        """Add one hand to the divisors."""
        for measure in (POINTS, AGAINST):
            self._counter.add_kinds(measure, t.rows, np.zeros((len(t), len(SOURCES.names))))
        for measure in (CALL_GAINS, TRICKS_TAKEN):
            self._counter.add(measure, t.rows, 0)


def _one_hot(kinds: npt.NDArray[Any], parts: Kinds) -> npt.NDArray[np.bool_]:
    return np.asarray(kinds[:, None] == np.arange(len(parts.names)))
