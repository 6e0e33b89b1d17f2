"""The table of the names that users import, each with the first sentence of its docstring."""

from __future__ import annotations

import inspect
import re
from pkgutil import resolve_name

from benchmarks.harness import pages

NAMES = (
    "tantra_envs.game",
    "tantra_envs.variants",
    "tantra_envs.Game",
    "tantra_envs.core.game.IllegalActionError",
    "tantra_envs.core.features.Described",
    "tantra_envs.make",
    "tantra_envs.make_raw",
    "tantra_envs.make_parallel",
    "tantra_envs.make_batch",
    "tantra_envs.make_seat",
    "tantra_envs.make_seat_vector",
    "tantra_envs.envs.aec.TableEnv",
    "tantra_envs.envs.batch.BatchEnv",
    "tantra_envs.envs.seat.SeatEnv",
    "tantra_envs.envs.vector.SeatVectorEnv",
    "tantra_envs.envs.opponents.OpponentSampler",
    "tantra_envs.Observation",
    "tantra_envs.Agent",
    "tantra_envs.load_agents",
    "tantra_envs.opponents.opponent",
    "tantra_envs.play_match",
    "tantra_envs.matches.match.Match",
    "tantra_envs.matches.intervals.Estimate",
    "tantra_envs.core.opinions.opinions_on",
    "tantra_envs.drawing.draw",
    "tantra_envs.drawing.replay",
    "tantra_envs.puzzles.make",
    "tantra_envs.puzzles.kinds",
    "tantra_envs.adapters.episodes.Episodes",
    "tantra_envs.testing.check_game",
    "tantra_envs.testing.check_env",
)


def table() -> str:
    """Return a row for each public name."""
    texts = {name: " ".join(inspect.getdoc(resolve_name(name)).split()) for name in NAMES}
    return pages.table(["name", ""], ((f"`{name}`", re.split(r"(?<=[.])\s", text)[0]) for name, text in texts.items()))
