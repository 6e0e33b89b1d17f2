"""Expert iteration: play games, compare actions by playouts, fit a policy, measure it, and repeat with this policy.

    python -m training learn --config configs/training/karma-quick.toml --workers 2
    python -m training learn --resume runs/karma-quick

An iteration has four stages, each in a separate file:

- games.py: behaviour policies play games with a share of random actions. Some of their positions are used.
- values.py: a value network learns the final scores of games that the base policy plays on. Playouts may stop early
  and use its prediction.
- labels.py: at every position, all actions or the best few are compared in equal determinizations (arXiv 2407.05876).
- fit.py: a policy is fit to these action-value targets, which are called labels.

A policy over observations (`mlp`) becomes the base policy of the next iteration. It is compiled into the playouts, and
the next policy starts from it.

A policy over action features cannot be compiled into playouts. It plays the games of the next iteration. Their labels
are added to the earlier ones, and the next policy is fit to all labels.
"""

from __future__ import annotations

from collections.abc import Sequence

from tantra_envs import cli


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    with cli.user_errors("train"):
        from .run import Learn
    Learn.main(argv)
