"""A study of restricted play: checked before it begins, played, and read from its records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from agents import AgentSpec
from agents.freedoms import Freedom, freedoms_of
from agents.restricted import narrowed
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.matches.match import Match
from tantra_envs.workers import Run

from ..harness import playing, records
from ..harness.formatting import slug
from ..harness.lineups import one_vs_rest
from ..harness.playing import Plan
from ..harness.preparing import plan_page, players
from ..harness.scores import Scores
from ..harness.transitions import Transitions
from .args import Args


@dataclass(frozen=True)
class Bar:
    """A player without a freedom, among copies of itself that have it."""

    agent: str
    name: str  # of the freedom
    freedom: Freedom


@dataclass(frozen=True)
class Study:
    """What is to be played, and where it is kept."""

    game: Game
    table: str  # the game and its variant in words
    bars: dict[str, Bar]  # by the beginnings of their records
    plan: Plan
    seed: int
    precision: float | None
    folder: Path
    page: Path


@dataclass(frozen=True)
class Played:
    """What was played, by the beginnings of the records."""

    matches: Mapping[str, Match]
    lost: Mapping[str, float]  # decisions in a game where the freedom would have left more to choose from, for a team


def prepare(args: Args) -> Study:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    base, game, own_deals = players(args, args.agents)
    known = _wanted(game, args.without)
    lineup = one_vs_rest(0, 1, len(game.teams))
    bars, matches, deals = {}, {}, {}
    for word, name in product(own_deals, known):
        key = slug(f"{word} {name}")
        bars[key] = Bar(word, name, known[name])
        matches[key] = replace(base, agents=(AgentSpec.parse(word).having(without=name).text, word), lineup=lineup)
        deals[key] = own_deals[word]
    folder, planned, page = plan_page("restricted", args, game, matches, deals)
    return Study(game, args.game, bars, planned, args.seed, args.precision, folder, page)


def play(study: Study, run: Run) -> Played:
    """Play what is missing, and count how often the freedoms were missed."""
    scores = Scores(study.plan)
    deals = playing.play(study.plan, run, scores.precise(study.precision))
    matches = {name: scores.match(name, deals) for name in study.bars}
    files = {name: study.plan.files(name, deals) for name in study.bars}
    counted = playing.count(lost, [file for own in files.values() for file in own], run)
    each = {name: sum(counted[file] for file in own) for name, own in files.items()}
    games = {name: len(study.game.teams) * len(matches[name].scores) for name in study.bars}
    return Played(matches, {name: each[name] / games[name] for name in study.bars})


def lost(file: Path) -> int:
    """The decisions of a record in which the restricted player had less to choose from."""
    record = records.read(file)
    alone = record.label["agents"][0]
    known = freedoms_of(record.game)
    given_up = [known[name] for name in record.label["origins"][alone]["without"]]
    restricted = np.array(record.games["seats"].to_list()) == alone
    found = 0

    def observe(t: Transitions) -> None:
        nonlocal found
        mine = restricted[t.rows, t.before["seat"]]
        obs = Observation(t.game, t.before[mine])
        found += int((narrowed(obs, given_up).action_mask != obs.action_mask).any(axis=1).sum())

    records.replay(record, observe)
    return found


def _wanted(game: Game, names: tuple[str, ...]) -> dict[str, Freedom]:
    """The freedoms of these names, or all; ValueError for others, or if the game has none."""
    known = freedoms_of(game)
    for name in names:
        if name not in known or names.count(name) > 1:
            raise ValueError(f"without={name} is not allowed; allowed: each once of {', '.join(known) or 'nothing'}")
    if not known:
        raise ValueError(f"{game.name}: agents/freedoms names no freedoms of this game")
    return {name: known[name] for name in names or known}
