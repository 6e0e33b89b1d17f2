"""Train the held-out agents of the benchmark from nothing, and write their weights: `python -m tests.tools.held_out`.

    python -m tests.tools.held_out karma          # those of one game
    python -m tests.tools.held_out karma late     # one of them

Each run is a command of `python -m training` with its own seed. An existing file is kept, so delete it to train again.
"""

import subprocess
import sys
from pathlib import Path

from agents.held_out import NETWORKS, file_of
from training.export import ship

RUNS = Path("runs/held-out")
USUAL = ("--eval-opponents", "scripted", "--eval-every", "1_000_000_000", "--final-deals", "200")
# The table of every game, and the options that all of its runs share
TABLES = {
    "karma": ("karma", "--players", "2", "--seats", "2", "4"),
    "tarot": ("tarot:hand", "--players", "2", "--seats", "2", "3"),
    "kanastic": ("kanastic:round", "--players", "4"),
    "tantra": ("tantra", "--players", "4", "--tables", "512"),
    "tantrix": (
        *("tantrix:points", "--players", "2", "--reward", "points", "--reward-scale", "6", "--gae-lambda", "0.8"),
        *("--tables", "256", "--steps", "32", "--batch-size", "512", "--epochs", "2"),
    ),
}
PPO, Q = "ppo", "q-learning"
EXPLOIT, AGAINST = ("--exploit", "learned"), ("--opponents", "learned", "--opponent-share", "1")
POINTS = ("--reward", "points", "--reward-scale")
# The program of every run, its decisions, and its further options
AGENTS = {
    "karma": {
        "early": (PPO, 1_000_000),
        "late": (PPO, 8_000_000),
        "exploiter": (PPO, 3_000_000, *EXPLOIT),
        "values": (Q, 1_500_000),
    },
    "tarot": {
        "early": (PPO, 800_000),
        "late": (PPO, 6_000_000),
        "exploiter": (PPO, 2_500_000, *EXPLOIT),
        "values": (Q, 1_000_000, *POINTS, "0.3"),
    },
    "kanastic": {
        "early": (PPO, 800_000),
        "late": (PPO, 5_000_000),
        "exploiter": (PPO, 2_000_000, *EXPLOIT),
        "values": (Q, 1_000_000, *POINTS, "1.5"),
    },
    "tantra": {
        "early": (PPO, 500_000),
        "late": (PPO, 3_000_000),
        "exploiter": (PPO, 1_200_000, *EXPLOIT),
        "values": (Q, 800_000),
    },
    "tantrix": {
        "early": (Q, 80_000),
        "late": (Q, 400_000),
        "exploiter": (Q, 150_000, *AGAINST),
        "values": (PPO, 200_000),
    },
}
SEEDS = {"early": "2", "late": "3", "exploiter": "4", "values": "5"}  # `learned` has 1


def train(game: str, agent: str) -> None:
    """Train one agent and write its weights."""
    program, decisions, *options = AGENTS[game][agent]
    name = f"{game}-{agent}"
    words = [program, *TABLES[game], "--total-decisions", str(decisions), *options, "--seed", SEEDS[agent], *USUAL]
    command = [sys.executable, "-m", "training", *words, "--name", name, "--runs", str(RUNS)]
    print("python", *command[1:], flush=True)
    subprocess.run(command, check=True)
    file, card = ship(RUNS / name / "model.safetensors", file_of(game, agent))
    print(f"{file}: {file.stat().st_size:,} bytes, digest {card.digest[:12]}", flush=True)


if __name__ == "__main__":
    games = sys.argv[1:2] or list(AGENTS)
    for game in games:
        for agent in sys.argv[2:3] or NETWORKS:
            if not file_of(game, agent).exists():
                train(game, agent)
