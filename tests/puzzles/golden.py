"""Write the puzzles that must never change into golden.json: `python -m tests.puzzles.golden`."""

from tantra_envs.programs.files import write_json

from .test_puzzles import GOLDEN, KINDS, SEEDS, facts

if __name__ == "__main__":
    write_json(GOLDEN, {kind: {str(seed): facts(kind, seed) for seed in SEEDS} for kind in KINDS})
