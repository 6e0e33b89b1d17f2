"""Agents at tables: duplicate deals, checks of their answers, and intervals."""
