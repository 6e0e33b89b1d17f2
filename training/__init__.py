"""Training of agents. `python -m training` lists the commands."""

from tantra_envs.programs.cli import only_commands

only_commands(__name__)
