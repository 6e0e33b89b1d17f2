"""Tuning: find the options of a game that come nearest to goals such as length, even seats or skill."""
