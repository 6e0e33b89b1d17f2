"""Speed: of the environments, beside other suites, and of two solvers."""

from tantra_envs.cli import only_commands

only_commands(__name__, "benchmarks.speed", "benchmarks.speed.lay_down_search", "benchmarks.speed.puzzle_solver")
