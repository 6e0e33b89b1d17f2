"""The page of a game: its README, a game to step through, its variants, and links to measurements."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.envs.aec import TableEnv
from tantra_envs.games import SHIPPED
from tantra_envs.opponents import learned
from tantra_envs.opponents.model_files import ModelCard, read_card
from tantra_envs.opponents.scripted import Scripted

from .links import ROOT

SEED = 3
NAMES = ("Ann", "Ben", "Cleo", "Dan")
SHORT = {
    "kanastic": "round",
    "tarot": "hand",
}  # what is played to be stepped through, where a game takes hundreds of actions


def page(name: str, readme: str) -> str:
    """Return the page, with links as the README has them."""
    head, *sections = re.split(r"^(?=## )", readme, flags=re.MULTILINE)
    last = next((i for i, section in enumerate(sections) if section.startswith(("## Left out", "## Versions"))), None)
    told, rest = sections[:last], sections[last:] if last is not None else []
    made = [_variants(name), _strength(name), _studies(name)]
    return "".join([head, _at_a_glance(name), _replay(name), *told, *made, *rest])


def play(folder: Path) -> None:
    """Write the games to step through into `folder`, one page for each."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in SHIPPED:
        names = NAMES[: _shown(name).players]
        _played(name).replay(names).save(folder / f"{name}.html")


def _at_a_glance(name: str) -> str:
    game = tantra_envs.game(name)
    rows = {
        "players": f"{game.seats[0]} to {game.seats[-1]}",
        "actions": f"{game.actions.size}, for {game.players} players",
        "observation": f"{game.view.size} numbers of a seat, {game.view.dtype} divided by a scale, or float32",
        "phases": ", ".join(game.phases),
        "environments": f"`{name}_v0` (PettingZoo), `tantra_envs/{name.capitalize()}-v0` (Gymnasium)",
        "play it": f"`python -m tantra_envs play {name}`",
    }
    table = "".join(f"| {key} | {value} |\n" for key, value in rows.items())
    return f"## At a glance\n\n| | |\n|---|---|\n{table}\n"


def _replay(name: str) -> str:
    """Return the section that shows a game to step through."""
    game = _shown(name)
    short = f", `{name}:{SHORT[name]}`" if name in SHORT else ""
    return (
        f"## A game to step through\n\n{game.players} scripted players{short}, seed {SEED}. Arrow keys, the slider or "
        'the list of actions lead through it; "seen by" shows what a seat saw. Your own games become such pages by '
        '`env.replay().save("game.html")`: see [watching](../../../docs/watching.md).\n\n```{raw} html\n'
        f'<iframe class="replay" src="../replays/{name}.html" title="A game of {game.title}" loading="lazy"></iframe>\n'
        f'<p><a href="../replays/{name}.html">The same on a page of its own</a></p>\n```\n\n'
    )


def _shown(name: str) -> Any:
    return tantra_envs.game(name, SHORT.get(name))


def _played(name: str) -> TableEnv:
    """Return a game between scripted agents, played to its end."""
    env = TableEnv(_shown(name))
    env.reset(seed=SEED)
    state, agent, rng = env.game.new(SEED), Scripted(env.game), np.random.default_rng(SEED)
    while not state["over"][0]:
        action = int(agent.act(Observation(env.game, state), rng)[0])
        env.game.apply_action(state, action)
        env.step(action)
    return env


def _variants(name: str) -> str:
    """Return the table of named variants, with the comments of their file and the options that differ."""
    file = ROOT / f"configs/games/{name}.toml"
    text = file.read_text(encoding="utf-8")
    fields = tomllib.loads(text)
    said = {
        variant: " ".join(line.lstrip("# ") for line in comment.strip().splitlines())
        for comment, variant in re.findall(r"((?:^#.*\n)*)^\[(\w+)\]", text, re.MULTILINE)
    }
    rows = "".join(
        f"| `{name}:{variant}` | {said[variant]} | {', '.join(f'`{key}={value!r}`' for key, value in own.items())} |\n"
        for variant, own in fields.items()
    )
    return f"## Variants\n\n| variant | | fields |\n|---|---|---|\n{rows}\n"


def _strength(name: str) -> str:
    """Return the strength of the trained agents, from their files."""
    files = sorted(learned.WEIGHTS.glob(f"{name}*.safetensors"))
    own = [file for file in files if file.stem.split("-")[0] == name]
    return "".join(_measured(file.stem, read_card(file)) for file in own)


def _measured(name: str, card: ModelCard) -> str:
    file = f"tantra_envs/opponents/weights/{name}.safetensors"
    game, players = card.settings["game"], card.settings.get("players")
    table = f"{game} for {players}" if players else game
    head = f"## How strong learned:{name} is\n\n"
    head += (
        f"{table}, {card.decisions:,} decisions, seed {card.settings['seed']}; measured as training ended, duplicate "
        f"deals, 0.5 is even, 95 % intervals. Read from `{file}`; `python -m training evaluate {game} --agent "
        f"ppo:{file}{f' --players {players}' if players else ''}` measures it again."
        "\n\n| against | score | interval | games |\n|---|---:|---|---:|\n"
    )
    rows = [(result["opponent"], result["score"], result["games"]) for result in card.strength]
    lines = (f"| {o} | {s['mean']:.3f} | {s['low']:.3f} .. {s['high']:.3f} | {n:,} |\n" for o, s, n in rows)
    return f"{head}{''.join(lines)}\n"


def _studies(name: str) -> str:
    """Return the links to the pages that hold measurements of the game."""
    found = {
        f"findings/{name}.md": "what we found about its balance",
        f"results/study/{name}.json": "a study of the game: seats, skill, length, tension, and what is worth how much",
        f"results/study/{name}-behaviour.json": "how agents play it",
        f"results/ladder/{name}.json": "strength against thinking time",
    }
    lines = [f"- [{text}](../../../docs/{file})\n" for file, text in found.items() if (ROOT / "docs" / file).is_file()]
    return f"## Findings\n\n{''.join(lines)}\n"
