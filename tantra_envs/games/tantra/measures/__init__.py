"""Measures of Tantra: standing of seats, behaviour of agents, worth of Display Cards."""

from ..agents.standing import UNIT, points
from .behaviour import SECTIONS, Behaviour
from .worth import Worth, sections

__all__ = ["SECTIONS", "UNIT", "Behaviour", "Worth", "points", "sections"]
