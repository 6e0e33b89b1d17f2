"""How strong an agent is: duplicate deals against each opponent, the agent once in every team, 95 % intervals.

    python -m training.evaluate --agent ppo:runs/karma-2/model.safetensors --deals 1000
    python -m training.evaluate --agent learned:tarot --opponents scripted

Where every seat plays for itself a team is a seat. With more than two teams the agent's is alone among copies of the
opponent's. A score is the share of the other teams it finishes before, equals counting half: 0.5 is always even.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tantra_envs
from agents import Agent, parse
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.files import open_folder, write_json
from tantra_envs.matches.intervals import Estimate
from tantra_envs.matches.match import play_alone, play_match

from .replays import write_replays

if TYPE_CHECKING:
    from rich.table import Table

PROGRAM = "training.evaluate"


@dataclass(frozen=True, kw_only=True)
class Args:
    """Measure an agent.

    Example: python -m training.evaluate --agent scripted --opponents uniform,greedy --deals 500
    """

    agent: str
    """Who is measured: scripted, learned:karma, ppo:runs/karma-2/model.safetensors, my_agent.py:MyAgent."""
    game: str | None = None
    """A game, or game:variant; None = the one that learned weights are named after, else karma."""
    players: int | None = None
    """Seats at the table; None = as the game or variant has it."""
    opponents: str = "uniform,greedy,scripted"
    """Whom it plays, one after the other."""
    deals: int = 1000
    """Deals against each opponent; every one is played once for each seat, or team of partners."""
    seed: int = 0
    """Another seed, other deals."""
    json: Path | None = None
    """A file for the results."""
    replays: Path | None = None
    """A folder for a game against each opponent, as a page to step through."""


@dataclass(frozen=True)
class Result:
    """An agent against one opponent."""

    opponent: str
    score: Estimate
    reward: Estimate
    games: int
    plies: float
    truncated: float  # share of games that were cut off


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line, play, print, and write the file asked for."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        game, agent, opponents = prepare(args)
        from rich.progress import track
    with cli.work():
        doing = track(opponents, args.agent, transient=True)
        results = [evaluate(game, agent, other, args.deals, args.seed) for other in doing]
        show(agent.name, results)
        if args.json:
            facts = {"agent": agent.name, "game": game.name, "config": game.config}
            write_json(args.json, {**facts, **report(results)})
        if args.replays:
            write_replays(args.replays, game, agent, opponents, args.seed)


def prepare(args: Args) -> tuple[Game, Agent, list[Agent]]:
    """The game, the agent and its opponents; ValueError or OSError for what cannot be played, or kept afterwards."""
    cli.check_ranges(args, deals=(1, math.inf), seed=(0, (1 << 31) - 1))
    game = cli.game(args.game or _named_in(args.agent), args.players)
    agent, *others = parse(args.agent, game)
    if others:
        raise ValueError(f"agent={args.agent!r} is not allowed; allowed: one agent")
    if args.json:
        open_folder(args.json.parent)
        if args.json.is_dir():
            raise ValueError(f"json={str(args.json)!r} is not allowed: it is a folder; allowed: a file")
    if args.replays:
        open_folder(args.replays)
    return game, agent, parse(args.opponents, game)


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


def _named_in(agent: str) -> str:
    """The game that learned weights are named after."""
    kind, _, name = agent.partition(":")
    return name if kind == "learned" and name in tantra_envs.GAMES else "karma"


if __name__ == "__main__":
    main()
