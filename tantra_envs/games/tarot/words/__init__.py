"""Tarot in words and pictures: positions and their check, notation, sentences, drawing, and texts."""
