"""Write the model of a finished run as weights that ship with the project, or convert a model of Stable-Baselines3.

    python -m training ppo karma --total-decisions 100_000 --name first
    python -m training export runs/first --name first
    python -m training evaluate karma --agent learned:first --opponents scripted

    python -m training export their/model.zip --game karma --trust
    python -m training evaluate karma --agent ppo:their/model.safetensors

The second command writes weights in half precision to tantra_envs/opponents/weights. The file is
NAME-PLAYERSp.safetensors, or NAME.safetensors if the network serves any number of seats.
Without --name it has the name of the game, which is that of weights that ship; --replace overwrites them.
A zip gets its file next to it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tantra_envs.programs import cli

with cli.user_errors("train"):
    from agents.networks import SymlogExtractor, actor_of, build_actor, tensors_of
    from tantra_envs.networks import ACTIVATIONS
    from tantra_envs.opponents.learned import add, file_of, trained_for
    from tantra_envs.opponents.model_files import TRUST, ModelCard, read_card, read_tensors, write_model
    from tantra_envs.opponents.network_spec import NetworkSpec

    from .run_folder import MODEL

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

PROGRAM = "training export"
NOT_IN_ZIP = (
    "The zip contains the network only. If wrappers such as VecNormalize changed its observations in training, "
    "the exported agent plays differently: it gets the observations of the game. Measure it with training evaluate."
)


@dataclass(frozen=True)
class Args:
    """Write weights that ship with the project, or a model file.

    Example: python -m training ppo karma --total-decisions 100_000 --name first

    Example: python -m training export runs/first --name first
    """

    source: Path
    """Folder of a finished run, or a zip that MaskablePPO of sb3-contrib saved."""
    name: str | None = field(default=None, kw_only=True)
    """Name of the weights, for learned:NAME. [default: the name of the game]"""
    replace: bool = field(default=False, kw_only=True)
    """Replace a file that exists, such as weights that ship."""
    game: str = field(default="karma", kw_only=True)
    """For a zip: its game, or game:variant."""
    players: int | None = field(default=None, kw_only=True)
    """For a zip: number of seats. [default: that of the game or variant]"""
    trust: bool = field(default=False, kw_only=True)
    """Allow reading a zip: it contains pickles, which can run code when they are loaded."""


def main(argv: Sequence[str] | None = None) -> None:
    """Write the file, and print a summary of it."""
    with cli.user_errors("train"):
        args = cli.read(Args, PROGRAM, argv)
        source = args.source if args.source.suffix == ".zip" else args.source / MODEL
        file, card = convert(args) if source is args.source else ship(source, args.name, replace=args.replace)
    for result in card.strength:
        score = result["score"]
        print(f"{result['opponent']}: {score['mean']:.3f} [{score['low']:.3f}, {score['high']:.3f}]")
    facts = f"{file.stat().st_size:,} bytes, {card.decisions:,} decisions, digest {card.digest[:12]}"
    print(f"{file}, from {source}: {facts}")
    if source is args.source:
        print(NOT_IN_ZIP)


def ship(model: Path, name: str | Path | None = None, *, replace: bool = False) -> tuple[Path, ModelCard]:
    """Write the weights of a network of a finished run, under a name or to a file.

    Raises:
        ValueError: The run is not finished, or the file exists and `replace` is not given.
    """
    card, results = read_card(model), model.with_name("results.json")
    if not results.is_file():
        wanted = f"a run that has ended, see --resume {model.parent}; runs of scale have no results to export"
        raise ValueError(f"{results} does not exist; allowed: {wanted}")
    settings = card.settings
    game = cli.game(settings["game"], settings.get("players"), settings.get("options", ()))
    facts = {name: value for name, value in settings.items() if "/" not in json.dumps(value)}  # no paths
    measured = json.loads(results.read_text(encoding="utf-8"))
    if (at := measured["history"][-1]["decisions"]) != card.decisions:
        wanted = f"a run that has ended, see --resume {model.parent}"
        raise ValueError(f"{model} is of decision {card.decisions:,}, its results of {at:,}; allowed: {wanted}")
    sources = {"settings": facts, "decisions": card.decisions, "strength": measured["results"]}
    sources["trained_for"] = card.trained_for
    file = name if isinstance(name, Path) else file_of(name or game.id, card.label.get("players"))
    if file.exists():
        if not replace:
            raise ValueError(f"{file} exists; allowed: another --name, or --replace")
        if not name and (there := read_card(file)).config != card.config:
            words = f"{file} is for {trained_for(there)}, this run for {trained_for(card)}"
            raise ValueError(f"{words}; allowed: --name NAME")
    written = write_model(file, read_tensors(model, card, game), card.spec, game, half=True, **sources)
    if not isinstance(name, Path):
        add(file, name or game.id, written)
    return file, written


def convert(args: Args) -> tuple[Path, ModelCard]:
    """Write the model file of a zip.

    Raises:
        ValueError: The zip is not trusted, or does not contain an MLP for the game.
    """
    if not args.source.is_file():
        raise ValueError(f"source={str(args.source)!r} does not exist; allowed: the folder of a run, or a zip")
    if not args.trust:
        raise ValueError(TRUST)
    from sb3_contrib import MaskablePPO

    game = cli.game(args.game, args.players)
    try:
        model = MaskablePPO.load(args.source, device="cpu")
        if model.observation_space.shape != (game.view.size,):
            raise ValueError(f"observations have shape {model.observation_space.shape}; allowed: ({game.view.size},)")
        spec = _spec_of(model)
        build_actor(spec, game).load_state_dict(actor_of(model).state_dict())
    except Exception as error:  # unpickling a damaged file may raise any error
        raise ValueError(f"{args.source} holds no MaskablePPO with an MLP for {game.name}: {error}") from None
    file = args.source.with_suffix(".safetensors")
    if file.exists() and not args.replace:
        raise ValueError(f"{file} exists; allowed: --replace, or a zip in another folder")
    return file, write_model(file, tensors_of(actor_of(model)), spec, game, decisions=model.num_timesteps)


def _spec_of(model: MaskablePPO) -> NetworkSpec:
    """Return the network specification of a model whose policy is an MLP."""
    policy: Any = model.policy
    layers = list(policy.mlp_extractor.policy_net)
    names: dict[type, Any] = {module: name for name, module in ACTIVATIONS.items()}
    transform: Any = "symlog" if isinstance(policy.features_extractor, SymlogExtractor) else "none"
    widths = tuple(layer.out_features for layer in layers[::2])
    return NetworkSpec("mlp", widths, names[type(layers[1])] if layers else "tanh", transform)
