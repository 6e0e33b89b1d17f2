"""`python -m tantra_envs puzzle`."""

from tantra_envs import __main__ as program
from tantra_envs import puzzles


def printed(capsys, *words):
    assert program.main(["puzzle", *words]) == 0
    return capsys.readouterr().out


def test_it_prints_a_puzzle_and_its_solution_on_demand(capsys):
    puzzle = puzzles.make("karma", 7)
    assert printed(capsys, "karma", "--seed", "7") == f"{puzzle.prompt}\n"
    with_solution = printed(capsys, "karma", "--seed", "7", "--solution")
    assert with_solution == f"{puzzle.prompt}\n\nSolution: {puzzle.solution}\n{puzzle.proof}\n"


def test_it_checks_an_answer(capsys):
    puzzle = puzzles.make("karma/win", 7)
    words = "karma/win", "--seed", "7", "--answer"
    assert printed(capsys, *words, puzzle.solution) == "credit: 1\n"
    refused = printed(capsys, *words, "sing").splitlines()
    assert refused[0] == "credit: 0" and "Legal now" in refused[1]


def test_it_lists_the_kinds(capsys):
    lines = printed(capsys).splitlines()
    assert [line.split("  ") for line in lines] == [[name, task] for name, task in puzzles.kinds().items()]
