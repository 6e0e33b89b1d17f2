"""Measures of Tantrix: how seats stand, what agents do, what is worth how much, and the ablations."""

from .ablations import ablations
from .behaviour import INTRODUCTION, ONLY, SECTIONS, Behaviour
from .worth import UNIT, Worth, points, sections

__all__ = ["INTRODUCTION", "ONLY", "SECTIONS", "UNIT", "Behaviour", "Worth", "ablations", "points", "sections"]
