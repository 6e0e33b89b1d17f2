"""Play in the browser against every agent there is: `python -m tantra_envs.play`, with learned and own players too.

python -m agents.play karma --seats me,learned:karma
python -m agents.play tantrix --seats me,my_agent.py:MyAgent
"""

from __future__ import annotations

from collections.abc import Sequence

from agents import parse
from tantra_envs import play

PROGRAM = "agents.play"


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line, open the table, and serve it until Ctrl-C."""
    play.main(argv, PROGRAM, parse)


if __name__ == "__main__":
    main()
