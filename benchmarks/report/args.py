"""The options of a report."""

from dataclasses import dataclass

from ..harness.args import PageArgs


@dataclass(frozen=True, kw_only=True)
class Args(PageArgs):
    """Make the page of a game.

    Example: python -m benchmarks.report karma --vary copies=2,3 karma_sets=true,false --deals 200

    --config FILE reads these options from a TOML file; the command line wins.
    """

    agents: tuple[str, ...] = ("uniform", "scripted", "search:8 over 20 deals")
    """Players of rising skill, weakest first, each as PLAYER or "PLAYER over N deals": each against itself and against
    each other, for seats, skill, lengths and what things are worth."""
    chances: tuple[str, ...] = ("scripted over 100 deals",)
    """Players, in the same words: how tense their games are."""
    worlds: int = 32
    """Playouts that tell a chance, of every seat at every tenth of a game."""
    restricted: tuple[str, ...] = ("scripted over 100 deals",)
    """Players, in the same words, that do without one freedom of the game after the other."""
    vary: tuple[str, ...] = ()
    """Rules and their values, as in copies=2,3 karma_sets=true,false: the first are the rules as they are, and each
    other one is tried by itself."""
    rules: tuple[str, ...] = ("greedy over 100 deals", "scripted over 100 deals")
    """Players, in the same words, weakest first: under every rule the last plays against itself and each other."""
