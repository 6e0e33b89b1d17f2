"""Measures of Tantra: how teams stand, what agents do, what is worth how much, and the ablations."""

from .ablations import ablations
from .behaviour import INTRODUCTION, SECTIONS, Behaviour
from .worth import UNIT, Worth, points, sections

__all__ = ["INTRODUCTION", "SECTIONS", "UNIT", "Behaviour", "Worth", "ablations", "points", "sections"]
