"""Ladders: strength against thinking time, from uniform play to a search that sees all cards."""
