"""Learn a game by one of two algorithms, with the same options, files, progress and way to resume.

    python -m training learn --config configs/training/karma-quick.toml --workers 2
    python -m training learn --config configs/training/kanastic.toml
    python -m training learn --resume runs/karma-quick

`algorithm = "expert-iteration"` learns from playouts (`expert_iteration.py`). `algorithm = "q-learning"` learns from
the rewards of whole games (`q_learning.py`). `run.py` measures the policy from time to time and saves the run.
"""

from __future__ import annotations

from collections.abc import Sequence

from tantra_envs import cli


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    with cli.user_errors("train"):
        from .run import Learn
    Learn.main(argv)
