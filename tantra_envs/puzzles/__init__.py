"""Puzzles with a proven best answer, made from a seed, for language models and people.

    puzzle = make("karma/win", seed=7)
    puzzle.prompt          the rules, the table in words, the question, and how to answer
    puzzle.check(reply)    the credit of a reply: 0, a part, or 1
    puzzle.solution        a best answer, and `puzzle.proof`, the reason why it is best

`kinds()` lists the kinds: two for each game that has puzzles. A kind has one puzzle for every seed. The seeds of
`SPLITS` keep training and tests apart.
"""

from __future__ import annotations

from .puzzle import SPLITS, Puzzle, check_kind, kinds, make

__all__ = ["SPLITS", "Puzzle", "check_kind", "kinds", "make"]
