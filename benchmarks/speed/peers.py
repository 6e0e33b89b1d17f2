"""Other suites as engines to be timed, as many as are installed. Everywhere the same player: a uniform legal action.

- PettingZoo, classic card games: the raw environment in the loop of its documentation, as ours.
- RLCard, which those wrap: its own reset and step.
- OpenSpiel: random rollouts in C++. `MCTSBot.step` with one simulation and a `RandomRolloutEvaluator` of R rollouts
  plays exactly R games from the given state and little else; all else Python could do costs more than the game. The
  evaluator does not say how many moves it made, so the mean length of a rollout from the same states is estimated
  beforehand from games of uniform bots; `Rollouts.error` is the standard error of that mean as a share of it.
  Chance events count as moves. The states are dealt by chance, as some games hardly ever end from odd deals; a game
  without chance has one. A turn of all states has about SLICE moves at most, or slow long games would take minutes.
"""

from __future__ import annotations

import importlib
import math
import random
import statistics
from collections.abc import Callable, Iterator
from typing import Any

from .engines import aec_run
from .timing import Engine

PETTINGZOO = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")
RLCARD = ("leduc-holdem", "limit-holdem", "uno")
OPEN_SPIEL = ("tarok", "crazy_eights", "gin_rummy", "leduc_poker", "chess")

STARTS = 16  # dealt states a game of chance is rolled out from
ROLLOUTS = 32  # at most, from one state before the next has its turn
SLICE = 20_000  # moves
LENGTHS = 1024  # games to estimate the mean length


def engines(tell: Callable[[str], None]) -> Iterator[Engine]:
    """All peers that can be had; `tell` prints which are left out, and how exact the estimated lengths are."""
    for name, suite, make in _all(tell):
        try:
            yield Engine(f"{suite} {name}", make(name))
        except ImportError as missing:
            tell(f"{suite} {name} is left out ({missing}); for all peers: pip install -e '.[peers]' -c constraints.txt")


def _all(tell: Callable[[str], None]) -> Iterator[tuple[str, str, Callable[[str], Callable[[int], int]]]]:
    yield from ((name, "PettingZoo", _pettingzoo) for name in PETTINGZOO)
    yield from ((name, "RLCard", _rlcard) for name in RLCARD)
    yield from ((name, "OpenSpiel", lambda name: _open_spiel(name, tell)) for name in OPEN_SPIEL)


def _pettingzoo(name: str) -> Callable[[int], int]:
    return aec_run(importlib.import_module(f"pettingzoo.classic.{name}").raw_env())


def _rlcard(name: str) -> Callable[[int], int]:
    rlcard = importlib.import_module("rlcard")
    env = rlcard.make(name, config={"seed": 0})
    draw = random.Random(0).random

    def run(moves: int) -> int:
        played = 0
        while played < moves:
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(draw() * len(legal))])
                played += 1
        return played

    return run


def _open_spiel(name: str, tell: Callable[[str], None]) -> Callable[[int], int]:
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    chance = random.Random(0)
    n = 1 if game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC else STARTS
    starts = [_dealt(game, chance) for _ in range(n)]
    lengths = [[_length(pyspiel, game, start, seed) for seed in range(LENGTHS // n)] for start in starts]
    means = [statistics.mean(found) for found in lengths]
    error = math.sqrt(sum(statistics.variance(found) / len(found) for found in lengths)) / sum(means)
    tell(f"OpenSpiel {name}: a rollout is {statistics.mean(means):.1f} moves long, standard error {100 * error:.1f} %")
    rollouts = max(1, min(ROLLOUTS, round(SLICE / sum(means))))
    bots = [_rollout_bot(pyspiel, game, rollouts, seed) for seed in range(n)]

    def run(moves: int) -> int:
        played, turn = 0.0, 0
        while played < moves or turn % n:  # each state equally often
            bots[turn % n].step(starts[turn % n])
            played += rollouts * means[turn % n]
            turn += 1
        return round(played)

    return run


def _dealt(game: Any, chance: random.Random) -> Any:
    """A new state after its first chance events."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(outcomes, weights)[0])
    return state


def _length(pyspiel: Any, game: Any, start: Any, seed: int) -> int:
    """Moves and chance events of one uniformly random game from `start`, played in C++."""
    state = start.clone()
    bots = [pyspiel.make_uniform_random_bot(player, seed * 31 + player) for player in range(game.num_players())]
    pyspiel.evaluate_bots(state, bots, seed)
    return len(state.full_history()) - len(start.full_history())


def _rollout_bot(pyspiel: Any, game: Any, rollouts: int, seed: int) -> Any:
    """A bot whose `step` is that many random games: one simulation (the 1), nothing solved, nothing kept."""
    return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(rollouts, seed), 1.0, 1, 100, False, seed, False)
