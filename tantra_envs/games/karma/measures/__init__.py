"""Measures of Karma: cards left, and worth of a card."""

from ..agents.standing import points
from .worth import Worth, measures

__all__ = ["Worth", "measures", "points"]
