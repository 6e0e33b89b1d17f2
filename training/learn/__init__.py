"""Expert iteration: play, compare actions by playouts, fit a policy, measure, and repeat with what was learned.

    python -m training learn --config configs/training/karma-quick.toml --workers 2
    python -m training learn --resume runs/karma-quick

The stages of an iteration, each in a file of its own:

- games.py: behaviour policies play games with a share of random actions; some of their positions are used.
- values.py: a value network learns how games end when the base policy plays on. Playouts may stop early and ask it.
- labels.py: at every position all actions, or the best few, are tried in the same determinizations (arXiv 2407.05876).
- fit.py: a policy is fit to these action-value targets, or labels.

A policy over observations (`mlp`) becomes the base policy of the next iteration: it is compiled into the playouts, and
the next policy starts from it. A policy over action features cannot be compiled into playouts. It plays the games of
the next iteration, whose labels are added to those before, and the next policy is fit to all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from tantra_envs import cli


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    with cli.user_errors("train"):
        from .run import Learn
    Learn.main(argv)
