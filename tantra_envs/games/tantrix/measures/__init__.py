"""Measures of Tantrix: standing of seats, and worth of loops and tiles."""

from ..agents.standing import points
from .worth import Worth, measures

__all__ = ["Worth", "measures", "points"]
