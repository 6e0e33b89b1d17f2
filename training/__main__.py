"""The program `python -m training`: learn games, measure agents and export what was learned."""

from __future__ import annotations

from collections.abc import Sequence

from tantra_envs.programs.cli import run_program

COMMANDS = {
    "ppo": ("training.ppo", "Learn a game from nothing by self-play, by PPO in all seats."),
    "q-learning": ("training.q_learning", "Learn the values of actions from whole games."),
    "evaluate": ("training.evaluate", "Measure an agent against opponents, with intervals."),
    "critic": ("training.critic", "Fit a value network for the policy in a model file."),
    "strength": ("training.strength", "Measure the CPU minutes until learners score 0.5 and 0.6 against scripted."),
    "export": ("training.export", "Export the weights of a finished run, or convert a zip of SB3."),
    "examples": ("training.examples", "Run short programs for other frameworks, and known algorithms."),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    return run_program("training", COMMANDS, argv)


if __name__ == "__main__":
    raise SystemExit(main())
