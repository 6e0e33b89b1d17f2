"""Train `training ppo` without some of the action features: `python -m tests.tools.ablation`.

All runs of a game learn from the same number of decisions. Each is measured against the scripted agent. The tool keeps
finished rows: run it again to continue.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import tantra_envs
from tantra_envs.programs.files import Json

from .rows import measure_missing

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs/results/ablation.json"
SEEDS, DEALS = (1, 2), 500
DECISIONS = {  # about a CPU minute each
    "karma": 4_000_000,
    "tarot:hand": 2_000_000,
    "kanastic:round": 2_000_000,
    "tantra": 1_000_000,
    "tantrix": 100_000,
}
ALL = "nothing"
GROUPS = {  # of blocks, by patterns of their names
    "karma": {
        "the cards that stay": r"action\.(own_cards|own_hand|finishes|fitting|pairs|lowest|burden|kept)",
        "the pile after the action": r"action\.(pile|cleared|top|no_top|top_is_.*|run|completes_set)",
        "the next seat": r"action\.(next_.*|receiver_.*|given|drawn)",
        "the table": r"table\..*",
    },
    "tarot:hand": {
        "the suit in hand and unseen": r"action\.(held|out|higher_.*|lower_points|run)",
        "the trick": r"action\.(winning|odds|trick_points|cut|loss|swing|next_void)",
        "the classes": r"action\.(class_loss|class_points|honours_out)",
        "the table": r"table\..*",
    },
    "kanastic:round": {
        "the rank in hand": r"action\.(held|held_kinds|held_copies|hand_left|fewer)",
        "the rank in other hands": r"action\.(unseen|partner|next_seat|others|largest|teams_without)",
        "the canasta": r"action\.(has_six|missing|grows|missing_with_wilds|begins)",
        "the stack": r"action\.stack.*",
        "the table": r"table\..*",
    },
    "tantra": {
        "the cards that a hand lacks": r"action\.(change|lacking|outs)",
        "cards near it": r"action\.(near_next|near_others|risk)",
        "copies": r"action\.(friends|fits|held|unseen|discarded)",
        "the table": r"table\..*",
    },
    "tantrix": {
        "the end of the turn": r"action\.end_0_.*",
        "after the next player's turn": r"action\.end_1_.*",
        "after one more turn of each": r"action\.end_[23]_.*",
        "the table": r"table\..*",
    },
}


def blocks(game: str, pattern: str) -> list[str]:
    """Return the names of the blocks of a game's features that a pattern matches, as `--without-blocks` takes them.

    Raises:
        ValueError: None matches.
    """
    features = tantra_envs.game(game).features
    parts = {"action": features.of_action, "table": features.of_table}
    names = [f"{part}.{block.name}" for part, columns in parts.items() for block in columns]
    if not (found := [name for name in names if re.fullmatch(pattern, name)]):
        raise ValueError(f"{game}: no block of features matches {pattern!r}; allowed: patterns of {', '.join(names)}")
    return found


def measure(game: str, without: str, seed: int) -> Json:
    """Train once without a group of blocks, and return the row."""
    left_out = [] if without == ALL else ["--without-blocks", *blocks(game, GROUPS[game][without])]
    steps = DECISIONS[game]
    with tempfile.TemporaryDirectory() as folder:
        words = ["-m", "training", "ppo", game, *left_out, "--seed", str(seed), "--total-decisions", str(steps)]
        words += ["--eval-every", str(10 * steps), "--eval-opponents", "scripted", "--final-deals", str(DEALS)]
        subprocess.run([sys.executable, *words, "--name", "run", "--runs", folder], cwd=ROOT, check=True)
        results = json.loads(Path(folder, "run/results.json").read_text(encoding="utf-8"))
    score = {name: round(value, 4) for name, value in results["results"][0]["score"].items()}
    minutes = round(results["minutes"], 2)
    return {**facts(game, without, seed), "decisions": steps, "cpu_minutes": minutes, "score": score}


def facts(game: str, without: str, seed: int) -> Json:
    """Return the part of a row by which it is found again."""
    return {"game": game, "without": without, "seed": seed}


def main(argv: Sequence[str] | None = None) -> None:
    """Measure the rows that the file lacks, in the games that the words name, or in all games."""
    games = list(sys.argv[1:] if argv is None else argv) or list(GROUPS)
    planned = [(game, without, seed) for seed in SEEDS for game in games for without in (ALL, *GROUPS[game])]
    measure_missing(FILE, "ablation", {"deals": DEALS}, planned, facts, measure)


if __name__ == "__main__":
    main()
