"""Replays of a game of the learner against each opponent, and pictures of their last positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from agents import Agent
from tantra_envs import drawing
from tantra_envs.core.game import Game
from tantra_envs.files import open_folder
from tantra_envs.matches.playing import play_tables
from tantra_envs.opinions import opinions_on


def write_replays(folder: Path, game: Game, agent: Agent, opponents: Sequence[Agent], seed: int) -> dict[str, str]:
    """Play a game against each opponent, with the agent in the first team, and write it to `folder`/OPPONENT.html.

    Returns:
        The drawings of the last positions by opponent. It is empty, and no file is written, if the game has no drawing.
    """
    if not drawing.is_drawn(game):
        return {}
    open_folder(folder)
    others = opponents if len(game.teams) > 1 else opponents[:1]  # a game for one has no opponents
    return {other.name: _write(folder / file_name(other), game, agent, other, seed) for other in others}


def file_name(opponent: Agent) -> str:
    """Return the file name of the replay against an opponent."""
    return re.sub(r"[^\w.=-]+", "-", opponent.name) + ".html"


def _write(file: Path, game: Game, agent: Agent, opponent: Agent, seed: int) -> str:
    team = game.teams[0]
    seats = [agent if seat in team else opponent for seat in range(game.players)]
    outcome = play_tables(
        game, [agent, opponent], [[int(seat not in team) for seat in range(game.players)]], [seed], seed, record=True
    )
    start, actions = game.new(seed), [int(action) for action in outcome.actions[0]]
    names = [f"{player.name} {seat}" for seat, player in enumerate(seats)]
    title = f"{game.title}: {agent.name}" + (f" against {opponent.name}" if len(game.teams) > 1 else "")
    thoughts = opinions_on(game, start, actions, seats, seed)
    drawing.replay(game, start, actions, names, title=title, thoughts=thoughts).save(file)
    return drawing.draw(game, outcome.states, names=names, legal=False)
