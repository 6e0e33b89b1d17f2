"""Engines of other suites, as far as they are installed. All play uniformly random legal actions."""

from __future__ import annotations

import importlib
import math
import random
import statistics
from collections.abc import Callable
from functools import partial
from itertools import count, cycle, islice
from typing import Any

from .engines import SIMULATIONS, aec_steps
from .timing import Steps

PETTINGZOO = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")
RLCARD = ("leduc-holdem", "limit-holdem", "uno")
SEARCHES = "OpenSpiel's search"  # prefix of the names of its tree searches
OPEN_SPIEL = ("tarok", "crazy_eights", "gin_rummy", "leduc_poker", "chess")
PGX = ("leduc_holdem", "sparrow_mahjong", "backgammon")

TREES = (
    ("crazy_eights", "MCTSBot"),
    ("gin_rummy", "MCTSBot"),
    ("gin_rummy", "ISMCTSBot"),
    ("tarok", "MCTSBot"),
    ("hex", "MCTSBot"),
)

STARTS = 16  # dealt states for rollouts of a game with chance
ROLLOUTS = 32  # rollouts from one state in a row, at most
SLICE = 20_000  # moves
LENGTHS = 1024  # games that estimate the mean length
TABLES, STEPS = 1024, 32  # games of pgx that are stepped together, and steps in one call
SEARCHED = 4  # dealt states for searches
EXPLORE, MEMORY = 2.0, 100  # constant of the upper confidence bounds, as in OpenSpiel's examples; MB of a tree


def builders(tell: Callable[[str], None]) -> dict[str, Callable[[], Steps]]:
    """Return all peers by name. `tell` prints the error of an estimated length."""
    return {
        **{f"PettingZoo {name}": partial(_pettingzoo, name) for name in PETTINGZOO},
        **{f"RLCard {name}": partial(_rlcard, name) for name in RLCARD},
        **{f"OpenSpiel {name}": partial(_open_spiel, name, tell) for name in OPEN_SPIEL},
        **{f"pgx {name}, {TABLES:,} tables": partial(_pgx, name) for name in PGX},
        **{f"{SEARCHES} {game} {bot}": partial(_tree_search, game, bot) for game, bot in TREES},
    }


def _pettingzoo(name: str) -> Steps:
    """Play the raw environment in the loop of its documentation, as ours."""
    yield from aec_steps(importlib.import_module(f"pettingzoo.classic.{name}").raw_env())


def _rlcard(name: str) -> Steps:
    rlcard = importlib.import_module("rlcard")
    env = rlcard.make(name, config={"seed": 0})
    draw = random.Random(0).random
    while True:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(draw() * len(legal))])
            yield 1


def _open_spiel(name: str, tell: Callable[[str], None]) -> Steps:
    """Play random rollouts in C++: a step of a bot with one simulation plays some games from a state and little else.

    It does not report its moves, so the mean length of a rollout is estimated from games of uniform bots. Chance events
    count as moves. States are dealt at random, because some games hardly ever end from unusual deals.
    """
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    chance = random.Random(0)
    n = 1 if game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC else STARTS
    starts = [_dealt(game, chance) for _ in range(n)]
    lengths = [[_length(pyspiel, game, start, seed) for seed in range(LENGTHS // n)] for start in starts]
    means = [statistics.mean(sizes) for sizes in lengths]
    error = math.sqrt(sum(statistics.variance(sizes) / len(sizes) for sizes in lengths)) / sum(means)
    tell(f"OpenSpiel {name}: a rollout is {statistics.mean(means):.1f} moves long, standard error {100 * error:.1f} %")
    rollouts = max(1, min(ROLLOUTS, round(SLICE / sum(means))))
    searches = [pyspiel.RandomRolloutEvaluator(rollouts, seed) for seed in range(n)]
    bots = [
        pyspiel.MCTSBot(game, search, 1.0, 1, MEMORY, False, seed, False)  # one simulation, no solver
        for seed, search in enumerate(searches)
    ]
    while True:
        for bot, start in zip(bots, starts, strict=True):
            bot.step(start)
        yield round(rollouts * sum(means))


def _pgx(name: str) -> Steps:
    """Play random games of pgx, TABLES at a time, on the device that JAX chooses. On a CPU it may use several cores."""
    jax = importlib.import_module("jax")
    env = importlib.import_module("pgx").make(name)
    choose = importlib.import_module("pgx.experimental.utils").act_randomly
    step = jax.vmap(importlib.import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init))

    def play(states: Any, key: Any) -> tuple[Any, None]:
        first, second = jax.random.split(key)
        return step(states, choose(first, states.legal_action_mask), jax.random.split(second, TABLES)), None

    steps = jax.jit(lambda states, key: jax.lax.scan(play, states, jax.random.split(key, STEPS))[0])
    states, key = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), TABLES)), jax.random.PRNGKey(1)
    while True:
        key, own = jax.random.split(key)
        states = jax.block_until_ready(steps(states, own))
        yield TABLES * STEPS


def _tree_search(name: str, kind: str) -> Steps:
    """Make simulations of a bot on dealt states, each with one rollout. MCTSBot sees all cards, ISMCTSBot does not."""
    pyspiel = importlib.import_module("pyspiel")
    game, chance = pyspiel.load_game(name), random.Random(0)
    dealt = (_dealt(game, chance) for _ in count())
    searched = (state for state in dealt if len(state.legal_actions()) > 1)  # bots do not search a single action
    starts = list(islice(searched, SEARCHED))
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    if kind == "ISMCTSBot":
        bot = pyspiel.ISMCTSBot(0, evaluator, EXPLORE, SIMULATIONS)
    else:
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORE, SIMULATIONS, MEMORY, False, 0, False)
    for start in cycle(starts):
        bot.step(start)
        yield SIMULATIONS


def _dealt(game: Any, chance: random.Random) -> Any:
    """Return a new state after its first chance events."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(outcomes, weights)[0])
    return state


def _length(pyspiel: Any, game: Any, start: Any, seed: int) -> int:
    """Return the number of moves and chance events of one random game from `start`, played in C++."""
    state = start.clone()
    bots = [pyspiel.make_uniform_random_bot(player, seed * 31 + player) for player in range(game.num_players())]
    pyspiel.evaluate_bots(state, bots, seed)
    return len(state.full_history()) - len(start.full_history())
