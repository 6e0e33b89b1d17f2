"""How far search gets: players on a ladder of budgets, from uniform play to one that sees all cards."""

from tantra_envs.cli import only_commands

only_commands(__name__, __name__, f"{__name__}.beliefs", f"{__name__}.strengths")
