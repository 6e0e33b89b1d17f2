"""Environments of the ecosystem over any `Game`. None of them knows a particular game."""
