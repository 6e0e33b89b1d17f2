"""The command `python -m benchmarks rank`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tantra_envs.programs.cli import FolderOptions, WorkerOptions

from ..harness import command
from ..harness.command import ResultOptions


@dataclass(frozen=True)
class AgentOptions:
    """Option that comes first on the command line."""

    agent: str = "scripted"
    """Agent to rank."""


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, WorkerOptions, FolderOptions, AgentOptions):
    """Rank an agent: play the benchmark suite v3 against its two panels in all games.

    Example: python -m benchmarks rank my_agent.py:MyAgent --games karma tarot --quick

    Every deal is played once from every seat or team. Run the same command again to continue.
    """

    games: tuple[str, ...] = ()
    """Games of the suite to play, or single tables: karma-2, karma-4, tarot-2, tarot-3. [default: all five games]"""
    quick: bool = False
    """Play few deals: 10 at tables of two, 1 against a search. The whole suite takes about a minute."""
    deals: int | None = None
    """Deals at tables of two. At larger tables and against searches the deals change in proportion.
    [default: 500; 167 of each training seed and of searches]"""
    exploit: bool = False
    """Also measure how exploitable the agent is at every table: train a network against it, and let a search play."""
    exact: Path | None = None
    """File of `python -m benchmarks exact --results` with the exploitability of the agent in the mini games."""
    label: str | None = None
    """Name of the row in tables. [default: the name of the agent]"""
    decisions: int | None = None
    """Decisions that the agent learned from, the mean over the tables; 0 for an agent that did not learn."""
    cpu_minutes: float | None = None
    """CPU minutes of its training, the mean over the tables."""
    training_seed: int | None = None
    """Seed of its training, which separates the rows of one algorithm."""
    training: Path | None = None
    """File training.json of a baseline, in place of the three declarations."""
    inputs: str | None = None
    """Inputs of the agent: observation, features (of actions), state (all that its seat knows) or nothing.
    [default: those of agents by name and of model files]"""
    met: tuple[str, ...] | None = None
    """Agents that it met in training: their names, or self for itself and earlier versions of it, or nobody."""


def main(argv: Sequence[str]) -> int:
    """Rank the agent that the options describe."""
    return command.main(Args, "rank", argv)
