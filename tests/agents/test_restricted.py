"""Agents without an option never use it, play on where nothing else is legal, and are else what they were."""

import re

import numpy as np
import pytest

import tantra_envs
from agents import AgentSpec, load, load_all, origin
from tantra_envs import Observation, ablations
from tantra_envs.ablations import Ablation
from tantra_envs.core.asking import AgentError
from tantra_envs.games.tantrix.measures.loops import longest_loops
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.restricted import Restricted

TABLES = {
    "karma": tantra_envs.game("karma", players=3, copies=3),
    "kanastic": tantra_envs.game("kanastic:round"),
    "tantra": tantra_envs.game("tantra", players=3),
    "tantrix": tantra_envs.game("tantrix"),
    "tarot": tantra_envs.game("tarot:hand", players=3),
}
# What a player without it must not say, by the words of the actions, in the phase named before the colon.
UNSAID = {
    ("karma", "several"): r"\w+: play \w+x[23]$",
    ("karma", "declining"): r"FOLLOW: .*declin.*",
    ("karma", "picking-up"): r"PLAY: .*pick.*",
    ("kanastic", "stack"): "DRAW: TAKE_STACK",
    ("kanastic", "swords"): "MELD: DISCARD SW",
    ("kanastic", "blocking"): "MELD: DISCARD (SW|AR|SH)",
    ("kanastic", "wild-cards"): r"MELD: (ADD (SW|AR).*|SUIT \+ AR.*)",
    ("kanastic", "golden-suits"): "MELD: NEWSUIT .*",
    ("tantra", "buying"): r"ASK: .*\bbuy\b.*",
    ("tantra", "taking"): "DRAW: .*take.*",
    ("tantra", "laying-off"): "MAIN: .*lay off.*",
    ("tarot", "calling"): "CALL: YES",
    ("tarot", "showing"): "DECLARE: YES",
    ("tarot", "fool"): "PLAY: T0",
}
NAMED = sorted(UNSAID)


def said(game, agent, deals=2):
    """The phase and the words of every action with another one beside it, and the words of those."""
    found = []

    def look(states, rows, actions):
        masks = Observation(game, states, rows).action_mask
        for row, action, mask in zip(rows, actions, masks, strict=True):
            state = states[row : row + 1]
            phase = game.phases[state["phase"][0]]
            words = [f"{phase}: {game.action_name(state, int(a))}" for a in (action, *np.flatnonzero(mask))]
            found.append((words[0], words[1:]))

    play_tables(game, load_all([agent], game), np.zeros((deals, game.players), int), np.arange(deals), 3, look=look)
    return found


@pytest.mark.parametrize(("name", "freedom"), NAMED, ids=["-".join(named) for named in NAMED])
def test_it_never_does_what_it_has_given_up(name, freedom):
    game, unsaid = TABLES[name], re.compile(UNSAID[name, freedom], re.IGNORECASE)
    player, deals = ("greedy", 2) if freedom == "laying-off" else ("uniform", 8 if name == "tarot" else 2)
    free, without = (said(game, agent, deals) for agent in (player, f"{player}:without={freedom}"))
    assert any(unsaid.match(words) for words, _ in free)
    done = [legal for words, legal in without if unsaid.match(words)]
    assert all(unsaid.match(words) for legal in done for words in legal)  # only where nothing else was legal
    assert any(unsaid.match(words) for _, legal in without for words in legal)


def test_waiting_and_keeping_leave_nothing_else():
    for name, freedom, wanted in (("tantra", "waiting", "lay down"), ("karma", "keeping", "give|table|bottoms|five")):
        pattern = re.compile(rf"(MAIN|PLAY|FOLLOW): .*({wanted})", re.IGNORECASE)
        offered = [
            words for words, legal in said(TABLES[name], f"uniform:without={freedom}") if any(map(pattern.match, legal))
        ]
        assert offered
        assert all(map(pattern.match, offered))


def test_trumps_are_left_out_where_there_is_a_choice():
    game = TABLES["tarot"]
    trump, fool = re.compile(r"PLAY: T([1-9]|1\d|2[01])$"), "PLAY: T0"
    for words, legal in said(game, "uniform:without=trumping+leading-trumps", deals=4):
        suits = {w for w in legal if not trump.match(w) and w != fool}
        assert not (trump.match(words) and suits)


def test_no_loop_is_closed_where_there_is_a_choice():
    """Not the choices themselves are looked at, but what each legal placement would have made of the table."""
    game, grown = TABLES["tantrix"], {"scripted": [], "scripted:without=loops": []}

    def look(states, rows, actions):
        for row, action in zip(rows, actions, strict=True):
            state = states[row : row + 1]
            legal, seat = game.legal(state), state["seat"][0]
            after = state.repeat(len(legal))
            game.drivers.apply_rows(after, np.arange(len(legal)), np.array(legal))
            longer = longest_loops(after)[:, seat] > longest_loops(state)[0, seat]
            if 0 < longer.sum() < len(legal):
                grown[agent].append(longer[legal.index(action)])

    for agent in grown:
        play_tables(game, load_all([agent], game), np.zeros((12, 2), int), np.arange(12), look=look)
    assert any(grown["scripted"])
    assert grown["scripted:without=loops"]
    assert not any(grown["scripted:without=loops"])


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_agent_keeps_to_every_ablation(table):
    """An action that is denied would be refused by the agent itself."""
    game = TABLES[table]
    for name in ablations.of_game(game):
        for agent in ("scripted", "greedy", "search:2"):
            player = load(AgentSpec.parse(agent).having(without=name).text, game)
            state = game.blanks(1)
            game.drivers.deal_rows(state, np.arange(1), np.array([5]))
            for _ in range(12):
                obs = Observation(game, state)
                action = int(player.act(obs, np.random.default_rng(1))[0])
                assert obs.action_mask[0, action]
                game.apply_action(state, action)
                if state["over"][0]:
                    break


def test_without_what_never_comes_it_plays_as_before():
    game = tantra_envs.game("karma")
    nothing = Ablation("plays as ever", ablations.never(ablations.blocks(game)))
    plain = load_all(["search:4"], game)
    tied = Restricted(load("search:4", game), game, [])
    tied._given_up = [nothing]
    one, two = (
        play_tables(game, agents, np.zeros((2, 2), int), np.arange(2), 7, record=True) for agents in (plain, [tied])
    )
    assert [a.tolist() for a in one.actions] == [a.tolist() for a in two.actions]


class Says:
    """Gives one answer at every table."""

    name = "says"

    def __init__(self, action):
        self.action = action

    def act(self, obs, rng):
        return np.full(len(obs), self.action)


def _denied(action, *removed):
    """An agent that always says `action` and may not use the removed ones, at a table with several legal actions."""
    game = tantra_envs.game("karma")
    state = game.from_position({"hands": [["8", "9"], ["4", "5"]], "pile": "7"})
    actions = np.isin(np.arange(game.actions.size), removed)
    tied = Restricted(Says(action), game, [])
    tied._given_up = [Ablation("does less", ablations.never(actions))]
    return tied.act(Observation(game, state), np.random.default_rng(0)).tolist(), game.legal(state)


def test_the_first_and_the_last_number_of_an_action_are_inside():
    size = tantra_envs.game("karma").actions.size
    for outside in (-1, size, size + 1):  # the caller refuses them
        assert _denied(outside, 0)[0] == [outside]
    for inside in (0, size - 1):
        with pytest.raises(AgentError, match="'says:without=' chose a removed action"):
            _denied(inside, 0)


def test_a_single_action_that_is_left_is_played_whatever_the_agent_says():
    _, legal = _denied(-1)
    assert len(legal) > 1
    for kept in legal:
        others = [action for action in legal if action != kept]
        assert [_denied(said, *others)[0] for said in legal] == [[kept]] * len(legal)
    assert [_denied(said, *legal)[0] for said in legal] == [[said] for said in legal]  # nothing else would be left


def test_it_needs_past_actions_only_if_its_agent_does():
    game = TABLES["tarot"]
    for agent in ("uniform", "scripted", "search:4,belief=even"):
        assert load(f"{agent}{',' if ':' in agent else ':'}without=calling", game).remembers is False
    assert load("search:4,belief=moves,without=calling", game).remembers is True
    assert Restricted(Says(0), game, []).remembers is False  # an agent without the attribute


def test_words_make_it_and_its_name_tells():
    game = TABLES["tantra"]
    one, two, three = load_all(["search:4,without=buying", "scripted:without=selling+buying", "greedy"], game)
    assert (one.name, two.name, three.name) == ("search:4,without=buying", "scripted:without=selling+buying", "greedy")
    assert origin(two) == {"without": ["selling", "buying"]}
    assert origin(one)["without"] == ["buying"]


def test_what_it_cannot_give_up_is_refused():
    with pytest.raises(ValueError, match=r"tantra_v0: scripted without=loops is not allowed; allowed: buying, selling"):
        load("scripted:without=loops", TABLES["tantra"])
    with pytest.raises(ValueError, match="allowed: nothing"):
        load("uniform:without=loops", tantra_envs.game("tantrix:gobble"))


def test_a_player_that_does_what_it_has_given_up_is_told_so():
    class Buyer:
        name = "buyer"
        action = TABLES["tantra"].actions["lay_off"].stop - 1

        def act(self, obs, rng):
            return np.full(len(obs), self.action)

    game = TABLES["tantra"]
    player = Restricted(Buyer(), game, ["laying-off"])
    state = game.new(1)
    while game.phases[state["phase"][0]] != "MAIN":
        game.apply_action(state, game.legal(state)[0])
    with pytest.raises(ValueError, match="'buyer:without=laying-off' chose a removed action"):
        player.act(Observation(game, state), np.random.default_rng(0))
    Buyer.action = 1_000_000  # no action of the game: refused by the caller
    assert player.act(Observation(game, state), np.random.default_rng(0)) == [1_000_000]
