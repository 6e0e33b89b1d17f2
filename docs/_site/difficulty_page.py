"""The tables of the page on easy and hard settings, from docs/results/difficulty.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np

import tantra_envs
from benchmarks.harness.pages import number
from benchmarks.rank.suite import EVEN
from tantra_envs.games import BENCHMARKS
from tantra_envs.matches.intervals import Floats
from tantra_envs.programs.files import Json

from .results import RESULTS, ROOT

FILE = ROOT / RESULTS / "difficulty.json"
LEARNERS = {"ppo": "PPO", "learn": "Q-learning"}


def tables() -> str:
    """Return two tables of what small budgets reach: in the settings of every game, and PPO with other options."""
    return settings(json.loads(FILE.read_text(encoding="utf-8"))["rows"])


def settings(rows: list[Json]) -> str:
    """Return the two tables from rows of the file."""
    ppo = {"ppo": LEARNERS["ppo"]}
    return f"{_settings_table(rows, LEARNERS, named=True)}\n\n{_settings_table(rows, ppo, named=False)}"


def _settings_table(rows: list[Json], learners: Mapping[str, str], *, named: bool) -> str:
    """Return the table of the named settings, or of the other options."""
    heads = [
        f"{learner}{part}" for learner in learners.values() for part in ("", ", gain", ", in the standard setting")
    ]
    lines = [f"| setting | options that differ | random agent | {' | '.join(heads)} |"]
    lines.append("|---|---|" + "---:|" * (len(heads) + 1))
    for game, (variant, _) in BENCHMARKS.items():
        for name, options, group in _settings_of(game, [row for row in rows if row["game"] == game]):
            if bool(name) == named and any(row["learner"] in learners for row in group):
                (random,) = _means(group, "uniform", "scripted")
                cells = [cell for learner in learners for cell in _learned(group, learner, float(random))]
                lines.append(f"| `{name or variant}` | {options} | {random:.2f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _settings_of(game: str, rows: list[Json]) -> Iterator[tuple[str, str, list[Json]]]:
    """Yield the name of every setting of a game ("" without one), the options that differ, and its rows."""
    variant, players = BENCHMARKS[game]
    standard = tantra_envs.game(variant, players=players).config
    easy, hard = (tantra_envs.game(game, name).config for name in ("easy", "hard"))
    names = {f"{game}:easy": easy, variant: standard, f"{game}:hard": hard}
    configs = [tantra_envs.game(game, **row["config"]).config for row in rows]
    every = [*names.values(), *configs]
    for config in (config for i, config in enumerate(every) if config not in every[:i]):
        group = [row for row, own in zip(rows, configs, strict=True) if own == config]
        name = next((name for name, own in names.items() if own == config), "")
        options = [f"`{key}={json.dumps(value)}`" for key, value in config.items() if value != standard[key]]
        yield name, ", ".join(options), group


def _learned(rows: list[Json], learner: str, random: float) -> list[str]:
    """Return the mean scores of a learner against `uniform` and `scripted`, their gain, and its standard score.

    The gain is the mean of the two scores, less that of a random agent with the score `random` against `scripted`.
    """
    against = {other: _means(rows, learner, other) for other in ("uniform", "scripted", "standard")}
    if not len(against["scripted"]):
        return ["-"] * 3
    gains = (against["uniform"] + against["scripted"] - EVEN - random) / 2
    widest = f" ± {abs(gains - gains.mean()).max():.2f}" if len(gains) > 1 else ""
    standard = f"{against['standard'].mean():.2f}" if len(against["standard"]) else "-"
    scores = f"{against['uniform'].mean():.2f} / {against['scripted'].mean():.2f}"
    return [scores, number(float(gains.mean()), 2) + widest, standard]


def _means(rows: list[Json], learner: str, other: str) -> Floats:
    """Return the score of every seed of a learner against another agent."""
    scores = [row["scores"] for row in rows if row["learner"] == learner]
    return np.array([score[other]["mean"] for score in scores if other in score])
