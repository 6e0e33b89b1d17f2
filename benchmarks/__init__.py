"""Benchmarks and studies: `python -m benchmarks COMMAND`."""

from tantra_envs.programs.cli import only_commands

AGENTS = ("tournament", "ladder", "rank", "submit", "reproduce", "exact", "study", "tune", "records")
COMMANDS = ("play", "show", "speed", *AGENTS)
only_commands(__name__, *(f"{__name__} {name}" for name in COMMANDS))
