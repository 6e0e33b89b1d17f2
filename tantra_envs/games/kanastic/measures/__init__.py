"""Measures of Kanastic: standing of teams, behaviour of agents, worth of formations."""

from ..agents.standing import UNIT, points
from .behaviour import SECTIONS, Behaviour
from .worth import Worth, sections

__all__ = ["SECTIONS", "UNIT", "Behaviour", "Worth", "points", "sections"]
