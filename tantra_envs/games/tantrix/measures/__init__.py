"""Measures of Tantrix: standing of seats, behaviour of agents, worth of loops and tiles."""

from ..agents.standing import UNIT, points
from .behaviour import ONLY, SECTIONS, Behaviour
from .worth import Worth, sections

__all__ = ["ONLY", "SECTIONS", "UNIT", "Behaviour", "Worth", "points", "sections"]
