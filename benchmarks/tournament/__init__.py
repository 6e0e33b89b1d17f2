"""Tournaments: agents over the same duplicate deals, their scores and ratings with intervals."""
