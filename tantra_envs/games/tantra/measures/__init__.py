"""Measures of Tantra: standing of seats, behaviour of agents, worth of Display Cards, ablations."""

from .ablations import ablations
from .behaviour import INTRODUCTION, SECTIONS, Behaviour
from .worth import UNIT, Worth, points, sections

__all__ = ["INTRODUCTION", "SECTIONS", "UNIT", "Behaviour", "Worth", "ablations", "points", "sections"]
