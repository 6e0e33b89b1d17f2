"""The agent text:COMMAND: a program that reads prompts and writes replies, for example a language model.

    python -m training evaluate karma --agent "text:python my_model.py" --deals 2
    python -m training evaluate karma --agent "text:python my_model.py,timeout=5,retries=1" --deals 2

The program reads questions from its standard input. A question is several lines, with an empty line after it. The
program answers each question in one line; a vertical tab in it stands for a line end. Lines that the program prints
before it reads a question never answer it. They are dropped and counted, and the first one is shown.

If a reply has no legal action, the next question explains why. If no retry is left, or no reply arrives in time, a
legal action is drawn and the game continues. If a program gives no reply several times in a row, the work ends with an
error. The error contains how the program ended and the last line of its standard error.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

import numpy as np

from ..core.asking import AgentError
from ..core.game import Game
from ..core.locks import SharedLock
from ..core.observation import Actions, Observation
from ..core.state import States
from ..opponents.specs import AgentSpec, parse_options
from .replies import UnreadableError, read_reply
from .text import prompt

OPTIONS = {"timeout": 60.0, "retries": 2.0}  # seconds for a reply; extra replies after one without a legal action
TIMEOUT = "TANTRA_ENVS_TIMEOUT"  # environment variable of a program with the seconds for a reply
COUNTS = ("decisions", "sent", "received", "seconds", "repeated", "drawn", "dropped")  # attributes of an agent
SILENT = 3  # decisions in a row without any reply
PATIENCE = 2.0  # seconds for a program to end after it has closed its output
SETTLE = 0.0002  # seconds between two checks whether a program has read its question; they double
LONGEST = 0.05  # the most seconds between two checks
SHOWN = 80  # characters of a dropped line in a message
ALLOWED = "a command, and after it ,timeout=SECONDS ,retries=NUMBER"


class SilentError(AgentError, OSError):
    """Raised for a program that cannot be run, that ends, or that does not answer."""


class TextAgent:
    """An agent that plays the replies of a program.

    Attributes:
        decisions: Number of decisions.
        sent: Number of characters of all questions.
        received: Number of characters of all replies.
        seconds: Time that the program took for its replies.
        repeated: Number of replies without a legal action.
        drawn: Number of decisions that were drawn at random.
    """

    def __init__(self, game: Game, spec: AgentSpec) -> None:
        self.name = f"text:{spec.words}"
        words, options = _options(game, spec.words)
        self._timeout, self._retries = options["timeout"], int(options["retries"])
        self.origin = {"command": shlex.join(words), **options}
        self.decisions = self.sent = self.received = self.repeated = self.drawn = self._silent = 0
        self.seconds = 0.0
        self._program, self._lock = Program(words), SharedLock()

    @property
    def dropped(self) -> int:
        """The number of lines that answered nothing."""
        return self._program.dropped

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the program's action for every table, shape (k,), one after the other."""
        sampled = obs.determinize(1, rng)  # the prompt only contains what the seat sees, which is equal in the sample
        with self._lock:
            return np.array([self._decide(obs, k, sampled[k : k + 1], rng) for k in range(len(obs))])

    def _decide(self, obs: Observation, k: int, sample: States, rng: np.random.Generator) -> int:
        self.decisions += 1
        game = obs.game
        question = message = prompt(game, sample, int(obs.seat[k]))
        for _ in range(self._retries + 1):
            reply = self._ask(message)
            if reply is None:
                self._count_silence()
                break
            self._silent = 0
            try:
                return read_reply(game, sample, reply)
            except UnreadableError as error:
                message = f"{error}\n\n{question}"
                self.repeated += 1
        self.drawn += 1
        return int(obs.generator(rng, k).choice(game.legal(sample)))

    def _ask(self, message: str) -> str | None:
        """Return the reply to a message, None without a reply, and count both."""
        began = time.monotonic()
        reply = self._program.reply(message, self._timeout)
        self.seconds += time.monotonic() - began
        self.sent += len(message)
        self.received += len(reply or "")
        return reply

    def _count_silence(self) -> None:
        self._silent += 1
        if self._silent >= SILENT:
            raise SilentError(f"agent {self.name!r} gave no reply {SILENT} times in a row: {self._program.problem}")


class Program:
    """A program that starts with its first question. It is started again after it ended or was too late.

    Attributes:
        problem: Why the last reply is missing.
        dropped: Number of lines that the program printed before it read a question.
    """

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._running: Any = None
        self.problem, self.dropped = "", 0

    def reply(self, question: str, timeout: float) -> str | None:
        """Return one line, or None if no line arrives in time; then the program is ended and its output ignored."""
        if self._running is None:
            self._begin(timeout)
        until = time.monotonic() + timeout
        first, *lines = [line for line in question.splitlines() if line.strip()]
        try:
            self._write(f"{first}\n")
            self._drop_lines(until)
            self._write("\n".join(lines) + "\n\n" if lines else "\n")
            line: str | None = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            problem = f"it did not answer within {timeout:g} s"
        except OSError:  # the program no longer reads
            problem = self._ending()
        else:
            if line is not None:
                return line
            problem = self._ending()
        self._fail(problem)
        return None

    def _write(self, text: str) -> None:
        self._running.stdin.write(text)
        self._running.stdin.flush()

    def _drop_lines(self, until: float) -> None:
        """Drop all lines until the program has read the first line of a question, so that no older line answers it.

        Raises:
            queue.Empty: The program reads nothing in time.
        """
        wait = SETTLE
        while time.monotonic() < until:
            has_read = not _unread(self._running.stdin) and not _unread(self._running.stdout)
            try:
                line = self._lines.get(timeout=wait)
            except queue.Empty:
                if has_read:
                    return
                wait = min(2 * wait, LONGEST)
                continue
            if line is None:  # the program has ended
                self._lines.put(None)
                return
            self._report(line)
        raise queue.Empty

    def _report(self, line: str) -> None:
        """Count a dropped line, and show the first one."""
        self.dropped += 1
        if self.dropped == 1:
            name, words = f"text:{shlex.join(self._words)}", repr(" ".join(line.split())[:SHOWN])
            print(f"{name}: dropped a line that answers no question (more are only counted): {words}", file=sys.stderr)

    def _begin(self, timeout: float) -> None:
        names = ("stdin", "stdout", "stderr")
        pipes: Any = {**dict.fromkeys(names, subprocess.PIPE), "text": True, "errors": "replace"}
        pipes["env"] = {**os.environ, TIMEOUT: f"{timeout:g}"}
        try:
            # Ctrl-C is for this process; the program ends when its input does.
            self._running = subprocess.Popen(self._words, start_new_session=True, **pipes)
        except OSError as error:
            raise SilentError(f"text:{shlex.join(self._words)} cannot be run: {error}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()  # SimpleQueue of Python 3.11 may wait forever
        self._complaints: list[str] = []
        threading.Thread(target=_read, args=(self._running.stdout, self._lines), daemon=True).start()
        self._listener = threading.Thread(target=_pass_on, args=(self._running.stderr, self._complaints), daemon=True)
        self._listener.start()
        self._finalizer = weakref.finalize(self, _end, self._running)

    def _ending(self) -> str:
        """Return how a program ended that has closed its output."""
        try:
            code = self._running.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        return f"it ended with exit code {code}" if code >= 0 else f"it was ended by signal {-code}"

    def _fail(self, problem: str) -> None:
        """End the program, and store the problem with the last line of its standard error."""
        self._running = None
        self._finalizer()
        self._listener.join(PATIENCE)
        last = f"; its last line on stderr: {self._complaints[-1]}" if self._complaints else ""
        self.problem = problem + last


def _read(lines: Any, into: queue.Queue[str | None]) -> None:
    """Forward the lines of the program that are not empty, then None when it has ended."""
    with lines:
        for line in lines:
            if line.strip():
                into.put(line)
    into.put(None)


def _unread(stream: Any) -> int:
    """Return the number of bytes in a pipe that its reader has not read yet; 0 if the system does not count them."""
    if sys.platform == "linux":
        import fcntl
        import termios

        with contextlib.suppress(OSError, ValueError):  # ValueError: the stream was closed
            return int.from_bytes(fcntl.ioctl(stream.fileno(), termios.FIONREAD, bytes(4)), sys.byteorder)
    return 0


def _pass_on(lines: Any, complaints: list[str]) -> None:
    """Copy the program's standard error to ours, and store its last line that is not empty."""
    with contextlib.suppress(ValueError), lines:  # ValueError: our own stream was closed
        for line in lines:
            sys.stderr.write(line)
            if line.strip():
                complaints[:] = [" ".join(line.split())]


def _end(program: Any) -> None:
    program.kill()
    program.wait()
    with contextlib.suppress(OSError):  # it left a question unread
        program.stdin.close()


def _split(command: str) -> list[str]:
    """Return the words of a command as a shell does, but on Windows with the backslashes of paths."""
    words = shlex.shlex(command, posix=True)
    words.whitespace_split, words.commenters = True, ""
    if sys.platform == "win32":
        words.escape = ""
    return list(words)


def _options(game: Game, command: str) -> tuple[list[str], dict[str, float]]:
    """Return the words of the command, and its options; raise ValueError for unknown options."""
    options = dict(OPTIONS)
    try:
        first, settings = parse_options(command)
        words = _split(first or "")
    except ValueError as error:
        raise ValueError(f"{game.name}: text:{command} is not allowed: {error}; allowed: {ALLOWED}") from None
    for name, number in settings.items():
        pattern, least = (r"[0-9]{1,3}", 0.0) if name == "retries" else (r"[0-9]{1,6}(\.[0-9]+)?", 0.001)
        if name not in options or not re.fullmatch(pattern, number) or float(number) < least:
            raise ValueError(f"{game.name}: text:{command} is not allowed at '{name}={number}'; allowed: {ALLOWED}")
        options[name] = float(number)
    if not words:
        raise ValueError(f"{game.name}: text:{command} has no command; allowed: {ALLOWED}")
    return words, options
