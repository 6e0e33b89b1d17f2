"""Self-play on many machines: RLlib's PPO on Ray, env runners that play our tables side by side in other processes."""
