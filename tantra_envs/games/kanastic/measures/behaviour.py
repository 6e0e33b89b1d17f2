"""Behaviour in Kanastic: opening, the discard stack, formations, points, and going out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.kanastic.actions import ASK, DISCARD, DRAW, NEW, TAKE_STACK, TAKE_TOP, YES
from tantra_envs.games.kanastic.cards import on_table
from tantra_envs.games.kanastic.material import ARTIFACT, CANASTA, NEW_SIZE, SWORD
from tantra_envs.games.kanastic.state import Episode, Phase
from tantra_envs.games.kanastic.words.events import events
from tantra_envs.games.kanastic.words.reasons import canastas, card_points, held_points, round_points, suits
from tantra_envs.measures import AgentTransitions, Counter, Ints, Kinds, Scale, Section, mean, share

OWN_TURN = Scale("own turn", (1, 2, 3, 4, 5, 7, 9, 13))
IN_STACK = Scale("cards in the stack", (1, 3, 6, 10, 15, 20))
SIDES = Kinds(("own", "others'"))
CANASTA_KINDS = Kinds(("natural", "mixed", "natural aces", "mixed aces"))
SUIT_KINDS = Kinds(("begun", "mixed", "royal"))
SIZES = Kinds(("3 cards", "4", "5", "6", "7 or 8"))
STOPS = Kinds(("Swords", "Artifacts", "Shields"))
WILDS = Kinds(("Swords", "Artifacts"))
SOURCES = Kinds(("canastas", "suits", "cards laid", "pots", "in hand", "going out", "doubling"))
REASON_OF = (1, 2, 0, 3, 4, 5, 6)  # the place of each source in `reasons.REASONS`
WAYS = Kinds(("plainly", "doubling"))
ENDS = Kinds(("it goes out", "another does"))
ANSWERS = Kinds(("no", "yes"))

OPENED = share("rounds in which it opens", "The share of rounds in which it makes the initial meld.")
OPEN_TURN = mean("turn of opening", "The turn, counted for the player who opens.")
OPEN_POINTS = mean("points of the initial meld", "Points on the table when the requirement is met.")
OPEN_WILDS = mean("wild cards in the initial meld", "Swords and Artifacts in the initial meld.")
OPENS = share("opens when it can", "The share of its turns with enough cards to open in which it opens.", OWN_TURN)
TAKES_TOP = share("takes the top card to open", "How often it does so, as a share of the turns in which it may.")
TAKES_STACK = share(
    "picks up the stack when it may", "How often it does so, as a share of the turns in which it may.", IN_STACK
)
BLOCKS = share(
    "blocks the stack",
    "The share of stop cards (Sword, Artifact or Shield) among its discards with a stop card in hand.",
    IN_STACK,
)
STACKS = mean("stacks picked up in a round", "Stacks that each side picks up.", SIDES)
STACK_CARDS = mean("cards in a stack picked up", "Cards in those stacks.", SIDES)
STOPS_AWAY = mean("stop cards discarded in a round", "Cards with which it blocks the stack.", STOPS)
CANASTAS = mean("canastas in a round", "Canastas of each kind at the end of a round.", CANASTA_KINDS)
SUITS = share("golden suits", "The share of rounds that it ends with one, by its state.", SUIT_KINDS)
FORMATIONS = mean("rank formations in a round", "Formations of each size at the end of a round.", SIZES)
WILDS_LAID = mean("wild cards laid in a round", "Wild cards in its formations at the end of a round.", WILDS)
FIRST_CANASTA = mean("turn of the first canasta", "The turn, counted for the player who completes it.")
POINTS = mean("own points of a round", "Points of the team by source. Cards left in hand count against it.", SOURCES)
AGAINST = mean("points of the others in a round", "Points of another team by source.", SOURCES)
SCORED = mean("points of a round", "Points from all sources.", SIDES)
WENT_OUT = share(
    "goes out", "The share of rounds in which it goes out. A wild card as the last discard doubles all scores.", WAYS
)
LEFT = mean("points left in hand", "Points of the cards in the team's hands, by who goes out.", ENDS)
TURNS = mean("turns of a round", "Turns of each player, by who goes out.", ENDS)
ASKED = mean("asks to go out in a round", "Questions to the partner.")
SAYS_YES = share("says yes", "The share of its answers to the partner that are yes.")
HEEDS = share("goes out once answered", "The share of its turns with an answer in which it goes out.", ANSWERS)

SECTIONS = (
    Section("Opening", (OPENS, OPEN_TURN, OPENED, OPEN_POINTS, OPEN_WILDS)),
    Section("The discard stack", (TAKES_STACK, BLOCKS, STACKS, STACK_CARDS, STOPS_AWAY, TAKES_TOP)),
    Section("Formations", (CANASTAS, FORMATIONS, SUITS, WILDS_LAID, FIRST_CANASTA)),
    Section("Points", (POINTS, AGAINST, SCORED)),
    Section("Going out", (WENT_OUT, LEFT, TURNS, ASKED, SAYS_YES, HEEDS)),
)


class Behaviour:
    """Counts from the positions before and after every action. Each round adds one to the divisors per round."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        self._game, self._n, self._teams, self._counter = game, game.players, len(game.teams), counter

    def observe(self, t: AgentTransitions) -> None:
        """Count stacks that are picked up, the agent's own decisions by phase, and the end of a round."""
        self._stack(t.only(t.actions == TAKE_STACK))
        own = t.only(t.mine)
        self._draw(own.only(own.actions <= TAKE_STACK))
        self._meld(own.only((own.actions >= NEW) & (own.actions < DISCARD)))
        self._discard(own.only((own.actions >= DISCARD) & (own.actions < ASK)))
        self._counter.add(ASKED, own.rows, own.actions == ASK, 0)
        answers = own.only(own.before["phase"] == Phase.ANSWER)
        self._counter.add(SAYS_YES, answers.rows, answers.actions == YES)
        self._end_round(t.only(t.after["round_no"] > t.before["round_no"]).under(episode=Episode.ROUND))

    def end(self, states: States) -> None:
        """Do nothing: rounds are counted when they end."""

    # Decisions of the agent

    def _draw(self, t: AgentTransitions) -> None:
        """Count whether the agent takes from the stack where it may."""
        for measure, action in ((TAKES_TOP, TAKE_TOP), (TAKES_STACK, TAKE_STACK)):
            may = t.only(t.masks[:, action])
            part = IN_STACK.part(may.before["pile_n"]) if measure.parts else 0
            self._counter.add(measure, may.rows, may.actions != DRAW, part=part)

    def _meld(self, t: AgentTransitions) -> None:
        """Count placements that open, and those that complete the first canasta."""
        event = events(t.before, t.actions, t.after)
        opens, first = t.only(event["opened"] == 1), t.only(event["first"] == 1)
        s, own = opens.after, self._team(opens)
        self._counter.add(OPENS, opens.rows, 1, part=OWN_TURN.part(self._own_turn(opens)))
        self._counter.add(OPEN_TURN, opens.rows, self._own_turn(opens))
        self._counter.add(OPEN_POINTS, opens.rows, card_points(s)[opens.k, own])
        self._counter.add(OPEN_WILDS, opens.rows, _wilds(s)[opens.k, own].sum(axis=1))
        self._counter.add(FIRST_CANASTA, first.rows, self._own_turn(first))

    def _discard(self, t: AgentTransitions) -> None:
        """Count at the end of a turn: missed openings, discards that block the stack, and going out after an answer."""
        b, event = t.before, events(t.before, t.actions, t.after)
        stop, holds = event["blocks"] == 1, np.asarray(b["hand"][t.k, b["seat"], SWORD:].any(axis=1))
        self._counter.add(BLOCKS, t.rows[holds], stop[holds], part=IN_STACK.part(b["pile_n"][holds]))
        self._counter.add(STOPS_AWAY, t.rows[stop], 1, 0, part=t.actions[stop] - DISCARD - SWORD)
        answered = b["answer"] >= 0
        self._counter.add(HEEDS, t.rows[answered], event["out"][answered], part=b["answer"][answered].astype(np.int64))
        closed = t.only((b["phase"] == Phase.MELD) & (b["opened"][t.k, self._team(t)] == 0))
        could = closed.only(closed.masks[:, NEW:DISCARD].any(axis=1))
        self._counter.add(OPENS, could.rows, 0, part=OWN_TURN.part(self._own_turn(could)))

    # Counts for both sides

    def _stack(self, t: AgentTransitions) -> None:
        side = (~t.mine).astype(np.int64)
        self._counter.add(STACKS, t.rows, 1, 0, part=side)
        self._counter.add(STACK_CARDS, t.rows, t.before["pile_n"], part=side)

    def _end_round(self, t: AgentTransitions) -> None:
        """Count a finished round: add one to the divisors, and count the cards on the table."""
        s, team = t.after, self._team(t)
        for measure in (STACKS, STOPS_AWAY, ASKED):
            self._counter.add_kinds(measure, t.rows, np.zeros((len(t), len(measure.names))))
        self._counter.add(OPENED, t.rows, s["opened"][t.k, team])
        self._counter.add_kinds(CANASTAS, t.rows, canastas(s).sum(axis=2)[t.k, team])
        self._counter.add_kinds(SUITS, t.rows, suits(s)[t.k, team])
        self._counter.add_kinds(WILDS_LAID, t.rows, _wilds(s)[t.k, team])
        size = (s["n"] + s["w"])[t.k, team]
        of_size = np.minimum(size, CANASTA)[:, :, None] == np.arange(NEW_SIZE, CANASTA + 1)
        self._counter.add_kinds(FORMATIONS, t.rows, of_size.sum(axis=1))
        self._score(t)
        self._leave(t)

    def _score(self, t: AgentTransitions) -> None:
        """Count points by source."""
        points = round_points(self._game, t.after)[:, :, REASON_OF]
        own = points[t.k, self._team(t)]
        others = (points.sum(axis=1) - own) / (self._teams - 1)
        self._counter.add_kinds(POINTS, t.rows, own)
        self._counter.add_kinds(AGAINST, t.rows, others)
        self._counter.add_kinds(SCORED, t.rows, np.stack([own.sum(axis=1), others.sum(axis=1)], axis=1))

    def _leave(self, t: AgentTransitions) -> None:
        """Count which side goes out, and how."""
        out, team, doubled = t.after["last_out"], self._team(t), events(t.before, t.actions, t.after)["doubled"] == 1
        own = (out >= 0) & (out % self._teams == team)
        self._counter.add_kinds(WENT_OUT, t.rows, np.stack([own & ~doubled, own & doubled], axis=1))
        part = (~own[out >= 0]).astype(np.int64)
        held = held_points(t.after)[t.k[:, None], np.array(self._game.teams)[team]].sum(axis=1)
        self._counter.add(LEFT, t.rows[out >= 0], held[out >= 0], part=part)
        self._counter.add(TURNS, t.rows[out >= 0], t.after["last_turns"][out >= 0] / self._n, part=part)

    def _team(self, t: AgentTransitions) -> npt.NDArray[Any]:
        """Return the agent's team, shape (k,)."""
        return np.asarray(t.seats[:, 0] % self._teams)

    def _own_turn(self, t: AgentTransitions) -> npt.NDArray[Any]:
        """Return the number of the current turn for its player in this round, counted from 1."""
        return np.asarray(t.before["turn"] // self._n + 1)


def _wilds(s: States) -> npt.NDArray[Any]:
    """Return the numbers of Swords and Artifacts in formations, shape (.., 2)."""
    return np.asarray(on_table(s)[..., [SWORD, ARTIFACT]])
