"""Q-learning: learn what actions are worth from whole games that the learner plays, without playouts.

    python -m training qlearn --config configs/training/kanastic.toml
    python -m training qlearn --resume runs/kanastic

A small network rates every legal action by its features, and the learner plays the best. What it learns is the next
reward of its seat: in games of several rounds the points of the round. An iteration has two steps, each in a file:

- tables.py: play on at all tables; the learner takes all seats, or one team against other agents.
- returns.py: the lambda-return of every decision, that is a mixture of what was paid and of the ratings on the way.

Then the network is fit to these returns (run.py). This is Q(lambda) of Peng and Williams without a target network, on
many tables at once (PQN: Gallici et al., arXiv 2407.04811).
"""

from __future__ import annotations

from collections.abc import Sequence

from tantra_envs import cli


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    with cli.user_errors("train"):
        from .run import QLearning
    QLearning.main(argv)
