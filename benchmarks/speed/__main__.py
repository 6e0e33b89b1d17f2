"""Run `python -m benchmarks.speed`."""

from .command import main

main()
