"""Measures of Tarot: standing of seats, behaviour of agents, worth of classes and cards."""

from ..agents.standing import UNIT, points
from .behaviour import SECTIONS, Behaviour
from .worth import Worth, sections

ACTION_KINDS = ("leads", "follows", "ruffs", "is_trump")  # action features that tell kinds of cards apart

__all__ = ["ACTION_KINDS", "SECTIONS", "UNIT", "Behaviour", "Worth", "points", "sections"]
