"""Kanastic: opening, the discard stack, formations, points, and going out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.kanastic.actions import ASK, DISCARD, DRAW, NEW, TAKE_STACK, TAKE_TOP, YES
from tantra_envs.games.kanastic.material import (
    ACE,
    ARTIFACT,
    ARTIFACT_POINTS,
    CANASTA,
    COMPLETE_SUIT,
    HAND_POINTS,
    MIXED_ACES,
    MIXED_CANASTA,
    MIXED_SUIT,
    NATURAL_ACES,
    NATURAL_CANASTA,
    NEW_SIZE,
    POT_POINTS,
    RANK_POINTS,
    RANKS,
    ROYAL_SUIT,
    SWORD,
    SWORD_POINTS,
)
from tantra_envs.games.kanastic.state import Episode, Phase, Taken
from tantra_envs.measures import AgentTransitions, Counter, Ints, Kinds, Scale, Section, mean, share

INTRODUCTION = """\
A team opens with enough points laid in one turn; from then on it lays and adds cards as it likes, and may pick up the
whole discard stack with a card that begins a new formation. Seven cards of a rank are a canasta, seven golds in a row
a golden suit: only with one of them can a team go out, and its bonus is most of what a round is worth. All cards left
in hand are lost. So the questions are when a team opens, which stacks it gets and which it blocks, what its formations
become, and how a round ends.
"""

OWN_TURN = Scale("own turn", (1, 2, 3, 4, 5, 7, 9, 13))
IN_STACK = Scale("cards in the stack", (1, 3, 6, 10, 15, 20))
SIDES = Kinds(("own", "others'"))
CANASTA_KINDS = Kinds(("natural", "mixed", "natural aces", "mixed aces"))
CANASTA_POINTS = (NATURAL_CANASTA, MIXED_CANASTA, NATURAL_ACES, MIXED_ACES)
SUIT_KINDS = Kinds(("begun", "mixed", "royal"))
SUIT_POINTS = (0, MIXED_SUIT, ROYAL_SUIT)
SIZES = Kinds(("3 cards", "4", "5", "6", "7 or 8"))
STOPS = Kinds(("Swords", "Artifacts", "Shields"))
WILDS = Kinds(("Swords", "Artifacts"))
SOURCES = Kinds(("canastas", "suits", "cards laid", "pots", "in hand", "doubling"))
WAYS = Kinds(("plainly", "doubling"))
ENDS = Kinds(("it goes out", "another does"))
ANSWERS = Kinds(("no", "yes"))

OPENED = share("rounds in which it opens", "How often it makes the initial meld.")
OPEN_TURN = mean("turn of opening", "In which turn of the player who opens.")
OPEN_POINTS = mean("points of the initial meld", "What lies on the table when the requirement is met.")
OPEN_WILDS = mean("wild cards in the initial meld", "Swords and Artifacts among them.")
OPENS = share("opens when it can", "Of its turns in which its cards would do, how often it opens.", OWN_TURN)
TAKES_TOP = share("takes the top card to open", "Of its turns in which it may, how often it does.")
TAKES_STACK = share("picks up the stack when it may", "Of its turns in which it may, how often it does.", IN_STACK)
BLOCKS = share(
    "blocks the stack",
    "Of its discards with a stop card in hand, a Sword, Artifact or Shield, how often it is one.",
    IN_STACK,
)
STACKS = mean("stacks picked up in a round", "How often each side picks one up.", SIDES)
STACK_CARDS = mean("cards in a stack picked up", "How large those stacks are.", SIDES)
STOPS_AWAY = mean("stop cards discarded in a round", "What it blocks the stack with.", STOPS)
CANASTAS = mean("canastas in a round", "How many of each kind it has in the end.", CANASTA_KINDS)
SUITS = share("golden suits", "How often it has one in the end, as far as it has come.", SUIT_KINDS)
FORMATIONS = mean("rank formations in a round", "How many of each size it has in the end.", SIZES)
WILDS_LAID = mean("wild cards laid in a round", "How many lie in its formations in the end.", WILDS)
FIRST_CANASTA = mean("turn of the first canasta", "In which turn of the player who completes it.")
POINTS = mean("own points of a round", "Where they come from; cards left in hand count against it.", SOURCES)
AGAINST = mean("points of the others in a round", "Those of another team, by the same sources.", SOURCES)
SCORED = mean("points of a round", "All of these together.", SIDES)
WENT_OUT = share("goes out", "How often, and whether with a wild card, which doubles all scores.", WAYS)
LEFT = mean("points left in hand", "What the cards count in the hands of the team, by who goes out.", ENDS)
TURNS = mean("turns of a round", "How many every player has, by who goes out.", ENDS)
ASKED = mean("asks to go out in a round", "How often it asks the partner.")
SAYS_YES = share("says yes", "How often it answers yes to its partner.")
HEEDS = share("goes out once answered", "Of its turns with an answer, in how many it goes out.", ANSWERS)

SECTIONS = (
    Section("Opening", (OPENS, OPEN_TURN, OPENED, OPEN_POINTS, OPEN_WILDS)),
    Section("The discard stack", (TAKES_STACK, BLOCKS, STACKS, STACK_CARDS, STOPS_AWAY, TAKES_TOP)),
    Section("Formations", (CANASTAS, FORMATIONS, SUITS, WILDS_LAID, FIRST_CANASTA)),
    Section("Points", (POINTS, AGAINST, SCORED)),
    Section("Going out", (WENT_OUT, LEFT, TURNS, ASKED, SAYS_YES, HEEDS)),
)


class Behaviour:
    """Counts from the positions before and after every action; what is per round is divided at the end of each."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        self._n, self._teams, self._counter = game.players, len(game.teams), counter
        self._partners = np.array(game.teams)  # the seats of each team

    def observe(self, t: AgentTransitions) -> None:
        """Who picks up stacks, the agent's own decisions by phase, the end."""
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
        """Count nothing more: rounds and hands are counted one by one."""

    # What the agent decides

    def _draw(self, t: AgentTransitions) -> None:
        """Where it may take from the stack, does it?"""
        for measure, action in ((TAKES_TOP, TAKE_TOP), (TAKES_STACK, TAKE_STACK)):
            may = t.only(t.masks[:, action])
            part = IN_STACK.part(may.before["pile_n"]) if measure.parts else 0
            self._counter.add(measure, may.rows, may.actions != DRAW, part=part)

    def _meld(self, t: AgentTransitions) -> None:
        """A placement that opens, or that makes the first canasta."""
        team = self._team(t)
        opens = t.only((t.before["opened"][t.k, team] == 0) & (t.after["opened"][t.k, team] == 1))
        s, own = opens.after, self._team(opens)
        self._counter.add(OPENS, opens.rows, 1, part=OWN_TURN.part(self._own_turn(opens)))
        self._counter.add(OPEN_TURN, opens.rows, self._own_turn(opens))
        self._counter.add(OPEN_POINTS, opens.rows, _laid(s)[opens.k, own])
        self._counter.add(OPEN_WILDS, opens.rows, _wilds(s)[opens.k, own].sum(axis=1))
        had, has = (np.asarray(_canastas(s).any(axis=(2, 3)))[t.k, team] for s in (t.before, t.after))
        first = t.only(~had & has)
        self._counter.add(FIRST_CANASTA, first.rows, self._own_turn(first))

    def _discard(self, t: AgentTransitions) -> None:
        """A turn ends: could it have opened, does it block the stack, does it go out?"""
        b, seat, card = t.before, t.before["seat"], t.actions - DISCARD
        stop = card >= SWORD
        holds = np.asarray(b["hand"][t.k, seat, SWORD:].any(axis=1))
        self._counter.add(BLOCKS, t.rows[holds], stop[holds], part=IN_STACK.part(b["pile_n"][holds]))
        self._counter.add(STOPS_AWAY, t.rows[stop], 1, 0, part=card[stop] - SWORD)
        answered = t.only(b["answer"] >= 0)
        self._counter.add(HEEDS, answered.rows, _goes_out(answered), part=answered.before["answer"].astype(np.int64))
        closed = t.only((b["phase"] == Phase.MELD) & (b["opened"][t.k, self._team(t)] == 0))
        could = closed.only(closed.masks[:, NEW:DISCARD].any(axis=1))
        self._counter.add(OPENS, could.rows, 0, part=OWN_TURN.part(self._own_turn(could)))

    # What both sides do

    def _stack(self, t: AgentTransitions) -> None:
        side = (~t.mine).astype(np.int64)
        self._counter.add(STACKS, t.rows, 1, 0, part=side)
        self._counter.add(STACK_CARDS, t.rows, t.before["pile_n"], part=side)

    def _end_round(self, t: AgentTransitions) -> None:
        """One round more to divide by, and what lies on the table."""
        s, team = t.after, self._team(t)
        for measure in (STACKS, STOPS_AWAY, ASKED):
            self._counter.add_kinds(measure, t.rows, np.zeros((len(t), len(measure.names))))
        self._counter.add(OPENED, t.rows, s["opened"][t.k, team])
        self._counter.add_kinds(CANASTAS, t.rows, _canastas(s).sum(axis=2)[t.k, team])
        self._counter.add_kinds(SUITS, t.rows, _suits(s)[t.k, team])
        self._counter.add_kinds(WILDS_LAID, t.rows, _wilds(s)[t.k, team])
        size = (s["n"] + s["w"])[t.k, team]
        of_size = np.minimum(size, CANASTA)[:, :, None] == np.arange(NEW_SIZE, CANASTA + 1)
        self._counter.add_kinds(FORMATIONS, t.rows, of_size.sum(axis=1))
        self._score(t)
        self._leave(t)

    def _score(self, t: AgentTransitions) -> None:
        """Points by source."""
        s, team, teams = t.after, self._team(t), self._teams
        bonuses = _canastas(s).sum(axis=2) @ np.array(CANASTA_POINTS), _suits(s) @ np.array(SUIT_POINTS)
        single = [*bonuses, _laid(s), POT_POINTS[s["pots"]]]
        points = np.stack([*(points[:, :teams] for points in single), -self._in_hand(s)], axis=2)
        total = s["last_scores"][:, :teams].astype(np.int64)
        points = np.concatenate([points, (total - points.sum(axis=2))[:, :, None]], axis=2)
        own = points[t.k, team]
        others = (points.sum(axis=1) - own) / (teams - 1)
        self._counter.add_kinds(POINTS, t.rows, own)
        self._counter.add_kinds(AGAINST, t.rows, others)
        self._counter.add_kinds(SCORED, t.rows, np.stack([own.sum(axis=1), others.sum(axis=1)], axis=1))

    def _leave(self, t: AgentTransitions) -> None:
        """Who goes out, and how."""
        out, team = t.after["last_out"], self._team(t)
        own, wild = (out >= 0) & (out % self._teams == team), np.isin(t.actions - DISCARD, (SWORD, ARTIFACT))
        self._counter.add_kinds(WENT_OUT, t.rows, np.stack([own & ~wild, own & wild], axis=1))
        part = (~own[out >= 0]).astype(np.int64)
        self._counter.add(LEFT, t.rows[out >= 0], self._in_hand(t.after)[t.k, team][out >= 0], part=part)
        self._counter.add(TURNS, t.rows[out >= 0], t.after["last_turns"][out >= 0] / self._n, part=part)

    def _team(self, t: AgentTransitions) -> npt.NDArray[Any]:
        """The agent's team, shape (k,)."""
        return np.asarray(t.seats[:, 0] % self._teams)

    def _own_turn(self, t: AgentTransitions) -> npt.NDArray[Any]:
        """Which turn in the round it is of the player in turn, from 1."""
        return np.asarray(t.before["turn"] // self._n + 1)

    def _in_hand(self, s: States) -> npt.NDArray[Any]:
        """Points in the hands of every team, shape (k, teams)."""
        return np.asarray((s["hand"] @ HAND_POINTS)[:, self._partners].sum(axis=2))


def _goes_out(t: AgentTransitions) -> npt.NDArray[np.bool_]:
    """Is it the last card, and no old stack waits for the hand? [KN-54]"""
    waiting = (t.before["taken"] == Taken.STACK) & (t.before["pile_n"] > 0)
    return np.asarray((t.before["hand_n"][t.k, t.before["seat"]] == 1) & ~waiting)


# What lies on the table of every team; shapes begin with (k, 3 teams)


def _canastas(s: States) -> npt.NDArray[np.bool_]:
    """Which ranks are canastas of which kind, shape (.., ranks, kinds)."""
    canasta, mixed = s["n"] + s["w"] >= CANASTA, (s["w"] > 0).astype(np.int64)
    kind = mixed + 2 * (np.arange(RANKS) == ACE)
    return np.asarray(canasta[..., None] & (kind[..., None] == np.arange(len(CANASTA_KINDS.names))))


def _suits(s: States) -> npt.NDArray[np.bool_]:
    """Whether there is a golden suit of each kind, shape (.., kinds)."""
    complete, royal = s["suit_hi"] - s["suit_lo"] + 1 >= COMPLETE_SUIT, s["suit_art"] == 0
    kind = np.select([s["suit_lo"] < 0, ~complete, ~royal], [-1, 0, 1], 2)
    return np.asarray(kind[..., None] == np.arange(len(SUIT_KINDS.names)))


def _wilds(s: States) -> npt.NDArray[Any]:
    """Swords and Artifacts laid, shape (.., 2)."""
    artifacts = s["ar"].sum(axis=2) + _suit_ranks(s)[1].sum(axis=2)
    return np.stack([s["sw"].sum(axis=2), artifacts], axis=2)


def _laid(s: States) -> npt.NDArray[Any]:
    """Points of the cards laid, bonuses apart."""
    golds, artifacts = _suit_ranks(s)
    wilds = SWORD_POINTS * s["sw"].sum(axis=2) + ARTIFACT_POINTS * (s["ar"].sum(axis=2) + artifacts.sum(axis=2))
    return np.asarray((s["n"] + golds) @ RANK_POINTS + wilds)


def _suit_ranks(s: States) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """The ranks that golds hold in the golden suit, and those that Artifacts hold, shapes (.., ranks)."""
    ranks = np.arange(RANKS)
    within = (s["suit_lo"][..., None] >= 0) & (s["suit_lo"][..., None] <= ranks) & (ranks <= s["suit_hi"][..., None])
    artifact = (s["suit_art"][..., None] >> ranks & 1).astype(bool)
    return within & ~artifact, within & artifact
