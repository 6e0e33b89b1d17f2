"""Learn a game by self-play with RLlib's PPO on Ray, on the cores of one machine or of a cluster.

`table_runner.py` holds the processes that play. The folder of a run holds `model.safetensors` for playing,
`options.json`, and `checkpoint-N`, RLlib's checkpoint after N decisions.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from tantra_envs.core.options import Within, require, require_in
from tantra_envs.matches.match import check_opponents
from tantra_envs.opponents.model_files import write_model
from tantra_envs.opponents.network_spec import NetworkSpec
from tantra_envs.programs import cli
from tantra_envs.programs.files import locked, write_json
from tantra_envs.programs.progress import progress
from tantra_envs.programs.signals import asked_to_stop, handlers_kept
from tantra_envs.programs.workers import WorkerError

from .options import Rate, Seed, Tables, Units, check_resumed, restore, to_json
from .run_folder import MODEL, new_folder

OPTIONS = "options.json"


@dataclass(frozen=True, kw_only=True)
class Args(cli.FolderOptions, cli.GameOptions):
    """Learn a game by self-play with RLlib: env runners in other processes, here or on a cluster of Ray.

    Example: python -m training scale karma --workers 2 --name karma-scale
    """

    resume: Path | None = None
    """Folder of a run to continue with its own options; its pickles can run code when they are loaded."""
    more: int = 0
    """With --resume: decisions to add; negative removes."""
    workers: cli.Workers = 2
    """Number of env runners, each a process; may differ after --resume."""
    address: str = ""
    """HOST:PORT of a Ray cluster, or auto; empty = local; may differ after --resume."""
    seed: Seed = 1
    """Seed of networks and deals."""
    total_decisions: cli.Count = 5_000_000
    """Decisions with a choice to learn from, of all seats. The last update is whole, so a run has some more."""
    tables: Tables = 256
    """Tables of each env runner."""
    update_size: Annotated[int, Within(2)] = 32_768
    """Decisions of an update; all runners play 64 actions at their tables, and again, until they have this many."""
    learning_rate: Rate = 1e-3
    """Learning rate at the start; it falls linearly to a tenth."""
    net_arch: tuple[Units, ...] = (128, 128)
    """Hidden layers of actor and critic."""

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return self.runs / (self.name or f"{self.game.replace(':', '-')}-scale")

    @property
    def spec(self) -> NetworkSpec:
        """The network of the policy."""
        return NetworkSpec("mlp", self.net_arch, "relu")


def checked(args: Args) -> Args:
    """Return the options of a new run, or those of the run to resume; raise ValueError if one is not allowed."""
    check_resumed(args)
    if folder := args.resume:
        if not _checkpoints(folder):
            raise ValueError(f"{folder} holds no checkpoint; allowed: the folder of a run")
        saved = json.loads((folder / OPTIONS).read_text(encoding="utf-8"))
        decisions = _decisions_of(_checkpoints(folder)[-1])
        args = replace(restore(saved, args, decisions, free=("workers", "address")), resume=folder)
    cli.check_values(Args, vars(args))
    check_opponents(cli.game(args.game, args.players))
    return args


def _checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints of a run, the newest last."""
    return sorted(folder.glob("checkpoint-*"), key=_decisions_of)


def _decisions_of(checkpoint: Path) -> int:
    """Return the number of decisions in the name of a checkpoint."""
    return int(checkpoint.name.partition("-")[2])


def _decisions(algorithm: Any) -> int:
    """Return the number of decisions learned from since the run began."""
    return int(algorithm.metrics.peek(("env_runners", "num_env_steps_sampled_lifetime"), default=0))


def save(args: Args, algorithm: Any) -> None:
    """Write the model and a checkpoint. Remove earlier checkpoints when the new one is complete."""
    folder, game, decisions = args.folder.absolute(), cli.game(args.game, args.players), _decisions(algorithm)
    weights = algorithm.learner_group.get_weights()["default_policy"]
    actor = {name.removeprefix("actor."): array for name, array in weights.items() if name.startswith("actor.")}
    write_json(folder / OPTIONS, to_json(args))
    earlier, part = _checkpoints(folder), folder / "part"
    shutil.rmtree(part, ignore_errors=True)
    algorithm.save_to_path(str(part))
    part.rename(folder / f"checkpoint-{decisions}")
    write_model(folder / MODEL, actor, args.spec, game, settings=to_json(args), decisions=decisions)
    for path in earlier:
        shutil.rmtree(path)


def train(args: Args, algorithm: Any) -> None:
    """Play and learn until the decisions are done, or until Ctrl-C or SIGTERM, and save after every update."""
    first, began, total = _decisions(algorithm), time.perf_counter(), args.total_decisions
    print(f"folder: {args.folder}", flush=True)
    with asked_to_stop() as stop, progress("decisions", total, first) as advance:
        while (before := _decisions(algorithm)) < total and not stop():
            algorithm.train()
            if (now := _decisions(algorithm)) == before:
                raise WorkerError("no env runner has answered")
            save(args, algorithm)
            advance(now - before, f"{(now - first) / (time.perf_counter() - began):,.0f} /s")
        if stop():
            raise KeyboardInterrupt


def main(argv: Sequence[str] | None = None) -> None:
    """Begin or resume the run of a command line, train it to its end, and measure it."""
    with contextlib.ExitStack() as ended:
        with cli.user_errors("train,rllib", "constraints/rllib.txt"):
            args = checked(cli.read(Args, "training scale", argv))
            import ray

            from .table_runner import config_for

            if not args.resume:
                new_folder(args.folder)
            ended.enter_context(locked(args.folder))
            begin_ray(args.address, args.workers)
            ended.callback(ray.shutdown)
            cores = ray.cluster_resources().get("CPU", 0)
            require_in("workers", args.workers, Within(1, cores))  # RLlib would wait forever for more
        with cli.work(f"continue with --resume {args.folder}"):
            algorithm = config_for(args).build_algo()
            if args.resume:
                algorithm.restore_from_path(str(_checkpoints(args.folder)[-1].absolute()))
            train(args, algorithm)
            print(f"measure it: python -m training evaluate {args.game} --agent ppo:{args.folder / MODEL}")


def begin_ray(address: str, cores: int) -> None:
    """Join the Ray cluster at `address`, HOST:PORT or auto; if it is empty, start one here with so many cores."""
    import ray  # type: ignore[import-not-found, unused-ignore]

    _check_somebody_answers(address)
    local = {"num_cpus": cores, "include_dashboard": False}
    try:
        with handlers_kept():  # Ray ends the program on SIGTERM, without a word
            ray.init(address or "local", log_to_driver=False, logging_level="error", **({} if address else local))
    except (ConnectionError, ray.exceptions.RayError) as error:
        token = "if it requires a token, set RAY_AUTH_MODE=token and put the token into ~/.ray/auth_token"
        raise OSError(f"the cluster at {address} refused the connection: {error} ({token})") from None
    except Exception as error:
        if type(error) is not Exception:  # Ray raises a bare Exception only if its processes start too slowly
            raise
        raise OSError(f"Ray did not start in time; the machine may be overloaded: {error}") from None


def _check_somebody_answers(address: str) -> None:
    """Raise OSError at once if the address does not answer. Ray would try for minutes and then end this process."""
    if address in ("", "auto", "local"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    require("address", address, host and port.isdecimal(), "HOST:PORT, or auto")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise OSError(f"no answer from {address}, which should be the head of a Ray cluster: {error}") from None
