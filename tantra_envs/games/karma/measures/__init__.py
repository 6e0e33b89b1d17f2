"""Measures of Karma: cards left, what agents do, what a card is worth, and the ablations."""

from .ablations import ablations
from .behaviour import INTRODUCTION, SECTIONS, Behaviour
from .worth import UNIT, Worth, points, sections

__all__ = ["INTRODUCTION", "SECTIONS", "UNIT", "Behaviour", "Worth", "ablations", "points", "sections"]
