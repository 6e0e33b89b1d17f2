"""The options of `python -m benchmarks study`."""

from dataclasses import dataclass
from typing import Annotated, Literal

from tantra_envs.core.options import Within

from ..harness.command import MOST, Count, PlayOptions, ResultOptions

Section = Literal["seats", "skill", "length", "tension", "agency", "worth", "options"]
FEWEST = 2  # deals: a single deal gives no interval


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, PlayOptions):
    """Study a game, or a change of its rules: is it fair, tense, and a matter of skill?

    Example: python -m benchmarks study karma --vary copies=2,3 --agents uniform greedy scripted

    Deals have the same seeds in all variants. The page, its figures and the records are saved under runs/.
    """

    agents: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Agents, weakest first, each against itself and each other; AGENT@20 plays 20 deals."""
    vary: tuple[str, ...] = ()
    """Options and their values, as copies=2,3 karma_sets=true,false. The first combination is the base."""
    one_at_a_time: bool = False
    """Change one option at a time."""
    all: bool = False
    """With --one-at-a-time: change every option of the game, and show in one table what each change does."""
    varied: tuple[str, ...] = ()
    """Agents of the variants with --one-at-a-time."""
    sections: tuple[Section, ...] = ()
    """Sections of the page. [default: all]"""
    sampled: tuple[str, ...] = ()
    """Agents whose win probabilities are estimated. [default: the last one, 50 deals]"""
    samples: Count = 16
    """Playouts per win probability."""
    weighed: tuple[str, ...] = ()
    """Agents whose decisions are weighed by playouts. [default: the last one, 100 deals]"""
    playouts: Annotated[int, Within(16, MOST)] = 128  # half of them must give a standard error
    """Playouts of every action of such a decision."""
    deals: Annotated[int, Within(FEWEST, MOST)] = 200
    """Deals of every line-up, each with all rotations of its seats."""
    retrain: bool = False
    """Train agents for every variant from nothing by self-play, which then play too."""
    seeds: Annotated[int, Within(1, 99)] = 3
    """With --retrain: agents of every variant, each with its own seed."""
    train_decisions: Count = 300_000
    """With --retrain: decisions that every agent learns from."""
    shard: Count = 64
    """Deals saved together; another number draws other random numbers."""
