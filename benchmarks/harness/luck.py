"""Luck with what nobody could know, and scores that are told without it.

At some plies of a recorded game the scripted player of every seat plays on twice: from the table as it is, and in
worlds in which what no seat knows, the order of the cards to come, is drawn again. Given all that the seats know
together the true table is one of these worlds, as likely as any other. So a team's luck, its score on the true table
less its mean score in the worlds, is 0 on the average, whoever plays, and whatever the scripted player is worth as a
judge. A score less some multiples of luck therefore means the same, and spreads less as far as luck explains it:
control variates, in the manner of AIVAT (Burch, Schmid, Moravcik, Morrill, Bowling, AAAI 2018).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.observers import ALL_SEATS
from tantra_envs.core.playouts import Playouts
from tantra_envs.core.state import States
from tantra_envs.matches.match import by_deal
from tantra_envs.matches.seeds import DEALS

from . import records
from .hopes import Floats, hopes, played_on
from .records import Record
from .transitions import Transitions

CHECKS = 8  # plies of a game at which luck is asked for
FEWEST = 10 * CHECKS  # deals, so that the multiples can be fitted
FOLDS = 10
USUAL = 64  # games of the scripted player whose length is the usual one


def lucks(file: Path, worlds: int, seed: int) -> Floats:
    """The luck of every team of a record's games at every check, (n, teams, CHECKS); 0 where a game was over before.

    ValueError if the record does not replay.
    """
    record = records.read(file)
    asked = Asked(record, worlds, np.random.default_rng((seed, int(record.games["deal"][0]) % DEALS)))
    records.replay(record, asked.observe)
    return asked.lucks


def by_agent(files: Sequence[Path], found: Mapping[Path, Floats]) -> Floats:
    """The luck of the agents of a match that was played once for every rotation, (deals, agents, CHECKS).

    found: what `lucks` tells of each of its records.
    """

    def means(file: Path) -> Floats:
        record, luck = records.read(file), found[file]
        return np.stack([by_deal(record.game, record.seating, luck[:, :, k]) for k in range(CHECKS)], axis=2)

    return np.concatenate([means(file) for file in files])


def without(scores: Floats, luck: Floats) -> Floats:
    """Scores of independent deals (n,) less the multiples of their luck (n, checks) that explain them best.

    The multiples of a deal are fitted on deals of other folds, so they do not depend on its luck, and the mean stays
    what it is. ValueError for fewer deals than `FEWEST`.
    """
    if len(scores) < FEWEST:
        raise ValueError(f"deals={len(scores)} is not allowed, luck needs more to be fitted; allowed: {FEWEST}..")
    fold, found = np.arange(len(scores)) % FOLDS, scores.copy()
    for own in range(FOLDS):
        others = fold != own
        multiples = _fitted(scores[others], luck[others])
        found[~others] -= luck[~others] @ multiples
    return found


class Asked:
    """The tables of a record as they are played again, and the luck found so far."""

    def __init__(self, record: Record, worlds: int, rng: np.random.Generator) -> None:
        game = record.game
        self._game, self._worlds, self._rng = game, worlds, rng
        self._plies = checks(game)
        self._paid = np.zeros((len(record.games), game.players))
        self._playouts = Playouts(game)
        self.lucks = np.zeros((len(record.games), len(game.teams), CHECKS))

    def observe(self, t: Transitions) -> None:
        """One action at each table still going."""
        for check, ply in enumerate(self._plies):
            now = t.before["plies"] == ply
            if now.any():
                self.lucks[t.rows[now], :, check] = self._luck(t.before[now], self._paid[t.rows[now]])
        self._paid[t.rows] += t.after["rewards"][:, : t.game.players]

    def _luck(self, states: States, paid: Floats) -> Floats:
        """That of all teams of k tables, (k, teams)."""
        hoped = hopes(self._game, states, paid, ALL_SEATS, self._worlds, self._rng)
        return played_on(self._game, states.copy(), paid, self._playouts) - hoped


@functools.lru_cache(maxsize=64)
def checks(game: Game) -> tuple[int, ...]:
    """The plies at which luck is asked for: from the deal on, evenly over a game of usual length.

    They are known before a game begins. A share of its own length would tell how it went on.
    """
    states = game.blanks(USUAL)
    game.drivers.deal_rows(states, np.arange(USUAL), np.arange(USUAL))
    Playouts(game).run(states)
    usual = int(np.median(states["plies"]))
    return tuple(dict.fromkeys(usual * check // CHECKS for check in range(CHECKS)))


def _fitted(scores: Floats, luck: Floats) -> Floats:
    """The multiples of luck that explain scores best, by least squares; 0 for luck that there is not."""
    centred = luck - luck.mean(axis=0)
    return np.asarray(np.linalg.lstsq(centred, scores - scores.mean(), rcond=1e-9)[0])
