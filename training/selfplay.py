"""Learn a game by self-play: MaskablePPO in one seat or team, named agents and snapshots of itself in the others.

    python -m training.selfplay --config configs/training/karma.toml --name karma-2
    python -m training.selfplay --resume runs/karma-2
    tensorboard --logdir runs

One script, one story: settings, a run, behaviour cloning, learning from results, the measurement at the end. Beside
`model.safetensors`, the network as it is now, lies `best.safetensors`, as it was when it scored most on the way. Ctrl-C
ends it after the current update, saved; a second one at once.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tantra_envs import cli

with cli.user_errors("train"):  # torch may be missing, and takes its seconds
    import numpy as np
    import torch
    from gymnasium.vector import AutoresetMode
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Image, configure
    from stable_baselines3.common.utils import FloatSchedule

    from agents import Agent, parse
    from agents.checkpoint import Checkpoint, read_card, write_model
    from agents.network_spec import NetworkSpec
    from agents.networks import ACTIVATIONS, TRANSFORMS, NetworkPlayer, actor_of, tensors_of
    from tantra_envs.core.game import Game
    from tantra_envs.envs.render_modes import render_modes
    from tantra_envs.envs.vector import SeatVectorEnv
    from tantra_envs.files import write_json

    from . import settings
    from .evaluate import Result, evaluate, report, show
    from .imitation import BehaviourCloning
    from .opponents import OpponentPool
    from .progress import asked_to_stop, processor_minutes, progress_bar
    from .replays import write_replays
    from .run_folder import BEST, MODEL, add_command, draw_curve, new_folder, read_checkpoint, write_checkpoint
    from .schedules import due, linear_schedule
    from .settings import Settings
    from .vec_env import SB3VecEnv

PROGRAM = "training.selfplay"


# Settings


@dataclass(kw_only=True)
class Args(Settings):
    """Learn a game by self-play.

    Example: python -m training.selfplay --config configs/training/karma.toml --name karma-2 --seed 3
    """

    curriculum: tuple[str, ...] = ()
    """Games to begin with, from easy to hard, as variants of `game`: tantra:first tantra:second."""
    curriculum_timesteps: int = 100_000
    """Decisions in each of them."""
    bc_decisions: int = 0
    """Behaviour cloning before anything is learned from results: decisions of `expert` to learn."""
    expert: str = "scripted"
    """The agent to clone."""
    epsilon: float = 0.05
    """Share of random moves in the expert's games, after which it shows how to go on."""
    critic_timesteps: int = 0
    """Decisions at the start that only the critic learns from, so that it does not spoil what was cloned."""
    lr_decay_steps: int = 0
    """Decisions over which the learning rate falls; 0 = all of the run."""
    advice: bool = False
    """Give the network the scripted player's action as an input; it may learn to know better."""
    replays: bool = True
    """Keep a game against each opponent as a page with every measurement, and show where it ended in TensorBoard."""


COUNTED = ("bc_decisions", "critic_timesteps", "lr_decay_steps")


def check(args: Args) -> None:
    """ValueError for settings that no part below would refuse in clear words."""
    settings.check(args)
    cli.check_ranges(args, curriculum_timesteps=(1, math.inf), epsilon=(0, 1))
    cli.check_ranges(args, **dict.fromkeys(COUNTED, (0, math.inf)))
    if "," in args.expert:
        raise ValueError(f"expert={args.expert!r} is not allowed; allowed: one agent")


# The story


def main(argv: Sequence[str] | None = None) -> None:
    """Begin or take up a run, train it to its end, and measure what has been learned."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        run = resume(args) if args.resume else begin(args)
        add_command(run.folder, cli.command(PROGRAM, argv))
    with cli.work(f"go on with --resume {run.folder}"):
        learn(run)
        judge(run)


def learn(run: Run) -> None:
    """From where the run is to its last decision; KeyboardInterrupt, all saved, if Ctrl-C comes first."""
    if not run.cloned:
        clone_expert(run)
        save(run)
    finished = train(run)
    save(run)
    if not finished:
        raise KeyboardInterrupt


def clone_expert(run: Run) -> None:
    """Behaviour cloning, if it is asked for, and a first snapshot of what came of it."""
    args = run.args
    if args.bc_decisions:
        (expert,) = parse(args.expert, run.game)
        cloning = BehaviourCloning(expert, args.bc_decisions, args.num_envs, args.epsilon, args.advice, args.seed)
        with progress_bar("cloning", args.bc_decisions, 0) as advance:
            for seen, accuracy in cloning.train(run.model.policy, run.game):
                advance(min(seen, args.bc_decisions), f"accuracy {accuracy:.1%}")
        measure(run)
    run.pool.add_snapshot(actor_of(run.model), run.tables.np_random)
    run.cloned = True


def train(run: Run) -> bool:
    """Play and learn from results until the decisions are done; False if Ctrl-C came first."""
    args, model = run.args, run.model
    with asked_to_stop() as stop, progress_bar("learning", args.total_timesteps, model.num_timesteps) as advance:
        while model.num_timesteps < args.total_timesteps:
            before = model.num_timesteps
            update(run)
            after_update(run, before)
            advance(model.num_timesteps, f"{run.decisions / run.seconds:,.0f}/s")
            if stop():
                return False
    return True


def update(run: Run) -> None:
    """One update of PPO, from `n_steps` decisions at every table."""
    args, model, started = run.args, run.model, time.perf_counter()
    progress = model.num_timesteps / (args.lr_decay_steps or args.total_timesteps)
    model.lr_schedule = FloatSchedule(linear_schedule(args.learning_rate, progress))
    actor_of(model).requires_grad_(model.num_timesteps >= args.critic_timesteps)
    model.learn(args.num_envs * args.n_steps, reset_num_timesteps=False)
    run.seconds += time.perf_counter() - started
    run.decisions += args.num_envs * args.n_steps


def after_update(run: Run, before: int) -> None:
    """What is due now and was not `before`: the next game of the curriculum, a snapshot, a measurement."""
    args, now = run.args, run.model.num_timesteps
    if stage(args, now) != stage(args, before):
        run.tables = tables_of(args, run.pool, now)
        run.model.set_env(SB3VecEnv(run.tables, args.advice))
    if due(args.snapshot_every, before, now):
        run.pool.add_snapshot(actor_of(run.model), run.tables.np_random)
    if due(args.eval_every, before, now):
        measure(run)
        save(run)


def measure(run: Run) -> None:
    """Play a few deals against each opponent, for the curve, TensorBoard, and to know the best so far."""
    args = run.args
    results = [evaluate(run.game, run.learner, other, args.eval_deals, args.seed) for other in run.eval_opponents]
    scores = {r.opponent: (r.score.mean, r.score.low, r.score.high) for r in results}
    run.history.append({"decisions": run.model.num_timesteps, "scores": scores})
    run.minutes.append(round(run.spent, 3))
    if max(run.history, key=average) is run.history[-1]:
        write_player(run, BEST)
    for name, (mean, _, _) in scores.items():
        run.model.logger.record(f"score/{name}", mean)
    keep_games(run)
    run.model.logger.dump(run.model.num_timesteps)


def average(measured: dict[str, Any]) -> float:
    """The score of a measurement over all opponents."""
    return float(np.mean([mean for mean, _, _ in measured["scores"].values()]))


def keep_games(run: Run) -> None:
    """A replay against each opponent, and where it ended as a picture in TensorBoard if the extra `render` is there."""
    if not run.args.replays:
        return
    ends = write_replays(run.folder / "replays", run.game, run.learner, run.eval_opponents, run.args.seed)
    if "rgb_array" in render_modes(run.game):
        from tantra_envs.drawing.raster import rgb_array

        for opponent, table in ends.items():
            run.model.logger.record(f"table/{opponent}", Image(rgb_array(table), "HWC"))


def judge(run: Run) -> None:
    """The measurement at the end, of the last network and the best on the way: printed and kept with the curve."""
    args, file, now = run.args, run.folder / BEST, run.model.num_timesteps
    measured = {now: at_the_end(run, run.learner)}
    best = read_card(file).decisions if file.exists() else now
    if best != now:
        measured[best] = at_the_end(run, Checkpoint(run.game, file, "best"))
    speed = run.decisions / max(run.seconds, 1e-9)
    facts = {"game": run.game.name, "config": run.game.config, "settings": settings.plain(args), "history": run.history}
    minutes = {"minutes": [*run.minutes, round(run.spent, 3)]}
    kept = {"best": {"decisions": best, **report(measured[best])}, **report(measured[now])}
    write_json(run.folder / "results.json", {**facts, **minutes, "decisions_per_second": round(speed), **kept})
    keep_games(run)
    run.model.logger.dump(now)
    for decisions, results in measured.items():
        show(f"{args.name} after {decisions:,} decisions{', its best' if decisions == best else ''}", results)
    print(f"{speed:,.0f} decisions a second, updates included; everything is in {run.folder}")


def at_the_end(run: Run, player: Agent) -> list[Result]:
    """Against each opponent, over other deals than those of the curve."""
    args = run.args
    return [evaluate(run.game, player, other, args.final_deals, args.seed + 1) for other in run.eval_opponents]


# A run


@dataclass
class Run:
    """Everything a run holds; `save` keeps it, `resume` brings it back."""

    args: Args
    game: Game
    pool: OpponentPool
    tables: SeatVectorEnv
    model: MaskablePPO
    eval_opponents: list[Agent]
    history: list[dict[str, Any]] = field(default_factory=list)  # {"decisions": n, "scores": {name: (mean, low, high)}}
    minutes: list[float] = field(default_factory=list)  # of a processor, until each measurement
    cloned: bool = False  # is behaviour cloning behind it?
    earlier: float = 0.0  # minutes of a processor in processes before this one
    began: float = field(default_factory=processor_minutes)
    decisions: int = 0  # learned from in this process
    seconds: float = 0.0  # spent on them

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.args.runs / self.args.name

    @property
    def spent(self) -> float:
        """Minutes of a processor, so far."""
        return self.earlier + processor_minutes() - self.began

    @property
    def learner(self) -> NetworkPlayer:
        """The model as it is now, playing its likeliest action."""
        return NetworkPlayer("learner", actor_of(self.model), self.args.advice)


def begin(args: Args) -> Run:
    """A new run in a folder of its own; ValueError or OSError for settings that cannot be."""
    run = assemble(args)
    new_folder(run.folder)
    open_log(run)
    save(run)
    return run


def resume(args: Args) -> Run:
    """The run in the folder `args.resume` where its checkpoint left it; ValueError if there is none."""
    assert args.resume is not None
    kept = read_checkpoint(args.resume)
    if "minutes" not in kept:
        raise ValueError(f"{args.resume} holds a run of another version: it does not tell its minutes")
    run = assemble(settings.kept(kept["settings"], args), kept["decisions"])
    open_log(run)
    restore(run, kept)
    return run


def assemble(args: Args, decisions: int = 0) -> Run:
    """Game, tables, opponents and model for the settings, after so many decisions."""
    check(args)
    torch.set_num_threads(args.threads)
    torch.distributions.Distribution.set_default_validate_args(False)  # checks cost a third of the speed
    game = cli.game(args.game, args.players)
    if args.bc_decisions:
        parse(args.expert, game)  # refuses, if it has to, before anything is written
    named = parse(args.opponents, game) if args.opponents else []
    pool = OpponentPool(named, args.pool_size, args.self_play_fraction, game.partners, args.advice)
    tables = tables_of(args, pool, decisions)
    return Run(args, game, pool, tables, model_of(args, tables), parse(args.eval_opponents, game))


def model_of(args: Args, tables: SeatVectorEnv) -> MaskablePPO:
    """Return an untrained learner."""
    network = {
        "net_arch": list(args.net_arch),
        "features_extractor_class": TRANSFORMS[args.transform],
        "activation_fn": ACTIVATIONS[args.activation],
    }
    return MaskablePPO(
        "MlpPolicy",
        SB3VecEnv(tables, args.advice),
        n_steps=args.n_steps,
        batch_size=args.batch_size,
        n_epochs=args.n_epochs,
        learning_rate=args.learning_rate,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        ent_coef=args.ent_coef,
        policy_kwargs=network,
        seed=args.seed,
        device="cpu",
    )


def spec_of(args: Args) -> NetworkSpec:
    """The network the settings ask for."""
    return NetworkSpec("mlp", args.net_arch, args.activation, args.transform, args.advice)


def tables_of(args: Args, pool: OpponentPool, decisions: int) -> SeatVectorEnv:
    """Tables of the game that is played after so many decisions, dealt."""
    game = games_of(args)[stage(args, decisions)]
    together, mode = args.partner == "self", AutoresetMode.SAME_STEP
    tables = SeatVectorEnv(game, args.num_envs, opponents=pool, team=together, autoreset_mode=mode)
    tables.reset(seed=args.seed)
    return tables


def stage(args: Args, decisions: int) -> int:
    """Which of the games is played after so many decisions: the curriculum in turn, then the game itself."""
    return min(decisions // args.curriculum_timesteps, len(args.curriculum))


def games_of(args: Args) -> list[Game]:
    """The games of the curriculum, and the game itself; ValueError unless the same networks can play them all."""
    last = cli.game(args.game, args.players)
    games = [cli.game(name, last.players) for name in args.curriculum]
    for name, game in zip(args.curriculum, games, strict=True):
        if (game.id, game.view.size, game.actions.size) != (last.id, last.view.size, last.actions.size):
            allowed = f"variants of {args.game!r} with its observations"
            raise ValueError(f"curriculum={name!r} is not allowed; allowed: {allowed}")
    return [*games, last]


def open_log(run: Run) -> None:
    """Write to TensorBoard."""
    run.model.set_logger(configure(str(run.folder / "tensorboard"), ["tensorboard"]))


# Its files


def save(run: Run) -> None:
    """The model for players, the curve for people, and a checkpoint that holds all the rest."""
    known = write_player(run, MODEL)
    draw_curve(run.folder / "curve.png", run.history)
    optimizer = run.model.policy.optimizer.state_dict()
    content = {
        **known,
        "updates": run.model._n_updates,
        "cloned": run.cloned,
        "history": run.history,
        "minutes": [run.minutes, run.spent],
        "policy": run.model.policy.state_dict(),
        "optimizer": [optimizer["param_groups"], list(optimizer["state"]), list(optimizer["state"].values())],
        "snapshots": [snapshot.actor.state_dict() for snapshot in run.pool.snapshots],
        "tables": run.tables.save(),
        "chance": [random.getstate(), np.random.get_state(legacy=False), torch.get_rng_state()],
    }
    write_checkpoint(run.folder, content)


def write_player(run: Run, file: str) -> dict[str, Any]:
    """Keep the network as it is now for players; what is known of it."""
    known: dict[str, Any] = {"settings": settings.plain(run.args), "decisions": run.model.num_timesteps}
    write_model(run.folder / file, tensors_of(actor_of(run.model)), spec_of(run.args), run.game, **known)
    return known


def restore(run: Run, kept: dict[str, Any]) -> None:
    """Fill a run, just assembled, with what `save` kept."""
    policy = run.model.policy
    for weights in kept["snapshots"]:
        run.pool.add_snapshot(actor_of(run.model), run.tables.np_random)
        run.pool.snapshots[-1].actor.load_state_dict(weights)
    policy.load_state_dict(kept["policy"])
    groups, numbers, moments = kept["optimizer"]
    policy.optimizer.load_state_dict({"param_groups": groups, "state": dict(zip(numbers, moments, strict=True))})
    run.model.num_timesteps, run.model._n_updates = kept["decisions"], kept["updates"]
    run.history, run.cloned = kept["history"], kept["cloned"]
    run.minutes, run.earlier = kept["minutes"]
    dtypes = {name: getattr(own, "dtype", None) for name, own in run.tables.save().items()}
    tables = {name: saved.view(dtypes[name]) if dtypes[name] else saved for name, saved in kept["tables"].items()}
    told = run.tables.load(tables)
    if kept["decisions"]:  # else they are dealt as learning begins
        env: Any = run.model.env
        env.continue_from(*told)
    (version, words, gauss), numpy, pytorch = kept["chance"]
    random.setstate((version, tuple(words), gauss))
    np.random.set_state(numpy)
    torch.set_rng_state(pytorch)


if __name__ == "__main__":
    main()
