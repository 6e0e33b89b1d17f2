"""The options of a study of behaviour."""

from dataclasses import dataclass
from pathlib import Path

from ..harness.args import StudyArgs


@dataclass(frozen=True, kw_only=True)
class Args(StudyArgs):
    """Count what agents do in a game.

    Example: python -m benchmarks.behaviour karma --agents scripted,greedy,uniform --deals 200

    --config FILE reads these options from a TOML file; the command line wins.
    """

    agents: str | None = None
    """Players to study, with commas between them; None = learned:GAME,scripted,uniform."""
    among: str = "scripted"
    """Who sits in all other seats."""
    page: Path | None = None
    """The page to write; pictures lie beside it. None = in the folder of the records."""
