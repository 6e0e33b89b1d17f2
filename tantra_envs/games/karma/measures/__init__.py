"""Measures of Karma: cards left, behaviour of agents, worth of a card."""

from ..agents.standing import UNIT, points
from .behaviour import SECTIONS, Behaviour
from .worth import Worth, sections

__all__ = ["SECTIONS", "UNIT", "Behaviour", "Worth", "points", "sections"]
