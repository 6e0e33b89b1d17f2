"""How strong an agent is: duplicate deals against each opponent, the agent once in every team, 95 % intervals.

    python -m training.evaluate --agent ppo:runs/karma-2/model.zip --opponents uniform,greedy,scripted --deals 1000

Where everyone plays for himself a team is a seat. With more than two teams the agent's is alone among copies of the
opponent's. A score is the share of the other teams it finishes before, equals counting half: 0.5 is always even.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tantra_envs
from agents import Agent, parse
from tantra_envs.cli import read, user_errors
from tantra_envs.core.game import Game
from tantra_envs.matches.intervals import Estimate
from tantra_envs.matches.match import play_alone, play_match

from .run_folder import write_json

if TYPE_CHECKING:
    from rich.table import Table

PROGRAM = "training.evaluate"


@dataclass
class Args:
    """Measure an agent: `python -m training.evaluate --agent scripted --opponents uniform,greedy --deals 500`."""

    agent: str
    """who is measured, e.g. scripted or ppo:runs/karma-2/model.zip"""
    game: str = "karma"
    """a game, or a game and a variant: karma:sixty"""
    players: int = 2
    """seats at the table"""
    opponents: str = "uniform,greedy,scripted"
    """whom it plays, one after the other"""
    deals: int = 1000
    """deals against each opponent; every one is played once for each seat, or team of partners"""
    seed: int = 0
    """another seed, other deals"""
    json: Path | None = None
    """a file for the results"""


@dataclass(frozen=True)
class Result:
    """An agent against one opponent."""

    opponent: str
    score: Estimate
    reward: Estimate
    games: int
    plies: float
    truncated: float  # share of games that were cut off


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line, play, print, and write the file asked for."""
    with user_errors("train"):
        args = read(Args, PROGRAM, words)
        game = tantra_envs.game(args.game, players=args.players)
        agent, *others = parse(args.agent, game)
        if others:
            raise ValueError(f"agent={args.agent!r} is not allowed; allowed: one agent")
        opponents = parse(args.opponents, game)
        results = [evaluate(game, agent, opponent, args.deals, args.seed) for opponent in opponents]
        show(agent.name, results)
        if args.json:
            write_json(args.json, {"agent": agent.name, "game": game.name, "config": game.config, **report(results)})


def evaluate(game: Game, agent: Agent, opponent: Agent, deals: int, seed: int = 0) -> Result:
    """Play `deals` duplicate deals, the agent in each team in turn and its only member or members.

    Games for one are played side by side.
    """
    teams = len(game.teams)
    if teams == 1:
        match = play_alone(game, [agent, opponent], deals, seed=seed)
    else:
        match = play_match(game, [agent, opponent], [0] + [1] * (teams - 1), deals, seed=seed)
    games = deals * teams
    return Result(opponent.name, match.score(0), match.reward(0), games, match.plies, match.truncated)


def report(results: Sequence[Result]) -> dict[str, Any]:
    """The results as JSON wants them."""
    return {"results": [asdict(result) for result in results]}


def show(agent: str, results: Sequence[Result]) -> None:
    """Print the results as a table."""
    from rich.console import Console

    Console().print(_table(agent, results))


def _table(agent: str, results: Sequence[Result]) -> Table:
    from rich.table import Table

    table = Table("against", "score", "95 % interval", "reward", "games", "actions", "cut off", title=agent)
    for result in results:
        score, interval = f"{result.score.mean:.3f}", f"{result.score.low:.3f} .. {result.score.high:.3f}"
        more = (f"{result.reward.mean:+.3f}", str(result.games), f"{result.plies:.0f}", f"{result.truncated:.1%}")
        table.add_row(result.opponent, score, interval, *more)
    return table


if __name__ == "__main__":
    main()
