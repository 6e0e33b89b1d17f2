"""text:COMMAND, a program that reads prompts and writes replies: a language model, or whatever stands for one.

    python -m training evaluate karma --agent "text:python my_model.py" --deals 2
    python -m training evaluate karma --agent "text:python my_model.py,timeout=5,retries=1" --deals 2

Over its standard input it is asked in lines, with an empty one after each question; it answers each in one line. A
reply that names no legal action is answered with what is wrong. When no retry is left, or no reply comes in time, a
legal action is drawn; the game goes on. A program that is silent too often in a row ends the work with an error that
says how it ended, and what it wrote last to its standard error.
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import sys
import threading
import weakref
from typing import Any

import numpy as np

from tantra_envs.adapters.text import UnreadableError, prompt, read_reply
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.core.state import States
from tantra_envs.opponents.specs import AgentSpec, parse_options

OPTIONS = {"timeout": 60.0, "retries": 2.0}  # seconds for a reply, and replies more after one that names no action
SILENT = 3  # decisions in a row without any reply
PATIENCE = 2.0  # seconds that a program which closed its output has to end
ALLOWED = "a command, and after it ,timeout=SECONDS ,retries=NUMBER"


class SilentError(OSError):
    """Raised for a program that cannot be run, ends, or does not answer."""


class TextAgent:
    """Plays what a program says. `decisions`, `repeated`, `drawn`: how often it was asked, asked again, and ignored."""

    def __init__(self, game: Game, command: str) -> None:
        self.name = f"text:{command}"
        words, options = _options(game, command)
        self._timeout, self._retries = options["timeout"], int(options["retries"])
        self.origin = {"command": shlex.join(words), **options}
        self.decisions = self.repeated = self.drawn = self._silent = 0
        self._program = Program(words)

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The program's action for every table, one after the other."""
        sampled = obs.determinize(1, rng)  # the prompt shows only what the seat sees of the true tables
        return np.array([self._decide(obs.game, sampled[k : k + 1], int(obs.seat[k]), rng) for k in range(len(obs))])

    def _decide(self, game: Game, world: States, seat: int, rng: np.random.Generator) -> int:
        self.decisions += 1
        question = message = prompt(game, world, seat)
        for _ in range(self._retries + 1):
            reply = self._program.reply(message, self._timeout)
            if reply is None:
                self._count_silence()
                break
            self._silent = 0
            try:
                return read_reply(game, world, reply)
            except UnreadableError as error:
                message = f"{error}\n\n{question}"
                self.repeated += 1
        self.drawn += 1
        return int(rng.choice(game.legal(world)))

    def _count_silence(self) -> None:
        self._silent += 1
        if self._silent == SILENT:
            raise SilentError(f"agent {self.name!r} gave no reply {SILENT} times in a row: {self._program.problem}")


def program(game: Game, spec: AgentSpec) -> TextAgent:
    """Make the agent of `text:COMMAND`; ValueError for options it does not have."""
    return TextAgent(game, spec.words)


class Program:
    """A program that runs from its first question on, and is begun anew when it ended or was too late.

    `problem` says why the last reply is missing.
    """

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._running: Any = None
        self.problem = ""

    def reply(self, question: str, timeout: float) -> str | None:
        """One line, or None if none came in time; nothing it says later is taken for another reply."""
        if self._running is None:
            self._begin()
        try:
            self._running.stdin.write("\n".join(line for line in question.splitlines() if line.strip()) + "\n\n")
            self._running.stdin.flush()
            line: str | None = self._lines.get(timeout=timeout)
        except queue.Empty:
            problem = f"it did not answer within {timeout:g} s"
        except OSError:  # it reads no more
            problem = self._ending()
        else:
            if line is not None:
                return line
            problem = self._ending()
        self._fail(problem)
        return None

    def _begin(self) -> None:
        names = ("stdin", "stdout", "stderr")
        pipes: Any = {**dict.fromkeys(names, subprocess.PIPE), "text": True, "errors": "replace"}
        try:
            self._running = subprocess.Popen(self._words, **pipes)
        except OSError as error:
            raise SilentError(f"text:{shlex.join(self._words)} cannot be run: {error}") from None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._complaints: list[str] = []
        threading.Thread(target=_read, args=(self._running.stdout, self._lines), daemon=True).start()
        self._listener = threading.Thread(target=_pass_on, args=(self._running.stderr, self._complaints), daemon=True)
        self._listener.start()
        self._finalizer = weakref.finalize(self, _end, self._running)

    def _ending(self) -> str:
        """Return how the program ended, of which no more lines come."""
        try:
            code = self._running.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        return f"it ended with exit code {code}" if code >= 0 else f"it was ended by signal {-code}"

    def _fail(self, problem: str) -> None:
        """End the program, and note the problem with the last line of its standard error."""
        self._finalizer()
        self._running = None
        self._listener.join(PATIENCE)
        last = f"; its last line on stderr: {self._complaints[-1]}" if self._complaints else ""
        self.problem = problem + last


def _read(lines: Any, into: queue.SimpleQueue[str | None]) -> None:
    """Hand on what the program says, and None when it has ended; empty lines are no replies."""
    for line in lines:
        if line.strip():
            into.put(line)
    into.put(None)


def _pass_on(lines: Any, complaints: list[str]) -> None:
    """Write what the program writes to its standard error to ours, and keep the last line that is not empty."""
    with contextlib.suppress(ValueError):  # closed meanwhile
        for line in lines:
            sys.stderr.write(line)
            if line.strip():
                complaints[:] = [" ".join(line.split())]


def _end(program: Any) -> None:
    program.kill()
    program.wait()
    program.stdin.close()


def _options(game: Game, command: str) -> tuple[list[str], dict[str, float]]:
    """The words of the command, and the options after it; ValueError for what is neither."""
    options = dict(OPTIONS)
    try:
        first, given = parse_options(command)
    except ValueError as error:
        raise ValueError(f"{game.name}: text:{command} is not allowed: {error}; allowed: {ALLOWED}") from None
    for name, number in given.items():
        least = 0.0 if name == "retries" else 0.001
        if name not in options or not number.replace(".", "", 1).isdigit() or float(number) < least:
            raise ValueError(f"{game.name}: text:{command} is not allowed at '{name}={number}'; allowed: {ALLOWED}")
        options[name] = float(number)
    words = shlex.split(first or "")
    if not words:
        raise ValueError(f"{game.name}: text:{command} names no command; allowed: {ALLOWED}")
    return words, options
