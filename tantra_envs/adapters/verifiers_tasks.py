"""A task set and environment of the verifiers library: a task is a seed, and a model plays one seat of a text table.

Verifiers finds them in a module on the path of Python. A file `tantra_tables.py` with two lines is enough:

    from tantra_envs.adapters.verifiers_tasks import *
    from tantra_envs.adapters.verifiers_tasks import __all__

    PYTHONPATH=. vf-eval tantra_tables --env.taskset.game karma --no-push --model MODEL

The reward is the score: the share of the other teams that the model's team beats, 0.5 for a draw. A game that the model
does not finish scores 0.
"""

import asyncio
import itertools
from collections.abc import Iterator

import verifiers.v1 as vf

from ..matches.match import check_opponents
from ..programs import cli
from .text import TextTable, Turn, rules

__all__ = ["TableEnv", "TableTasks"]

PLAYER = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}  # a chat on this machine, without tools


class TableConfig(vf.TasksetConfig):
    """Options of the task set."""

    game: str = "karma"
    """Game, or GAME:VARIANT."""
    options: str = ""
    """Options of the game, such as "players=4 copies=3"."""
    seat: int = 0
    """Seat of the model."""
    opponents: str = "scripted"
    """Agent of the other seats."""
    retries: int = 2
    """Extra replies for one decision, after a reply without a legal action."""
    seed: int = 0
    """Seed of the first task; the next tasks have the next seeds."""

    def table(self) -> TextTable:
        """Return a new table; raise ValueError for a game without opponents."""
        game = cli.game(self.game, fields=self.options.split())
        check_opponents(game)
        return TextTable(game, self.seat, self.opponents, self.retries)


class TableData(vf.TaskData):
    """A deal."""

    seed: int


class TableTask(vf.Task[TableData, vf.State, vf.TaskConfig]):
    """A game of one deal."""


class TableTasks(vf.Taskset[TableTask, TableConfig]):
    """The deals of a game, without end. The prompt of a task is the first prompt of its table."""

    INFINITE = True

    def load(self) -> Iterator[TableTask]:
        """Yield a task for each seed."""
        table = self.config.table()
        for seed in itertools.count(self.config.seed):
            data = TableData(name=f"{self.config.game}#{seed}", prompt=table.reset(seed).prompt, seed=seed)
            yield TableTask(data, self.config.task)


class TableEnvConfig(vf.EnvConfig):
    """Options of the environment."""

    player: vf.AgentConfig = vf.AgentConfig.model_validate(PLAYER)
    """The model."""


class TableEnv(vf.Env[TableEnvConfig]):
    """A game in which the table answers every reply of the model with the next prompt, without the rules."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Play a game, and record its score, the reward of the game, and numbers of decisions."""
        config, seed = self.taskset.config, task.data.seed
        table = config.table()
        turn: Turn = await asyncio.to_thread(table.reset, seed)
        decisions = illegal = drawn = 0
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                turn = await asyncio.to_thread(table.step, segment.last_reply)
                decisions += not turn.error
                illegal += bool(turn.error) or turn.drawn
                drawn += turn.drawn
                if turn.done:
                    break
                segment = await interaction.turn(turn.prompt.replace(f"{rules(table.game)}\n\n", "", 1))
        trace = interaction.trace
        trace.record_reward("score", turn.scores[turn.seat] if turn.done else 0.0)
        trace.record_metrics({"finished": turn.done, "decisions": decisions, "illegal": illegal, "drawn": drawn})
        if turn.done:
            trace.record_metric("game_reward", turn.rewards[turn.seat])
