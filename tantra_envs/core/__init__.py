"""The parts that every game is built from. The core imports no game and no environment."""
