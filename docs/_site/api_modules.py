"""The modules of the API reference, in groups, and the public names of each.

A module with `__all__` lists its public names itself. For the others they are listed here, together with the names
that look public but serve other modules of the project only. `missing` finds names that are in neither list.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import tantra_envs

REST = "*"  # as the only internal name: every other name of the module


@dataclass(frozen=True)
class Documented:
    """A module with a page in the reference."""

    title: str
    names: tuple[str, ...] = ()  # empty: `__all__`
    internal: tuple[str, ...] = ()


GROUPS: dict[str, dict[str, Documented]] = {
    "Games and environments": {
        "tantra_envs": Documented("Games and environments by name"),
        "tantra_envs.core.game": Documented(
            "A game: positions, actions, observations",
            ("Game", "Words", "Player", "Features", "RoundInfo", "IllegalActionError"),
            ("scratch", "is_whole", "as_seed", "draw_with"),
        ),
        "tantra_envs.core.blocks": Documented(
            "Named ranges of actions and of observation entries", ("Block", "Blocks", "ViewBlocks")
        ),
        "tantra_envs.envs.aec": Documented("TableEnv: one table for PettingZoo", ("TableEnv",)),
        "tantra_envs.envs.batch": Documented("BatchEnv: many tables, arrays in, arrays out", ("BatchEnv",)),
        "tantra_envs.envs.seat": Documented("SeatEnv: one seat for Gymnasium", ("SeatEnv",)),
        "tantra_envs.envs.vector": Documented("SeatVectorEnv: one seat at many tables", ("SeatVectorEnv",)),
        "tantra_envs.envs.episode": Documented("Start of an episode", ("NoGameError",), (REST,)),
        "tantra_envs.envs.render_modes": Documented("Render modes", ("RenderModeError",), (REST,)),
        "tantra_envs.drawing": Documented("Pictures and replays"),
        "tantra_envs.sentences": Documented(
            "A game in plain sentences",
            ("prompt", "action_words", "effect", "log_line", "glossary"),
            ("is_secret", "module", "rule_items", "seat_names"),
        ),
    },
    "Agents and opponents": {
        "tantra_envs.core.observation": Documented(
            "The protocol of an agent, and what it sees", ("Agent", "Observation")
        ),
        "tantra_envs.opponents": Documented("Agents by name"),
        "tantra_envs.adapters.programs": Documented(
            "Programs that play by text", ("TextAgent", "SilentError"), (REST,)
        ),
        "tantra_envs.opponents.specs": Documented("The grammar of agent names", ("AgentSpec",), (REST,)),
        "tantra_envs.opponents.uniform": Documented("The random agent", ("Uniform",)),
        "tantra_envs.opponents.greedy": Documented("The greedy agent", ("Greedy",)),
        "tantra_envs.opponents.scripted": Documented("The scripted agent", ("Scripted",)),
        "tantra_envs.opponents.search": Documented("Search over sampled deals", ("Search", "Budget")),
        "tantra_envs.opponents.ismcts": Documented(
            "Tree search over information sets", ("Ismcts", "TreeBudget"), ("TreeSearch",)
        ),
        "tantra_envs.opponents.learned": Documented("Trained agents", ("LearnedAgent",), (REST,)),
        "tantra_envs.envs.opponents": Documented("A different opponent for every game", ("OpponentSampler",), (REST,)),
        "tantra_envs.opinions": Documented("How agents rate their actions", ("Opinion", "Thinker", "opinions_on")),
        "tantra_envs.matches.playing": Documented(
            "Agents at tables", ("AgentError", "Outcome", "play_tables", "ask", "answer_of")
        ),
        "tantra_envs.matches.match": Documented(
            "Matches over duplicate deals",
            ("Match", "play_match", "play_alone"),
            ("duplicate_deals", "match_of", "by_deal", "join", "rotated", "team_scores"),
        ),
        "tantra_envs.matches.intervals": Documented("Intervals", ("Estimate", "estimate"), (REST,)),
    },
    "Adapters": {
        "tantra_envs.adapters": Documented("Adapters for other frameworks"),
        "tantra_envs.adapters.text": Documented(
            "Tables as text for language models",
            ("TextTable", "Turn", "prompt", "rules", "read_reply", "UnreadableError"),
        ),
        "tantra_envs.adapters.tianshou_tables": Documented(
            "Masks for Tianshou's actor-critics", ("MaskedActor", "SeenCritic"), (REST,)
        ),
    },
    "For authors of games": {
        "tantra_envs.core.state": Documented("Records of tables", ("record",), ("flat",)),
        "tantra_envs.core.fields": Documented(
            "Fields of a record, who sees them, and how positions write them",
            ("Field", "Fields", "header", "seats_ahead", "LAST_SEAT"),
        ),
        "tantra_envs.core.options": Documented(
            "Options of a game",
            ("Option", "Options", "Choice", "ListOf", "Matching", "words_of"),
            ("is_number", "shown"),
        ),
        "tantra_envs.core.rng": Documented(
            "The random stream of a table", ("seed_stream", "below", "shuffle", "reverse", "sort", "next_word")
        ),
        "tantra_envs.core.observers": Documented(
            "Observers of resampled tables", ("knows_hand", "collect", "complete")
        ),
        "tantra_envs.core.decks": Documented(
            "Whole decks", ("Decks", "give_decks", "take_deck", "drop_decks", "turn_over")
        ),
        "tantra_envs.core.notation": Documented(
            "Positions as dicts, written and read",
            (
                *("Notation", "Number", "Flag", "Real", "Choice", "Card", "Cards", "Counts", "Marks", "Seats"),
                *("named", "expand", "grouped", "refuse", "check_fields", "check_config", "read_int", "read_choice"),
                *("read_flag", "read_card", "read_cards", "read_cards_by_seat", "read_seats", "read_integers"),
                *("read_end", "check_deal_options", "split_decks", "check_deck", "is_same"),
            ),
        ),
        "tantra_envs.core.positions": Documented("Positions by the table of fields", ("Positions", "Entry", "fill_in")),
        "tantra_envs.core.consistency": Documented(
            "Checks of positions and loaded records",
            ("Tables", "ImpossibleError", "bytes_of"),
            ("check_header", "check_fields"),
        ),
        "tantra_envs.core.playouts": Documented(
            "Many decisions of the scripted agent", ("chosen", "rated", "standings"), ("Playouts",)
        ),
        "tantra_envs.core.features": Documented(
            "Action features", ("describe", "RatingRoom", "rating_room"), ("describe_legal",)
        ),
        "tantra_envs.core.compiled.jit": Documented(
            "Decorators of compiled rules", ("kernel", "leaf", "entry_point"), (REST,)
        ),
        "tantra_envs.core.compiled.drivers": Documented(
            "Compiled entry points of a game", ("bind", "Drivers"), (REST,)
        ),
        "tantra_envs.core.compiled.stack": Documented("Arrays inside kernels", ("local_zeros",), (REST,)),
        "tantra_envs.measures": Documented(
            "What studies count in a game",
            (
                *("Measure", "share", "mean", "per_game", "score", "slope", "Section", "Kinds", "Scale", "Counter"),
                *("Transitions", "AgentTransitions", "BehaviourObserver", "WorthObserver", "GameMeasures"),
            ),
            (REST,),
        ),
        "tantra_envs.english": Documented(
            "English phrases for a game's sentences",
            (
                *("number", "counted", "in_digits", "listed", "rank_name", "playing_card", "capital"),
                *("is_you", "mentioned", "owner"),
                *("third_person", "verb_of", "clause", "inner_clause"),
            ),
        ),
        "tantra_envs.ablations": Documented(
            "Options that an agent can be denied", ("Ablation", "of_game", "blocks", "never", "always", "during")
        ),
        "tantra_envs.testing": Documented("Checks for your own games and environments"),
    },
    "Other": {
        "tantra_envs.workers": Documented("Worker processes", ("WorkerError",), (REST,)),
    },
}
MODULES = {name: documented for group in GROUPS.values() for name, documented in group.items()}
# Modules and packages directly below `tantra_envs` that have no page, because users do not import them.
INTERNAL_MODULES = {
    *("cli", "commands", "configuration", "core", "envs", "extras", "factory", "files", "games", "help_page"),
    *("matches", "registration", "table"),
}
# Errors that users of a checkout do not meet: the browser table answers them itself.
INTERNAL_ERRORS = {"tantra_envs.table.table.RefusedError"}


def public(module: ModuleType) -> dict[str, Any]:
    """Return the public names of a documented module and their values."""
    names = MODULES[module.__name__].names or module.__all__
    return {name: getattr(module, name) for name in names}


def missing() -> list[str]:
    """Return the public names without a page: names of documented modules, and errors anywhere."""
    names = [f"{name}.{member}" for name in MODULES for member in _unlisted(importlib.import_module(name))]
    names += _unlisted_modules()
    listed = {f"{value.__module__}.{value.__qualname__}" for _, value in errors()}
    return names + [error for error in _errors_of(tantra_envs) if error not in listed | INTERNAL_ERRORS]


def errors() -> list[tuple[str, type[Exception]]]:
    """Return the documented exceptions, each with the module of its page."""
    members = [(name, value) for name in MODULES for value in public(importlib.import_module(name)).values()]
    return [(name, value) for name, value in members if _is_error(value) and value.__module__ == name]


def _unlisted_modules() -> list[str]:
    names = {info.name for info in pkgutil.iter_modules(tantra_envs.__path__) if not info.name.startswith("_")}
    known = {name.removeprefix("tantra_envs.") for name in MODULES} | {f"{game}_v0" for game in tantra_envs.GAMES}
    return [f"tantra_envs.{name}" for name in sorted(names - known - INTERNAL_MODULES)]


def _unlisted(module: ModuleType) -> list[str]:
    documented = MODULES[module.__name__]
    if not documented.names or documented.internal == (REST,):
        return []
    own = [name for name, value in vars(module).items() if _is_own(module, name, value)]
    return [name for name in own if name not in documented.names + documented.internal]


def _is_own(module: ModuleType, name: str, value: Any) -> bool:
    kind = inspect.isclass(value) or inspect.isroutine(value) or hasattr(value, "py_func")
    return kind and not name.startswith("_") and getattr(value, "__module__", None) == module.__name__


def _is_error(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


def _errors_of(package: ModuleType) -> list[str]:
    """Return the exceptions that the modules of a package define; modules that need an extra are left out."""
    found = []
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if info.name.rpartition(".")[2].startswith("_") or ".weights" in info.name:
            continue
        try:
            module = importlib.import_module(info.name)
        except ImportError:
            continue
        found += [
            f"{info.name}.{name}"
            for name, value in vars(module).items()
            if _is_error(value) and value.__module__ == info.name
        ]
    return found
