"""Fit a critic: a value network for the policy in a model file, which stays as it is.

    python -m training ppo karma --total-decisions 100_000 --name first
    python -m training critic karma --agent ppo:runs/first/model.safetensors

The agent draws its actions in games with itself. In some games one action is random, because a search also reads
positions that the agent avoids. The critic learns the final score of every seat from the positions after it. Its file
is written next to the model file, and `search:16,base=AGENT,leaf=value` reads it. A command that was stopped continues
from the games that are in its folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from tantra_envs.programs import cli

with cli.user_errors("train"):  # torch may be missing, and its import takes seconds
    import numpy as np
    import numpy.typing as npt
    import torch
    from safetensors import SafetensorError
    from safetensors.numpy import load, save

    from agents.networks import tensors_of
    from tantra_envs.core.game import Game
    from tantra_envs.core.observation import Observation
    from tantra_envs.core.options import Within
    from tantra_envs.core.playouts import Playouts
    from tantra_envs.matches.match import Seed, check_opponents, deal_seeds, score_rewards
    from tantra_envs.networks import ValueNetwork
    from tantra_envs.opponents import networks
    from tantra_envs.opponents.critics import CriticInputs, critic_file, write_critic
    from tantra_envs.opponents.learned import LearnedAgent
    from tantra_envs.opponents.model_files import ModelCard
    from tantra_envs.opponents.network_spec import NetworkSpec
    from tantra_envs.programs.files import LOCK, locked, open_folder, write_content
    from tantra_envs.programs.progress import progress

    from .optimizer import Optimizer
    from .options import Epochs, Rate, Units, load_agent, to_json
    from .trajectories import FIRST_DEAL, join, minibatches

PROGRAM = "training critic"
TABLES = 512  # tables that are played at the same time
LENGTHS = 32  # games that are played ahead for their usual length
PARTS = 6  # positions of each game, about
RANDOM = 0.3  # share of the games with a random action
HELD_OUT = 0.1  # share of the games that measure the critic
PLACES = ("replace", "name")  # options that no critic depends on
GAMES = ".games"  # the ending of files with finished games
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Args(cli.FolderOptions, cli.GameOptions):
    """Fit a value network for the policy in a model file.

    Example: python -m training ppo karma --total-decisions 100_000 --name first

    Example: python -m training critic karma --agent ppo:runs/first/model.safetensors
    """

    seats: tuple[int, ...] = ()
    """Numbers of seats, which share the games equally: 2 3 4. [default: that of the game]"""
    agent: str = "learned"
    """Agent with a model file: learned, learned:NAME or ppo:FILE."""
    games: Annotated[int, Within(TABLES, 1 << 24)] = 40_000
    """Games of the agent with itself."""
    inputs: Literal["table", "action"] = "table"
    """Inputs of the network: features of the table, or also those of the action that the agent prefers."""
    net_arch: tuple[Units, ...] = (128, 64)
    """Hidden layers."""
    temperature: Annotated[float, Within(1e-3, 100)] = 1.0
    """Temperature at which the agent draws its actions."""
    epochs: Epochs = 10
    """Passes over the positions."""
    batch_size: cli.Count = 2048
    """Positions in one step of the optimiser."""
    learning_rate: Rate = 3e-3
    """Learning rate at the start; it falls linearly to a tenth."""
    seed: Seed = 1
    """Seed of the deals, the games and the network."""
    replace: bool = False
    """Replace a critic that exists, such as one that ships."""
    name: cli.FolderName | None = None
    """Folder below --runs for the games, until the critic is written. [default: the name of the critic]"""

    @property
    def tables(self) -> list[Game]:
        """The game for each number of seats."""
        return [cli.game(self.game, seats) for seats in self.seats or (self.players,)]

    def file_of(self, agent: LearnedAgent) -> Path:
        """The file of the critic: next to the agent's model file, with the seats and the variant in its name."""
        seats = sorted({game.players for game in self.tables})
        return critic_file(agent.file, seats, self.game.partition(":")[2])

    def folder_of(self, agent: LearnedAgent) -> Path:
        """The folder of the finished games, until the critic is written."""
        return self.runs / (self.name or self.file_of(agent).stem)

    def digest_of_games(self, agent: LearnedAgent) -> str:
        """The digest of the settings that games depend on: how the names of their files begin."""
        fits = ("games", "net_arch", "epochs", "batch_size", "learning_rate")
        settings = {name: value for name, value in self.settings.items() if name not in fits}
        content = json.dumps({**settings, "agent": agent.card.digest})
        return hashlib.blake2b(content.encode(), digest_size=4).hexdigest()

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the critic as JSON, without the places of files."""
        return {name: value for name, value in to_json(self).items() if name not in PLACES}


class Positions(NamedTuple):
    """What seats see at n positions, and how their games end."""

    inputs: Floats  # (n, inputs of a critic)
    scores: Floats  # (n,) final scores, from -1 to 1


def main(argv: Sequence[str] | None = None) -> None:
    """Play, fit, write the file and print how well the critic predicts games that it did not learn from."""
    with contextlib.ExitStack() as ended:
        with cli.user_errors("train"):
            args = cli.read(Args, PROGRAM, argv)
            agents = agents_of(args)
            folder = args.folder_of(agents[0])
            open_folder(folder)
            ended.enter_context(locked(folder))
        with cli.work("the same command continues"):
            file, card = make(args, agents, folder)
    with cli.work():
        remove_games(folder)
        (folder / LOCK).unlink()
        with contextlib.suppress(OSError):  # it holds something else
            folder.rmdir()
        result = card.settings["fit"]
        print(f"{file}: {result['positions']:,} positions, {result['minutes']:.1f} CPU minutes")
        print(f"held out: error {result['error']:.3f}, explains {result['explained']:.3f} of the variance")


def agents_of(args: Args) -> list[LearnedAgent]:
    """Return the agent for each number of seats.

    Raises:
        ValueError: An option is not allowed, or the agent has no model file.
    """
    loaded = [load_agent("agent", args.agent, game) for game in args.tables]
    agents = [agent for agent in loaded if isinstance(agent, LearnedAgent)]
    files = {agent.file for agent in agents}
    if len(files) != 1 or len(agents) < len(loaded):
        allowed = "an agent with one model file for all seats: learned, learned:NAME, ppo:FILE"
        raise ValueError(f"agent={args.agent!r} is not allowed with seats={args.seats}; allowed: {allowed}")
    if args.inputs == "action" and agents[0].card.spec.policy != "features":
        allowed = "inputs=table, or a policy over action features"
        raise ValueError(f"inputs={args.inputs!r} is not allowed with agent={args.agent!r}; allowed: {allowed}")
    for game in args.tables:
        check_opponents(game)
    file = args.file_of(agents[0])
    if file.exists() and not args.replace:
        raise ValueError(f"{file} exists; allowed: --replace")
    return agents


def make(args: Args, agents: Sequence[LearnedAgent], folder: Path) -> tuple[Path, ModelCard]:
    """Play, fit and write a critic; return its file and card. Games that are finished stay in `folder`."""
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    remove_games(folder, but=args.digest_of_games(agents[0]))
    learned, held_out, seconds = all_positions(folder, args, agents)
    began = time.process_time() - seconds
    spec = NetworkSpec("value", args.net_arch, "relu", inputs=args.inputs)
    width, *hidden, _ = spec.widths(args.tables[0])
    network = ValueNetwork(width, hidden)
    fit(network, learned, args)
    error, explained = measure(network, held_out)
    minutes, decisions = round((time.process_time() - began) / 60, 2), len(learned.scores)
    result = {"error": error, "explained": explained, "positions": decisions, "minutes": minutes}
    known = {"settings": {**args.settings, "fit": result}, "decisions": decisions}
    known["trained_for"] = {"seats": sorted({game.players for game in args.tables})}
    file = args.file_of(agents[0])
    return file, write_critic(agents[0].file, file, tensors_of(network), spec, args.tables[0], **known)


def all_positions(folder: Path, args: Args, agents: Sequence[LearnedAgent]) -> tuple[Positions, Positions, float]:
    """Play the games of all numbers of seats that are not finished.

    Returns:
        The positions to learn from, those that measure the critic, and the CPU seconds of the games. The last games of
        each number of seats measure it. If there are too few games, all do both.
    """
    games = -(-args.games // (len(agents) * TABLES)) * TABLES  # of each agent
    held_out = max(TABLES, int(HELD_OUT * games) // TABLES * TABLES)
    learned: list[Positions] = []
    measured: list[Positions] = []
    seconds = 0.0
    with progress("games", games * len(agents)) as advance:
        for group, (game, agent) in enumerate(zip(args.tables, agents, strict=True)):
            for first in range(0, games, TABLES):
                into = measured if first + TABLES > games - held_out and games > TABLES else learned
                positions, took = games_of(folder, game, agent, args, group, first)
                into.append(positions)
                seconds += took
                advance(TABLES)
    return join(learned), join(measured or learned), seconds


def remove_games(folder: Path, but: str | None = None) -> None:
    """Remove the games in a folder, except those with settings of this digest."""
    for file in folder.glob(f"*{GAMES}"):
        if but is None or not file.name.startswith(but):
            file.unlink()


def games_of(
    folder: Path, game: Game, agent: LearnedAgent, args: Args, group: int, first: int
) -> tuple[Positions, float]:
    """Return the positions of `play`, and the CPU seconds of the games: from their file, or played now."""
    file = folder / f"{args.digest_of_games(agent)}-{group}-{first}{GAMES}"
    with contextlib.suppress(FileNotFoundError, zlib.error, SafetensorError, KeyError):  # not played yet, or damaged
        arrays = load(zlib.decompress(file.read_bytes()))
        return Positions(arrays["inputs"], arrays["scores"]), float(arrays["seconds"][0])
    began = time.process_time()
    positions = join(play(game, agent, args, group, first))
    seconds = time.process_time() - began
    write_content(file, zlib.compress(save({**positions._asdict(), "seconds": np.array([seconds])}), 1))
    return positions, seconds


def play(game: Game, agent: LearnedAgent, args: Args, group: int, first: int) -> list[Positions]:
    """Play TABLES games of an agent with itself, from deal `first` on; return positions of all seats."""
    rng = np.random.default_rng((args.seed, group, first))
    states, earned = game.blanks(TABLES), np.zeros((TABLES, game.players))
    seeds = deal_seeds(args.seed, FIRST_DEAL + (group << 24) + first, TABLES)
    game.drivers.deal_rows(states, np.arange(TABLES), seeds)
    alone = states[:LENGTHS].copy()
    Playouts(game, agent.policy()).run(alone)
    length = max(PARTS, int(np.median(alone["plies"])))
    random = np.where(rng.random(TABLES) < RANDOM, rng.integers(length, size=TABLES), -1)  # number of this action
    read = CriticInputs(game, agent.policy() if args.inputs == "action" else None)
    seen, done = [], 0
    while len(rows := np.flatnonzero(states["over"] == 0)):
        read_now = rows[(random[rows] < done) & (rng.random(len(rows)) < PARTS / length)]
        at, seats = np.repeat(read_now, game.players), np.tile(np.arange(game.players), len(read_now))
        seen.append((at, seats, read(states, at, seats)))
        obs = Observation(game, states, rows, vouched=True)
        logits = agent.logits(obs) / args.temperature
        logits = np.where((random[rows] == done)[:, None], np.where(obs.action_mask == 1, 0.0, -np.inf), logits)
        game.drivers.apply_rows(states, rows, networks.sampled(logits, rng))
        earned[rows] += states["rewards"][rows, : game.players]
        done += 1
    scores = score_rewards(game, earned)
    return [Positions(inputs, scores[at, seats].astype(np.float32)) for at, seats, inputs in seen]


def fit(network: ValueNetwork, positions: Positions, args: Args) -> None:
    """Fit a network to the scores, by squared error."""
    inputs, scores = map(torch.from_numpy, positions)
    optimizer, rng = Optimizer(network.parameters(), args.learning_rate), np.random.default_rng(args.seed)
    steps = list(minibatches(np.arange(len(scores)), args.batch_size, args.epochs, rng))
    with progress("steps", len(steps)) as advance:
        for step, rows in enumerate(steps):
            error = (network(inputs[rows]) - scores[rows]).square().mean()
            optimizer.step(error, step / len(steps))
            advance(1)


def measure(network: ValueNetwork, positions: Positions) -> tuple[float, float]:
    """Return the mean squared error at some positions, and the share of the variance that is explained."""
    with torch.inference_mode():
        values = network(torch.from_numpy(positions.inputs)).numpy()
    error = float(np.square(values - positions.scores).mean())
    return round(error, 4), round(1 - error / float(positions.scores.var() + 1e-8), 4)
