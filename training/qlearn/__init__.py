"""Q-learning: learn the values of actions from whole games that the learner plays, without playouts.

    python -m training qlearn --config configs/training/kanastic.toml
    python -m training qlearn --resume runs/kanastic

A small network rates every legal action by its features, and the learner plays the best action. The target is the next
reward of its seat. In games of several rounds this is the reward of the round. An iteration has three steps:

- tables.py: play at all tables; the learner takes all seats, or one team against other agents.
- returns.py: compute the lambda-return of every decision, a mixture of rewards and of later ratings.
- run.py: fit the network to these returns.

This is Q(lambda) of Peng and Williams without a target network, on many tables (PQN: Gallici et al., arXiv 2407.04811).
"""

from __future__ import annotations

from collections.abc import Sequence

from tantra_envs import cli


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    with cli.user_errors("train"):
        from .run import QLearning
    QLearning.main(argv)
