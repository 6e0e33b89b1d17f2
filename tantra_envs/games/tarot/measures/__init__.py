"""Measures of Tarot: standing of seats, behaviour of agents, worth of classes and cards, ablations."""

from ..agents.standing import UNIT, points
from .ablations import ablations
from .behaviour import SECTIONS, Behaviour
from .worth import Worth, sections

__all__ = ["SECTIONS", "UNIT", "Behaviour", "Worth", "ablations", "points", "sections"]
