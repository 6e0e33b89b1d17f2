"""Learn a game by self-play: MaskablePPO in one seat or team, named agents and past selves in the others.

    python -m training.selfplay --config configs/training/karma.toml --name karma-2
    python -m training.selfplay --resume runs/karma-2
    tensorboard --logdir runs

One script, one story: settings, a run, its training, its end. Ctrl-C ends a run after the current update, saved.
"""

from __future__ import annotations

import contextlib
import math
import random
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tantra_envs.cli import read, user_errors

with user_errors("train"):
    import numpy as np
    import torch
    from gymnasium.vector import AutoresetMode
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import configure
    from stable_baselines3.common.utils import FloatSchedule

import tantra_envs
from agents import Agent, parse
from agents.checkpoint import NetPlayer, save_model
from agents.networks import Form, choosing_net
from tantra_envs.core.game import Game
from tantra_envs.envs.vector import SeatVectorEnv

from .evaluate import Result, evaluate, report, show
from .imitation import School, falling
from .opponents import Pool
from .run_folder import draw_curve, new_folder, read_checkpoint, write_checkpoint, write_json
from .vec_env import Sb3Tables

PROGRAM = "training.selfplay"


# Settings


@dataclass
class Args:
    """Learn a game by self-play.

    Example: python -m training.selfplay --config configs/training/karma.toml --name karma-2 --seed 3
    """

    game: str = "karma"
    """a game, or a game and a variant: karma:sixty"""
    players: int = 2
    """seats at the table; the learner's is drawn for every game"""
    name: str = "selfplay"
    """the run's folder under `runs`"""
    runs: Path = Path("runs")
    """where runs are kept"""
    resume: Path | None = None
    """folder of a run to go on with under its own settings; of those given here only `more` counts"""
    more: int = 0
    """with --resume: decisions beyond the steps the run was to have; below 0, fewer"""
    stages: tuple[str, ...] = ()
    """games to begin with, from easy to hard, as variants of `game`: tantra:first,tantra:second"""
    stage_steps: int = 100_000
    """decisions in each of them"""
    imitate: int = 0
    """choices of `teacher` to learn by imitation before anything is learned from results"""
    teacher: str = "scripted"
    """the agent to imitate"""
    slips: float = 0.05
    """share of random moves in the teacher's games, after which it shows how to go on"""
    critic_steps: int = 0
    """decisions at the start that only the value is learned from, so that it does not spoil what was imitated"""
    steps: int = 2_000_000
    """decisions of the learner to learn from"""
    seed: int = 1
    """of networks, deals and opponents"""

    tables: int = 512
    """games played at the same time"""
    rollout: int = 64
    """decisions at each table between updates"""
    batch: int = 4096
    """decisions in one step of the optimiser"""
    epochs: int = 3
    """how often an update goes through the decisions"""
    learning_rate: float = 1e-3
    """at the start; it falls in a straight line to a tenth"""
    falling_over: int = 0
    """decisions over which it falls; 0 = all steps of the run"""
    discount: float = 0.995
    """what a reward one decision later counts"""
    trace: float = 0.95
    """lambda of the advantage estimate"""
    entropy: float = 0.01
    """bonus for undecided play"""
    policy: Literal["mlp", "placements"] = "mlp"
    """mlp: over the whole view; placements: scores every placement of Tantrix by its features"""
    network: tuple[int, ...] = (128, 128)
    """hidden layers of policy and value"""
    activation: Literal["tanh", "relu"] = "tanh"
    """what the hidden layers do to their sums; relu imitates better"""
    numbers: Literal["plain", "log"] = "plain"
    """how those of the view come in; log for views that hold counts and points of tens and hundreds"""
    advice: bool = False
    """show the network what the scripted player would do; it may learn to know better"""
    threads: int = 1
    """threads of torch: networks this small gain little from a second one, and lose all where cores are shared"""

    partner: Literal["self", "pool"] = "self"
    """who plays the partners of the learner's seat in a game of teams: the learner itself, or an agent of the pool"""
    opponents: str = "uniform,greedy,scripted"
    """agents in the pool, besides past selves"""
    self_share: float = 0.5
    """share of the other seats that past selves take"""
    selves: int = 4
    """past selves kept"""
    snapshot_every: int = 100_000
    """decisions between past selves"""

    against: str = "uniform,greedy,scripted"
    """whom the learner is measured against"""
    evaluate_every: int = 500_000
    """decisions between measurements, which also save a checkpoint"""
    evaluate_deals: int = 100
    """deals of a measurement on the way"""
    final_deals: int = 1000
    """deals of the measurement at the end"""


# The story


def main(words: Sequence[str] | None = None) -> None:
    """Begin or take up a run, train it to its end, and measure what has been learned."""
    with user_errors("train"):
        args = read(Args, PROGRAM, words)
        run = resume(args.resume, args.more) if args.resume else begin(args)
        write_command(run.folder, words)
    finished = train(run)
    save(run)
    if not finished:
        print(f"stopped after {run.model.num_timesteps:,} decisions; go on with --resume {run.folder}")
        return
    judge(run)


def train(run: Run) -> bool:
    """Play and learn until the steps are done; False if Ctrl-C came first."""
    args, model, every = run.args, run.model, run.args.tables * run.args.rollout
    with asked_to_stop() as stop, progress_bar("learning", args.steps, model.num_timesteps) as advance:
        while model.num_timesteps < args.steps:
            before, started = model.num_timesteps, time.perf_counter()
            model.lr_schedule = FloatSchedule(falling(args.learning_rate, before / (args.falling_over or args.steps)))
            choosing_net(model).requires_grad_(before >= args.critic_steps)
            model.learn(every, reset_num_timesteps=False)
            run.seconds += time.perf_counter() - started
            run.decisions += every
            if stage(args, model.num_timesteps) != stage(args, before):
                sit_down(run)
            if due(args.snapshot_every, before, model.num_timesteps):
                run.pool.remember(choosing_net(model), run.tables.np_random)
            if due(args.evaluate_every, before, model.num_timesteps):
                measure(run)
                save(run)
            advance(model.num_timesteps, f"{run.decisions / run.seconds:,.0f}/s")
            if stop():
                return False
    return True


def measure(run: Run) -> None:
    """Play a few deals against each judge, for the curve and TensorBoard."""
    results = [evaluate(run.game, run.learner, judge, run.args.evaluate_deals, run.args.seed) for judge in run.judges]
    scores = {r.opponent: (r.score.mean, r.score.low, r.score.high) for r in results}
    run.history.append({"decisions": run.model.num_timesteps, "scores": scores})
    for name, (mean, _, _) in scores.items():
        run.model.logger.record(f"score/{name}", mean)


def judge(run: Run) -> None:
    """The final measurement: printed and kept with the curve."""
    seed = run.args.seed + 1  # other deals than those of the curve
    results: list[Result] = [evaluate(run.game, run.learner, judge, run.args.final_deals, seed) for judge in run.judges]
    speed = run.decisions / max(run.seconds, 1e-9)
    facts = {"game": run.game.name, "config": run.game.config, "settings": plain(run.args), "history": run.history}
    write_json(run.folder / "results.json", {**facts, "decisions_per_second": round(speed), **report(results)})
    show(f"{run.args.name} after {run.model.num_timesteps:,} decisions", results)
    print(f"{speed:,.0f} decisions a second, updates included; everything is in {run.folder}")


# A run


@dataclass
class Run:
    """Everything a run holds; `save` keeps it, `resume` brings it back."""

    args: Args
    game: Game
    pool: Pool
    tables: SeatVectorEnv
    model: MaskablePPO
    judges: list[Agent]
    history: list[dict[str, Any]] = field(default_factory=list)  # {"decisions": n, "scores": {name: (mean, low, high)}}
    decisions: int = 0  # learned from in this process
    seconds: float = 0.0  # spent on them

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.args.runs / self.args.name

    @property
    def learner(self) -> NetPlayer:
        """The model as it is now, playing what it likes best."""
        return NetPlayer("learner", choosing_net(self.model), self.args.advice)


def begin(args: Args) -> Run:
    """A new run in a folder of its own; ValueError or OSError for settings that cannot be."""
    run = assemble(args)
    new_folder(run.folder)
    open_log(run)
    if args.imitate:
        attend(run)
    run.pool.remember(choosing_net(run.model), run.tables.np_random)
    save(run)
    return run


def attend(run: Run) -> None:
    """Learn by imitation, and measure what came of it."""
    args = run.args
    (teacher,) = parse(args.teacher, run.game)
    school = School(teacher, args.imitate, args.tables, args.slips, args.advice, args.seed)
    with progress_bar("imitating", args.imitate, 0) as advance:
        for seen, foretold in school.teach(run.model.policy, run.game):
            advance(min(seen, args.imitate), f"{foretold:.1%} foretold")
    measure(run)


def assemble(args: Args, decisions: int = 0) -> Run:
    """Game, tables, opponents and model for the settings, after so many decisions."""
    check(args)
    torch.set_num_threads(args.threads)
    torch.distributions.Distribution.set_default_validate_args(False)  # checks cost a third of the speed
    game = tantra_envs.game(args.game, players=args.players)
    named = parse(args.opponents, game) if args.opponents else []
    pool = Pool(named, args.selves, args.self_share, game.partners, args.advice)
    tables = tables_of(args, pool, decisions)
    policy, keywords = Form(args.policy, args.network, args.activation, args.numbers, args.advice).policy_for(game)
    model = MaskablePPO(
        policy,
        Sb3Tables(tables, args.advice),
        n_steps=args.rollout,
        batch_size=args.batch,
        n_epochs=args.epochs,
        learning_rate=args.learning_rate,
        gamma=args.discount,
        gae_lambda=args.trace,
        ent_coef=args.entropy,
        policy_kwargs=keywords,
        seed=args.seed,
        device="cpu",
    )
    return Run(args, game, pool, tables, model, parse(args.against, game))


def stage(args: Args, decisions: int) -> int:
    """Which of the games is played after so many decisions: the stages in turn, then the game itself."""
    return min(decisions // args.stage_steps, len(args.stages))


def games_of(args: Args) -> list[Game]:
    """The games of the stages, and the game itself; ValueError unless the same networks can play them all."""
    games = [tantra_envs.game(name, players=args.players) for name in (*args.stages, args.game)]
    for name, game in zip(args.stages, games, strict=False):
        if (game.id, game.view.size, game.actions.size) != (games[-1].id, games[-1].view.size, games[-1].actions.size):
            raise ValueError(f"stages={name!r} is not allowed; allowed: variants of {args.game!r} with its views")
    return games


def tables_of(args: Args, pool: Pool, decisions: int) -> SeatVectorEnv:
    """Tables of the stage reached, dealt."""
    game = games_of(args)[stage(args, decisions)]
    together, mode = args.partner == "self", AutoresetMode.SAME_STEP
    tables = SeatVectorEnv(game, args.tables, opponents=pool, team=together, autoreset_mode=mode)
    tables.reset(seed=args.seed)
    return tables


def sit_down(run: Run) -> None:
    """Go on at tables of the next stage."""
    run.tables = tables_of(run.args, run.pool, run.model.num_timesteps)
    run.model.set_env(Sb3Tables(run.tables, run.args.advice))


def save(run: Run) -> None:
    """The model for players, the curve for people, and a checkpoint that holds all the rest."""
    save_model(run.model, run.game, run.folder / "model.zip")
    draw_curve(run.folder / "curve.png", run.history)
    content = {
        "settings": asdict(run.args),
        "policy": run.model.policy.state_dict(),
        "optimizer": run.model.policy.optimizer.state_dict(),
        "decisions": run.model.num_timesteps,
        "updates": run.model._n_updates,
        "past": [past.net.state_dict() for past in run.pool.past],
        "tables": run.tables.save(),
        "history": run.history,
        "chance": (random.getstate(), np.random.get_state(), torch.get_rng_state()),
    }
    write_checkpoint(run.folder, content)


def resume(folder: Path, more: int) -> Run:
    """The run in `folder` where its last checkpoint left it; ValueError if there is none."""
    kept = read_checkpoint(folder)
    settings = Args(**kept["settings"])
    again = replace(settings, runs=folder.parent, name=folder.name, steps=settings.steps + more)
    run = assemble(again, kept["decisions"])
    open_log(run)
    for weights in kept["past"]:
        run.pool.remember(choosing_net(run.model), run.tables.np_random)
        run.pool.past[-1].net.load_state_dict(weights)
    run.model.policy.load_state_dict(kept["policy"])
    run.model.policy.optimizer.load_state_dict(kept["optimizer"])
    run.model.num_timesteps, run.model._n_updates = kept["decisions"], kept["updates"]
    run.history = kept["history"]
    run.model.env.start_with(run.tables.load(kept["tables"])[0])
    python, numpy, pytorch = kept["chance"]
    random.setstate(python)
    np.random.set_state(numpy)
    torch.set_rng_state(pytorch)
    return run


# Around it


def check(args: Args) -> None:
    """ValueError for settings that no part below would refuse in clear words."""
    sizes = ("steps", "stage_steps", "tables", "rollout", "batch", "epochs", "threads")
    for name in (*sizes, "snapshot_every", "evaluate_every"):
        if getattr(args, name) < 1:
            raise ValueError(f"{name}={getattr(args, name)} is not allowed; allowed: 1, 2, 3, ..")
    if args.tables * args.rollout < 2 or args.batch < 2:
        raise ValueError(f"batch={args.batch} is not allowed; allowed: 2 or more, of tables x rollout decisions")
    for name in ("self_share", "slips"):
        if not 0 <= getattr(args, name) <= 1:
            raise ValueError(f"{name}={getattr(args, name)} is not allowed; allowed: 0..1")
    for name in ("imitate", "critic_steps", "falling_over"):
        if getattr(args, name) < 0:
            raise ValueError(f"{name}={getattr(args, name)} is not allowed; allowed: 0, 1, 2, ..")
    if "," in args.teacher:
        raise ValueError(f"teacher={args.teacher!r} is not allowed; allowed: one agent")
    if not args.opponents and args.selves < 1:
        raise ValueError("selves=0 is not allowed without opponents; allowed: 1, 2, 3, ..")


def open_log(run: Run) -> None:
    """Write to TensorBoard."""
    run.model.set_logger(configure(str(run.folder / "tensorboard"), ["tensorboard"]))


def write_command(folder: Path, words: Sequence[str] | None) -> None:
    """Add the command line to the run's `command.txt`."""
    line = shlex.join(["python", "-m", PROGRAM, *(sys.argv[1:] if words is None else words)])
    with (folder / "command.txt").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def due(every: int, before: int, now: int) -> bool:
    """Has a multiple of `every` been passed?"""
    return now // every > before // every


def plain(args: Args) -> dict[str, Any]:
    """The settings as JSON takes them."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(args).items()}


@contextlib.contextmanager
def asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Tells whether Ctrl-C was pressed; pressed a second time it interrupts at once, as usual."""
    pressed = []

    def press(number: int, frame: Any) -> None:
        pressed.append(number)
        signal.signal(signal.SIGINT, usual)

    usual = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, usual)


@contextlib.contextmanager
def progress_bar(doing: str, steps: int, done: int) -> Iterator[Callable[[int, str], None]]:
    """A bar over the decisions, with a word on how it goes."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[news]}"))
    with Progress(*columns, TimeRemainingColumn()) as bar:
        task = bar.add_task("", total=math.ceil(steps), completed=done, news="")
        yield lambda now, news: bar.update(task, completed=now, news=news)


if __name__ == "__main__":
    main()
