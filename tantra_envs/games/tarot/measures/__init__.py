"""Measures of Tarot: standing of seats, and worth of classes and cards."""

from ..agents.standing import points
from .worth import Worth, measures

ACTION_KINDS = ("leads", "follows", "ruffs", "is_trump")  # action features that tell kinds of cards apart

__all__ = ["ACTION_KINDS", "Worth", "measures", "points"]
