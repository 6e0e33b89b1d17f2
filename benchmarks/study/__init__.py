"""Studies of a game or of a change of its rules: many games, one table of measures, one page."""
