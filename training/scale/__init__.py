"""Self-play on many machines: RLlib's PPO on Ray, whose env runners play batches of tables in other processes."""
