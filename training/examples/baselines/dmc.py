"""Deep Monte Carlo of RLCard, in all seats: `python -m training examples baselines dmc karma`."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .course import Course, run, seed_all, write_agent
from .rlcard_loop import play

LAYERS, EPSILON, BATCH, MAX_GRADIENT = [128, 128], 0.05, 1024, 40.0


def learn(course: Course) -> None:
    """Train one network of state and action in all seats, towards the payoffs of whole games."""
    import torch
    from rlcard.agents.dmc_agent.model import DMCAgent
    from rlcard.agents.dmc_agent.trainer import learn as update
    from safetensors.torch import save_file

    seed_all(course.args.seed)
    game = course.game
    agent = DMCAgent([game.view.size], [game.actions.size], LAYERS, EPSILON, device="cpu")
    optimizer = torch.optim.RMSprop(agent.parameters(), lr=course.learning_rate, alpha=0.99, eps=1e-5)
    rows: list[tuple[Any, int, float]] = []
    returns: dict[int, Any] = {0: deque(maxlen=100)}

    def feed(trajectories: list[list[Any]], payoffs: list[float]) -> None:
        for trajectory, payoff in zip(trajectories, payoffs, strict=True):
            pairs = zip(trajectory[0:-1:2], trajectory[1:-1:2], strict=False)
            rows.extend((state["obs"], int(action), payoff) for state, action in pairs)
        if len(rows) >= BATCH:
            states, actions, targets = (np.array(column) for column in zip(*rows, strict=True))
            target = torch.from_numpy(targets).float()[None]
            one_hot = torch.eye(game.actions.size)[actions][None]
            batch = {"state": torch.from_numpy(states)[None], "action": one_hot, "target": target}
            batch |= {"episode_return": target, "done": torch.ones_like(target, dtype=torch.bool)}
            update(0, {}, agent, batch, optimizer, "cpu", MAX_GRADIENT, returns, threading.Lock())
            rows.clear()

    def save(file: Path) -> str:
        save_file({name: tensor.clone() for name, tensor in agent.state_dict().items()}, f"{file}.safetensors")
        return write_agent(file, "ActionValues")

    play(course, [agent] * game.players, feed, lambda: None, save)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("dmc", "rlcard", learn, argv)
