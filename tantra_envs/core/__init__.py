"""What every game is built from. Knows no game, no environment, no files and no clocks."""
