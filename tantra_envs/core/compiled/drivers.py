"""The compiled loops that drive every game, written once.

`bind` gives each game its own copies: these functions with the game's kernels in place of the names below.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rng import below, seed_stream
from . import jit
from .cache import CORE, source_root
from .jit import F, Kernel, entry_point, kernel, leaf, template, unbound
from .scoring import score_teams
from .starting import AT_ONCE, LATER, SINGLE, startable
from .tree import UNENDED, backpropagate, best_edge, child_of, new_edge, random_priors, tried, widening_limit

SEAT, PAID, OVER = 63, 64, 128  # parts of the number that `step_row` returns: a mask for the seat, and two flags
LOOK = -2  # in place of an action of `step_row`
STRIDE = 32  # actions checked together
FOREVER = 1 << 40  # a number of actions, or of other units of a horizon, that no game reaches
RULES = "apply"  # the kernel that every game has
NEEDS: dict[str, str] = {}  # the kernel that a driver cannot do without, by the name of the driver

deal: Kernel = unbound
legal_actions: Kernel = unbound
apply: Kernel = unbound
observe: Kernel = unbound
redeal: Kernel = unbound
conceal: Kernel = unbound
look: Kernel = unbound
choose: Kernel = unbound
decide: Kernel = unbound
rate: Kernel = unbound
clock: Kernel = unbound
standing: Kernel = unbound
rewind: Kernel = unbound
TEMPERATURE, MIN_PROBABILITY = 1.0, 0.0  # see `log_odds`


class Drivers:
    """The compiled entry points of one game: each function marked with `driver`, and None for those it cannot have.

    Attributes:
        kernels: The kernels of the game and of its agent, by name.
        home: The module with the rules. The machine code is stored by its file.
    """

    def __init__(self, **members: Any) -> None:
        for name, member in members.items():  # Python finds them four times as fast as if `__dict__` were updated
            setattr(self, name, member)

    if TYPE_CHECKING:  # at run time it would make every attribute slower

        def __getattr__(self, name: str) -> Any: ...


def driver(needs: str = RULES, single: str = "") -> Callable[[F], F]:
    """Return a decorator for a driver.

    Args:
        needs: The kernel without which a game does not have this driver.
        single: AT_ONCE or LATER = single tables play it as plain Python until it is compiled: see `starting.py`.
    """

    def declare(function: F) -> F:
        NEEDS[function.__name__] = needs
        if single:
            SINGLE[function.__name__] = single
        return template(startable)(function)

    return declare


def bind(
    rules: ModuleType,
    view: ModuleType,
    redeal: ModuleType,
    conceal: Kernel,
    player: ModuleType | None = None,
    rewind: ModuleType | None = None,
) -> Drivers:
    """Return the drivers of a game.

    Args:
        rules: The module with the kernels `deal`, `legal_actions` and `apply`.
        view: The module with `observe`.
        redeal: The module with `redeal`.
        conceal: The kernel of the game's `Fields`.
        player: The module of the scripted agent. Without it, there are no drivers that ask the agent.
        rewind: The module with `rewind`. Without it, determinizations cannot be weighed by past decisions.
    """
    kernels = {name: getattr(rules, name) for name in ("deal", "legal_actions", "apply")}
    kernels |= {"observe": view.observe, "redeal": redeal.redeal, "conceal": conceal}
    if player is not None:
        kernels |= {"clock": player.clock, "standing": player.standing, **_agent(player, reads_observation=False)}
    if rewind is not None:
        kernels |= {name: getattr(rewind, name) for name in ("rewind", "TEMPERATURE", "MIN_PROBABILITY")}
    copies = jit.bind(__name__, kernels, rules)
    functions = {name: copies[name] if needed in kernels else None for name, needed in NEEDS.items()}
    return Drivers(kernels=kernels, home=rules, **functions)


def _agent(player: Any, reads_observation: bool) -> dict[str, Kernel]:
    """Return the kernels of an agent, with those that ask it: for its input, and for its `decide` if it has one."""
    look = look_at_observation if reads_observation else look_at_record
    if hasattr(player, "decide"):
        return {"rate": player.rate, "look": look, "decide": player.decide, "choose": choose_by_decision}
    return {"rate": player.rate, "look": look, "choose": choose_by_rating}


@functools.cache
def with_player(drivers: Drivers, player: Any, reads_observation: bool = False) -> Drivers:
    """Return the drivers with `rate` and `decide` of another agent. They are compiled when they are called.

    Agents of one game have different `__name__`. The code of an agent from outside is stored with its own file, because
    an edit of this file does not change the cache folder of the game.

    Args:
        drivers: The drivers of the game.
        player: The module of the agent.
        reads_observation: True = its kernels get the float observation of a seat, as networks do, and not the concealed
            record.
    """
    agent = inspect.unwrap(player.rate)
    inside = source_root(agent.__code__.co_filename) in (CORE, source_root(str(drivers.home.__file__)))
    home = drivers.home if inside else sys.modules[agent.__module__]
    kernels = {**drivers.kernels, **_agent(player, reads_observation)}
    how = "_by_view" if reads_observation else "_by"
    copies = jit.bind(__name__, kernels, home, f"{how}_{player.__name__}_in_{drivers.home.__name__}")
    functions = {name: getattr(drivers, name) for name in NEEDS}
    functions |= {name: copies[name] for name, needed in NEEDS.items() if needed != RULES and needed in kernels}
    return Drivers(kernels=kernels, home=drivers.home, **functions)


# Arguments of one name mean the same in all drivers: states (n,) records; rows, seats, seeds, actions (k,) int64;
# narrows (k, view size) integers of `game.view.dtype`, factors (1 or 2, view size) and views (k, view size) float32;
# masks (k, actions) int8. One table: narrow, view, mask, a row of each. work (1,) is the scripted agent's scratch,
# which its module's `prepare` makes; it is part of `scratch`, a `Scratch` of one thread.


@driver(single=AT_ONCE)
def deal_rows(states: Any, rows: Any, seeds: Any) -> None:
    """Deal new games at the tables `rows`; `opt` and `seats` stay."""
    for k in range(len(rows)):
        deal(states[rows[k]], seeds[k])


@driver(single=LATER)
def legal_row(states: Any, i: int, mask: Any) -> None:
    """Fill in the legal actions of the seat to decide at table `i`; none when the game is over."""
    legal_actions(states[i], mask)


@driver(single=LATER)
def apply_row(states: Any, i: int, action: int) -> None:
    """Apply a legal action at table `i`."""
    apply(states[i], action)


@driver(single=LATER)
def observe_row(states: Any, i: int, seat: int, narrow: Any, factors: Any, view: Any) -> None:
    """Fill in the observation of `seat` at table `i`, as whole numbers and as float32."""
    observe(states[i], seat, narrow)
    to_float(narrow, factors, view)


@driver(single=AT_ONCE)
def step_row(states: Any, i: int, action: int, narrow: Any, factors: Any, view: Any, mask: Any) -> Any:
    """Apply an action at table `i`, or none for LOOK, and fill in observation and mask of the seat to decide.

    With LOOK an environment shows a new table too. So its first step needs this driver and `deal_rows` only.

    Returns:
        That seat, plus PAID if the action gave rewards, plus OVER if it ended the game; -1, with the table unchanged,
        if the action is illegal.
    """
    s = states[i]
    if action != LOOK:
        legal_actions(s, mask)
        if action < 0 or action >= len(mask) or mask[action] == 0:
            return -1
        apply(s, action)
    observe(s, s.seat, narrow)
    to_float(narrow, factors, view)
    legal_actions(s, mask)
    paid = 0
    for seat in range(s.seats):
        if s.rewards[seat] != 0.0:
            paid = PAID
    return s.seat + paid + OVER * s.over


@driver(single=LATER)
def redeal_rows(states: Any, seeds: Any, seats: Any) -> None:
    """Resample everything that `seats[k]` cannot know at table k, and its random stream."""
    for k in range(len(states)):
        redeal(states[k], seeds[k], seats[k])


@driver(single=LATER)
def observe_rows(states: Any, rows: Any, seats: Any, narrows: Any, masks: Any) -> None:
    """Fill in the observation of `seats[k]` at table `rows[k]`, and its mask: all zero if another seat decides."""
    for k in range(len(rows)):
        s = states[rows[k]]
        observe(s, seats[k], narrows[k])
        if seats[k] == s.seat:
            legal_actions(s, masks[k])
        else:
            for a in range(masks.shape[1]):
                masks[k, a] = 0


@driver(single=LATER)
def apply_rows(states: Any, rows: Any, actions: Any) -> None:
    """Apply a legal action at each of the tables `rows`."""
    for k in range(len(rows)):
        apply(states[rows[k]], actions[k])


@driver(single=LATER)
def play_until_turn(
    states: Any, rows: Any, seats: Any, teams: Any, streams: Any, mask: Any, gained: Any, totals: Any
) -> None:
    """Play uniform legal actions at the tables `rows` until a seat of `teams[row]` decides or the game is over.

    A team is a number with bit `seat` set for each of its seats. Random numbers come from `streams[row]`. The rewards
    of `seats[row]` are added to `gained[row]`, those of every seat to `totals[row]`.
    """
    for k in range(len(rows)):
        i = rows[k]
        s = states[i]
        while s.over == 0 and (teams[i] >> s.seat) & 1 == 0:
            legal_actions(s, mask)
            apply(s, pick_legal(mask, streams[i]))
            gained[i] += s.rewards[seats[i]]
            add_rewards(s, totals[i])


@driver()
def step_batch(
    states: Any,
    actions: Any,
    seeds: Any,
    narrows: Any,
    factors: Any,
    views: Any,
    legal: Any,
    masks: Any,
    rewards: Any,
    terminations: Any,
    truncations: Any,
    check: int,
    lo: int,
    hi: int,
) -> int:
    """Apply actions at the tables lo..hi-1, deal new games where one ended, and observe the seats to decide.

    Args:
        legal: The masks. `masks` is a copy of them for the user.
        narrows: The observations in whole numbers, or without rows if nobody reads observations. Row `lo` is scratch if
            `views` has rows.
        views: The observations as floats, or without rows, (0, view size), for observations in whole numbers.
        seeds: `seeds[i]` is the seed of the next deal of table `i`. It grows by the number of tables.
        check: 1 = look for illegal actions at all tables first.

    Returns:
        -1, or with `check` the first table whose action is illegal; then nothing is changed.
    """
    if check:
        illegal = find_illegal(legal, actions)
        if illegal >= 0:
            return illegal
    for i in range(lo, hi):
        s = states[i]
        apply(s, actions[i])
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = s.rewards[seat]
        terminations[i] = s.over == 1 and s.truncated == 0
        truncations[i] = s.truncated == 1
        if s.over:
            deal(s, seeds[i])
            seeds[i] += len(states)
        legal_actions(s, legal[i])
        if len(views) == 0 and len(narrows) > 0:
            observe(s, s.seat, narrows[i])
        elif len(narrows) > 0:
            observe(s, s.seat, narrows[lo])  # one row for all tables stays in the first-level cache
            to_float(narrows[lo], factors, views[i])
    copy_rows(legal, masks, lo, hi)
    return -1


@driver()
def first_illegal(masks: Any, actions: Any) -> int:
    """Return the first table whose action its mask forbids, or -1 if all actions are legal."""
    return find_illegal(masks, actions)


@kernel
def find_illegal(masks: Any, actions: Any) -> int:
    """Return the first table whose action its mask forbids, or -1 if all actions are legal."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    return -1


@driver()
def sample_legal(masks: Any, streams: Any, actions: Any, lo: int, hi: int) -> None:
    """Draw a uniform legal action for each of the rows lo..hi-1, from the random streams (n, 4) int64."""
    for i in range(lo, hi):
        actions[i] = pick_legal(masks[i], streams[i])


@driver()
def random_playouts(states: Any, mask: Any, lo: int, hi: int) -> int:
    """Play the tables lo..hi-1 to their ends with uniform legal actions; return the number of actions."""
    played = 0
    for i in range(lo, hi):
        s = states[i]
        while s.over == 0:
            legal_actions(s, mask)
            apply(s, pick_legal(mask, s.rng))
            played += 1
    return played


@driver(single=LATER)
def conceal_rows(states: Any, rows: Any, seats: Any, firsts: Any, known: Any) -> None:
    """Fill `known` (k,) with what `seats[k]` may see of table `rows[k]`, seats counted from `firsts[k]`."""
    for k in range(len(rows)):
        conceal(states[rows[k]], seats[k], firsts[k], known[k])


@driver(needs="rate", single=LATER)
def choose_rows(known: Any, masks: Any, work: Any, values: Any, actions: Any) -> None:
    """Fill in the scripted agent's actions for its inputs: concealed records (k,), or float32 observations.

    The agent may work in `values` (actions,) float64.
    """
    for k in range(len(actions)):
        actions[k] = choose(known[k], masks[k], work[0], values)


@driver(needs="rate")
def rate_rows(known: Any, masks: Any, work: Any, values: Any) -> None:
    """Fill in the scripted agent's rating of every action, (k, actions) float64; -inf for illegal ones."""
    for k in range(len(values)):
        rate(known[k], masks[k], work[0], values[k])


@driver(needs="rate")
def scripted_until_turn(states: Any, rows: Any, seats: Any, stops: Any, scratch: Any, gained: Any, totals: Any) -> None:
    """Let the scripted agent play at the tables `rows` until a seat of `stops[row]` decides or the game is over.

    A bit of `stops[row]` is set for each of these seats. The rewards of `seats[row]` are added to `gained[row]`, those
    of every seat to `totals[row]`.
    """
    for k in range(len(rows)):
        i = rows[k]
        s = states[i]
        while s.over == 0 and (stops[i] >> s.seat) & 1 == 0:
            apply(s, scripted_action(s, scratch))
            gained[i] += s.rewards[seats[i]]
            add_rewards(s, totals[i])


@driver(needs="rate")
def scripted_playouts(states: Any, scratch: Any, plies: int, horizon: int, rewards: Any, lo: int, hi: int) -> int:
    """Let the scripted agent of every seat play on at the tables lo..hi-1; return the actions played.

    A table stops when it is over, after `plies` actions, or when the agent's `clock` has advanced by `horizon`. The
    rewards of every seat are added to `rewards`.
    """
    played = 0
    for i in range(lo, hi):
        s = states[i]
        end = clock(s) + horizon
        played += play_on(s, 1, scratch, plies, end, rewards[i])
    return played


@template(kernel)
def play_on(s: Any, scripted: int, scratch: Any, plies: int, end: int, rewards: Any) -> int:
    """Play one table to its end, for `plies` actions, or until `clock` is at `end`; return the actions played.

    The scripted agent plays every seat. With `scripted` 0 uniform legal actions are played.
    """
    played = 0
    while s.over == 0 and played < plies and clock(s) < end:
        if scripted:
            action = scripted_action(s, scratch)
        else:
            legal_actions(s, scratch.mask)
            action = pick_legal(scratch.mask, s.rng)
        apply(s, action)
        add_rewards(s, rewards)
        played += 1
    return played


@template(kernel)
def scripted_action(s: Any, scratch: Any) -> int:
    """Return the scripted agent's action for the seat to decide. The agent is asked only if there is a choice."""
    legal_actions(s, scratch.mask)
    action = only_one(scratch.mask)
    if action < 0:
        look(s, scratch)
        action = int(choose(scratch.input[0], scratch.mask, scratch.work[0], scratch.values))
    return action


@template(kernel)
def choose_by_decision(known: Any, mask: Any, work: Any, values: Any) -> int:
    """Return the action of an agent with a kernel `decide`."""
    return int(decide(known, mask, work))


@template(kernel)
def choose_by_rating(known: Any, mask: Any, work: Any, values: Any) -> int:
    """Return the action with the highest rating, the first of equal ones. Illegal actions have the rating -inf."""
    rate(known, mask, work, values)
    best, most = 0, values[0]
    for action in range(1, len(values)):
        if values[action] > most:
            best, most = action, values[action]
    return best


@template(kernel)
def look_at_record(s: Any, scratch: Any) -> None:
    """Fill in what the seat to decide may see, as a concealed record."""
    conceal(s, s.seat, s.seat, scratch.input[0])


@template(kernel)
def look_at_observation(s: Any, scratch: Any) -> None:
    """Fill in what the seat to decide may see, as the float observation."""
    observe(s, s.seat, scratch.narrow)
    to_float(scratch.narrow, scratch.factors, scratch.input[0])


@driver(needs="rate")
def standing_rows(states: Any, values: Any) -> None:
    """Fill in how good the position of every seat is, (k, seats) float64, in units of reward.

    Playouts that stop early use these values.
    """
    for k in range(len(states)):
        for seat in range(values.shape[1]):
            values[k, seat] = standing(states[k], seat)


@driver(needs="rate")
def simulate(samples: Any, tree: Any, scratch: Any) -> None:
    """Run one search simulation in each of the determinizations `samples` (k,): see `tree.py`."""
    head, representatives = tree.head[0], tree.representatives
    rewards, standings, scores = tree.results[0], tree.results[1], tree.results[2][: len(representatives)]
    for k in range(len(samples)):
        s = samples[k]
        for seat in range(s.seats):
            rewards[seat] = 0.0
        end = clock(s) + head.horizon
        depth = select_and_expand(s, tree, scratch, end, rewards)
        plies = depth + play_on(s, head.scripted, scratch, FOREVER, end, rewards)
        for seat in range(s.seats):
            standings[seat] = standing(s, seat)
            if s.over == 0:
                rewards[seat] += standings[seat]
        score_teams(rewards, standings, int(s.over), representatives, scores)
        backpropagate(tree, depth, scores, plies if s.over else UNENDED)


@driver(needs="rewind")
def log_likelihoods(samples: Any, before: Any, again: Any, actions: Any, seat: int, scratch: Any, odds: Any) -> None:
    """Add log-likelihoods of past decisions to `odds` (k,) float64, for the determinizations `samples` (k,).

    `before` (m,) holds the positions of the decisions, `again` (m,) a copy of them, `actions` (m,) the actions taken.
    `seat` is the observer. The game's `rewind` changes the table in `again` to the cards of a determinization.
    """
    for j in range(len(before)):
        for k in range(len(samples)):
            known = rewind(again[j], before[j], samples[k], seat)
            if known < 0:
                odds[k] += math.log(MIN_PROBABILITY)
            elif known > 0:
                odds[k] += log_odds(again[j], int(actions[j]), scratch)


@template(kernel)
def log_odds(s: Any, action: int, scratch: Any) -> float:
    """Return the logarithm of the probability that the seat to decide takes an action, at least log(MIN_PROBABILITY).

    An action that the scripted agent rates lower by TEMPERATURE than its best is e times less likely.
    """
    mask = scratch.mask
    legal_actions(s, mask)
    if mask[action] == 0:
        return math.log(MIN_PROBABILITY)
    if ones(mask) == 1:
        return 0.0
    rate_legal(s, 1, scratch)
    return math.log(MIN_PROBABILITY + (1.0 - MIN_PROBABILITY) * softmax_of(scratch.values, action, TEMPERATURE))


@template(kernel)
def select_and_expand(s: Any, tree: Any, scratch: Any, end: int, rewards: Any) -> int:
    """Play a table on along the tree until a new node or edge; return the number of actions.

    Every seat takes the best action for its team. The edges taken are written to the path. A node that was visited v
    times has v ** widening actions tried, in the order of the scripted agent's ratings.
    """
    nodes, mask, head = tree.nodes, scratch.mask, tree.head[0]
    node, depth, new = 0, 0, False
    while s.over == 0 and clock(s) < end and not new:
        legal_actions(s, mask)
        nodes[node].visits += 1
        edge = best_edge(tree, node, mask, int(tree.teams[s.seat]))
        if tried(tree, node, mask) < min(ones(mask), widening_limit(tree, node)):
            rate_legal(s, head.scripted, scratch)
            edge = new_edge(tree, node, scratch.values)
            new = True
        tree.path[depth] = edge
        depth += 1
        apply(s, int(tree.edges[edge].action))
        add_rewards(s, rewards)
        observe(s, head.observer, scratch.narrow)
        node = child_of(tree, node, scratch.narrow)
        new = new or nodes[node].visits == 0
    nodes[node].visits += 1
    return depth


@template(kernel)
def rate_legal(s: Any, scripted: int, scratch: Any) -> None:
    """Fill in values of the legal actions, -inf for others: the scripted agent's, or with `scripted` 0 random ones."""
    if scripted:
        look(s, scratch)
        rate(scratch.input[0], scratch.mask, scratch.work[0], scratch.values)
    else:
        random_priors(s.rng, scratch.mask, scratch.values)


@kernel
def softmax_of(values: Any, action: int, temper: float) -> float:
    """Return the softmax probability of an action, with temperature `temper`."""
    most, total = values[action], 0.0
    for a in range(len(values)):
        most = max(most, values[a])
    for a in range(len(values)):
        if values[a] > -math.inf:
            total += math.exp((values[a] - most) / temper)
    return math.exp((values[action] - most) / temper) / total


@leaf
def add_rewards(s: Any, rewards: Any) -> None:
    """Add the rewards of the last action for every seat."""
    for seat in range(s.seats):
        rewards[seat] += s.rewards[seat]


@kernel
def pick_legal(mask: Any, stream: Any) -> int:
    """Return a uniform random index among the ones of `mask`, or -1 if all entries are zero."""
    legal = ones(mask)
    if legal == 0:
        return -1
    skip = below(stream, legal)
    first, ahead = 0, ones(mask[:STRIDE])
    while skip >= ahead:
        skip -= ahead
        first += STRIDE
        ahead = ones(mask[first : first + STRIDE])
    chosen = first - 1
    while skip >= 0:
        chosen += 1
        skip -= mask[chosen]
    return chosen


@kernel
def copy_rows(source: Any, target: Any, lo: int, hi: int) -> None:
    """Copy the rows lo..hi-1 of an array in one loop: the rows are so short that single copies take longer."""
    size = source.shape[1]
    numbers = source.reshape(len(source) * size)[lo * size : hi * size]
    copies = target.reshape(len(target) * size)[lo * size : hi * size]
    for k in range(len(numbers)):
        copies[k] = numbers[k]


@kernel
def ones(mask: Any) -> int:
    """Return the number of legal actions. The loop has no branches, so that the compiler can vectorise it."""
    count = 0
    for a in range(len(mask)):
        count += mask[a]
    return count


@kernel
def only_one(mask: Any) -> int:
    """Return the legal action if there is exactly one, else -1. Stop where a second one is found."""
    legal, action = 0, 0
    for first in range(0, len(mask), STRIDE):
        here = ones(mask[first : first + STRIDE])
        action = first if here > 0 else action
        legal += here
        if legal > 1:
            return -1
    while legal == 1 and mask[action] == 0:
        action += 1
    return action if legal == 1 else -1


@kernel
def to_float(narrow: Any, factors: Any, view: Any) -> None:
    """Fill in the float32 observation of whole numbers, correctly rounded: see `factors` in `core/blocks.py`."""
    if len(factors) == 1:
        for i in range(len(view)):
            view[i] = np.float32(narrow[i]) / factors[0, i]
    else:
        for i in range(len(view)):
            number = np.float32(narrow[i])
            view[i] = number * factors[0, i] + number * factors[1, i]


@entry_point
def to_float_rows(narrow: Any, factors: Any, views: Any, lo: int, hi: int) -> None:
    """Fill in the float32 observations of the rows lo..hi-1."""
    for i in range(lo, hi):
        to_float(narrow[i], factors, views[i])


@entry_point
def seed_streams(streams: Any, seed: int) -> None:
    """Start the random streams (n, 4): stream i from seed + i."""
    for i in range(len(streams)):
        seed_stream(streams[i], seed + i)


@entry_point
def random_ints(streams: Any, rows: Any, n: int, drawn: Any) -> None:
    """Draw a uniform integer 0 .. n - 1 from each of the random streams `rows`, 1 <= n < 2**31."""
    for k in range(len(rows)):
        drawn[k] = below(streams[rows[k]], n)
