"""Agents of Kanastic: the scripted agent, features of legal actions, who is ahead, and bounds of returns."""
