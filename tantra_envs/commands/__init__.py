"""The commands of `python -m tantra_envs`: one module each, whose `main(argv)` returns the exit code.

`parsing.py` holds the parts of command lines that several commands share.
"""
