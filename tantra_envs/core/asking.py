"""Ask agents for their actions and check the answers.

`ask` is the only place where an agent's answer becomes actions. Compiled code only gets actions that it has checked.
All code of agents, such as constructors and hints, runs in `failures_of`.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .observation import Actions, Agent, Observation


class AgentError(ValueError):
    """Raised if an agent fails, or returns something else than legal actions. Its cause is the agent's own error."""


class AgentWarning(UserWarning):
    """Issued for an agent that may play badly at a table."""


def ask(agent: Agent, obs: Observation, rng: np.random.Generator) -> Actions:
    """Return the agent's actions, (k,) int64 for the k tables of `obs`; raise AgentError unless each one is legal."""
    masks = obs.action_mask.copy()  # a copy, because the agent can write to its own mask
    answer = answer_of(agent, obs, rng)
    inside = (answer >= 0) & (answer < masks.shape[1])
    wrong = np.flatnonzero(~(inside & (masks[np.arange(len(answer)), np.where(inside, answer, 0)] == 1)))
    if len(wrong):
        k = int(wrong[0])
        legal = ", ".join(f"{a} ({name})" for a, name in obs.action_names(k).items())
        problem = f"returned the illegal action {answer[k]} as seat {obs.seat[k]}"
        raise AgentError(f"agent {name_of(agent)!r} {problem}; legal: {legal}")
    return answer.astype(np.int64)


def answer_of(agent: Agent, obs: Observation, rng: np.random.Generator) -> npt.NDArray[Any]:
    """Return a copy of what the agent answers: integers of shape (k,) for the k tables of `obs`, legal or not.

    Raises:
        AgentError: The agent raised an error, which is the cause, or it answered something else.
    """
    with failures_of(name_of(agent)):
        returned: Any = agent.act(obs, rng)
        answer = np.array(returned)
    if answer.shape != (len(obs),) or answer.dtype.kind not in "iu":
        what = "None" if returned is None else f"{answer.dtype} of shape {answer.shape}"
        raise AgentError(f"agent {name_of(agent)!r} returned {what}; allowed: integers of shape ({len(obs)},)")
    return answer


@contextlib.contextmanager
def failures_of(name: str, words: str = "failed") -> Iterator[None]:
    """Run code of an agent, and raise AgentError with its name for any exception but KeyboardInterrupt.

    `sys.exit()` is such an exception. It would end the program without results and without an error, or a thread
    without a word.
    """
    try:
        yield
    except (AgentError, KeyboardInterrupt):  # the first is of an agent inside this one
        raise
    except BaseException as error:
        *_, place = traceback.extract_tb(error.__traceback__)
        problem = f"{type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
        raise AgentError(f"agent {name!r} {words}: {problem}") from error


def name_of(agent: Any) -> Any:
    """Return the name of an agent for an error; an object without a name has that of its class."""
    return getattr(agent, "name", type(agent).__name__)
