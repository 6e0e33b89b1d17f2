"""One road for all studies: deals are played into records, and records are replayed, counted and reported."""

from tantra_envs.cli import only_commands

only_commands(__name__, "benchmarks.records")
