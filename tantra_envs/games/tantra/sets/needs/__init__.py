"""The wild cards that a hand lacks for its sets, fast enough for agents that examine many hands."""
