"""The replay of a game at a table or of a saved one: a page with the view of a seat and with all cards open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .. import drawing
from ..core.game import Game
from ..core.observation import Agent, Observation
from ..core.opinions import MISTAKE, Opinion, opinions_on
from ..core.past import Past
from ..expected_scores import expected_scores
from ..opponents.networks import ArgmaxAgent
from ..opponents.scripted import Scripted
from ..opponents.search import Search
from ..words import sentences
from .history import History
from .review import luck_in, no_luck


def replay_of(
    history: History,
    seat: int | None,
    names: Sequence[str],
    judge: Agent | None = None,
    agents: Sequence[Agent | None] = (),
    *,
    opened: bool = False,
    thoughts: Mapping[int, Opinion] | None = None,
) -> drawing.Replay:
    """Return a game as a page.

    Args:
        history: The game, which nobody changes meanwhile.
        seat: The seat of the reader; None = only the view with all cards open and those of all seats.
        names: The names of the seats for this reader, or none.
        judge: The agent that rates all actions; None = nobody does.
        agents: The agents that played, one for each seat, None for a person; or none. The page shows why they chose
            their actions. Searches are asked only if there is a judge, because they take as long.
        opened: Whether a reader with a seat also has the view with all cards open.
        thoughts: The opinions of the judge, if it was asked before (`judged`).
    """
    game, actions = history.game, [past.action for past in history.moves]
    thoughts = (judged(history, judge) if thoughts is None else thoughts) if judge else {}
    # Agents of other kinds may not allow two threads at once.
    kinds = (ArgmaxAgent, Search) if judge else ArgmaxAgent
    asked = [agent if isinstance(agent, kinds) else None for agent in agents]
    return drawing.replay(
        game,
        history.start,
        actions,
        names or None,
        seat=seat,
        opened=opened,
        thoughts=thoughts,
        # One scale on a page: the curve of a judge that gives chances follows from its own numbers.
        scores={}
        if any(opinion.is_share for opinion in thoughts.values())
        else expected_scores(game, history.start, actions),
        luck=luck_in(history, thoughts, judge),
        no_luck=no_luck(history, judge),
        reasons=opinions_on(game, history.start, actions, asked) if any(asked) else {},
        methods=[_method(agent, game, judge) for agent in agents],
    )


def judged(history: History, judge: Agent) -> dict[int, Opinion]:
    """Return the opinions of an agent on all actions of a game, by number of the action.

    A search tries only its candidates, and most of them in few samples, where the best of many is often lucky. So it
    compares an action that it did not try, or that looks like a mistake, with its choice again, in new equal samples.
    """
    actions = [past.action for past in history.moves]
    opinions = opinions_on(history.game, history.start, actions, [judge] * history.game.players)
    if not isinstance(judge, Search):
        return opinions
    before, row = Past(history.game, 1), np.zeros(1, np.int64)
    for ply, past in enumerate(history.moves):
        opinion = opinions.get(ply)
        if opinion and (past.action not in opinion.values or opinion.loss(past.action)[0] >= MISTAKE):
            obs = Observation(history.game, past.before, past=before)
            opinions[ply] = _compared_again(judge, obs, opinion, past.action, ply)
        before.note(past.before, row, np.array([past.action]))
    return opinions


def _compared_again(judge: Search, obs: Observation, opinion: Opinion, action: int, ply: int) -> Opinion:
    """Return an opinion whose choice and `action` have values from the same new samples."""
    pair, rng = np.array([opinion.best, action]), np.random.default_rng((1, ply))
    tries = judge.compare(obs, np.zeros(1, np.int64), pair[None], judge.budget.samples, rng)
    again = judge.opinion(pair, tries.values[0], opinion.best)
    return opinion._replace(
        values=opinion.values | again.values, errors=opinion.errors | again.errors, choice=opinion.best
    )


def _method(agent: Agent | None, game: Game, judge: Agent | None) -> str:
    """Return how an agent without reasons chooses, as a sentence, or ""."""
    own = sentences.module(game)
    if isinstance(agent, Scripted) and own:
        return f"{agent.name} follows rules of thumb: {own.THUMB}."
    if isinstance(agent, Search) and not judge:
        return f"{agent.name} tries its best actions in sampled deals. The judgement shows the results."
    return ""
