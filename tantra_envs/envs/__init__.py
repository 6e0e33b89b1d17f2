"""Environments for PettingZoo, Gymnasium and array-based learners. They work with any `Game`."""
