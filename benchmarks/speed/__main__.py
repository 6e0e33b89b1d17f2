"""Run `python -m benchmarks.speed`."""

from .command import main

if __name__ == "__main__":
    main()
