"""Measure an agent: play duplicate deals against each opponent, with the agent once in every team.

In games without partners every seat is a team. With more than two teams, copies of the opponent play all other teams.
The score is the share of the other teams that the agent's team beats. A tie counts half, so 0.5 is always even.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agents import Agent
from tantra_envs.adapters.programs import TextAgent
from tantra_envs.core.game import Game
from tantra_envs.matches.intervals import Estimate
from tantra_envs.matches.match import Seed, play_alone, play_match
from tantra_envs.matches.playing import Progress
from tantra_envs.programs import cli
from tantra_envs.programs.files import check_file, write_json
from tantra_envs.programs.progress import progress

from .options import Deals, load_agent

PROGRAM = "training evaluate"


@dataclass(frozen=True, kw_only=True)
class Args(cli.GameOptions):
    """Measure an agent.

    Example: python -m training evaluate karma --agent scripted --opponents uniform greedy --deals 500
    """

    agent: str
    """Agent to measure: scripted, learned:karma, ppo:runs/karma/model.safetensors, my_agent.py:MyAgent."""
    opponents: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Opponents, which are measured separately."""
    deals: Deals = 1000
    """Deals against each opponent; each is played once for every seat or team."""
    seed: Seed = 0
    """Seed of the deals and agents."""
    json: Path | None = None
    """File for the results."""


@dataclass(frozen=True)
class Result:
    """The score of an agent against one opponent."""

    opponent: str
    score: Estimate
    reward: Estimate
    games: int
    plies: float
    truncated: float  # share of games that reached a limit


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line, play, print the results, and write them to a file if one is named."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        game, agent, opponents = prepare(args)
    with cli.work():
        results: list[Result] = []
        tables = args.deals * max(2, len(game.teams))  # alone, both agents play each deal
        with progress("games", len(opponents) * tables) as advance:
            for other in opponents:
                results.append(evaluate(game, agent, other, args.deals, args.seed, progress=advance))
                advance(0, f"{results[-1].score.mean:.3f} against {other.name}")
        show(agent.name, results)
        for program in (other for other in (agent, *opponents) if isinstance(other, TextAgent)):  # no legal reply
            drawn = f"{program.drawn / max(1, program.decisions):.1%} of {program.decisions:,} decisions drawn"
            print(f"{program.name}: {drawn}, {program.dropped:,} lines dropped")
        if len(game.teams) > 1:
            print(f"where it loses: {losses_commands(args)}")
        if args.json:
            facts = {"agent": agent.name, "game": game.name, "config": game.config}
            write_json(args.json, {**facts, "results": [asdict(result) for result in results]})


def losses_commands(args: Args) -> str:
    """Return the commands that record games of the agent and list its losses by phase and kind of action."""
    table = [args.game, *([] if args.players is None else ["--players", str(args.players)])]
    agents = ["--agents", args.agent, args.opponents[-1], "--deals", "100", "--name", "losses"]
    played = shlex.join(["python", "-m", "benchmarks", "tournament", *table, *agents])
    return f"{played} && python -m benchmarks show losses runs/losses"


def prepare(args: Args) -> tuple[Game, Agent, list[Agent]]:
    """Return the game, the agent and its opponents; raise ValueError or OSError for options not allowed."""
    game = cli.game(args.game, args.players)
    agent = load_agent("agent", args.agent, game)
    if args.json:
        check_file("json", args.json)
    return game, agent, [load_agent("opponents", spec, game) for spec in args.opponents]


def evaluate(
    game: Game, agent: Agent, opponent: Agent, deals: int, seed: int = 0, progress: Progress | None = None
) -> Result:
    """Play `deals` duplicate deals with the agent in each team in turn. In games for one, both play equal deals.

    `progress` is called with the number of games that have just ended.
    """
    teams = len(game.teams)
    if teams == 1:
        match = play_alone(game, [agent, opponent], deals, seed=seed, progress=progress)
    else:
        match = play_match(game, [agent, opponent], [0] + [1] * (teams - 1), deals, seed=seed, progress=progress)
    return Result(opponent.name, match.score(0), match.reward(0), deals * teams, match.plies, match.truncated)


def show(title: str, results: Sequence[Result]) -> None:
    """Print the results as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("against", "score", "95 % interval", "reward", "games", "actions", "truncated", title=title)
    for result in results:
        score, ends = f"{result.score.mean:.3f}", f"{result.score.low:.3f} .. {result.score.high:.3f}"
        counts = str(result.games), f"{result.plies:.0f}", f"{result.truncated:.1%}"
        table.add_row(result.opponent, score, ends, f"{result.reward.mean:+.3f}", *counts)
    Console().print(table)
