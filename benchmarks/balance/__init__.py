"""Balance of a game: many games between known agents, under several rules, and what they say about the rules."""
