"""Benchmarks and studies: `python -m benchmarks COMMAND`."""

from tantra_envs.programs.cli import only_commands

COMMANDS = ("play", "show", "speed", "tournament", "ladder", "rank", "check", "exact", "study")
only_commands(__name__, *(f"{__name__} {name}" for name in COMMANDS))
