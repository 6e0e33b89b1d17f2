"""The command `python -m benchmarks exact`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from agents import load_all
from tantra_envs.core.game import Game
from tantra_envs.core.options import Within
from tantra_envs.programs import cli
from tantra_envs.programs import results as files
from tantra_envs.programs.cli import GameOptions
from tantra_envs.programs.files import check_file, locked, open_folder

from . import deals, results, solve
from .policies import Looks, policy_of
from .tree import Tree, build, digest_of, load, save

SAY_SECONDS = 10.0  # between two lines of progress
LOOK_EVERY = 1.2  # by how much iterations have grown when the gap is measured again, and they are kept


@dataclass(frozen=True)
class Args(GameOptions):
    """Compute exactly how exploitable agents are, in a game small enough to be solved.

    Example: python -m benchmarks exact karma:mini --agents scripted uniform my_agent.py:MyAgent

    Prints the value of the game by CFR+, the best response to each agent from every seat, and its exploitability.
    Finished work is kept under runs/: run the same command again to continue.
    """

    game: str = "karma:mini"
    """Game, or game:variant, with few cards: karma:mini, tarot:mini, kanastic:mini, tantra:mini, tantrix:mini."""
    agents: tuple[str, ...] = ("scripted", "uniform")
    """Agents that decide by the observation alone."""
    gap: Annotated[float, Within(0, 1e9)] = 0.001
    """Exploitability in units of reward at which CFR+ stops."""
    iterations: Annotated[int, Within(0, 10**9)] = 2000
    """Most iterations of CFR+; 0 = the game is not solved."""
    draws: Annotated[int, Within(1, 10**6)] = 100
    """Number of answers for each observation of an agent that draws its actions and gives no probabilities."""
    memory: Annotated[float, Within(0.001, 1e6)] = 8.0
    """Most memory for the game, in GiB."""
    results: Path | None = None
    """File for the results, as CSV; results of other games and agents in it stay."""
    runs: Path = Path("runs")
    """Parent folder of finished work."""


def main(argv: Sequence[str]) -> int:
    """Print the figures that the options ask for."""
    with cli.user_errors("bench"):
        args = cli.read(Args, "benchmarks exact", argv)
        game = cli.game(args.game, args.players)
        deals.check(game)
        agents = load_all(args.agents, game)
        home = args.runs / "exact" / digest_of(game)
        if args.results is not None:
            check_file("results", args.results)
            if args.results.is_file():
                files.read(args.results, results.VIEW)
        open_folder(home)
    with cli.work("finished parts are kept; run the same command again to continue"):
        try:
            with locked(home):
                return _run(args, game, agents, home, cli.command("benchmarks exact", argv))
        except ValueError as wrong:  # a game too large or a refused answer: no part would be continued
            print(f"error: {wrong}", file=sys.stderr)
            return 1


def _run(args: Args, game: Game, agents: Sequence[Any], home: Path, command: str) -> int:
    """Build the game, solve it, and measure the agents."""
    tree = build(game, home, args.memory)
    sets = " + ".join(f"{tree.sets_of(seat):,}" for seat in range(game.players))
    print(f"{args.game}: {sets} information sets, {tree.plays:,} ways to the end, at most {tree.longest} actions")
    rows, iterations = [], 0
    if tree.zero_sum and args.iterations:
        solver = _solved(args, tree, home)
        rows.append(results.row_of(tree, "cfr+", "solved", solver.average()))
        (value, low, high), iterations = rows[0].value, solver.iteration
        print(f"{args.game}: value for seat 0 {value:+.5f}, known to {(high - low) / 2:.5f}")
    looks = Looks(tree)
    for agent in agents:
        policy = policy_of(tree, looks, agent, args.draws)
        rows.append(results.row_of(tree, policy.name, policy.form, policy.strategy))
    print("\n" + results.table(rows))
    if args.results is not None:
        lines = results.lines(command, args.game, tree, iterations, rows)
        results.write(args.results, files.table(lines, results.VIEW))
    return 0


def _solved(args: Args, tree: Tree, home: Path) -> solve.CFRPlus:
    """Return CFR+ after as many iterations as the gap needs; they are kept and continued."""
    solver, file = solve.CFRPlus(tree.part), home / "cfr.npz"
    if kept := load(file, solve.KEPT):
        solver.restore(kept)
    look, said = max(1, solver.iteration), -SAY_SECONDS
    while True:
        if solver.iteration >= look or solver.iteration >= args.iterations:
            gap = solve.exploitability(tree.part, solver.average())[1] if solver.iteration else np.inf
            look = int(solver.iteration * LOOK_EVERY) + 1
            finished = gap <= args.gap or solver.iteration >= args.iterations
            if finished or time.monotonic() - said > SAY_SECONDS:
                print(f"{args.game}: iteration {solver.iteration:,} of CFR+, exploitability {gap:.6f}", flush=True)
                said = time.monotonic()
            save(file, solver.arrays())
            if finished:
                return solver
        solver.iterate()
