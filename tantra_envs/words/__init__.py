"""Sentences about games in plain English."""
