"""Puzzles as the folder of a game makes them: a table, a question, and the credit of every answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .draws import Draws
from .game import Game
from .state import States

Answer = tuple[int, ...]  # actions of the seat to decide, in order


@dataclass(frozen=True)
class Posed:
    """A table with a question that has a proven best answer.

    Attributes:
        game: The game.
        state: The table, shape (1,). The seat to decide is asked.
        question: The question, with all that the seat may conclude about hidden cards.
        best: A best answer.
        proof: The reason why it is best, in words.
        credit: Returns the credit 0 .. 1 of the actions of an answer, all of them legal, and the table (1,) after them.
        is_complete: Returns whether a table (1,) leaves nothing of the answer to be done.
    """

    game: Game
    state: States
    question: str
    best: Answer
    proof: str
    credit: Callable[[Answer, States], float]
    is_complete: Callable[[States], bool]


@dataclass(frozen=True)
class Kind:
    """A kind of puzzles of a game.

    Attributes:
        task: The task in a phrase that begins with a verb.
        pose: Returns a puzzle from random choices, or None if these choices make none.
        several: True = an answer has several actions.
    """

    task: str
    pose: Callable[[Draws], Posed | None]
    several: bool = False


def one_action(game: Game, state: States, question: str, credits: Mapping[int, float], proof: str) -> Posed:
    """Return a puzzle at a table (1,) whose answer is one action. Actions that `credits` does not name have none."""
    best = max(credits, key=lambda action: credits[action])

    def credit(answer: Answer, after: States) -> float:
        return float(credits.get(answer[0], 0.0)) if len(answer) == 1 else 0.0

    return Posed(game, state, question, (best,), proof, credit, lambda after: True)


def line_of(game: Game, state: States, actions: Answer) -> str:
    """Return the names of actions that follow one another from a table (1,), each as the table before it names it."""
    names, state = [], state.copy()
    for action in actions:
        names.append(game.action_name(state, action))
        game.apply_action(state, action)
    return "; ".join(names)
