"""Presets: commands that play usual plans. Each has options, and a function that returns the rows to play."""
