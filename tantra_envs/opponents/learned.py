"""Trained agents: `learned`, `learned:NAME` and `strongest` use the weights in this package, `ppo:FILE` any model file.

The index of `weights` lists the files of every NAME: the game, or the game and a mode, for example `tantrix-gobble`.
Some are for one number of seats. `learned` without a name is the agent that fits the game best, and `learned:NAME` the
best of this name. `learned:FILE` is one file of the index, without its ending.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.asking import AgentWarning
from ..core.game import Game
from ..core.observation import Actions, Agent, Observation
from ..games import settings
from ..programs.files import expanded
from . import networks, opponent, weights_index
from .critics import Critic, critic_files
from .model_files import ModelCard, logits_of, misfit_of, packed, read_card, read_tensors
from .networks import ArgmaxAgent, NetworkPolicy
from .search import Search
from .specs import AgentSpec

WEIGHTS = Path(__file__).with_name("weights")
# Options of rewards, dealers, limits and deadlocks: an agent that was trained with other values plays equally well.
PAYMENTS = {"reward", "reward_scale", "reward_when", "truncation_reward", "dense", "shaping", "shaping_coef"}
LIMITS = {"max_moves", "max_steps", "max_turns", "max_turns_per_player", "max_rounds", "max_hands", "turn_budget"}
WHOLE = "game"  # the value of the option `episode` for whole games, in games that have rounds
HARMLESS = PAYMENTS | LIMITS | {"dealer", "deadlock"}
_NUMBER = re.compile(r"\d*\.?\d+(e-?\d+)?")
USUAL = "16,eta=20,leaf=value"  # options of the search of `strongest`
HOTTEST = 100.0  # the largest temperature; it plays almost uniformly
_warnings_given: set[str] = set()


class FittedCritic(NamedTuple):
    """The files of a policy and of its critic, with the card of the critic."""

    policy: Path
    file: Path
    card: ModelCard


class LearnedAgent(ArgmaxAgent):
    """An agent that plays the most probable action of the network in a model file.

    With a temperature it draws its actions, with probabilities proportional to p^(1 / temperature). A small one, such
    as 0.25, hardly changes its strength, and ends games in which it would repeat its actions. `playing` ignores it.
    The agent warns once if the network was trained with other options.

    Raises:
        ValueError: The file is not a model file, or it does not fit the game.
    """

    def __init__(self, game: Game, file: str | Path, name: str = "", temperature: float = 0.0) -> None:
        self.file, self._game, self.temperature = expanded(file), game, temperature
        self.card = read_card(self.file)
        if self.card.spec.policy == "value":
            raise ValueError(f"{file} holds a value network, which chooses no actions; allowed: the file of a policy")
        self.tensors, spec = read_tensors(self.file, self.card, game), self.card.spec
        super().__init__(name or f"ppo:{file}", logits_of(spec, self.tensors, game), spec)
        _warn_of_other_options(self, game)

    @property
    def origin(self) -> dict[str, Any]:
        """The origin of the weights, for records and pages."""
        return self.card.origin | ({"temperature": self.temperature} if self.temperature else {})

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the most probable legal action at every table, or a drawn one, shape (k,)."""
        if not self.temperature:
            return super().act(obs, rng)
        return networks.sampled_at(obs, np.arange(len(obs)), self.logits(obs) / self.temperature, rng)

    def probabilities(self, obs: Observation) -> npt.NDArray[np.float64]:
        """Return the probabilities of all actions at every table, shape (k, game.actions.size), as `act` draws them."""
        if not self.temperature:
            return np.eye(self._game.actions.size)[super().act(obs, np.random.default_rng())]
        return networks.softmax(self.logits(obs).astype(np.float64) / self.temperature)

    def policy(self) -> NetworkPolicy:
        """Return this network as the policy of playouts; raise ValueError if it cannot be compiled."""
        spec = self.card.spec
        return NetworkPolicy(self._game, packed(spec, self.tensors), spec.policy == "features")

    def critic(self) -> Critic:
        """Return the critic next to the model file.

        Raises:
            ValueError: There is none for this game.
        """
        game, cards = self._game, critic_files(self.file)
        if not cards:
            index = str(self.file.with_name(weights_index.INDEX))
            problem = f"{game.name}: {self.name} has no value network; {index!r} lists none for {self.file.name}"
            raise ValueError(f"{problem}; to make it: python -m training critic {game.id} --agent {self.name}")
        file = min(cards, key=lambda file: len(other_options(cards[file], game)))
        if others := other_options(cards[file], game):
            fitted = f"the value network of {self.name} was fitted for {trained_for(cards[file])}"
            raise ValueError(f"{game.name}: {fitted}; it is not allowed with {_words(others)}")
        return Critic(game, file, self.policy())


def learned(game: Game, spec: AgentSpec) -> LearnedAgent:
    """Return the agent of `learned` or `learned:NAME`.

    Raises:
        ValueError: The package has no weights of this name, or none of them can play the game with its options.
    """
    _check_options(spec, ())
    name = spec.argument
    files = weights_of(game) if name is None else _files_of(name)
    seats = {WEIGHTS / entry.file: entry.seats for entry in weights_index.entries(WEIGHTS)}
    fitting = {
        file: card
        for file, card in files.items()
        if (not seats[file] or game.players in seats[file]) and not misfit_of(card, game)
    }
    if not fitting:
        raise ValueError(f"{game.name}: {_refusal(game, spec, files)}")
    file = min(fitting, key=lambda file: (_distance(fitting[file], game), not seats[file], len(file.stem)))
    return LearnedAgent(game, file, spec.text)


def model_file(game: Game, spec: AgentSpec) -> LearnedAgent:
    """Return the agent of `ppo:FILE,name=NAME,temperature=T`.

    Raises:
        ValueError: An option is not allowed, or the file does not fit the game.
    """
    _check_options(spec, ("name", "temperature"))
    words = spec.options.get("temperature", "0")
    temperature = float(words) if _NUMBER.fullmatch(words) else math.inf
    if not 0 <= temperature <= HOTTEST:
        raise ValueError(f"agent {spec.text!r}: temperature={words} is not allowed; allowed: 0..{HOTTEST:g}")
    return LearnedAgent(game, spec.argument or "", spec.options.get("name", spec.text), temperature)


def _check_options(spec: AgentSpec, allowed: Sequence[str]) -> None:
    """Raise ValueError for an option that an agent does not take."""
    if wrong := [name for name in spec.options if name not in allowed]:
        words = ", ".join(allowed) or "a name of weights only"
        raise ValueError(f"agent {spec.text!r} is not allowed: {', '.join(wrong)}; allowed: {words}")


def file_of(name: str, players: int | None = None) -> Path:
    """Return the path for weights of this name, for a number of seats or for any number."""
    return WEIGHTS / (f"{name}-{players}p.safetensors" if players else f"{name}.safetensors")


def add(file: Path, name: str, card: ModelCard) -> None:
    """Write the entry of a policy into the index of its folder. A file that is listed keeps its name and its seats."""
    seats = (card.label["players"],) if "players" in card.label else ()
    entry = weights_index.Entry(file.name, weights_index.POLICY, name, card.trained_game, seats)
    listed = [other for other in weights_index.entries(file.parent) if other.file == file.name]
    weights_index.add(file.parent, replace(listed[0], game=entry.game) if listed else entry)


def weights_of(game: Game) -> dict[Path, ModelCard]:
    """Return the model files of this package for a game, with their cards."""
    cards = {file: read_card(file) for file in shipped()}
    return {file: card for file, card in cards.items() if card.label["game"] == game.name}


def shipped_critic(game: Game) -> Critic | None:
    """Return the critic in this package that was fitted for a game, or None."""
    if (found := critic_for(game)) is None:
        return None
    card = read_card(found.policy)
    net = packed(card.spec, read_tensors(found.policy, card, game))
    return Critic(game, found.file, NetworkPolicy(game, net, card.spec.policy == "features"))


def critic_for(game: Game) -> FittedCritic | None:
    """Return the files of the critic in this package that was fitted for a game, or None."""
    for policy in weights_of(game):
        for file, card in critic_files(policy).items():
            if not other_options(card, game):
                return FittedCritic(policy, file, card)
    return None


def value_search(game: Game) -> Search | None:
    """Return the search that reads the value network of `learned`; None if it has none for this game."""
    critic = shipped_critic(game)
    return Search(game, _options(game), critic.policy, critic) if critic else None


def strongest(game: Game, spec: AgentSpec) -> Agent:
    """Return the agent of `strongest`: a short search over `learned` that reads its value network, or `learned` alone.

    `[strongest]` in the `settings.toml` of a game has the options of the search. It also has the numbers of seats at
    which the search scored more than `learned`, by the game that the value network is for.

    Raises:
        ValueError: `learned` cannot play the game.
    """
    gains, critic = settings(game.id, "strongest").get("gains", {}), critic_for(game)
    searches = critic is not None and game.players in gains.get(critic.card.trained_game, ())
    agent = opponent(f"search:{_options(game)},base=learned" if searches else "learned", game)
    agent.name = spec.name
    return agent


def _options(game: Game) -> str:
    return str(settings(game.id, "strongest").get("search", USUAL))


def trained_for(card: ModelCard) -> str:
    """Return the game and the options that a network was trained for: "kanastic:round with players=3 or 4"."""
    facts = {key: value for key, value in card.trained_for.items() if value and key not in ("game", "variant")}
    if seats := facts.pop("seats", None):
        facts["players"] = " or ".join(map(str, seats))
    options = ", ".join(f"{key}={value}" for key, value in facts.items())
    return f"{card.trained_game or card.label['game']} with {options}"


def other_options(card: ModelCard, game: Game) -> dict[str, Any]:
    """Return the options of a game that a network was not trained with, by name, without the HARMLESS ones."""
    changed = {name: tuple(value) if isinstance(value, list) else value for name, value in card.config.items()}
    trained = {**game.options.defaults, **changed}
    trained["players"] = min(_seats(card, game), key=lambda seats: abs(seats - game.players))
    return {name: value for name, value in game.config.items() if name not in HARMLESS and value != trained[name]}


def unmet_options(card: ModelCard, game: Game) -> dict[str, Any]:
    """Return the options of a game with which a network may play badly, because it was trained with others.

    A single round is a part of the whole games that an agent was trained for.
    """
    others = other_options(card, game)
    if {**game.options.defaults, **card.config}.get("episode") == WHOLE:
        others.pop("episode", None)
    return others


def _warn_of_other_options(agent: LearnedAgent, game: Game) -> None:
    """Warn if the agent was trained with other options, once for each agent and set of options."""
    if others := unmet_options(agent.card, game):
        words = f"{agent.name} was trained for {trained_for(agent.card)}; it may play badly with {_words(others)}"
        if words not in _warnings_given:
            _warnings_given.add(words)
            warnings.warn(words, AgentWarning, stacklevel=2)


def _distance(card: ModelCard, game: Game) -> tuple[int, int]:
    """Return the distance between the options of a game and those a network was trained with."""
    return len(other_options(card, game)), min(abs(seats - game.players) for seats in _seats(card, game))


def _seats(card: ModelCard, game: Game) -> list[int]:
    """Return the numbers of players that a network was trained with; if its card has none, that of the game."""
    seats: list[int] = card.trained_for.get("seats") or [card.trained_for.get("players", game.players)]
    return seats


def _refusal(game: Game, spec: AgentSpec, files: dict[Path, ModelCard]) -> str:
    """Return the message that no agent fits, with the nearest one."""
    available = weights_of(game)
    if spec.argument is not None and not files:
        return f"there are no weights {spec.argument!r}; allowed: {_available(available)}"
    for file, card in files.items():
        if file not in available:
            return f"{spec.text} plays {card.label['game']}; allowed: {_available(available)}"
    if not available:
        return "no trained agent ships for this game; allowed: ppo:FILE with one of your own"
    nearest = min(files.values(), key=lambda card: _distance(card, game))
    what = _words({"players": game.players, **other_options(nearest, game)})
    nearest_agent = f"the nearest was trained for {trained_for(nearest)}; allowed: {_available(available)}"
    return f"{spec.text} does not fit {what}; {nearest_agent}"


def _available(files: dict[Path, ModelCard]) -> str:
    """List the names of model files, as in `learned:karma-2p, learned:karma`."""
    return ", ".join(f"learned:{file.stem}" for file in sorted(files)) or "none for this game"


def _words(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def _files_of(name: str) -> dict[Path, ModelCard]:
    """Return the model files of this name, or the one with this name of a file."""
    files = {WEIGHTS / entry.file: entry.name for entry in _policies()}
    return {file: read_card(file) for file, its in files.items() if name in (file.stem, its)}


def shipped() -> list[Path]:
    """Return the model files of the policies in this package."""
    return sorted(WEIGHTS / entry.file for entry in _policies())


def _policies() -> list[weights_index.Entry]:
    return [entry for entry in weights_index.entries(WEIGHTS) if entry.kind == weights_index.POLICY]
