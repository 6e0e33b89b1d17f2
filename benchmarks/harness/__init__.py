"""Shared parts of all studies: play deals into records, replay and count the records, and report the results."""
