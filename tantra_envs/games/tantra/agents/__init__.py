"""Agents of Tantra: the scripted agent, features of legal actions, who is ahead, and bounds of returns."""
