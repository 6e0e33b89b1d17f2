"""Our Q-learning and known algorithms of other libraries, trained at one equal budget for the benchmark page.

    python -m training examples baselines ppo karma --seed 1
    python -m training examples baselines ppo-features tarot:hand --players 2 --seed 1
    python -m training examples baselines self-play suite --seed 1

The budget ends training after a number of decisions or of CPU minutes, whichever comes first. The folder of a run holds
the agent, and training.json with what its training took. For `suite` it holds rank.toml, the options of
`python -m benchmarks rank`.
"""

from __future__ import annotations

from collections.abc import Sequence

from tantra_envs.programs import cli

BASELINES = {
    "learn": ("training.examples.baselines.own:values", "Q-learning over action features, as in training q-learning."),
    "self-play": ("training.examples.baselines.own:self_play", "Our PPO in all seats, as in training ppo."),
    "ppo": ("training.examples.baselines.ppo", "MaskablePPO of sb3-contrib."),
    "ppo-features": ("training.examples.baselines.features", "MaskablePPO of sb3-contrib over action features."),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Train the algorithm that the first word names."""
    return cli.run_program("training examples baselines", BASELINES, argv)
