"""Make of a finished run the weights that come with the project.

    python -m training.export runs/karma
    python -m training.evaluate --agent learned:karma --opponents scripted

The file is agents/weights/GAME-PLAYERSp.safetensors: tensors in half precision, and what is known of the run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tantra_envs
from agents.pretrained import Card, file_of, write
from tantra_envs.cli import user_errors

PROGRAM = "training.export"


def main(words: Sequence[str] | None = None) -> int:
    """Write the file, and say what is in it."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {PROGRAM}", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, help="folder of a run that came to its end")
    parser.add_argument("--name", help="of the weights, if not that of the game: learned:NAME")
    args = parser.parse_args(words)
    with user_errors("train"):
        file, card = ship(args.run, args.name)
    for result in card.strength:
        score = result["score"]
        print(f"{result['opponent']}: {score['mean']:.3f} [{score['low']:.3f}, {score['high']:.3f}]")
    print(f"{file}: {file.stat().st_size:,} bytes, {card.decisions:,} decisions, digest {card.digest[:12]}")
    return 0


def ship(run: Path, name: str | None = None) -> tuple[Path, Card]:
    """Write the weights of a run that came to its end; ValueError if it did not."""
    from agents.checkpoint import load_model
    from agents.networks import Form, choosing_net

    results = _results(run / "results.json")
    settings = {**asdict(Form()), **results["settings"]}
    game = tantra_envs.game(settings["game"], players=settings["players"])
    model = load_model(str(run / "model.zip"), game)
    known = {"settings": settings, "decisions": int(model.num_timesteps), "strength": results["results"]}
    file = file_of(name or game.id, game.players)
    return file, write(file, choosing_net(model), game, **known)


def _results(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise ValueError(f"there is no {file}: the run has not come to its end")
    content: dict[str, Any] = json.loads(file.read_text())
    return content


if __name__ == "__main__":
    sys.exit(main())
