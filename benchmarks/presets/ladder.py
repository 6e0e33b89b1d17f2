"""The command `python -m benchmarks ladder`: agents from the lowest rung to the highest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..harness.command import Count, PlayOptions, ResultOptions, check_agents, deals_by_agent
from ..harness.oracle import ORACLE
from ..harness.plans import build, fits, table
from ..harness.rows import Request, from_text, pair, timed
from ..play import run
from ..views.ladder import ASIDE, BASE, BELOW, COMPARED, RUNG

USUAL = ("uniform", "greedy", BASE, "learned:{game}", "search:4", "search:16", "search:64", "search:256", ORACLE)


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, PlayOptions):
    """Measure strength against thinking time, up to a search that sees all cards.

    Example: python -m benchmarks ladder tarot:hand --rungs scripted search:8 search:64 oracle --deals 200

    Every rung plays against the scripted agent and against the rung below, alone among copies of the other.
    """

    rungs: tuple[str, ...] = ()
    """Agents from the lowest rung to the highest; oracle is the open-card search. [default: from uniform to oracle]"""
    below: Count | None = None
    """Deals against the rung below at most. [default: as many as against the scripted agent]"""
    compare: tuple[str, ...] = ()
    """More comparisons, each as "AGENT OTHER", "AGENT OTHER GAME" or "AGENT OTHER GAME PLAYERS"."""
    shard: Count = 32
    """Deals saved together; another number draws other random numbers."""


def rows(args: Args) -> Request:
    """Return the pairs to play; raise ValueError for agents that are not allowed."""
    base = replace(table(args, ()), ceiling=True)
    game, _ = build(base)
    usual = [word for word in (word.format(game=game.id) for word in USUAL) if fits(replace(base, agents=(word,)))]
    rungs = deals_by_agent(args.rungs or usual, args.deals, "rungs")
    names = [build(replace(base, agents=(word,)))[1][0].name for word in rungs]
    check_agents(args.rungs, names, option="rungs")
    pairs = [from_text(words, base, args.deals, COMPARED) for words in args.compare]
    lower = ""
    for word, deals in rungs.items():
        pairs += [pair(base, word, BASE, deals, BASE)] if word != BASE else []
        if word.partition(":")[0] not in ASIDE:
            pairs += [pair(base, word, lower, min(deals, args.below or deals), BELOW)] if lower else []
            lower = word
    times = [timed(replace(base, agents=(word,)), RUNG) for word in rungs]
    times += [timed(row.match, COMPARED) for row in pairs if COMPARED in row.tags]
    return Request(pairs, "ladder", times, folder=["ladder", args.game, args.players or "", args.seed])


def main(argv: Sequence[str]) -> int:
    """Play the ladder that the options describe."""
    return run(Args, "ladder", argv, rows)
