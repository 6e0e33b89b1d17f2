"""Options of a study, and its variants and line-ups: for every section who plays, how many deals, and what is counted.

Variants come from texts such as `copies=2,3 karma_sets=true,false`: every combination of the values.

For every variant, each agent plays all deals against itself. In each pair of agents, one of them plays alone among
copies of the other. Sections share these records.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, NamedTuple

from tantra_envs.core.game import Game
from tantra_envs.core.options import OneOf, Option, Within, require
from tantra_envs.opponents.learned import LearnedAgent, unmet_options

from ..harness.command import MOST, Count, PlayOptions, ResultOptions, deals_by_agent
from ..harness.plans import MatchSpec, OptionValues, Row, build, build_with_opponents, one_vs_rest, slug

FEW = 16  # values of a number of which the next ones are tried, and values of any other option that are all tried
VARIANT = "variant"  # name for the variants of configs/games, which is not an option
BASE = "as given"  # name of the base without --vary, and with --one-at-a-time
RULE, VARIANT_OF, LIMIT, INTERFACE, AGENT = "rule", "variant", "limit", "interface", "agent"
KINDS = {  # of options that are no rules, by their names
    **dict.fromkeys(("deck_cards", "deck_tiles", "mode", "seed_date", "puzzle", "missing", "goal"), VARIANT_OF),
    **dict.fromkeys(("max_moves", "max_turns", "max_rounds", "max_turns_per_player", "turn_budget"), LIMIT),
    **dict.fromkeys(("max_hands", "max_steps", "window", "cutoff_scoring"), LIMIT),
    **dict.fromkeys(("reward", "reward_when", "reward_scale", "truncation_reward", "dense", "episode"), INTERFACE),
    **dict.fromkeys(("shaping", "shaping_coef", "encoding", "dealer", "start_scores"), INTERFACE),
    **dict.fromkeys(("auto_setup", "auto_draw", "auto_declare", "auto_forced", "fill_mode"), INTERFACE),
    **dict.fromkeys(("track_known", "lookahead"), AGENT),
}
Section = Literal["seats", "skill", "length", "tension", "agency", "worth", "options"]
TALLIED = {"seats", "skill", "length", "tension", "worth"}
# What is counted in the games of a line-up
TALLY, OPTIONS, SAMPLES, AGENCY = "tally", "options", "samples", "agency"
FEWEST = 2  # deals: a single deal gives no interval
USUAL = 50  # default deals of an agent that is sampled
WEIGHED = 100  # default deals of an agent whose decisions are weighed
TRAINED = "trained"  # name of all agents together that the study trains: trained-1, trained-2 ..


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, PlayOptions):
    """Study a game, or a change of its rules: is it fair, tense, and a matter of skill?

    Example: python -m benchmarks study karma --vary copies=2,3 --agents uniform greedy scripted

    Deals have the same seeds in all variants. The page, its figures and the records are saved under runs/.
    """

    agents: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Agents, weakest first, each against itself and each other; AGENT@20 plays 20 deals."""
    vary: tuple[str, ...] = ()
    """Options and their values, as copies=2,3 karma_sets=true,false. The first combination is the base."""
    one_at_a_time: bool = False
    """Change one option at a time."""
    all: bool = False
    """With --one-at-a-time: change every option of the game, and show in one table what each change does."""
    varied: tuple[str, ...] = ()
    """Agents of the variants with --one-at-a-time."""
    sections: tuple[Section, ...] = ()
    """Sections of the page. [default: all]"""
    sampled: tuple[str, ...] = ()
    """Agents whose win probabilities are estimated. [default: the last one, 50 deals]"""
    samples: Count = 16
    """Playouts per win probability."""
    weighed: tuple[str, ...] = ()
    """Agents whose decisions are weighed by playouts. [default: the last one, 100 deals]"""
    playouts: Annotated[int, Within(16, MOST)] = 128  # half of them must give a standard error
    """Playouts of every action of such a decision."""
    deals: Annotated[int, Within(FEWEST, MOST)] = 200
    """Deals of every line-up, each with all rotations of its seats."""
    retrain: bool = False
    """Train agents for every variant from nothing by self-play, which then play too."""
    seeds: Annotated[int, Within(1, 99)] = 3
    """With --retrain: agents of every variant, each with its own seed."""
    train_decisions: Count = 300_000
    """With --retrain: decisions that every agent learns from."""
    shard: Count = 64
    """Deals saved together; another number draws other random numbers."""


class Lineup(NamedTuple):
    """The agent in all seats of some games, or the one alone among copies of others."""

    agent: str
    others: str = ""


def is_trained(agent: str) -> bool:
    """Return whether the study trains the agent."""
    return re.fullmatch(rf"{TRAINED}(-\d+)?", agent) is not None


@dataclass(frozen=True)
class Matchup:
    """One line-up under one variant, and what is counted in its games."""

    counted: str
    variant: str
    lineup: Lineup
    row: Row  # its match, with the name of its records, which others may share, and the deals that are counted


@dataclass(frozen=True)
class Variant:
    """One variant of the game, with the agents that it has been trained for."""

    number: int
    name: str
    table: MatchSpec
    counted: Sequence[str]  # what is counted in its games
    trained: Mapping[str, str] = field(default_factory=dict)  # names of trained agents, and the words that load them


def counted_in(sections: Collection[str], one_at_a_time: bool) -> list[str]:
    """Return what is counted for some sections. Unless options change one at a time, all have the games of a tally."""
    needed = {
        TALLY: TALLIED if one_at_a_time else {*TALLIED, "options"},
        SAMPLES: {"tension"},
        AGENCY: {"agency"},
        OPTIONS: {"options"} if one_at_a_time else set(),
    }
    return [counted for counted, own in needed.items() if own.intersection(sections)]


def agents_of(args: Args) -> dict[str, dict[str, int]]:
    """Return the agents that the options name, with their deals, by what is counted in their games."""
    tallied = deals_by_agent(args.agents, args.deals, "agents", FEWEST)
    last = list(tallied)[-1]
    few = (f"{last}@{min(USUAL, tallied[last])}",)
    usual = (f"{last}@{min(WEIGHED, tallied[last])}",)
    return {
        TALLY: tallied,
        SAMPLES: deals_by_agent(args.sampled or few, args.deals, "sampled", FEWEST),
        AGENCY: deals_by_agent(args.weighed or usual, args.deals, "weighed", FEWEST),
        OPTIONS: deals_by_agent(args.varied or args.agents, args.deals, "varied", FEWEST),
    }


def of_variant(agents: Mapping[str, Mapping[str, int]], variant: Variant) -> Iterator[Matchup]:
    """Yield the line-ups of one variant without trained agents; raise ValueError if one cannot be counted in it."""
    for counted in variant.counted:
        if counted == SAMPLES:
            _ = variant.table.rules.scripted  # plays on
        own = agents[counted]
        for words in _lineups(counted, list(own), variant):
            yield _matchup(variant, counted, words, min(own[word] for word in words))


def of_trained(
    agents: Mapping[str, Mapping[str, int]], variant: Variant, words: Sequence[Callable[[str], str]]
) -> Iterator[Matchup]:
    """Yield each trained agent against itself, and alone among the last agent that plays all deals.

    Each has a name and deals of its own. `words` return the word that loads an agent of some name.
    """
    tallied = agents[TALLY]
    deals = max(tallied.values())
    other = [word for word, limit in tallied.items() if limit == deals][-1]
    for number, word in enumerate(words, 1):
        name, table = f"{TRAINED}-{number}", replace(variant.table, seed=variant.table.seed + number)
        own = replace(variant, table=table, trained={name: word(name)})
        for counted in (counted for counted in variant.counted if counted in (TALLY, OPTIONS)):
            yield from (_matchup(own, counted, seated, deals) for seated in ([name], [name, other]))


def untrained(matchups: Iterable[Matchup]) -> dict[str, dict[str, list[str]]]:
    """Return by variant and agent the options that a network plays with, but was not trained with."""
    found: dict[str, dict[str, list[str]]] = {}
    for own in (own for own in matchups if not is_trained(own.lineup.agent)):
        game, agents = build(own.row.match)
        for agent in agents:
            if isinstance(agent, LearnedAgent) and (options := unmet_options(agent.card, game)):
                words = [f"{name}={value}" for name, value in options.items()]
                found.setdefault(own.variant, {})[agent.name] = words
    return found


def _matchup(variant: Variant, counted: str, words: Sequence[str], deals: int) -> Matchup:
    """Return the line-up of one agent against itself, or of two words with the first agent alone."""
    teams, alone = len(variant.table.rules.teams), len(words) == 1
    loaded = tuple(variant.trained.get(word, word) for word in words)
    lineup = (0,) * teams if alone else one_vs_rest(0, 1, teams)
    match = replace(variant.table, agents=loaded, lineup=lineup, rotations=1 if alone else None)
    names = [word if word in variant.trained else _name(variant.table, word) for word in words]
    record = f"{'options-' if counted == OPTIONS else ''}{variant.number}_{slug('-among-'.join(words))}"
    return Matchup(counted, variant.name, Lineup(*names), Row(record, match, deals))


def _name(table: MatchSpec, word: str) -> str:
    return build_with_opponents(replace(table, agents=(word,)))[1][0].name


def _lineups(counted: str, agents: list[str], variant: Variant) -> list[list[str]]:
    """Return each agent against itself, then all pairs. With two teams, only the later agent is the lone one."""
    alone = [[agent] for agent in agents]
    if counted in (SAMPLES, AGENCY):
        return alone
    teams, order = len(variant.table.rules.teams), {agent: number for number, agent in enumerate(agents)}
    pairs = [[a, b] for a, b in itertools.permutations(agents, 2) if teams > 2 or order[a] > order[b]]
    return [own for own in alone + pairs if counted == TALLY or own[0] == agents[-1]]


def variants(vary: Sequence[str], one_at_a_time: bool = False) -> dict[str, OptionValues]:
    """Return the options of every combination by its name ("copies=2, karma_sets=true").

    With `one_at_a_time`, return the combination of all first values, and each other value in place of its first one.

    Raises:
        ValueError: A text is not `option=value,value`, an option is given twice, or `one_at_a_time` with no rule.
    """
    fields = choices(vary)
    if one_at_a_time:
        for name in filter(KINDS.get, fields):
            problem = f"vary={name} is not allowed with one_at_a_time: it is no rule ({KINDS[name]})"
            raise ValueError(f"{problem}; allowed: rules, or {name} without --one-at-a-time")
        first = {field: words[0] for field, words in fields.items()}
        changes = {f"{field}={word}": {field: word} for field, words in fields.items() for word in words[1:]}
        named = {name: first | change for name, change in {BASE: {}, **changes}.items()}
    else:
        every = (dict(zip(fields, values, strict=True)) for values in itertools.product(*fields.values()))
        named = {", ".join(f"{field}={word}" for field, word in words.items()) or BASE: words for words in every}
    return {name: tuple((field, _value(field, word)) for field, word in words.items()) for name, words in named.items()}


def every_option(game: Game, kept: Collection[str] = ()) -> tuple[list[str], dict[str, str]]:
    """Return for every option of a game its value and others as a text for `variants`, and why options are left out.

    Only rules are tried: see KINDS. A word or a switch takes all other values if there are at most `FEW`. A number with
    up to `FEW` allowed values takes those next to its own, any other number its half and its double. The options `kept`
    are in neither list.
    """
    words, left_out = [], {}
    for name, option in game.options.fields.items():
        value = game.config[name]
        others = [_text(other) for other in _others(option, value)]
        if name in kept:
            continue
        if (kind := KINDS.get(name, RULE)) != RULE:
            left_out[name] = f"it is no rule: {kind}"
        elif option.needs and game.config[option.needs[0]] != option.needs[1]:
            left_out[name] = "it has no effect without {}={}".format(*option.needs)
        elif value is None or not others:
            left_out[name] = f"there is no list of values to try in place of {value!r}"
        elif len(others) > FEW:
            left_out[name] = f"it has {len(others)} other values"
        else:
            words.append(f"{name}={','.join([_text(value), *others])}")
    return words, left_out


def _others(option: Option, value: Any) -> list[Any]:
    """Return the values of an option to try in place of one; none where it does not list them."""
    allowed, values = option.allowed, list[Any]()
    if isinstance(allowed, (OneOf, tuple)):
        values = list(allowed if isinstance(allowed, tuple) else allowed.values)
    elif isinstance(allowed, range):
        near, far = (value - allowed.step, value + allowed.step), (value // 2, 2 * value)
        values = [number for number in (near if len(allowed) <= FEW else far) if number in allowed]
    return [other for other in values if other != value and other is not None]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def choices(vary: Sequence[str]) -> dict[str, list[str]]:
    """Return the values that each option may take, as text; raise ValueError as `variants` does."""
    fields = dict(_field(word) for word in vary)
    require("vary", " ".join(vary), len(fields) == len(vary), "every option once")
    return fields


def _field(word: str) -> tuple[str, list[str]]:
    field, equals, values = word.partition("=")
    words = [value.strip() for value in re.split(r",(?![^\[]*\])", values)]  # a comma inside a list does not separate
    fits = field and equals and all(words) and len(set(words)) == len(words)
    require("vary", word, fits, "OPTION=VALUE,VALUE with values that differ")
    return field.strip(), words


def _value(field: str, word: str) -> Any:
    """Return a text as a TOML value, or unchanged if it is not one."""
    if field == VARIANT:
        return word
    try:
        value = tomllib.loads(f"value = {word}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return word
    return tuple(value) if isinstance(value, list) else value
