"""Our games as Python games of OpenSpiel, and OpenSpiel bots as our agents.

An information state is a running digest of all observations of a seat and of its own actions. So players have perfect
recall, even if an observation leaves out earlier events. Digests are computed only when an information state is read.
Algorithms that read none, such as MCTS, only pay for the rules.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from ..core.admission import admitted
from ..core.compiled.drivers import OVER, PAID, SEAT
from ..core.game import Game
from ..core.observation import Actions, Observation
from ..core.options import Whole
from ..core.state import States

LONGEST = 1 << 20  # actions of a game without a limit
DIGEST = 12  # bytes of the digest of a seat's observations
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def spiel_game(
    rules: Game, deals: int | Sequence[States], seed: int, zero_sum: bool, utility: tuple[float, float] | None
) -> SpielGame:
    """Return the game, registered under a name that identifies its options; see `adapters.openspiel`."""
    utility = rules.returns if utility is None else utility
    tables: Any = deals if hasattr(deals, "__len__") else None
    number: Any = deals if tables is None else len(tables)
    rules.check("deals", deals, number in Whole(1), "1, 2, 3, .., or tables")
    rules.check("utility", utility, utility[0] < utility[1], "the lowest and the highest return, in this order")
    count = int(number)
    starts = None if tables is None else np.concatenate([admitted(rules, start) for start in tables])
    identity = [rules.name, rules.config, count, seed, zero_sum, list(utility), starts is not None and _digest(starts)]
    name = f"{rules.name}_{hashlib.sha256(json.dumps(identity, default=str).encode()).hexdigest()[:8]}"
    if name not in _GAMES:  # one class for each game: OpenSpiel keeps game classes until Python exits
        kind = pyspiel.GameType(
            short_name=name,
            long_name=rules.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=rules.players,
            min_num_players=rules.players,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.actions.size,
            max_chance_outcomes=count,
            num_players=rules.players,
            min_utility=utility[0],
            max_utility=utility[1],
            utility_sum=0.0 if zero_sum else None,
            max_game_length=rules.longest or rules.config[rules.cutoff] or LONGEST,
        )
        call = (rules, count if starts is None else list(starts.reshape(-1, 1)), seed, zero_sum, utility)
        _GAMES[name] = type(
            name,
            (SpielGame,),
            {"rules": rules, "starts": starts, "seed": seed, "kind_and_info": (kind, info), "call": call},
        )
        pyspiel.register_game(kind, _GAMES[name])
    return _GAMES[name]()


class SpielGame(pyspiel.Game):
    """One configuration of a game, with the deals that chance chooses from."""

    rules: Game
    starts: States | None  # None = the deals of the seeds from `seed` on
    seed: int
    kind_and_info: tuple[Any, Any]  # the type and the info that OpenSpiel requires
    call: tuple[Any, ...]  # the arguments of `spiel_game`

    def __init__(self, params: Any = None) -> None:
        super().__init__(*self.kind_and_info, {})

    def __reduce__(self) -> tuple[Any, ...]:
        return spiel_game, self.call  # registers the game in a process that does not have it

    def new_initial_state(self) -> SpielState:
        """Return the state before the deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer of a seat's view, or of all it has seen if `iig_obs_type` has perfect recall.

        Raises:
            ValueError: `params` are not empty.
        """
        if params:
            raise ValueError(f"{self.rules.name}: observer parameters {params} are not allowed; allowed: none")
        return SpielObserver(self.rules, bool(iig_obs_type and iig_obs_type.perfect_recall))

    def dealt(self, outcome: int) -> States:
        """Return the table of a chance outcome, shape (1,)."""
        if self.starts is None:
            return self.rules.new(self.seed + outcome)
        return self.starts[outcome : outcome + 1].copy()

    def state_at(self, table: States) -> SpielState:
        """Return the state of a table (1,), without memory of earlier observations."""
        state = self.new_initial_state()
        state.begin(table.copy())
        state.start = copy.deepcopy(state.play)
        return state


class SpielTable:
    """A table in play, with its seat to decide, its mask, the rewards so far and the digests of all observations.

    OpenSpiel copies a Python state attribute by attribute with `deepcopy`. All of a state is in this object, which
    copies itself in a few microseconds.
    """

    __slots__ = ("_before", "_mask", "_seen", "_since", "over", "paid", "rules", "seat", "states")

    def __init__(self, rules: Game, states: States) -> None:
        self.rules = rules
        self.states = states  # (1,)
        self.seat = int(states["seat"][0])
        self.over = bool(states["over"][0])
        self.paid = [0.0] * rules.players
        self._mask = rules.mask(states)
        self._before = states.tobytes()  # the table that `_seen` belongs to
        self._since: list[int] = []  # the actions after it
        self._seen: list[bytes] = []  # a digest for each seat; empty until it is read

    def __deepcopy__(self, memo: dict[int, Any]) -> SpielTable:
        table = object.__new__(SpielTable)
        table.rules, table.seat, table.over, table._before = self.rules, self.seat, self.over, self._before
        table.states, table._mask = self.states.repeat(1), self._mask  # a mask is replaced, never changed
        table.paid, table._since, table._seen = self.paid[:], self._since[:], self._seen[:]
        return table

    def legal(self) -> list[int]:
        """Return the legal actions, ascending."""
        actions: list[int] = self._mask.nonzero()[0].tolist()
        return actions

    def play(self, action: int) -> None:
        """Play an action of the seat to decide.

        Raises:
            ValueError: The action is illegal. Nothing has changed.
        """
        rules, view = self.rules, self.rules.view
        if not 0 <= action < len(self._mask) or not self._mask[action]:
            rules.check_action(self.states, self._mask, action)
        narrow, observation = np.empty(view.size, view.dtype), np.empty(view.size, np.float32)
        mask = np.empty_like(self._mask)
        flags = rules.drivers.step_row(self.states, 0, action, narrow, view.factors, observation, mask)
        self.seat, self.over, self._mask = flags & SEAT, bool(flags & OVER), mask
        if flags & PAID:
            rewards = self.states["rewards"][0].tolist()
            self.paid = [total + more for total, more in zip(self.paid, rewards, strict=False)]
        self._since.append(action)

    def seen(self, seat: int) -> bytes:
        """Return a digest of all observations and actions of a seat."""
        if self._since or not self._seen:
            self._look()
        return self._seen[seat]

    def know(self, seat: int, digest: bytes) -> None:
        """Replace the digest of a seat."""
        self.seen(seat)
        self._seen[seat] = digest

    def _look(self) -> None:
        """Replay the actions since the last call, and add each seat's observations and actions to its digest."""
        rules, table = self.rules, np.frombuffer(self._before, self.states.dtype).repeat(1)
        self._seen = self._seen or _added([b""] * rules.players, rules, table)
        for action in self._since:
            self._seen[int(table["seat"][0])] += action.to_bytes(4, "little")
            rules.drivers.apply_row(table, 0, action)
            self._seen = _added(self._seen, rules, table)
        self._before, self._since = table.tobytes(), []


def _added(digests: list[bytes], rules: Game, table: States) -> list[bytes]:
    """Return the digests of all seats with their observations of the table (1,) added."""
    players = rules.players
    views = np.empty((players, rules.view.size), rules.view.dtype)
    masks = np.empty((players, rules.actions.size), np.int8)
    rules.drivers.observe_rows(table, np.zeros(players, np.int64), np.arange(players), views, masks)
    pairs = zip(digests, views, strict=True)
    return [hashlib.blake2b(before + view.tobytes(), digest_size=DIGEST).digest() for before, view in pairs]


class SpielState(pyspiel.State):
    """A table with the history that OpenSpiel keeps of it. Before the deal there is only the history."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.play: SpielTable | None = None
        self.start: SpielTable | None = None  # where the history begins, if not with a deal

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self.get_game(), self.start, self.history())

    @property
    def table(self) -> States | None:
        """The table, shape (1,); None before the deal."""
        return self.play.states if self.play else None

    @property
    def rules(self) -> Game:
        """The game of the table."""
        rules: Game = self.get_game().rules
        return rules

    def begin(self, table: States) -> None:
        """Set the table (1,)."""
        self.play = SpielTable(self.rules, table)

    def current_player(self) -> int:
        """Return the seat to decide, or OpenSpiel's number for chance or for the end."""
        play = self.play
        if play is None:
            return CHANCE
        return TERMINAL if play.over else play.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.legal() if self.play else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return all deals with equal probabilities."""
        deals = self.get_game().max_chance_outcomes()
        return [(deal, 1.0 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self.play is None:
            self.begin(self.get_game().dealt(action))
        else:
            self.play.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if self.play is None else self.rules.action_name(self.play.states, action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.play is not None and self.play.over

    def returns(self) -> list[float]:
        """Return the sum of every seat's rewards, a list of `players` numbers; zeros before the end."""
        return self.play.paid[:] if self.play and self.play.over else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that looks equal to `player`, with everything it cannot know resampled by `sampler`."""
        game: SpielGame = self.get_game()
        other = game.new_initial_state()
        if self.play is None:
            return other
        other.play = table = SpielTable(
            game.rules, game.rules.redeal(self.play.states, int(sampler() * (1 << 53)), player)
        )
        table.know(player, self.play.seen(player))
        table.paid = self.play.paid[:]
        other.start = copy.deepcopy(table)
        return other

    def __str__(self) -> str:
        if self.play is None:
            return "before the deal"
        return f"{self.rules.picture(self.play.states)}#{_digest(self.play.states)}"


def _replayed(game: SpielGame, start: SpielTable | None, actions: Sequence[int]) -> SpielState:
    """Return a pickled state. OpenSpiel keeps the history of a state itself, so its actions are played again."""
    state = game.new_initial_state()
    state.start, state.play = start, copy.deepcopy(start)
    for action in actions:
        state.apply_action(action)
    return state


class SpielObserver:
    """An observer for OpenSpiel's observations and information states.

    Attributes:
        tensor: (view.size,) float32, the observation.
        dict: {"observation": tensor}.
    """

    def __init__(self, rules: Game, recall: bool) -> None:
        self._rules, self._recall = rules, recall
        self.tensor: npt.NDArray[np.float32] = np.zeros(rules.view.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill `tensor` with the observation of `player`."""
        self.tensor[:] = 0.0 if state.table is None else self._rules.observation(state.table, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the table as `player` sees it, as text; with perfect recall the digest of all it has seen and done."""
        if state.play is None:
            return "before the deal"
        if self._recall:
            return f"seat {player}, move {int(state.play.states['plies'][0])}, {state.play.seen(player).hex()}"
        return self._rules.picture(state.play.states, player)


class SpielBot:
    """An agent that lets an OpenSpiel bot decide in one determinization of the table."""

    def __init__(self, game: SpielGame, bot: Any, name: str) -> None:
        self.name = name
        self._game, self._bot = game, bot

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the bot's action at every table, shape (k,). The bot gets each table without its history."""
        sampled = obs.determinize(1, rng)
        states = (self._game.state_at(sampled[k : k + 1]) for k in range(len(obs)))
        return np.array([self._bot.step(state) for state in states], np.int64)


def _digest(states: States) -> str:
    return hashlib.sha256(states.tobytes()).hexdigest()[:16]


_GAMES: dict[str, type[SpielGame]] = {}  # by short name
