"""Our Q-learning and known algorithms of other libraries, trained at one equal budget for the benchmark page.

    python -m training examples baselines ppo karma --seed 1
    python -m training examples baselines ppo-features tarot:hand --players 2 --seed 1
    python -m training examples baselines self-play suite --seed 1

The budget ends training after a number of decisions or of CPU minutes, whichever comes first. The folder of a run holds
the agent, and training.json with what its training took. For `suite` it holds rank.toml, the options of
`python -m benchmarks rank`.
"""

from __future__ import annotations

from .course import main

__all__ = ["main"]
