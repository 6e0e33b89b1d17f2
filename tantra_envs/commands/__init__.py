"""The commands of `python -m tantra_envs`: one module each, whose `main(argv)` returns the exit code."""
