"""The figures of exact play as values, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from . import solve
from .policies import Looks, Policy
from .tree import Tree, tables_at

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Decision:
    """An observation at which an agent loses much.

    Attributes:
        seat: The seat.
        gain: Gain of the agent if it always answers `better` here, and otherwise as before, against a best response
            to it: mean over the seats that respond.
        plays: The agent's probabilities of its actions, by their words.
        better: The words of the better action.
        table: The table as the seat sees it.
    """

    seat: int
    gain: float
    plays: dict[str, float]
    better: str
    table: str


@dataclass(frozen=True)
class Row:
    """The figures of an agent.

    Attributes:
        agent: The name of the agent.
        form: How its probabilities are known: "fixed", "probabilities", "drawn" or "solved".
        rewards: The expected reward of each seat if the agent plays all seats.
        responses: The highest expected reward of each seat if the agent plays all other seats.
        exploitability: Two seats: mean of `responses` less the value of the game. More: mean of `responses`.
        worst: The decisions that cost most.
    """

    agent: str
    form: str
    rewards: list[float]
    responses: list[float]
    exploitability: float
    worst: list[Decision] = field(default_factory=list)

    @property
    def value(self) -> tuple[float, float, float]:
        """The value of a game of two seats for seat 0 by its solution, and its lowest and highest value."""
        low, high = -self.responses[1], self.responses[0]
        return (low + high) / 2, low, high


def row_of(tree: Tree, looks: Looks, policy: Policy, most: int) -> Row:
    """Return the figures of an agent, with the `most` decisions that cost most."""
    strategy = policy.strategy(tree, looks)
    row, gains = _figures(tree, strategy)
    worst = _worst(tree, looks, policy, gains, most)
    return Row(policy.name, policy.form, *row, worst)


def solved_row(tree: Tree, strategy: Floats) -> Row:
    """Return the figures of the average strategy of CFR+."""
    return Row("cfr+", "solved", *_figures(tree, strategy)[0])


def _figures(tree: Tree, strategy: Floats) -> tuple[tuple[list[float], list[float], float], Floats]:
    """Return rewards, responses and exploitability, and the gains by each action: see `solve.local_gains`."""
    part, seats = tree.part, range(tree.game.players)
    weights = solve.weights_of(part, strategy)
    gains, responses = np.zeros(len(strategy)), []
    for seat in seats:
        value, response = solve.best_response(part, weights, seat)
        responses.append(value)
        opponents = weights.copy()
        own = np.concatenate([np.zeros(len(seats)), np.repeat(part.seats, part.sizes)]) == seat
        opponents[own] = solve.weights_of(part, response)[own]
        for other in seats:
            if other != seat:
                gains += solve.local_gains(part, strategy, opponents, other) / (len(seats) - 1)
    rewards = [solve.expected(part, weights, seat) for seat in seats]
    return (rewards, responses, float(np.mean(responses))), gains


def _worst(tree: Tree, looks: Looks, policy: Policy, gains: Floats, most: int) -> list[Decision]:
    """Return the decisions that cost most, with the largest gain first."""
    by_action = np.bincount(looks.slots, gains[tree.game.players :], len(looks.actions))
    best = np.maximum.reduceat(by_action, looks.begin)
    chosen = np.argsort(-best, kind="stable")[:most]
    chosen = chosen[best[chosen] > 1e-9]
    decisions: dict[int, Decision] = {}
    for places, tables in tables_at(tree, tree.part.members[looks.first[chosen], :2]):
        for k, place in enumerate(places.tolist()):
            look, table = int(chosen[place]), tables[k : k + 1]
            begin, end = looks.begin[look], np.append(looks.begin, len(looks.actions))[look + 1]
            names = [tree.game.action_name(table, int(action)) for action in looks.actions[begin:end]]
            answers = policy.answers[begin:end].tolist()
            decisions[place] = Decision(
                seat=int(table["seat"][0]),
                gain=float(best[look]),
                plays={name: answer for name, answer in zip(names, answers, strict=True) if answer > 0},
                better=names[int(by_action[begin:end].argmax())],
                table=tree.game.picture(table, int(table["seat"][0])),
            )
    return [decisions[place] for place in sorted(decisions)]


def table(rows: Sequence[Row]) -> str:
    """Return the figures of agents as a table in Markdown."""
    lines = ["| agent | plays | rewards by seat | best response by seat | exploitability |", "|---|---|---|---|---:|"]
    for row in rows:
        rewards, responses = (" ".join(f"{value:+.4f}" for value in values) for values in (row.rewards, row.responses))
        lines.append(f"| {row.agent} | {row.form} | {rewards} | {responses} | {row.exploitability:.4f} |")
    return "\n".join(lines)


def decisions(row: Row) -> str:
    """Return the decisions of an agent that cost most, in words."""
    blocks = []
    for place, worst in enumerate(row.worst, 1):
        plays = ", ".join(f"{name!r} ({share:.0%})" if share < 1 else repr(name) for name, share in worst.plays.items())
        head = f"{place}. Seat {worst.seat} plays {plays}; {worst.better!r} gains {worst.gain:.4f}."
        blocks.append(f"{head}\n\n{_indented(worst.table)}")
    return "\n\n".join(blocks)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
