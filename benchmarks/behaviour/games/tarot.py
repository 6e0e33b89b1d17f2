"""Tarot: what is laid away, shown and called, how tricks are played, and which points are kept and lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tarot.actions import YES
from tantra_envs.games.tarot.material import (
    CARDS,
    FOOL,
    FOOL_WORTH,
    IS_TAROT,
    KING,
    KING_CUT,
    KNAVE,
    KNIGHT,
    NO_SUIT,
    PAGAD,
    QUEEN,
    RANK_OF,
    SUIT_OF,
    TALON_SIZE,
    TRICK_WORTH,
    TRICKS,
    TRUMPS,
    WORLD,
)
from tantra_envs.games.tarot.state import CLASSES, Episode, Phase

from ..figures import Ints, Kinds, Scale, Section, Tally, mean, share
from ..observer import Round

INTRODUCTION = """\
Who makes more points in a hand scores the difference. Some points are shown and called before a card is played, the
others are made in tricks: 5 for a Tarot Trump (the Pagad, the World and the Kings; the Fool is worth 5 to who plays
it), 4, 3 and 2 for a Queen, Knight and Knave, and 5 more for a King cut by a trump. The dealer lays three cards away
before he takes the three of the talon. So the questions are what a player lays away, whether it shows all it could,
which of its points it brings home, and which of the others' it takes.
"""

SOURCE_OF = {"shown": "shown", "called": "called", "tricks": "tricks", "kings": "Kings cut", "fool": "Fool"}
SOURCES = Kinds(tuple(SOURCE_OF.values()))
WORTHY = Kinds(("Pagad", "World", "Kings", "Queens", "Knights", "Knaves"))
SUIT_NAMES = {"trumps": "trumps", "W": "Wands", "C": "Cups", "S": "Swords", "P": "Pentacles"}
SHOWABLE = Kinds(tuple(f"{SUIT_NAMES[name[4:]]} in a row" if name.startswith("seq_") else name for name in CLASSES))
CARD_KINDS = Kinds(("Tarot Trumps", "trumps", "Queens to Knaves", "Ten to Ace"))
TRICK_NO = Scale("trick", (1, 4, 7, 10, 13, 16, 19, 22), end=TRICKS + 1)
AT_STAKE = Scale("points of the best card on the table", (0, 2, 3, 4, 5), end=6)

POINTS = mean("own points of a hand", "Where its points come from.", SOURCES)
AGAINST = mean("points of the others in a hand", "Where those of all others together come from.", SOURCES)
AHEAD = mean("points ahead", "Its points less those of the best other, when a trick begins.", TRICK_NO)
SHOWN = share("shows what it could", "Of the classes worth points, how often it shows them.", SHOWABLE)
CALLED = share("calls when it can", "Of the hands in which it may call for a Tarot Trump, how often it does.")
CALL_GAINS = mean("Tarot Trumps gained by calls", "Those received less those given up, in a hand.")
LAID_AWAY = share("cards laid away", "What the three cards are that it lays away as dealer, as shares.", CARD_KINDS)
WORTH_AWAY = mean("points laid away", "What its three cards would have counted in tricks.")
VOIDS = mean("suits emptied by laying away", "Plain suits of which it lays the last card away.")
KEPT = share("own cards brought home", "Of the cards it plays, how often it takes the trick they are in.", WORTHY)
TAKEN = share("cards taken from others", "Of the cards the others play, how often they fall into its tricks.", WORTHY)
TRICKS_TAKEN = mean("tricks in a hand", "How many of the 25 it takes.")
LED = share("cards led", "What it leads to a trick, as shares; the Fool counts as a Tarot Trump.", CARD_KINDS)
TRUMPED = share(
    "trumps when it cannot follow",
    "Of its turns without a card of the plain suit led but with a trump, how often it trumps.",
    AT_STAKE,
)
FOOL_SAVED = mean(
    "points on the table when the Fool is played", "The most valuable card of the trick to which it plays the Fool."
)

SECTIONS = (
    Section("Points", (POINTS, AGAINST, AHEAD)),
    Section("Before the play", (SHOWN, CALLED, CALL_GAINS)),
    Section("Laying away", (LAID_AWAY, WORTH_AWAY, VOIDS)),
    Section("Points kept and lost", (KEPT, TAKEN)),
    Section("The play", (LED, TRUMPED, TRICKS_TAKEN, FOOL_SAVED)),
)

# The place of every card among CARD_KINDS, and the places it has among WORTHY.
KIND_OF = np.select([IS_TAROT == 1, np.arange(CARDS) < TRUMPS, TRICK_WORTH > 0], [0, 1, 2], 3)
IS_WORTHY = np.stack(
    [np.arange(CARDS) == PAGAD, np.arange(CARDS) == WORLD, *(rank == RANK_OF for rank in (KING, QUEEN, KNIGHT, KNAVE))],
    axis=1,
)


class Watch:
    """Counts from the positions before and after every action."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, tally: Tally) -> None:
        self._n, self._any_king, self._tally = game.players, game.config["king_cut"] == "any", tally

    def see(self, r: Round) -> None:
        """A round: what the agent decides by phase, then what everybody makes before the play and in it."""
        own = r.only(r.mine)
        phase = own.before["phase"]
        self._lay_away(own.only(phase == Phase.DISCARD))
        self._declare(own.only(phase == Phase.DECLARE))
        self._call(own.only(phase == Phase.CALL))
        self._play(own.only(phase == Phase.PLAY))
        kept = _with_hand_kept(r)
        phase = r.before["phase"]
        self._reckoned(kept.only(phase != Phase.PLAY))
        self._asked(kept.only(np.isin(phase, (Phase.CALL, Phase.ANSWER))))
        self._played(kept.only(phase == Phase.PLAY))

    def end(self, states: States) -> None:
        """Nothing is left to count: hands are told one by one."""

    # What the agent decides

    def _lay_away(self, r: Round) -> None:
        third = r.before["discards_n"] == TALON_SIZE - 1
        self._tally.add_kinds(LAID_AWAY, r.rows, _one_hot(KIND_OF[r.actions], CARD_KINDS))
        self._tally.add(WORTH_AWAY, r.rows, TRICK_WORTH[r.actions], third)
        of_suit = (r.before["loc"] == r.seats) & (SUIT_OF[r.actions][:, None] == SUIT_OF)
        self._tally.add(VOIDS, r.rows, (r.actions >= TRUMPS) & (of_suit.sum(axis=1) == 1), third)

    def _declare(self, r: Round) -> None:
        self._tally.add(SHOWN, r.rows, r.actions == YES, part=r.before["cls"])

    def _call(self, r: Round) -> None:
        self._tally.add(CALLED, r.rows, r.actions == YES)

    def _play(self, r: Round) -> None:
        """What it leads, when it trumps, and what it plays the Fool to."""
        table = r.before["trick"][:, : self._n]
        on_table = np.arange(self._n) < r.before["trick_n"][:, None]
        at_stake = (TRICK_WORTH[table] * on_table).max(axis=1)
        leads = r.only(~on_table.any(axis=1))
        self._tally.add_kinds(LED, leads.rows, _one_hot(KIND_OF[leads.actions], CARD_KINDS))

        suit = _suit_led(table, on_table)
        held = r.before["loc"] == r.seats
        follows = (held & (suit[:, None] == SUIT_OF)).any(axis=1)
        free = _is_plain(suit) & ~follows & (held & (SUIT_OF == 0)).any(axis=1)
        trumps = SUIT_OF[r.actions[free]] == 0
        self._tally.add(TRUMPED, r.rows[free], trumps, part=AT_STAKE.part(at_stake[free]))

        fool = (r.actions == FOOL) & on_table.any(axis=1)
        self._tally.add(FOOL_SAVED, r.rows[fool], at_stake[fool])

    # What everybody makes

    def _reckoned(self, r: Round) -> None:
        """Before the play: what a caller makes himself is for the call (T-45), all else is shown."""
        calls = (r.before["phase"] == Phase.CALL)[:, None] & self._of(r.before["seat"])
        gained = self._gained(r)
        self._made(r, shown=gained * ~calls, called=gained * calls)

    def _asked(self, r: Round) -> None:
        had, has = (((s["loc"] == r.seats) & (IS_TAROT == 1)).sum(axis=1) for s in (r.before, r.after))
        self._tally.add(CALL_GAINS, r.rows, has - had, under=0)

    def _played(self, r: Round) -> None:
        """In the play: points by source, and when a trick ends whose cards went where."""
        fool = FOOL_WORTH * ((r.actions == FOOL)[:, None] & self._of(r.before["seat"]))
        cut = np.zeros_like(fool)
        ends = r.before["trick_n"] == self._n - 1
        cut[ends] = self._trick_ended(r.only(ends))
        self._made(r, tricks=self._gained(r) - fool - cut, kings=cut, fool=fool)
        self._lead(r.only(r.before["trick_n"] == 0))
        self._hand_ended(r.only(r.after["trick_no"] == TRICKS))

    def _trick_ended(self, r: Round) -> npt.NDArray[Any]:
        """The points for Kings cut by each seat, shape (k, players) [T-50]."""
        trick = r.before["trick"][:, : self._n].copy()
        trick[:, -1] = r.actions
        player = (r.before["leader"][:, None] + np.arange(self._n)) % self._n
        winner = r.after["leader"][:, None]
        own, won = player == r.seats, winner == r.seats
        for figure, cards in ((KEPT, own), (TAKEN, ~own)):
            played = (IS_WORTHY[trick] & cards[:, :, None]).sum(axis=1)
            self._tally.add_kinds(figure, r.rows, played * won, played)
        self._tally.add(TRICKS_TAKEN, r.rows, won[:, 0], under=0)

        suit = _suit_led(trick, np.ones(trick.shape, bool))[:, None]
        kings = (RANK_OF[trick] == KING) & (self._any_king | (SUIT_OF[trick] == suit))
        trumped = _is_plain(suit) & ((player == winner) & (trick < TRUMPS)).any(axis=1, keepdims=True)
        return KING_CUT * kings.sum(axis=1, keepdims=True) * trumped * self._of(winner[:, 0])

    def _lead(self, r: Round) -> None:
        points = r.before["points"][:, : self._n].astype(np.int64)
        best = np.where(self._of(r.seats[:, 0]), -1, points).max(axis=1)
        self._tally.add(AHEAD, r.rows, points[r.k, r.seats[:, 0]] - best, part=TRICK_NO.part(r.before["trick_no"] + 1))

    def _hand_ended(self, r: Round) -> None:
        """One hand more to divide by."""
        for figure in (POINTS, AGAINST):
            self._tally.add_kinds(figure, r.rows, np.zeros((len(r), len(SOURCES.names))))
        for figure in (CALL_GAINS, TRICKS_TAKEN):
            self._tally.add(figure, r.rows, 0)

    def _made(self, r: Round, **sources: npt.NDArray[Any]) -> None:
        """Points (k, players) of some of the SOURCES."""
        for source, made in sources.items():
            own, part = made[r.k, r.seats[:, 0]], list(SOURCE_OF).index(source)
            self._tally.add(POINTS, r.rows, own, 0, part)
            self._tally.add(AGAINST, r.rows, made.sum(axis=1) - own, 0, part)

    def _gained(self, r: Round) -> npt.NDArray[Any]:
        """Points that every seat made, shape (k, players)."""
        return np.asarray(r.after["points"][:, : self._n].astype(np.int64) - r.before["points"][:, : self._n])

    def _of(self, seats: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Marks of the seats (k,), shape (k, players)."""
        return np.asarray(seats[:, None] == np.arange(self._n))


def _with_hand_kept(r: Round) -> Round:
    """The same round as if the hand were the last: the next is not dealt over its points."""
    after = r.before.copy()
    after["opt"]["episode"] = Episode.HAND
    r.game.drivers.apply_rows(after, r.k, r.actions)
    return replace(r, after=after)


def _suit_led(tricks: npt.NDArray[Any], laid: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
    """The suit of the first card that is not the Fool, NO_SUIT before there is one [T-53, T-56]."""
    counts = laid & (tricks != FOOL)
    first = tricks[np.arange(len(tricks)), counts.argmax(axis=1)]
    return np.where(counts.any(axis=1), SUIT_OF[first], NO_SUIT)


def _is_plain(suit: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    return np.asarray((suit > 0) & (suit != NO_SUIT))


def _one_hot(kinds: npt.NDArray[Any], parts: Kinds) -> npt.NDArray[np.bool_]:
    return np.asarray(kinds[:, None] == np.arange(len(parts.names)))
