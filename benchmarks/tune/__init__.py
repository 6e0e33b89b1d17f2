"""Tuning: options of a game toward what a designer wants, such as length, even seats or skill."""
