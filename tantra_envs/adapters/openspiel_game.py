"""A game of ours as a Python game of OpenSpiel, and a bot of OpenSpiel as one of our agents.

What a player knows is what its seat sees after every move: the information state is a running digest of that and of
its own actions, so recall is perfect, whatever the observation of the moment forgets. The digests are made when an
information state is asked for. Algorithms that ask for none, such as MCTS, pay for the rules only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from ..core.compiled.drivers import OVER, PAID, SEAT
from ..core.game import Game, is_whole
from ..core.observation import Actions, Observation
from ..core.state import States

LONGEST = 1 << 20  # actions of a game that has no cut-off
DIGEST = 12  # bytes of what a seat has seen so far
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def spiel_game(
    rules: Game, deals: int | Sequence[States], seed: int, zero_sum: bool, utility: tuple[float, float]
) -> SpielGame:
    """The game, registered under a name that says which one it is; see `adapters.openspiel`."""
    count = deals if isinstance(deals, int) else len(deals)
    rules.check("deals", deals, is_whole(count) and count > 0, "1, 2, 3, .., or tables")
    rules.check("utility", utility, utility[0] < utility[1], "the lowest and the highest return, in this order")
    starts = None if isinstance(deals, int) else np.concatenate([rules.check_states(start) for start in deals])
    told = [rules.name, rules.config, count, seed, zero_sum, list(utility), starts is not None and _digest(starts)]
    name = f"{rules.name}_{hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:8]}"
    if name not in _GAMES:  # a class of its own: OpenSpiel keeps what makes a game until Python itself has gone
        kind, info = _type(rules, name, zero_sum), _info(rules, count, zero_sum, utility)
        _GAMES[name] = type(name, (SpielGame,), {"rules": rules, "starts": starts, "seed": seed, "told": (kind, info)})
        pyspiel.register_game(kind, _GAMES[name])
    return _GAMES[name]()


def _type(rules: Game, name: str, zero_sum: bool) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=rules.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=rules.players,
        min_num_players=rules.players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


def _info(rules: Game, deals: int, zero_sum: bool, utility: tuple[float, float]) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=rules.actions.size,
        max_chance_outcomes=deals,
        num_players=rules.players,
        min_utility=utility[0],
        max_utility=utility[1],
        utility_sum=0.0 if zero_sum else None,
        max_game_length=rules.config[rules.cutoff] or LONGEST,
    )


class SpielGame(pyspiel.Game):
    """One configuration of a game, with the deals that chance chooses from."""

    rules: Game
    starts: States | None  # None = the deals of the seeds from `seed` on
    seed: int
    told: tuple[Any, Any]  # what OpenSpiel wants to know of it

    def __init__(self, params: Any = None) -> None:
        super().__init__(*self.told, {})

    def new_initial_state(self) -> SpielState:
        """Before the deal."""
        return SpielState(self, self.rules)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """What a seat sees; with perfect recall all it has seen."""
        if params:
            raise ValueError(f"{self.rules.name}: observer parameters {params} are not allowed; allowed: none")
        return SpielObserver(self.rules, bool(iig_obs_type and iig_obs_type.perfect_recall))

    def dealt(self, outcome: int) -> States:
        """The table of a chance outcome, shape (1,)."""
        if self.starts is None:
            return self.rules.new(self.seed + outcome)
        return self.starts[outcome : outcome + 1].copy()

    def state_at(self, table: States) -> SpielState:
        """The state of a table (1,); what was seen before counts for nothing."""
        state = self.new_initial_state()
        state.begin(table.copy())
        return state


class SpielTable:
    """A table in play: who decides, what is legal, what every seat was paid and, once asked for, what it has seen.

    OpenSpiel copies a Python state attribute by attribute with `deepcopy`, so a state has this one, which copies
    itself in a few microseconds.
    """

    __slots__ = ("_before", "_mask", "_seen", "_since", "over", "paid", "rules", "seat", "states")

    def __init__(self, rules: Game, states: States) -> None:
        self.rules = rules
        self.states = states  # (1,)
        self.seat = int(states["seat"][0])
        self.over = bool(states["over"][0])
        self.paid = [0.0] * rules.players
        self._mask = rules.mask(states)
        self._before = states.tobytes()  # the table that `_seen` speaks of
        self._since: list[int] = []  # what was played after it
        self._seen: list[bytes] = []  # a digest for each seat; empty = nobody has looked yet

    def __deepcopy__(self, memo: dict[int, Any]) -> SpielTable:
        twin = object.__new__(SpielTable)
        twin.rules, twin.seat, twin.over, twin._before = self.rules, self.seat, self.over, self._before
        twin.states, twin._mask = self.states.repeat(1), self._mask  # a mask is replaced and never written to
        twin.paid, twin._since, twin._seen = self.paid[:], self._since[:], self._seen[:]
        return twin

    def legal(self) -> list[int]:
        """Return the legal actions, ascending."""
        actions: list[int] = self._mask.nonzero()[0].tolist()
        return actions

    def play(self, action: int) -> None:
        """Play an action of the seat that decides; ValueError, nothing changed, if it is illegal."""
        rules, view = self.rules, self.rules.view
        if not 0 <= action < len(self._mask) or not self._mask[action]:
            rules.check_action(self.states, self._mask, action)
        narrow, seen, mask = np.empty(view.size, view.dtype), np.empty(view.size, np.float32), np.empty_like(self._mask)
        flags = rules.drivers.step_row(self.states, 0, action, narrow, view.factors, seen, mask)
        self.seat, self.over, self._mask = flags & SEAT, bool(flags & OVER), mask
        if flags & PAID:
            rewards = self.states["rewards"][0].tolist()
            self.paid = [paid + more for paid, more in zip(self.paid, rewards, strict=False)]
        self._since.append(action)

    def seen(self, seat: int) -> bytes:
        """Return a digest of all that a seat has seen and done."""
        if self._since or not self._seen:
            self._look()
        return self._seen[seat]

    def know(self, seat: int, seen: bytes) -> None:
        """Let a seat have seen something else before this table."""
        if self._since or not self._seen:
            self._look()
        self._seen[seat] = seen

    def _look(self) -> None:
        """Play what nobody has looked at yet once more, and add what each seat sees and does to its digest."""
        rules, table = self.rules, np.frombuffer(self._before, self.states.dtype).repeat(1)
        self._seen = self._seen or _added([b""] * rules.players, rules, table)
        for action in self._since:
            self._seen[int(table["seat"][0])] += action.to_bytes(4, "little")
            rules.drivers.apply_row(table, 0, action)
            self._seen = _added(self._seen, rules, table)
        self._before, self._since = table.tobytes(), []


def _added(seen: list[bytes], rules: Game, table: States) -> list[bytes]:
    """Return the digests of what all seats had seen before and what they see of the table (1,) now."""
    players = rules.players
    views = np.empty((players, rules.view.size), rules.view.dtype)
    masks = np.empty((players, rules.actions.size), np.int8)
    rules.drivers.observe_rows(table, np.zeros(players, np.int64), np.arange(players), views, masks)
    pairs = zip(seen, views, strict=True)
    return [hashlib.blake2b(before + view.tobytes(), digest_size=DIGEST).digest() for before, view in pairs]


class SpielState(pyspiel.State):
    """A table and the history that OpenSpiel keeps of it; before the deal there is no table."""

    def __init__(self, game: SpielGame, rules: Game) -> None:
        super().__init__(game)
        self.play: SpielTable | None = None

    @property
    def table(self) -> States | None:
        """The table, shape (1,)."""
        return self.play.states if self.play else None

    @property
    def rules(self) -> Game:
        """The game of the table."""
        rules: Game = self.get_game().rules
        return rules

    def begin(self, table: States) -> None:
        """Put a table in place."""
        self.play = SpielTable(self.rules, table)

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's number for chance or the end."""
        play = self.play
        if play is None:
            return CHANCE
        return TERMINAL if play.over else play.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.legal() if self.play else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return all deals, equally likely."""
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
        """Return what every seat was paid, shape (players,); nothing before the end."""
        return self.play.paid[:] if self.play and self.play.over else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that `player` cannot tell from this one, all it cannot know drawn again with `sampler`."""
        game: SpielGame = self.get_game()
        other = game.new_initial_state()
        if self.play is None:
            return other
        other.play = twin = SpielTable(
            game.rules, game.rules.redeal(self.play.states, int(sampler() * (1 << 53)), player)
        )
        twin.know(player, self.play.seen(player))
        twin.paid = self.play.paid[:]
        return other

    def __str__(self) -> str:
        if self.play is None:
            return "before the deal"
        return f"{self.rules.picture(self.play.states)}#{_digest(self.play.states)}"


class SpielObserver:
    """What OpenSpiel's observers and information states are made of.

    tensor: (view.size,) float32, the observation. string: the table as the seat sees it; with perfect recall the
    digest of all it has seen and done.
    """

    def __init__(self, rules: Game, recall: bool) -> None:
        self._rules, self._recall = rules, recall
        self.tensor: npt.NDArray[np.float32] = np.zeros(rules.view.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill in what `player` sees."""
        self.tensor[:] = 0.0 if state.table is None else self._rules.observation(state.table, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same as a string."""
        if state.play is None:
            return "before the deal"
        if self._recall:
            return f"seat {player}, move {int(state.play.states['plies'][0])}, {state.play.seen(player).hex()}"
        return self._rules.picture(state.play.states, player)


class SpielBot:
    """A bot that decides in a world that may be the true one."""

    def __init__(self, game: SpielGame, bot: Any, name: str) -> None:
        self.name = name
        self._game, self._bot = game, bot

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The bot's action at every table; it is told of each as if it had just come in."""
        sampled = obs.determinize(1, rng)
        states = (self._game.state_at(sampled[k : k + 1]) for k in range(len(obs)))
        return np.array([self._bot.step(state) for state in states], np.int64)


def _digest(states: States) -> str:
    return hashlib.sha256(states.tobytes()).hexdigest()[:16]


_GAMES: dict[str, type[SpielGame]] = {}  # by short name
