"""One law for all that a seat is shown: it stays the same when everything changes that the seat cannot know.

A new output is one line of OUTPUTS: a function of a game so far and a seat. Numbers and arrays that adapters pass on
are outputs of the game: `tests/envs/test_interfaces.py` compares each interface with them.
"""

import importlib.util
import itertools
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs import adapters, drawing
from tantra_envs.adapters import text
from tantra_envs.adapters.tools import ToolTable
from tantra_envs.core.observation import Observation
from tantra_envs.drawing.drawings import log_line
from tantra_envs.expected_scores import expected_scores
from tantra_envs.extras import module_of
from tantra_envs.table import advice
from tantra_envs.table.history import History
from tantra_envs.table.reader import Reader
from tantra_envs.table.session import Person, Session
from tantra_envs.words import sentences
from tests.contract.games import words
from tests.drawing.tables import CONFIGURATIONS

KEPT = 6  # last moves of a game whose tables are exchanged
AT, MOST, LONGEST = (1, 4), 9, 400  # visits of a phase that are looked at, looks and actions of a game
MORE = [
    ("tantra", {"players": 3, "buy_order": "turn_player_first"}),
    ("tantra", {"players": 3, "auto_forced": False}),
    ("tarot", {"players": 2, "dealer": 1, "episode": "hand"}),
    ("karma", {"players": 2, "voluntary_pickup": False}),
]


def decides(history, seat):
    return seat == history.state["seat"][0] and not history.state["over"][0]


def record(history, seat):
    game, state = history.game, history.state
    info = {key: int(numbers[0]) for key, numbers in game.episode_info(state).items()}
    arrays = game.observation(state, seat).tobytes(), game.conceal(state, seat).tobytes()
    return *arrays, game.picture(state, seat), info


def legal(history, seat):
    if decides(history, seat):
        return history.game.legal(history.state), text.legal_names(history.game, history.state)
    return None


def features(history, seat):
    described = history.game.describe(history.state, seat)
    return [described.tables.tobytes(), described.features.tobytes(), described.actions.tolist()]


def events(history, seat):
    own = module_of(history.game, "words.events")
    return [own.events(past.before, past.action, past.after).tobytes() for past in history.moves[-KEPT:]]


def said(history, seat):
    game, state = history.game, history.state
    names = sentences.seat_names(game, seat)
    lines = [log_line(game, past, seat, names) for past in history.moves[-KEPT:]]
    asked = [sentences.prompt(game, state, seat)]
    if not state["over"][0]:
        asked.append(sentences.waiting(game, state, seat))
    actions = game.legal(state) if decides(history, seat) else []
    return lines, asked, [sentences.action_words(game, state, action, seat) for action in actions]


def prompt(history, seat):
    told = text.lines_since(history, seat), text.action_lines(history, seat)
    return told, text.turn_text(history.game, history.state, seat, told[0]) if decides(history, seat) else None


def tools(history, seat):
    if not decides(history, seat):
        return None
    uniform = load("uniform", history.game)
    table = ToolTable(history.game, seat, dict.fromkeys(range(history.game.players), uniform), uniform, seed=1)
    table._history = history
    return [getattr(table, name)() for name in table.tools if name not in ("play", "new_game")]


def drawn(history, seat):
    last = history.moves[-1] if history.moves else None
    svg = drawing.draw(history.game, history.state, seat, last=last, legal=True)
    assert decides(history, seat) or not ('data-action="' in svg or 'data-choose="' in svg)
    return svg


def replayed(history, seat):
    """A replay for the seat, with the opinions of an agent on all that was played."""
    moves = history.moves[-KEPT:]
    tables = [(moves[0].before if moves else history.state, None)] + [(past.after, past) for past in moves]
    best = {ply: past.action for ply, past in enumerate(moves)}
    names = [f"Seat {i}" for i in range(history.game.players)]
    return drawing.replays.parts(history.game, tables, names, [seat], {}, best)


def curve(history, seat):
    game = history.game
    return expected_scores(game, history.state, []).get(seat)


def advised(history, seat, adviser):
    game, state = history.game, history.state
    if decides(history, seat) and plays(game):
        obs = Observation(game, state.copy(), past=history.past.copy())
        return advice.advise(load(adviser, game), obs, np.random.default_rng(1), str)
    return None


def searched(history, seat):
    """The choices of searches: they try what may be hidden, and not what is."""
    game, state = history.game, history.state
    if decides(history, seat) and plays(game):
        obs = Observation(game, state.copy(), past=history.past.copy())
        agents = [load(name, game) for name in ("search:2", "ismcts:8")]
        return [int(agent.act(obs, np.random.default_rng(1))[0]) for agent in agents]
    return None


def plays(game):
    """Does the scripted agent play these options?"""
    try:
        load("scripted", game)
    except ValueError:
        return False
    return True


def spiel(history, seat):
    state = adapters.openspiel(history.game, [history.state]).new_initial_state()
    state.apply_action(0)
    return state.information_state_string(seat), state.observation_string(seat)


def page(history, seat):
    """Return all that the page of a person shows; its score sheet at the end is about all cards."""
    people = [Person() for _ in range(history.game.players)]
    session = Session(history, people)
    session.version, session.waiting = "", bool(history.last_round) and not history.is_over
    reader = Reader(session, people[seat])
    shown = reader.shown(lobby="", judged=False)
    return replace(shown, ending=None if shown.over else shown.ending), reader.status()


OUTPUTS = [
    ("record", record),
    ("legal actions", legal),
    ("action features", features),
    ("events", events),
    ("sentences", said),
    ("prompt", prompt),
    ("tools", tools),
    ("drawing", drawn),
    ("replay", replayed),
    ("page of the table", page),
    ("expected score", curve),
]
SLOW = [  # at few tables
    ("hint", partial(advised, adviser="scripted")),
    ("hint by search", partial(advised, adviser="search:2")),
    ("searches", searched),
    *([("OpenSpiel", spiel)] if importlib.util.find_spec("pyspiel") else []),
]


def looks(game, seed=1):
    """Yield the game so far, at a few tables of each phase of a random game, its last one among them."""
    history, rng, seen = History(game, game.new(seed)), np.random.default_rng(seed), {}
    while not history.state["over"][0] and len(history.moves) < LONGEST:
        phase = int(history.state["phase"][0])
        seen[phase] = seen.get(phase, 0) + 1
        if seen[phase] in AT or history.last_round:
            yield history
        history.play(int(rng.choice(game.legal(history.state))))
    yield history


def exchanged(history, seat, seed):
    """Return the game with everything else that the seat cannot know: cards, and what others did in secret.

    What an action of its own turned up was hidden before, and the end of a round is built from both tables, so that
    these tables before an action stay.
    """
    game, moves, rng = history.game, history.moves[-KEPT:], np.random.default_rng(seed)
    tables = [
        past.before if past.seat == seat or history.ends_round(past) else game.redeal(past.before, seed, seat)
        for past in moves
    ]
    tables.append(game.redeal(history.state, seed, seat))
    other = History(game, history.start if moves else tables[0], replace(history.facts))
    other.past, other.moves = history.past, history.moves[:-KEPT]
    for past, before, after in zip(moves, tables, tables[1:], strict=False):
        secret = sentences.is_secret(game, before, seat)
        action = int(rng.choice(game.legal(before))) if secret else past.action
        words = game.action_name(before, action) if secret else past.words
        other.moves.append(replace(past, action=action, words=words, before=before, after=after))
    return other


@pytest.mark.parametrize(("name", "config"), [*CONFIGURATIONS, *MORE], ids=words)
def test_what_is_hidden_changes_nothing_that_a_seat_is_shown(name, config, monkeypatch):
    monkeypatch.setattr(advice, "SAMPLES", advice.PART)  # not as many as the time allows
    game, hides = tantra_envs.game(name, **config), False
    for number, history in enumerate(itertools.islice(looks(game), MOST)):
        for seat in {number % game.players, int(history.state["seat"][0])}:
            other = exchanged(history, seat, number)
            hides |= other.state.tobytes() != history.state.tobytes()
            for output, shown in OUTPUTS + SLOW * (number in (2, 5)):
                assert shown(other, seat) == shown(history, seat), (
                    output,
                    game.phases[history.state["phase"][0]],
                    seat,
                )
    assert hides
