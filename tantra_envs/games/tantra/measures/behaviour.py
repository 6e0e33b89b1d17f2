"""Behaviour in Tantra: buying and selling, laying down and off, the Grand Slam, and discards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.core.fields import Array
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States
from tantra_envs.games.tantra.actions import BUY, DISCARD, KEEP, KIND, LAY_DOWN, LAY_OFF, TAKE_DISCARD
from tantra_envs.games.tantra.material import JOKER, RANK_NAMES, RANKS, TOTAL, TYPES, WILD
from tantra_envs.games.tantra.search.laying import deficit
from tantra_envs.games.tantra.sets import hand_points
from tantra_envs.games.tantra.state import Ending, Phase
from tantra_envs.games.tantra.words.events import events
from tantra_envs.measures import AgentTransitions, Counter, Ints, Kinds, Measure, Scale, Section, mean, share

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

BY_USE = "by whether the card is needed (before laying down), or can be laid off (afterwards)."

BUYS = mean("buys in a round", "Discards that it buys, each with a penalty card.")
BUYS_NEEDED = share(
    "buys what it needs", "The share of offered cards that it wants to buy, among those that it needs.", POINTS_HELD
)
BUYS_OTHER = share(
    "buys what it does not need",
    "The share of offered cards that it wants to buy, among those that it does not need.",
    POINTS_HELD,
)
BUYS_BY_HAND = share("buys what it needs, by hand", "The share of needed cards that it wants to buy.", CARDS_HELD)
BUYS_BY_DANGER = share(
    "buys what it needs, in danger",
    "The share of needed cards that it wants to buy, by how many others have laid down and may go out.",
    OTHERS_DOWN,
)
REFUSED = share("own requests refused", "The share of its requests after which the player in turn takes the card.")
REFUSES = share("refuses to sell", f"In turn, the share that it takes of the cards that another wants, {BY_USE}", USES)
TAKES = share(
    "takes the discard", f"In turn, the share that it takes of the cards that nobody wants to buy, {BY_USE}", USES
)
KEEPS = share("keeps the card looked at", f"The share of next cards that it keeps after a sale, {BY_USE}", USES)
LAID = share("rounds in which it lays down", "The share of rounds in which it lays down.", ASKED_FOR)
LAID_TURN = mean("turn of laying down", "The number of its turn in which it lays down.", ASKED_FOR)
LEFT_OVER = mean("cards left on laying down", "Cards in hand after laying down all sets.")
LAID_OFF = mean("cards laid off in a round", "Cards that it lays off on its own sets and on those of others.", WHERE)
LACKING = mean(
    "wild cards lacking", "Wild cards that its sets lack after its turns; 0 once it has laid down.", OWN_TURN
)
WAITS = share(
    "waits though it can lay down", "The share of its turns in which it can lay down but does not.", OTHERS_DOWN
)
TRIED = share(
    "rounds with a Grand Slam tried",
    "The share of rounds in which it waits with laying down while nobody has laid down.",
)
BECAME = share("what becomes of Grand Slams tried", "The results of those rounds.", TRIES)
WENT_OUT = share("goes out", "The share of rounds in which it goes out, by points.", ENDINGS)
LEFT = mean("points left in hand", "Points that it loses when another goes out.")
SCORED = mean("points of a round", "Points of the agent.")
HELD = mean("points in hand", "Points in hand after its turns.", OWN_TURN)
THROWN = share("cards thrown away", "The shares of card types among its discards.", THROWN_KINDS)
SPOILS = share("throws away what it needs", "The share of needed cards among its discards before laying down.")
FEEDS = share(
    "discards that another takes", "The share of its discards that the next seat takes, or that another buys.", TAKERS
)

SECTIONS = (
    Section("Buying", (BUYS_NEEDED, BUYS_OTHER, BUYS_BY_HAND, BUYS_BY_DANGER, BUYS, REFUSED)),
    Section("In turn", (REFUSES, TAKES, KEEPS)),
    Section("Laying down", (LAID, LAID_TURN, LACKING, LEFT_OVER, LAID_OFF)),
    Section("Going out", (WAITS, BECAME, TRIED, WENT_OUT, LEFT, SCORED)),
    Section("Discards", (THROWN, SPOILS, FEEDS, HELD)),
)

# The part of every card in THROWN_KINDS.
IS_LOW = (np.arange(TYPES) % RANKS >= RANK_NAMES.index("2")) & (np.arange(TYPES) % RANKS <= RANK_NAMES.index("7"))
KIND_OF = np.select([np.arange(TYPES) == WILD, np.arange(TYPES) == JOKER, ~IS_LOW], [0, 1, 2], 3)


class Behaviour:
    """Counts from the positions before and after every action. Each round adds one to the divisors per round."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        self._n, self._counter = game.players, counter
        self._tried = np.zeros(len(seats), bool)  # whether a Grand Slam was tried in this round

    def observe(self, t: AgentTransitions) -> None:
        """Count the agent's own decisions by phase, the reactions of others, and the end of rounds."""
        own = t.only(t.mine)
        phase = own.before["phase"]
        self._buy(own.only(phase == Phase.ASK))
        self._take(own, REFUSES, phase == Phase.REPLY, TAKE_DISCARD)
        self._take(own, TAKES, phase == Phase.DRAW, TAKE_DISCARD)
        self._take(own, KEEPS, phase == Phase.PEEK, KEEP)
        self._lay_down(own.only((phase == Phase.MAIN) & (own.before["can_lay"] == 1)))
        event = events(t.before, t.actions, t.after)
        self._lay_off(own, event[t.mine])
        self._discard(own.only((own.actions >= DISCARD) & (own.actions < KIND)))
        self._traded(t, event)
        self._end_round(t.only(t.after["round"] > t.before["round"]))

    def end(self, states: States) -> None:
        """Do nothing: rounds are counted when they end."""

    # Decisions of the agent

    def _buy(self, t: AgentTransitions) -> None:
        """Count whether the agent wants to buy the fresh discard."""
        needed, bought = _needed(t, _top(t)), t.actions == BUY
        points = POINTS_HELD.part(_measured(t, t.before)[1])
        hand = CARDS_HELD.part(t.before["hand_n"][t.k, t.seats[:, 0]])
        danger = OTHERS_DOWN.part(self._others_down(t))
        self._counter.add(BUYS_OTHER, t.rows[~needed], bought[~needed], part=points[~needed])
        for measure, part in ((BUYS_NEEDED, points), (BUYS_BY_HAND, hand), (BUYS_BY_DANGER, danger)):
            self._counter.add(measure, t.rows[needed], bought[needed], part=part[needed])

    def _take(self, own: AgentTransitions, measure: Measure, when: npt.NDArray[np.bool_], action: int) -> None:
        """Count whether the agent in turn takes the discard, or keeps the card it looks at."""
        t = own.only(when)
        card = np.where(t.before["phase"] == Phase.PEEK, t.before["peeked"], _top(t))
        down = t.before["laid_turn"][t.k, t.seats[:, 0]] >= 0
        use = np.where(down, np.where(_fits_table(t, card), 2, 3), np.where(_needed(t, card), 0, 1))
        self._counter.add(measure, t.rows, t.actions == action, part=use)

    def _lay_down(self, t: AgentTransitions) -> None:
        """Count whether the agent lays down or waits when it can lay down."""
        waits, others = t.actions != LAY_DOWN, self._others_down(t)
        self._counter.add(WAITS, t.rows, waits, part=OTHERS_DOWN.part(others))
        self._tried[t.rows[waits & (others == 0)]] = True
        down = t.only(~waits)
        asked = TOTAL[down.before["display"]]
        self._counter.add(LAID_TURN, down.rows, self._own_turn(down), part=ASKED_FOR.part(asked))
        self._counter.add(LEFT_OVER, down.rows, down.before["hand_n"][down.k, down.seats[:, 0]] - asked)

    def _lay_off(self, t: AgentTransitions, event: Array) -> None:
        """Count cards laid off, including those that the environment lays off because there is no choice."""
        others, cards = event["owner"] != t.seats[:, 0], event["placed"].sum(axis=1)
        which = event["owner"] >= 0
        self._counter.add(LAID_OFF, t.rows[which], cards[which], 0, part=others[which].astype(np.int64))

    def _discard(self, t: AgentTransitions) -> None:
        """Count the agent's discards, and its hand after them."""
        seat, card = t.seats[:, 0], t.actions - DISCARD
        less = t.before.copy()
        less["hands"][t.k, seat, card] -= 1
        (before, _), (after, points) = _measured(t, t.before), _measured(t, less)
        self._counter.add_kinds(THROWN, t.rows, KIND_OF[card][:, None] == np.arange(len(THROWN_KINDS.names)))
        down = t.before["laid_turn"][t.k, seat] >= 0
        self._counter.add(SPOILS, t.rows[~down], (after > before)[~down])
        turn = OWN_TURN.part(self._own_turn(t))
        self._counter.add(LACKING, t.rows, np.where(down, 0, after), part=turn)
        self._counter.add(HELD, t.rows, points, part=turn)
        out = t.before["hand_n"][t.k, seat] == 1  # after its last card, nobody can take the discard
        self._counter.add_kinds(FEEDS, t.rows[~out], np.zeros((np.count_nonzero(~out), len(TAKERS.names))))

    # Reactions of others to its cards and requests

    def _traded(self, t: AgentTransitions, event: Array) -> None:
        """Count the agent's buys and requests, and its discards that others take."""
        b, seat = t.before, t.seats[:, 0]
        asks = (b["phase"] == Phase.REPLY) & (b["requester"] == seat)
        self._counter.add(REFUSED, t.rows[asks], t.actions[asks] == TAKE_DISCARD)
        taker, bought = event["taker"], event["bought"] == 1
        self._counter.add(BUYS, t.rows, bought & (taker == seat), 0)

        own_card = (b["turns"] > 0) & ((b["turn"] - 1) % self._n == seat)  # excludes the card turned up after the deal
        self._counter.add(FEEDS, t.rows, own_card & ~bought & (taker >= 0), 0, part=0)
        self._counter.add(FEEDS, t.rows, own_card & bought & (taker != seat), 0, part=1)

    # End of a round

    def _end_round(self, t: AgentTransitions) -> None:
        """Count a finished round: add one to the divisors, and count its results.

        The next round may be dealt already, but `last` holds the figures of the finished one.
        """
        last, seat = t.after["last"], t.seats[:, 0]
        for measure in (BUYS, LAID_OFF):
            self._counter.add_kinds(measure, t.rows, np.zeros((len(t), len(measure.names))))
        asked, out = TOTAL[last["display"]], last["out"] == seat
        self._counter.add(LAID, t.rows, last["laid_turn"][t.k, seat] >= 0, part=ASKED_FOR.part(asked))
        ends = [out & (last["ending"] == ending) for ending in (Ending.LATER, Ending.AT_ONCE, Ending.GRAND_SLAM)]
        self._counter.add_kinds(WENT_OUT, t.rows, np.stack(ends, axis=1))
        self._counter.add(LEFT, t.rows[~out], last["hand_points"][t.k, seat][~out])
        self._counter.add(SCORED, t.rows, last["scores"][t.k, seat])

        tried = self._tried[t.rows]
        self._counter.add(TRIED, t.rows, tried)
        slam = ends[-1]
        became = np.stack([slam, out & ~slam, ~out], axis=1)
        self._counter.add_kinds(BECAME, t.rows[tried], became[tried])
        self._tried[t.rows] = False

    def _others_down(self, t: AgentTransitions) -> npt.NDArray[Any]:
        """Return the number of other seats that have laid down, shape (k,)."""
        laid = t.before["laid_turn"][:, : self._n] >= 0
        return np.asarray(laid.sum(axis=1) - laid[t.k, t.seats[:, 0]])

    def _own_turn(self, t: AgentTransitions) -> npt.NDArray[Any]:
        """Return the number of the agent's turn in the round, counted from 1."""
        return np.asarray(t.before["turns"] // self._n + 1)


def _top(t: AgentTransitions) -> npt.NDArray[Any]:
    """Return the card on top of the discard pile, shape (k,)."""
    return np.asarray(t.before["discard"][t.k, t.before["discard_n"] - 1])


def _needed(t: AgentTransitions, cards: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return whether the seat to decide needs these cards for its contract, False once it has laid down."""
    more = t.before.copy()
    more["hands"][t.k, t.seats[:, 0], cards] += 1
    return np.asarray(_measured(t, more)[0] < _measured(t, t.before)[0])


def _measured(t: AgentTransitions, states: States) -> tuple[Ints, Ints]:
    """Return for the agent's seat: wild cards lacking, -1 if it has laid down; points in hand. Shapes (k,)."""
    lacking, points = np.empty(len(t), np.int64), np.empty(len(t), np.int64)
    _measure_rows(states, np.ascontiguousarray(t.seats[:, 0]), lacking, points)
    return lacking, points


@entry_point
def _measure_rows(states: Any, seats: Any, lacking: Any, points: Any) -> None:
    for i in range(len(seats)):
        s, seat = states[i], int(seats[i])
        lacking[i] = deficit(s, seat) if s.laid_turn[seat] < 0 else -1
        points[i] = hand_points(s, seat)


def _fits_table(t: AgentTransitions, cards: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return whether each of these cards could be laid off alone.

    The legal actions show it for a hand of this card and another one to discard.
    """
    alone, seat = t.before.copy(), t.seats[:, 0]
    alone["phase"] = Phase.MAIN
    alone["hand_n"][t.k, seat] = 2
    alone["hands"][t.k, seat] = 0
    alone["hands"][t.k, seat, cards] = 1
    return np.asarray(Observation(t.game, alone).action_mask[:, LAY_OFF:].any(axis=1))
