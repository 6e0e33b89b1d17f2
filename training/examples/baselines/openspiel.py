"""NFSP of OpenSpiel in all seats, on games of its adapter: `python -m training examples baselines openspiel karma`."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tantra_envs import adapters

from .course import Course, layers_of, placements, run, seed_all, write_agent, write_mlp

OPTIONS: dict[str, Any] = {"hidden_layers_sizes": [128, 128], "optimizer_str": "adam"}
OPTIONS |= {"learn_every": 16, "anticipatory_param": 0.1, "epsilon_start": 0.06}
OPTIONS |= {"epsilon_end": 0.001, "reservoir_buffer_capacity": 100_000, "update_target_network_every": 100}


def learn(course: Course) -> None:
    """Train one agent, which is player 0 for itself in every seat. The reward is 2 * score - 1 at the end."""
    from open_spiel.python.pytorch.nfsp import NFSP
    from open_spiel.python.rl_environment import StepType, TimeStep

    seed_all(course.args.seed)
    game, spiel, decisions = course.game, adapters.openspiel(course.game), 0
    rng = np.random.default_rng(course.args.seed)

    def step(state: Any, seat: int, last: bool = False, reward: float = 0.0) -> Any:
        view = np.array(state.information_state_tensor(seat), np.float32)
        seen = {"info_state": [view], "legal_actions": [state.legal_actions()], "current_player": 0}
        return TimeStep(seen, [reward], None, StepType.LAST if last else StepType.MID)

    def save(file: Path) -> str:
        write_mlp(file, layers_of(agent._avg_network), game, decisions, activation="relu")
        return write_agent(file)

    rates = {"rl_learning_rate": course.learning_rate, "sl_learning_rate": course.learning_rate}
    agent = NFSP(0, game.view.size, game.actions.size, seed=course.args.seed, **rates, **OPTIONS)
    first = step(spiel.state_at(game.new(0)), 0)
    agent.add_transition(first, agent._rl_agent.select_action(first))  # makes the buffers, which the seats share
    agent._rl_agent.add_transition(first, 0, first)
    seats = [copy.copy(agent) for _ in range(game.players)]
    for seat in seats:
        seat._rl_agent = copy.copy(agent._rl_agent)
    course.begin()
    while course.going(decisions, save):
        state = spiel.state_at(game.new(int(rng.integers((1 << 31) - 1))))
        while not state.is_terminal():
            number, decisions = state.current_player(), decisions + 1
            state.apply_action(int(seats[number].step(step(state, number)).action))
        for seat, payoff in zip(seats, placements(game, state.returns()), strict=True):
            seat.step(step(state, 0, True, payoff))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("openspiel", "open-spiel", learn, argv)
