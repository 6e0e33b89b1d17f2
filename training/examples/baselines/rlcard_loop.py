"""RLCard's loop in all seats: what its DQN, NFSP and DMC have in common."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tantra_envs import adapters
from tantra_envs.opponents.model_files import Layer

from .course import Course, Save, layers_of, placements, write_mlp

Feed = Callable[[list[list[Any]], list[float]], None]  # takes the trajectory and the payoff of every seat


def play(course: Course, agents: Sequence[Any], feed: Feed, before: Callable[[], None], save: Save) -> None:
    """Play games of `agents` until the budget is spent. A payoff is 2 * score - 1 of its team.

    Args:
        course: The training run.
        agents: An RLCard agent for every seat.
        feed: Called after every game; it trains the agents.
        before: Called before every game.
        save: Writes the trained agent, see `Course.going`.
    """
    table = adapters.rlcard_env(course.game, course.args.seed)
    table.set_agents(agents)
    table.reset()
    course.begin()
    while True:
        before()
        with contextlib.redirect_stdout(io.StringIO()):  # RLCard prints every loss
            trajectories, payoffs = table.run(is_training=True)
            feed(trajectories, placements(course.game, payoffs))
        if not course.going(table.timestep, save):
            return


def every_transition(agent: Any) -> Feed:
    """Return a function that gives an RLCard agent the transitions of all seats after a game."""
    from rlcard.utils import reorganize

    def feed(trajectories: list[list[Any]], payoffs: list[float]) -> None:
        for trajectory in reorganize(trajectories, payoffs):
            for transition in trajectory:
                agent.feed(transition)

    return feed


def write_network(file: Path, network: Any, course: Course, decisions: int, activation: str) -> str:
    """Write an RLCard network, batch normalization and then linear layers, as a model file."""
    return write_mlp(file, list(_layers(network)), course.game, decisions, activation=activation)


def _layers(network: Any) -> Iterator[Layer]:
    """Yield the linear layers. The normalization of the inputs becomes part of the first."""
    import torch

    norm: Any = next(module for module in network.modules() if isinstance(module, torch.nn.BatchNorm1d))
    scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach().numpy()
    shift = norm.bias.detach().numpy() - norm.running_mean.numpy() * scale
    for number, (weights, biases) in enumerate(layers_of(network)):
        yield (weights * scale, biases + weights @ shift) if number == 0 else (weights, biases)
