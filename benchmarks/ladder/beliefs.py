"""How well worlds tell what is hidden: drawn evenly, and weighed by what others did, as `search:belief=moves` has them.

python -m benchmarks.ladder.beliefs tarot:hand --deals 200
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from agents import parse
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.past import Past
from tantra_envs.core.state import States, flat
from tantra_envs.matches.intervals import interval, resampled
from tantra_envs.matches.playing import Ints, play_tables

from ..harness.formatting import with_ends
from ..harness.playing import bar

Floats = npt.NDArray[np.float64]
PROGRAM = "benchmarks.ladder.beliefs"
MOST = 1 << 20


@dataclass(frozen=True)
class Args:
    """See how well worlds tell what is hidden from a seat, and how much better if they are weighed by what others did.

    Example: python -m benchmarks.ladder.beliefs tarot:hand --deals 200

    Of every number of a position that is not the same in all worlds the worlds say how likely each value is. Told are
    the surprise at the true value (log-loss, in nats; the less the better), and how likely the true one was.
    """

    game: str = "tarot:hand"
    """A game, or game:variant."""
    players: int | None = None
    """Seats at a table; None = as the game or variant has it."""
    deals: int = 100
    """Deals that are played, all side by side."""
    player: str = "scripted"
    """Who plays on all seats: worlds are weighed as if it were the scripted player."""
    worlds: int = 256
    """Worlds that are drawn at a decision."""
    share: float = 0.1
    """Of the decisions that are looked at, by chance."""
    seed: int = 0
    """Decides the deals and all chance."""


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, play, print what was found."""
    with cli.user_errors("bench"):
        args = cli.read(Args, PROGRAM, argv)
        game = _checked(args)
    with cli.work():
        Console().print(_table(game, args, measured(game, args)))
    return 0


def _checked(args: Args) -> Game:
    """The game; ValueError for what there is not, or cannot be."""
    cli.check_ranges(args, deals=(1, MOST), worlds=(2, MOST), share=(0, 1), seed=(0, MOST))
    game = cli.game(args.game, args.players)
    parse("search:belief=moves", game)  # whether it has beliefs
    parse(args.player, game)
    return game


def measured(game: Game, args: Args) -> Floats:
    """Of every deal (deals, 4): log-loss even and by moves, how likely the truth was likewise; NaN if nobody was asked.

    Each is a mean over the decisions that were looked at.
    """
    probe, agents = _Probe(game, args), parse(args.player, game)
    seating = np.zeros((args.deals, game.players), np.int64)
    deals = args.seed * args.deals + np.arange(args.deals)
    with bar() as shown:
        progress = partial(shown.advance, shown.add_task("deals", total=args.deals))
        play_tables(game, agents, seating, deals, args.seed, look=probe.look, progress=progress)
    with np.errstate(invalid="ignore"):
        return np.asarray(probe.sums / probe.counts)


class _Probe:
    """Looks on, and sums up by deal what the worlds of some decisions tell."""

    def __init__(self, game: Game, args: Args) -> None:
        self.sums, self.counts = np.zeros((args.deals, 4)), np.zeros((args.deals, 1))
        self._game, self._args = game, args
        self._past, self._rng = Past(game, args.deals), np.random.default_rng(args.seed)

    def look(self, states: States, live: Ints, actions: Ints) -> None:
        """Before every round of actions."""
        obs = Observation(self._game, states, live, self._past)
        for table in np.flatnonzero(self._rng.random(len(live)) < self._args.share).tolist():
            row = live[table]
            found = _told(obs, table, states[row : row + 1], self._args.worlds, self._rng)
            if found is not None:
                self.sums[row] += found
                self.counts[row] += 1
        self._past.note(states, live, actions)


def _told(obs: Observation, table: int, truth: States, n: int, rng: np.random.Generator) -> Floats | None:
    """The four numbers of one decision; None if nothing is hidden, or nobody has done anything yet."""
    worlds = obs.determinize(n, rng, np.array([table]))
    odds = obs.log_odds(worlds, table)
    numbers = flat(worlds)
    hidden = np.flatnonzero((numbers != numbers[0]).any(axis=0))
    if not len(hidden) or not np.ptp(odds):
        return None
    right = numbers[:, hidden] == flat(truth)[:, hidden]
    weights = np.stack([np.ones(n), np.exp(odds - odds.max())])
    weights /= weights.sum(axis=1, keepdims=True)
    likely, count = weights @ right, 1 / (weights**2).sum(axis=1, keepdims=True)  # so many worlds do they stand for
    surprise = -np.log((count * likely + 0.5) / (count + 1))  # half a world for what no world has
    return np.concatenate([surprise.mean(axis=1), likely.mean(axis=1)])


def _table(game: Game, args: Args, by_deal: Floats) -> Table:
    """Even, by moves, and the difference, with intervals over deals."""
    known = by_deal[~np.isnan(by_deal[:, 0])]
    title = f"{game.title} for {game.players}, {args.player} on all seats: {len(known)} deals, {args.worlds} worlds"
    told = Table("worlds", "log-loss", "how likely the truth was", title=title)
    even, moves = known[:, [0, 2]], known[:, [1, 3]]
    for name, values in (("even", even), ("by moves", moves), ("difference", moves - even)):
        found = zip(values.mean(axis=0), resampled(values).T, strict=True)
        told.add_row(name, *(with_ends(mean, *interval(drawn), 4, name == "difference") for mean, drawn in found))
    return told


if __name__ == "__main__":
    sys.exit(main())
