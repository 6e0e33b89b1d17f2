"""A trainer that is asked line by line: each answer is that of its question."""

import io
import sys

import pytest

pytest.importorskip("torch")

from training import speed


def talking(**options):
    """A trainer that prints something at every update, as libraries do."""
    print("begins with", options)
    while True:
        print("1000")
        yield 3


def test_what_a_library_prints_is_no_answer(monkeypatch, capsys):
    monkeypatch.setitem(speed.TRAINERS, "talking", talking)
    monkeypatch.setattr(sys, "argv", ["speed", '{"trainer": "talking", "seed": 1}'])
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n7\n"))
    speed.main()
    shown = capsys.readouterr()
    assert shown.out == "3\n9\n" and shown.err.count("1000") == 4 and "begins with" in shown.err
