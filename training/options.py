"""The options that all learners share, and the options of a run that is resumed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast

from agents import Agent, AgentSpec, held_out, load
from tantra_envs.core.game import Game
from tantra_envs.core.options import Rule, Within
from tantra_envs.opponents.model_files import ModelCard, read_card, read_tensors
from tantra_envs.opponents.network_spec import NetworkSpec
from tantra_envs.programs import cli

AGENTS = ("opponents", "eval_opponents", "exploit")  # options that name agents
NOT_SAVED = ("runs", "resume", "more", "trust", "start")  # options of one command; the others belong to the run

Seed = Annotated[int, Within(0, (1 << 31) - 2)]
Tables = Annotated[int, Within(1, 1 << 20)]
Units = Annotated[int, Within(1, 1 << 14)]  # of a hidden layer
Epochs = Annotated[int, Within(1, 1000)]
Rate = Annotated[float, Within(1e-9, 1)]  # of learning
Share = Annotated[float, Within(0, 1)]
ENDS = Rule(lambda values: len(values) in (1, 2), "one number, or the first and the last")
Deals = Annotated[int, Within(1, 1 << 24)]  # of a measurement


@dataclass(frozen=True, kw_only=True)
class RunOptions(cli.FolderOptions, cli.GameOptions):
    """The options of every learner."""

    resume: Path | None = None
    """Folder of a run to continue with its own options."""
    more: int = 0
    """With --resume: decisions to add; negative removes."""
    trust: bool = False
    """With --resume: allow agents from Python files and programs, whose code then runs."""
    options: tuple[str, ...] = ()
    """Options of the game, as copies=3 karma_sets=False."""
    seed: Seed = 1
    """Seed of networks, deals and agents."""
    total_decisions: cli.Count = 20_000_000
    """Decisions with a choice to learn from, of all seats. The last update is whole, so a run has some more."""
    seats: tuple[int, ...] = ()
    """Numbers of seats, which share the tables equally: 2 3 4. Measurements use --players. [default: that one]"""
    net_arch: tuple[Units, ...] = (64, 64)
    """Hidden layers of the policy."""
    activation: Literal["relu", "tanh"] = "relu"
    """Activation of the hidden layers of the policy."""
    start: Path | None = None
    """Model file with the weights that the run begins with."""
    tables: Tables = 1024
    """Tables that are played at the same time."""
    steps: Annotated[int, Within(2, 1 << 20)] = 64
    """Actions at each table between two updates, of all its seats together."""
    batch_size: cli.Count = 2048
    """Decisions in one step of the optimiser."""
    epochs: Epochs = 1
    """Passes over the decisions in an update."""
    learning_rate: Rate = 1e-3
    """Learning rate at the start; it falls linearly to a tenth."""
    gae_lambda: Share = 0.95
    """Lambda of returns and advantages: 1 = rewards only, 0 = the value of the next decision only."""
    average_weights: Annotated[float, Within(0, 0.9999)] = 0.97
    """Weight of the past in the average that is saved, over about 1 / (1 - this) updates; 0 = the last weights."""
    reward: Literal["score", "points"] = "score"
    """Reward: 2 x share of opponents beaten - 1, or each reward of the game as tanh(reward / --reward-scale)."""
    reward_scale: Annotated[float, Within(1e-6, 1e9)] = 1.0
    """Typical reward of the game, for --reward points."""
    episode: Literal["game", "round"] = "game"
    """End of an episode: that of the game, or any reward other than zero, for games that reward every round."""
    opponents: tuple[str, ...] = ()
    """Agents of which one plays all seats but those of one team in a share of the games."""
    opponent_share: Share = 0.5
    """Share of the games with an opponent, if there are any; in the others the learner plays all seats."""
    eval_opponents: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Agents to measure against."""
    eval_every: cli.Count = 5_000_000
    """Decisions between two measurements; each also saves a checkpoint."""
    eval_deals: Deals = 200
    """Deals of a measurement during training."""
    keep: bool = False
    """Keep the model of every measurement, as model-1.safetensors, model-2.safetensors, .."""
    final_deals: Deals = 1000
    """Deals of the final measurement against each of them."""
    threads: Annotated[int, Within(1, 2)] = 1
    """Threads, 1 or 2. Two share the description of actions. In PPO the next games are also played while the network
    learns, by the network before this update."""

    COMMON: ClassVar[tuple[str, ...]] = (  # the options of the short help; a config file may hold the others
        *("game", "players", "options", "name", "runs", "resume", "more", "trust"),
        *("seed", "total_decisions", "seats", "opponents", "eval_opponents", "final_deals", "threads"),
    )

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return self.runs / (self.name or self.game.replace(":", "-"))

    @property
    def games(self) -> list[Game]:
        """The game for each number of seats."""
        return [self.table(seats) for seats in self.seats or (self.players,)]

    def table(self, players: int | None) -> Game:
        """Return the game for a number of seats; None = that of the game or variant."""
        return cli.game(self.game, players, self.options)

    @property
    def spec(self) -> NetworkSpec:
        """The network of the policy."""
        return NetworkSpec("features", self.net_arch, self.activation)

    @property
    def others(self) -> tuple[tuple[str, ...], float]:
        """The agents that the learner plays against, and the share of the games with one of them."""
        return self.opponents, self.opponent_share


Options = TypeVar("Options", bound=RunOptions)


def check(options: RunOptions) -> None:
    """Raise ValueError for options that are not allowed for any learner."""
    cli.check_values(type(options), vars(options))
    if options.more and not options.resume:
        raise ValueError(f"more={options.more} is not allowed without resume; allowed: --total-decisions")
    games, spec, named = options.games, options.spec, options.others[0]
    if options.start:
        read_tensors(options.start, card_of(options.start, spec), games[0])
    if (measured := options.table(options.players).players) not in [game.players for game in games]:
        raise ValueError(f"players={measured} is not allowed with seats={options.seats}; allowed: one of the seats")
    if options.tables < len(games):
        raise ValueError(
            f"tables={options.tables} is not allowed with seats={options.seats}; allowed: {len(games)} or more"
        )
    for game in games:
        spec.check(game)
        if len(game.teams) == 1 and (options.reward == "score" or named):
            raise ValueError(f"{game.name} for one has no opponents; allowed: reward='points' without opponents")
        if spec.policy == "mlp" and game.view.size != games[0].view.size:
            raise ValueError(f"seats={options.seats} is not allowed with policy='mlp'; allowed: one number of seats")


def load_agent(option: str, spec: str, game: Game) -> Agent:
    """Return an agent that a training meets; raise ValueError if it is unknown or held out by the benchmark."""
    agent = load(spec, game)
    held_out.refuse_agent(option, spec, agent)
    return agent


def card_of(file: Path, spec: NetworkSpec) -> ModelCard:
    """Return the card of a model file; raise ValueError unless it holds such a network that training may meet."""
    card = read_card(file)
    held_out.refuse("start", str(file), card.digest)
    for name, value in asdict(spec).items():
        if value != (there := getattr(card.spec, name)):
            raise ValueError(f"{name}={value!r} is not allowed with start={str(file)!r}; allowed: {there!r}, as there")
    return card


def to_json(options: Any) -> dict[str, Any]:
    """Return the options of a run as JSON values."""
    return {name: value for name, value in asdict(options).items() if name not in NOT_SAVED}


def restore(saved: Mapping[str, Any], given: Options, decisions: int = 0) -> Options:
    """Return the original options of a run, for the run in `given.resume`.

    Args:
        saved: The options in the format of `to_json`.
        given: The options of this command.
        decisions: The number of decisions that the run has learned from.

    Raises:
        ValueError: `saved` belongs to another command or version, or names agents that run code without --trust, or
            an option of this command has another value there, or `more` adds no decision.
    """
    assert given.resume
    folder = given.resume if given.resume.name.strip(".") else given.resume.resolve()  # "." is no name
    if given.start:
        raise ValueError(f"start={str(given.start)!r} is not allowed with resume; the run goes on from its own weights")
    if any(_runs_code(word) for name in AGENTS for word in _listed(saved.get(name))) and not given.trust:
        raise ValueError(f"{folder} uses agents whose code would run, from files or programs; to allow it, add --trust")
    values: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in saved.items()}
    values |= {"runs": folder.parent, "name": folder.name}
    try:
        options: Any = type(given)(**values)
    except TypeError as error:
        raise ValueError(f"{folder} is a run of another command or version: {error}") from None
    for field in fields(given):
        value, there = getattr(given, field.name), getattr(options, field.name)
        if field.name not in NOT_SAVED and value not in (field.default, there):
            raise ValueError(f"{field.name}={value!r} is not allowed with resume; allowed: {there!r}, as in {folder}")
    if given.more > 0 and (least := decisions - options.total_decisions + 1) > given.more:
        problem = f"more={given.more} is not allowed, because the run has {decisions:,} decisions"
        raise ValueError(f"{problem}; allowed: {least} ..")
    return cast(Options, replace(options, total_decisions=options.total_decisions + given.more))


def _listed(words: str | Sequence[str] | None) -> Sequence[str]:
    return [words] if isinstance(words, str) else words or []


def _runs_code(word: str) -> bool:
    """Return whether an agent comes from a Python file or is a program, itself or as the base of a search."""
    spec = AgentSpec.parse(word)
    base = spec.options.get("base")
    return spec.file is not None or spec.name == "text" or (base is not None and _runs_code(base))
