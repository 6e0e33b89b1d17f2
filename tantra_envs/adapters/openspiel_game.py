"""A game of ours as a Python game of OpenSpiel, and a bot of OpenSpiel as one of our agents.

What a player knows is what its seat sees after every move: the information state is a running digest of that and of
its own actions, so recall is perfect, whatever the observation of the moment forgets.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from ..core.game import Game, is_whole
from ..core.observation import Actions, Observation
from ..core.state import States

LONGEST = 1 << 20  # actions of a game that has no cut-off
DIGEST = 12  # bytes of what a seat has seen so far


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


class SpielState(pyspiel.State):
    """A table, what every seat has seen of it so far, and what it was paid."""

    def __init__(self, game: SpielGame, rules: Game) -> None:
        super().__init__(game)
        self.rules = rules
        self.table: States | None = None  # before the deal there is none
        self.seen = [b""] * rules.players
        self.paid = [0.0] * rules.players

    def begin(self, table: States) -> None:
        """Put a table in place."""
        self.table = table
        self._look(table)

    def current_player(self) -> int:
        """The seat that decides, or OpenSpiel's number for chance or the end."""
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.table["seat"][0])

    def _legal_actions(self, player: int) -> list[int]:
        return self.rules.legal(self.table) if self.table is not None else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All deals, equally likely."""
        deals = self.get_game().max_chance_outcomes()
        return [(deal, 1.0 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self.table is None:
            self.begin(self.get_game().dealt(action))
            return
        seat = int(self.table["seat"][0])
        self.rules.apply_action(self.table, action)
        self.seen[seat] += action.to_bytes(4, "little")
        self.paid = [paid + float(more) for paid, more in zip(self.paid, self.table["rewards"][0], strict=False)]
        self._look(self.table)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if self.table is None else self.rules.action_name(self.table, action)

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self.table is not None and bool(self.table["over"][0])

    def returns(self) -> list[float]:
        """What every seat was paid, shape (players,); nothing before the end."""
        return list(self.paid) if self.is_terminal() else [0.0] * self.rules.players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that `player` cannot tell from this one, all it cannot know drawn again with `sampler`."""
        game: SpielGame = self.get_game()
        other = game.new_initial_state()
        if self.table is None:
            return other
        other.begin(self.rules.redeal(self.table, int(sampler() * (1 << 53)), player))
        other.seen[player], other.paid = self.seen[player], list(self.paid)
        return other

    def __str__(self) -> str:
        return "before the deal" if self.table is None else f"{self.rules.picture(self.table)}#{_digest(self.table)}"

    def _look(self, table: States) -> None:
        """Add what each seat sees now to what it has seen."""
        for seat in range(self.rules.players):
            view = self.rules.observation(table, seat).tobytes()
            self.seen[seat] = hashlib.blake2b(self.seen[seat] + view, digest_size=DIGEST).digest()


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
        if state.table is None:
            return "before the deal"
        if self._recall:
            return f"seat {player}, move {int(state.table['plies'][0])}, {state.seen[player].hex()}"
        return self._rules.picture(state.table, player)


class SpielBot:
    """A bot that decides in a world that may be the true one."""

    def __init__(self, game: SpielGame, bot: Any, name: str) -> None:
        self.name = name
        self._game, self._bot = game, bot

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The bot's action at every table; it is told of each as if it had just come in."""
        worlds = obs.determinize(1, rng)
        states = (self._game.state_at(worlds[k : k + 1]) for k in range(len(obs)))
        return np.array([self._bot.step(state) for state in states], np.int64)


def _digest(states: States) -> str:
    return hashlib.sha256(states.tobytes()).hexdigest()[:16]


_GAMES: dict[str, type[SpielGame]] = {}  # by short name
