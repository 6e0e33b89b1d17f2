"""The program `python -m training`: learn games, measure agents and export what was learned."""

from __future__ import annotations

from collections.abc import Sequence

from tantra_envs.cli import run_program

COMMANDS = {
    "learn": ("training.learn", "Learn a game by expert iteration: playouts, a policy fit to them, and again."),
    "qlearn": ("training.qlearn", "Learn what actions are worth from games of the learner, without playouts."),
    "selfplay": ("training.selfplay", "Learn a game from the results of games, by PPO in self-play."),
    "evaluate": ("training.evaluate", "Measure an agent against others, with intervals."),
    "export": ("training.export", "Write the model of a finished run as weights that ship, or convert a zip of SB3."),
    "scale": ("training.scale.command", "Self-play with RLlib on Ray: many processes, or a cluster."),
    "examples": ("training.examples", "Short programs for other frameworks: sb3, own_loop, tianshou, torchrl, rllib."),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    return run_program("training", COMMANDS, argv)


if __name__ == "__main__":
    raise SystemExit(main())
