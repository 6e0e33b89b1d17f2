"""Measures of Tarot: standing of seats, behaviour of agents, worth of classes and cards."""

from ..agents.standing import UNIT, points
from .behaviour import SECTIONS, Behaviour
from .worth import Worth, sections

__all__ = ["SECTIONS", "UNIT", "Behaviour", "Worth", "points", "sections"]
