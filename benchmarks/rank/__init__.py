"""The benchmark `suite v3`: an agent against a public and a held-out panel, on deals that no training uses."""
