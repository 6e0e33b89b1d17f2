"""Imitation: learn what an agent would do, from games it plays against itself, before learning from results.

A share of the moves played are slips, drawn from the legal ones, so that the learner also sees what to do after an
error; what is learned at every decision is the agent's own choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.checkpoint import shown
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Agent, Observation
from tantra_envs.matches.playing import play_tables


@dataclass(frozen=True)
class Lessons:
    """What the agent saw, was allowed, and chose, at n decisions."""

    views: npt.NDArray[np.float32]  # (n, view.size), with advice (n, view.size + actions.size)
    masks: npt.NDArray[np.int8]  # (n, actions.size)
    choices: Actions  # (n,)


@dataclass(frozen=True)
class School:
    """How imitation goes: whose choices, how many of them, and how they are learned."""

    teacher: Agent
    decisions: int
    tables: int  # games of a lesson, played side by side
    slips: float  # share of random moves in the teacher's games
    advice: bool  # is the learner shown the scripted player's choice?
    seed: int
    batch: int = 512  # decisions in one step of the optimiser
    learning_rate: float = 1e-3  # at the start

    def teach(self, policy: MaskableActorCriticPolicy, game: Game) -> Iterator[tuple[int, float]]:
        """Raise the likelihood of the teacher's choices; yields how many were seen, and which share was foretold.

        Foretold is a choice of the newest games that the policy likes best before it learns from it.
        """
        rng = np.random.default_rng((self.seed, 1))
        optimizer = torch.optim.Adam(policy.parameters())
        seen = 0
        while seen < self.decisions:
            for group in optimizer.param_groups:
                group["lr"] = falling(self.learning_rate, seen / self.decisions)
            lessons = self._demonstrate(game, rng)
            foretold = 0
            for rows in np.array_split(rng.permutation(len(lessons.choices)), -(-len(lessons.choices) // self.batch)):
                foretold += self._learn(policy, optimizer, lessons, rows)
            seen += len(lessons.choices)
            yield seen, foretold / len(lessons.choices)

    def _demonstrate(self, game: Game, rng: np.random.Generator) -> Lessons:
        """Games of the teacher in all seats, as lessons."""
        demonstrator = _Demonstrator(self.teacher, self.slips, self.advice)
        seating = np.zeros((self.tables, game.players), np.int64)
        deals = rng.integers(1 << 62, size=self.tables)
        play_tables(game, [demonstrator], seating, deals, int(rng.integers(1 << 31)))
        return Lessons(*(np.concatenate(column) for column in zip(*demonstrator.told, strict=True)))

    def _learn(self, policy: MaskableActorCriticPolicy, optimizer: Any, lessons: Lessons, rows: Actions) -> int:
        """One step of the optimiser; how many of the choices the policy liked best before."""
        choices = torch.from_numpy(lessons.choices[rows])
        views = torch.from_numpy(lessons.views[rows])
        distribution = policy.get_distribution(views, action_masks=lessons.masks[rows])
        loss = -distribution.log_prob(choices).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return int((distribution.mode() == choices).sum())


def falling(rate: float, done: float) -> float:
    """A learning rate that falls in a straight line to a tenth."""
    return rate * (1 - 0.9 * min(done, 1.0))


class _Demonstrator:
    """Plays as the teacher does, but for its slips, and keeps what the teacher would have done."""

    def __init__(self, teacher: Agent, slips: float, advice: bool) -> None:
        self.name = teacher.name
        self.told: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.int8], Actions]] = []
        self._teacher = teacher
        self._slips = slips
        self._advice = advice

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The teacher's choice, or now and then any legal action."""
        choices = self._teacher.act(obs, rng)
        views, masks = obs.observation.copy(), obs.action_mask.copy()
        self.told.append((shown(obs.game, views, masks, self._advice), masks, choices))
        anything = np.where(obs.action_mask == 1, rng.random(obs.action_mask.shape), -1.0).argmax(axis=1)
        return np.where(rng.random(len(choices)) < self._slips, anything, choices)
