"""The benchmark `suite v1.1`: an agent against a fixed panel in all games, on deals that no training uses."""
