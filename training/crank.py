"""Turn by turn from what a player does to what playing on finds out: values, labels, a student, and again with it.

    python -m training.crank --config configs/training/crank/karma.toml --workers 2

The first turn begins with the scripted player: what positions are worth when it plays on (training.values), what every
action is worth after a few actions more, or with `--plies 0` when the game is played to its end, for which no values
are needed (training.labels), and a student of that (training.distil). In every further
turn the last student is the base player, compiled into the playouts, and the next one begins as it. A turn ends with a
measurement against the scripted player and against the turn before. The same command goes on where it was stopped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from tantra_envs import cli, workers

with cli.user_errors("train"):
    from agents import parse
    from agents.checkpoint import read_card
    from tantra_envs.files import open_folder, write_json

    from . import distil, labels, values
    from .evaluate import Result, evaluate, report
    from .progress import processor_minutes
    from .run_folder import CHECKPOINT, add_command

PROGRAM = "training.crank"
ROW = "results.json"
FREE = ("turns", "workers", "ray", "threads", "final_deals", "name", "runs")  # settings that may change on the way


@dataclass(frozen=True, kw_only=True)
class Args:
    """Learn from playouts, turn by turn.

    Example: python -m training.crank --config configs/training/crank/karma.toml --workers 2
    """

    game: str = "karma"
    """A game, or game:variant."""
    players: int | None = None
    """Seats at the table; None = as the game or variant has it."""
    turns: int = 2
    """How many students, each from the one before; more of them later keep what is there."""
    value_deals: int = 8_000
    """Games of a turn that values are learned from."""
    label_deals: int = 10_000
    """Games of a turn in which positions are labelled."""
    share: float = 0.5
    """Share of the decisions that are labelled."""
    epsilon: float = 0.1
    """Share of random moves in the games of both."""
    worlds: int = 4
    """Worlds in which the actions of a position are compared."""
    candidates: int = 0
    """Actions that are compared, the best by the base player's own values; 0 = all legal ones."""
    plies: int = 8
    """Where playouts stop and values are asked, in actions; 0 = at the end, without values."""
    value_net: tuple[int, ...] = (128, 64)
    """Hidden layers of the values."""
    net_arch: tuple[int, ...] = (128, 64)
    """Hidden layers of the students."""
    transform: Literal["none", "symlog"] = "none"
    """Of what the students see; symlog where it holds counts and points of tens and hundreds."""
    bc_decisions: int = 1_000_000
    """Decisions of the scripted player that the first student is cloned from."""
    spread: float = 0.003
    """By how much an action must be worth more to be e times as likely as before, in shares of the others beaten."""
    epochs: int = 3
    """How often all labels of a turn are gone through."""
    learning_rate: float = 3e-3
    """Of the students, at the start of each; it falls in a straight line to a tenth."""
    seed: int = 1
    """Decides the deals, all chance, and the networks."""
    final_deals: int = 2000
    """Duplicate deals of a turn's measurements."""
    workers: int = 1
    """Processes that play; what is learned is the same for any number."""
    ray: bool = False
    """Let the workers run on Ray: the one at RAY_ADDRESS, or one begun here."""
    threads: int = 2
    """Of torch."""
    name: str = "crank"
    """The folder of the turns under `runs`."""
    runs: Path = Path("runs")
    """Where it is."""


@dataclass(frozen=True)
class Turn:
    """One of them, from 1 on."""

    args: Args
    number: int

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.args.runs / self.args.name / f"turn-{self.number}"

    @property
    def student(self) -> Path:
        """The model file it ends with."""
        return self.folder / "student" / distil.MODEL

    @property
    def before(self) -> Path | None:
        """The student it begins from."""
        return Turn(self.args, self.number - 1).student if self.number > 1 else None

    @property
    def base(self) -> str:
        """Who plays on."""
        return f"ppo:{self.before}" if self.before else "scripted"

    def common(self, name: str) -> dict[str, Any]:
        """Options that all parts have; every turn has deals of its own."""
        args, seed = self.args, self.args.seed + self.number - 1
        return {"game": args.game, "players": args.players, "seed": seed, "name": name, "runs": self.folder}

    def playing(self) -> dict[str, Any]:
        """Options of the parts that play: by whom, and how."""
        visitors = f"{self.base},scripted" if self.before else self.base
        return {"base": self.base, "visitors": visitors, "epsilon": self.args.epsilon}


def main(argv: Sequence[str] | None = None) -> None:
    """Do the turns that are missing, and print what each came to."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        check(args)
        executor = workers.executor(args.workers, args.ray)
        add_command(args.runs / args.name, cli.command(PROGRAM, argv))
    with cli.work("the same command goes on from there"), executor as run:
        for number in range(1, args.turns + 1):
            turn = Turn(args, number)
            if not (turn.folder / ROW).exists():
                take(turn, run)
            tell(turn)


def check(args: Args) -> None:
    """ValueError or OSError for what the parts would refuse later, or other settings than the folder began with."""
    some, any_number = (1, math.inf), (0, math.inf)
    cli.check_ranges(args, turns=some, value_deals=some, label_deals=some, worlds=some, epochs=some)
    cli.check_ranges(args, final_deals=some, bc_decisions=some, candidates=any_number, plies=any_number)
    cli.check_ranges(args, share=(1e-6, 1), epsilon=(0, 1), spread=(1e-6, 1))
    parse("scripted", cli.game(args.game, args.players))
    open_folder(args.runs / args.name)
    _check_same(args)


def take(turn: Turn, run: workers.Run) -> None:
    """Values, labels, a student, its strength."""
    began, fresh = processor_minutes(), not turn.folder.exists()
    looks = _values(turn, run) if turn.args.plies else 0
    _labels(turn, run)
    learned, results = _student(turn)
    if turn.before:
        player, before = (parse(f"ppo:{file}", learned.game)[0] for file in (turn.student, turn.before))
        results.append(evaluate(learned.game, player, before, turn.args.final_deals, turn.args.seed + 1))
    alone = fresh and turn.args.workers == 1 and not turn.args.ray
    minutes = round(processor_minutes() - began, 2) if alone else None  # unknown of workers, and of what was stopped
    facts = {"looks": looks, "positions": len(learned.labels), "minutes": minutes}
    write_json(turn.folder / ROW, {**facts, **report(results)})


def tell(turn: Turn) -> None:
    """A turn in two lines."""
    row = json.loads((turn.folder / ROW).read_text(encoding="utf-8"))
    args, cost = turn.args, f", {row['minutes']} minutes of one core" if row["minutes"] else ""
    far = f"for {args.plies} actions of {turn.base}" if args.plies else f"to the end, played by {turn.base}"
    how = f"{row['positions']:,} positions, each action tried in {args.worlds} worlds {far}{cost}"
    print(f"turn {turn.number}: {row['looks']:,} looks at its games, {how}")
    print(f"it scores {'; '.join(map(_scored, row['results']))}: {turn.student}")


def _scored(result: dict[str, Any]) -> str:
    score = result["score"]
    return f"{score['mean']:.3f} [{score['low']:.3f}, {score['high']:.3f}] against {result['opponent']}"


def _values(turn: Turn, run: workers.Run) -> int:
    """Learned, unless they are there: from how many looks."""
    args = turn.args
    given = values.Args(
        **turn.common("values"),
        **turn.playing(),
        deals=args.value_deals,
        net_arch=args.value_net,
        threads=args.threads,
    )
    if not values.model(given).exists():
        values.learn(given, values.prepare(given), run)
    return read_card(values.model(given)).decisions


def _labels(turn: Turn, run: workers.Run) -> None:
    args = turn.args
    given = labels.Args(
        **turn.common("labels"),
        **turn.playing(),
        deals=args.label_deals,
        share=args.share,
        worlds=args.worlds,
        candidates=args.candidates,
        plies=args.plies,
        values=str(turn.folder / "values" / values.MODEL) if args.plies else None,
    )
    labels.make(*labels.prepare(given), run)


def _student(turn: Turn) -> tuple[distil.Run, list[Result]]:
    """Begun or taken up, learned, and measured."""
    args, folder = turn.args, turn.folder / "student"
    given = distil.Args(
        **turn.common("student"),
        labels=(turn.folder / "labels",),
        start=turn.before,
        bc_decisions=args.bc_decisions,
        net_arch=args.net_arch,
        transform=args.transform,
        spread=args.spread,
        epochs=args.epochs,
        learning_rate=args.learning_rate,
        threads=args.threads,
        final_deals=args.final_deals,
    )
    run = distil.resume(folder) if (folder / CHECKPOINT).exists() else distil.begin(given)
    distil.learn(run)
    return run, distil.judge(run)


def _check_same(args: Args) -> None:
    """ValueError if the folder's turns were begun with other settings; how many, and by whom, may change."""
    file = args.runs / args.name / "settings.json"
    own = {name: value for name, value in asdict(args).items() if name not in FREE}
    if not file.exists():
        write_json(file, own)
    for name, value in json.loads(file.read_text(encoding="utf-8")).items():
        if name in own and value != json.loads(json.dumps(own[name])):
            raise ValueError(f"{file.parent} was begun with {name}={value!r}; now it is {own[name]!r}")


if __name__ == "__main__":
    main()
