"""Measures of Tantra: standing of seats, and worth of Display Cards."""

from ..agents.standing import points
from .worth import Worth, measures

__all__ = ["Worth", "measures", "points"]
