"""Tantra: buying and selling, laying down and off, the Grand Slam, and what is thrown away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States
from tantra_envs.games.tantra.actions import (
    ALLOW,
    BUY,
    DISCARD,
    ENDS,
    KEEP,
    KIND,
    LAY_DOWN,
    LAY_OFF,
    TAKE_DISCARD,
)
from tantra_envs.games.tantra.material import JOKER, MAX_SETS, RANK_NAMES, RANKS, TOTAL, TYPES, WILD
from tantra_envs.games.tantra.state import Mode, Phase

from ..figures import Figure, Ints, Kinds, Scale, Section, Tally, mean, share
from ..observer import Round

INTRODUCTION = """\
All sets of the Display Card are laid down together or not at all; who then gets rid of his last card goes out and
scores 50, or 100 if he has laid down in that same turn, or even 300 if nobody else has: the Grand Slam. All others
lose the points in hand, 100 for a card of the wild rank. Whoever has not laid down may buy the fresh discard, with
an unseen card on top of it, unless the player in turn refuses and takes it himself. So the questions are what a
player buys and sells, when it lays down, whether it holds its sets back for the Grand Slam, and what it throws
away.

A card is *needed* if with it fewer wild cards are lacking for the sets of the Display Card.
"""

POINTS_HELD = Scale("points in hand", (0, 80, 110, 150, 200, 300))
CARDS_HELD = Scale("cards in hand", (11, 13, 15, 17))
OTHERS_DOWN = Scale("others who have laid down", (0, 1, 2))
ASKED_FOR = Scale("cards that the Display Card asks for", (8, 10, 12, 14, 15))
OWN_TURN = Scale("own turn", (1, 2, 3, 4, 5, 7, 9, 13))
USES = Kinds(("needed", "not needed", "can be laid off", "cannot"))
WHERE = Kinds(("own sets", "others' sets"))
TAKERS = Kinds(("next seat", "a buyer"))
ENDINGS = Kinds(("50", "100", "300: Grand Slam"))
TRIES = Kinds(("Grand Slam", "50 or 100", "another is out"))
THROWN_KINDS = Kinds(("WILD", "JOKER", "8 to A", "2 to 7"))

BY_USE = "by whether the card is needed, or once it has laid down can be laid off."

BUYS = mean("buys in a round", "Discards that it gets out of turn, each with a penalty card.")
BUYS_NEEDED = share("buys what it needs", "Asked about a card that it needs, how often it wants to buy.", POINTS_HELD)
BUYS_OTHER = share("buys what it does not need", "The same of cards that are not needed.", POINTS_HELD)
BUYS_BY_HAND = share("buys what it needs, by hand", "The first of these again, by the size of the hand.", CARDS_HELD)
BUYS_BY_DANGER = share(
    "buys what it needs, in danger", "And again, by how many others have laid down, who may go out.", OTHERS_DOWN
)
REFUSED = share("own requests refused", "Of its requests to buy, how often the player in turn takes the card.")
REFUSES = share("refuses to sell", f"In turn, how often it takes a card that another wants, {BY_USE}", USES)
TAKES = share("takes the discard", f"In turn, how often it takes a card that nobody wants to buy, {BY_USE}", USES)
KEEPS = share("keeps the card looked at", f"Having sold, how often it keeps the next card for itself, {BY_USE}", USES)
LAID = share("rounds in which it lays down", "How often its sets get to the table.", ASKED_FOR)
LAID_TURN = mean("turn of laying down", "Its own turn in which it lays down.", ASKED_FOR)
LEFT_OVER = mean("cards left on laying down", "Cards in hand once all sets lie on the table.")
LAID_OFF = mean("cards laid off in a round", "Where it lays cards off.", WHERE)
LACKING = mean("wild cards lacking", "For its sets, after its turns; 0 once it has laid down.", OWN_TURN)
WAITS = share(
    "waits though it can lay down", "Of its turns in which it can lay down, how often it does not.", OTHERS_DOWN
)
TRIED = share("rounds with a Grand Slam tried", "It could lay down, nobody had, and it waited.")
BECAME = share("what becomes of Grand Slams tried", "How those rounds end.", TRIES)
WENT_OUT = share("goes out", "How often it goes out, and for how many points.", ENDINGS)
LEFT = mean("points left in hand", "What it loses when another goes out.")
SCORED = mean("points of a round", "What it scores.")
HELD = mean("points in hand", "After its turns.", OWN_TURN)
THROWN = share("cards thrown away", "What its discards are, as shares.", THROWN_KINDS)
SPOILS = share("throws away what it needs", "Of its discards before laying down, how many set the contract back.")
FEEDS = share("discards that another takes", "Of its discards, how many the next seat takes, or another buys.", TAKERS)

SECTIONS = (
    Section("Buying", (BUYS_NEEDED, BUYS_OTHER, BUYS_BY_HAND, BUYS_BY_DANGER, BUYS, REFUSED)),
    Section("In turn", (REFUSES, TAKES, KEEPS)),
    Section("Laying down", (LAID, LAID_TURN, LACKING, LEFT_OVER, LAID_OFF)),
    Section("Going out", (WAITS, BECAME, TRIED, WENT_OUT, LEFT, SCORED)),
    Section("Discards", (THROWN, SPOILS, FEEDS, HELD)),
)

# The place of every card among THROWN_KINDS.
IS_LOW = (np.arange(TYPES) % RANKS >= RANK_NAMES.index("2")) & (np.arange(TYPES) % RANKS <= RANK_NAMES.index("7"))
KIND_OF = np.select([np.arange(TYPES) == WILD, np.arange(TYPES) == JOKER, ~IS_LOW], [0, 1, 2], 3)


class Watch:
    """Counts from the positions before and after every action; figures of a round gain one to divide by at its end."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, tally: Tally) -> None:
        self._n, self._tally = game.players, tally
        self._tried = np.zeros(len(seats), bool)  # a Grand Slam in this round

    def see(self, r: Round) -> None:
        """A round: the agent's own decisions by phase, what others do with its cards and requests, the end."""
        own = r.only(r.mine)
        phase = own.before["phase"]
        self._buy(own.only(phase == Phase.ASK))
        self._take(own, REFUSES, phase == Phase.REPLY, TAKE_DISCARD)
        self._take(own, TAKES, phase == Phase.DRAW, TAKE_DISCARD)
        self._take(own, KEEPS, phase == Phase.PEEK, KEEP)
        self._lay_down(own.only((phase == Phase.MAIN) & (own.before["can_lay"] == 1)))
        self._lay_off(own)
        self._discard(own.only((own.actions >= DISCARD) & (own.actions < KIND)))
        self._traded(r)
        self._end_round(_with_round_kept(r.only(r.after["round"] > r.before["round"])))

    def end(self, states: States) -> None:
        """Nothing is left to count: rounds are told one by one."""

    # What the agent decides

    def _buy(self, r: Round) -> None:
        """Does it want the fresh discard?"""
        needed, bought = _needed(r, _top(r)), r.actions == BUY
        points = POINTS_HELD.part(_told(r, r.before)[1])
        hand = CARDS_HELD.part(r.before["hand_n"][r.k, r.seats[:, 0]])
        danger = OTHERS_DOWN.part(self._others_down(r))
        self._tally.add(BUYS_OTHER, r.rows[~needed], bought[~needed], part=points[~needed])
        for figure, part in ((BUYS_NEEDED, points), (BUYS_BY_HAND, hand), (BUYS_BY_DANGER, danger)):
            self._tally.add(figure, r.rows[needed], bought[needed], part=part[needed])

    def _take(self, own: Round, figure: Figure, when: npt.NDArray[np.bool_], action: int) -> None:
        """In turn: does it take the discard, or keep the card it looks at?"""
        r = own.only(when)
        card = np.where(r.before["phase"] == Phase.PEEK, r.before["peeked"], _top(r))
        down = r.before["laid_turn"][r.k, r.seats[:, 0]] >= 0
        use = np.where(down, np.where(_fits_table(r, card), 2, 3), np.where(_needed(r, card), 0, 1))
        self._tally.add(figure, r.rows, r.actions == action, part=use)

    def _lay_down(self, r: Round) -> None:
        """It can: does it, or does it wait?"""
        waits, others = r.actions != LAY_DOWN, self._others_down(r)
        self._tally.add(WAITS, r.rows, waits, part=OTHERS_DOWN.part(others))
        self._tried[r.rows[waits & (others == 0)]] = True
        down = r.only(~waits)
        asked = TOTAL[down.before["display"]]
        self._tally.add(LAID_TURN, down.rows, self._own_turn(down), part=ASKED_FOR.part(asked))
        self._tally.add(LEFT_OVER, down.rows, down.before["hand_n"][down.k, down.seats[:, 0]] - asked)

    def _lay_off(self, own: Round) -> None:
        """Cards laid off, those without a choice included, which the table plays."""
        phase = own.before["phase"]
        begins = (phase == Phase.MAIN) & (own.actions >= LAY_OFF)
        r = own.only(begins | ((phase == Phase.PLACE) & (own.before["mode"] == Mode.LAYING_OFF)))
        away = (r.actions - LAY_OFF) // (ENDS * MAX_SETS)  # seats to the left
        others = np.where(r.before["phase"] == Phase.MAIN, away > 0, r.before["target"] != r.seats[:, 0])
        cards = r.after["tabled"].sum(axis=1, dtype=np.int64) - r.before["tabled"].sum(axis=1, dtype=np.int64)
        self._tally.add(LAID_OFF, r.rows, cards, 0, part=others.astype(np.int64))

    def _discard(self, r: Round) -> None:
        """What it throws away, and what it has then."""
        seat, card = r.seats[:, 0], r.actions - DISCARD
        less = r.before.copy()
        less["hands"][r.k, seat, card] -= 1
        (before, _), (after, points) = _told(r, r.before), _told(r, less)
        self._tally.add_kinds(THROWN, r.rows, KIND_OF[card][:, None] == np.arange(len(THROWN_KINDS.names)))
        down = r.before["laid_turn"][r.k, seat] >= 0
        self._tally.add(SPOILS, r.rows[~down], (after > before)[~down])
        turn = OWN_TURN.part(self._own_turn(r))
        self._tally.add(LACKING, r.rows, np.where(down, 0, after), part=turn)
        self._tally.add(HELD, r.rows, points, part=turn)
        out = r.before["hand_n"][r.k, seat] == 1  # a card that nobody can take any more
        self._tally.add_kinds(FEEDS, r.rows[~out], np.zeros((np.count_nonzero(~out), len(TAKERS.names))))

    # What others do with its cards and requests

    def _traded(self, r: Round) -> None:
        """Its buys and requests, and its discards that others take."""
        b, seat = r.before, r.seats[:, 0]
        asks = (b["phase"] == Phase.REPLY) & (b["requester"] == seat)
        self._tally.add(REFUSED, r.rows[asks], r.actions[asks] == TAKE_DISCARD)
        self._tally.add(BUYS, r.rows, r.after["buys_used"][r.k, seat] > b["buys_used"][r.k, seat], 0)

        takes = np.isin(b["phase"], (Phase.DRAW, Phase.REPLY)) & (r.actions == TAKE_DISCARD)
        sold = ((b["phase"] == Phase.REPLY) & (r.actions == ALLOW)) | (b["declined"] == 1) & (r.actions == BUY)
        buyer = np.where(b["phase"] == Phase.REPLY, b["requester"], b["seat"])
        own_card = (b["turns"] > 0) & ((b["turn"] - 1) % self._n == seat)  # not the one turned up after the deal
        self._tally.add(FEEDS, r.rows, own_card & takes, 0, part=0)
        self._tally.add(FEEDS, r.rows, own_card & sold & (buyer != seat), 0, part=1)

    # How a round ends

    def _end_round(self, r: Round) -> None:
        """One round more to divide by, and what came of it."""
        s, seat = r.after, r.seats[:, 0]
        for figure in (BUYS, LAID_OFF):
            self._tally.add_kinds(figure, r.rows, np.zeros((len(r), len(figure.names))))
        laid, out = s["laid_turn"][:, : self._n], s["last"]["out"] == seat
        self._tally.add(LAID, r.rows, laid[r.k, seat] >= 0, part=ASKED_FOR.part(TOTAL[s["display"]]))
        at_once = out & (laid[r.k, seat] == s["turns"])
        slam = at_once & ((laid >= 0).sum(axis=1) == 1)
        self._tally.add_kinds(WENT_OUT, r.rows, np.stack([out & ~at_once, at_once & ~slam, slam], axis=1))
        held = _points(r, s)
        self._tally.add(LEFT, r.rows[~out], held[~out])
        self._tally.add(SCORED, r.rows, s["last"]["scores"][r.k, seat])

        tried = self._tried[r.rows]
        self._tally.add(TRIED, r.rows, tried)
        became = np.stack([slam, out & ~slam, ~out], axis=1)
        self._tally.add_kinds(BECAME, r.rows[tried], became[tried])
        self._tried[r.rows] = False

    def _others_down(self, r: Round) -> npt.NDArray[Any]:
        """How many others have laid down, shape (k,)."""
        laid = r.before["laid_turn"][:, : self._n] >= 0
        return np.asarray(laid.sum(axis=1) - laid[r.k, r.seats[:, 0]])

    def _own_turn(self, r: Round) -> npt.NDArray[Any]:
        """Which turn of its own in the round it is, from 1."""
        return np.asarray(r.before["turns"] // self._n + 1)


def _with_round_kept(r: Round) -> Round:
    """The same round as if no other followed: the next is not dealt over it."""
    after = r.before.copy()
    after["opt"]["n_rounds"] = 1
    r.game.drivers.apply_rows(after, r.k, r.actions)
    return replace(r, after=after)


def _top(r: Round) -> npt.NDArray[Any]:
    """The card on top of the discard pile, shape (k,)."""
    return np.asarray(r.before["discard"][r.k, r.before["discard_n"] - 1])


def _needed(r: Round, cards: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Does the seat to decide need these cards for its contract? False once it has laid down."""
    more = r.before.copy()
    more["hands"][r.k, r.seats[:, 0], cards] += 1
    return np.asarray(_told(r, more)[0] < _told(r, r.before)[0])


def _told(r: Round, states: States) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """What a view tells the seat to decide: wild cards lacking, -1 if it has laid down; points in hand. Shapes (k,)."""
    asked = states.copy()
    asked["opt"]["aux_deficit"] = 1
    aux = r.game.view["aux"].start
    views = Observation(r.game, asked).observation
    return views[:, aux + 1], views[:, aux + 2]


def _points(r: Round, states: States) -> npt.NDArray[Any]:
    """Points in the agent's hand, shape (k,)."""
    asked = states.copy()
    asked["seat"] = r.seats[:, 0]
    return _told(r, asked)[1]


def _fits_table(r: Round, cards: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Could these cards be laid off by themselves? The table says so of a hand of one, and one to discard."""
    alone, seat = r.before.copy(), r.seats[:, 0]
    alone["phase"] = Phase.MAIN
    alone["hand_n"][r.k, seat] = 2
    alone["hands"][r.k, seat] = 0
    alone["hands"][r.k, seat, cards] = 1
    return Observation(r.game, alone).action_mask[:, LAY_OFF:].any(axis=1)
