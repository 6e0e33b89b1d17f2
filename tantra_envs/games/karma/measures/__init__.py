"""Measures of Karma: cards left, behaviour of agents, worth of a card, ablations."""

from ..agents.standing import UNIT, points
from .ablations import ablations
from .behaviour import SECTIONS, Behaviour
from .worth import Worth, sections

__all__ = ["SECTIONS", "UNIT", "Behaviour", "Worth", "ablations", "points", "sections"]
