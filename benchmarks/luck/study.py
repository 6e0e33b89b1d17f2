"""A study of luck: checked before it begins, played, and its records played again with what nobody knew drawn anew."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.matches.match import team_scores
from tantra_envs.workers import Run

from ..harness import playing, records
from ..harness.args import MOST
from ..harness.formatting import slug
from ..harness.hopes import Floats
from ..harness.luck import FEWEST, by_agent, lucks
from ..harness.pairings import PLACE, comparison, once, placed
from ..harness.playing import Plan
from ..harness.preparing import check, made, plan_page, plays_all_deals, table
from ..harness.scores import Scores
from ..harness.shards import MatchSpec
from ..harness.worded import OVER, deals_of, understood
from .args import Args

ALONE = re.compile(rf"(?P<agent>\S+){PLACE}{OVER}")


@dataclass(frozen=True)
class Question:
    """Whose score is asked for, where."""

    game: Game
    table: str  # the game and its variant in words
    agent: str
    other: str | None  # None: against itself, every deal once, where the score of a team drawn by lot is a half
    match: MatchSpec
    deals: int


@dataclass(frozen=True)
class Study:
    """What is to be played, and where it is kept."""

    questions: dict[str, Question]  # by the beginnings of their records
    plan: Plan
    worlds: int
    seed: int
    folder: Path
    page: Path


@dataclass(frozen=True)
class Answer:
    """What came of a question, a row for each deal."""

    scores: Floats  # (deals,)
    luck: Floats  # (deals, CHECKS)


def prepare(args: Args) -> Study:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    check(args)
    cli.check_ranges(args, shard=(1, MOST), worlds=(1, MOST))
    plays_all_deals(args)
    base = table(args, "scripted")
    game, _ = made(base)
    questions = {**_alone(args, base), **_compared(args, base)}
    for words, question in questions.items():
        if question.deals < FEWEST:
            raise ValueError(f"deals={question.deals} is not allowed for {words}; allowed: {FEWEST} or more")
        _ = question.game.scripted  # who plays on
    matches = {name: question.match for name, question in questions.items()}
    deals = {name: question.deals for name, question in questions.items()}
    folder, planned, page = plan_page("luck", args, game, matches, deals)
    return Study(questions, planned, args.worlds, args.seed, folder, page)


def play(study: Study, run: Run) -> dict[str, Answer]:
    """Play what is missing, ask for the luck of all games."""
    deals = playing.play(study.plan, run)
    files = {name: study.plan.files(name, deals) for name in study.questions}
    asked = functools.partial(lucks, worlds=study.worlds, seed=study.seed)
    found = playing.count(asked, [file for own in files.values() for file in own], run)
    scores = Scores(study.plan)

    def answer(name: str, question: Question) -> Answer:
        if question.other is None:
            return _by_lot(files[name], found, study.seed)
        return Answer(scores.match(name, deals).scores[:, 0], by_agent(files[name], found)[:, 0])

    return {name: answer(name, question) for name, question in study.questions.items()}


def _alone(args: Args, base: MatchSpec) -> dict[str, Question]:
    """The players against themselves."""
    found = {}
    for words in args.alone:
        parts = understood(ALONE, "alone", words, "PLAYER [in GAME:VARIANT] [for N players] [over N deals]")
        seated = replace(placed(base, parts), agents=(parts["agent"],), rotations=1)
        game, (agent,) = made(seated)
        match = replace(seated, lineup=(0,) * len(game.teams))
        name = slug(f"{match.game}-{game.players}p_{agent.name}-alone")
        found[name] = Question(game, match.game, agent.name, None, match, deals_of(parts["deals"], args.deals, words))
    return found


def _compared(args: Args, base: MatchSpec) -> dict[str, Question]:
    """The players among copies of others."""
    pairings = once(comparison(words, base, args.deals) for words in args.compare)
    return {
        name: Question(own.game, own.match.game, own.agent.name, own.other.name, own.match, own.deals)
        for name, own in pairings.items()
    }


def _by_lot(files: list[Path], found: dict[Path, Floats], seed: int) -> Answer:
    """The score and the luck of a team of every game, drawn by lot."""
    rng, parts = np.random.default_rng(seed), []
    for file in files:
        scores = team_scores(records.read(file).paid)
        drawn: Any = np.arange(len(scores)), rng.integers(scores.shape[1], size=len(scores))
        parts.append((scores[drawn], found[file][drawn]))
    return Answer(*(np.concatenate(part) for part in zip(*parts, strict=True)))
