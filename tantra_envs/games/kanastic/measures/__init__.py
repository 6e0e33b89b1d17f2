"""Measures of Kanastic: standing of teams, and worth of formations."""

from ..agents.standing import points
from .worth import Worth, measures

__all__ = ["Worth", "measures", "points"]
