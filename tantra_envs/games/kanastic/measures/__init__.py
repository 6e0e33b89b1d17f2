"""Measures of Kanastic: standing of teams, behaviour of agents, worth of formations, ablations."""

from .ablations import ablations
from .behaviour import INTRODUCTION, SECTIONS, Behaviour
from .worth import UNIT, Worth, points, sections

__all__ = ["INTRODUCTION", "SECTIONS", "UNIT", "Behaviour", "Worth", "ablations", "points", "sections"]
