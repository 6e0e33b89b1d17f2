"""One law for all interfaces: each plays what the game's own kernels play, from any seed, by any actions."""

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

import tantra_envs
from tantra_envs.envs.views import listed
from tantra_envs.matches.match import score_rewards

from .interfaces import JAX, LEARNERS, RLLIB, SB, TABLES, VECTORS, Aec, Batch, Threads, Vector, Wrapped, same

GAMES = {
    "ends": tantra_envs.game("karma:tiny"),
    "cut off": tantra_envs.game("karma", players=3, max_moves=12, reward="placement", truncation_reward=-0.25),
    "hands": tantra_envs.game("tarot:mini", episode="game", target=40, max_hands=2),  # each is paid
    "teams": tantra_envs.game("kanastic:dense", max_moves=24),
}
SEEDS, CHOICES = st.integers(1, 99), st.integers(0, 99)
CASES = [  # interfaces, the options that they have, and games
    (TABLES, {}, ("ends", "cut off", "hands")),
    (LEARNERS, {}, ("ends", "cut off", "hands")),
    ([*VECTORS, *SB], {"team": True}, ("teams",)),
    ([*VECTORS, *SB], {"team": True, "score_reward": True}, ("teams",)),
    ([*VECTORS, *SB], {"score_reward": True}, ("hands",)),
    ([Aec, Wrapped, Batch, Threads], {"score_reward": True}, ("hands", "cut off")),
    ([Batch, Threads], {"skip_forced": True}, ("ends", "hands")),
    ([Batch], {"skip_forced": True, "score_reward": True}, ("hands",)),
    ([Aec, Wrapped], {"flat": True}, ("ends",)),
    (VECTORS, {"mask_in_observation": True}, ("ends",)),
    ([Aec, Wrapped, Batch, *JAX, *RLLIB], {"view": "features"}, ("ends", "cut off")),
    ([*VECTORS, *SB], {"view": "features"}, ("ends", "cut off")),
]


class Model:
    """The game by its own kernels: what every interface must show with these options.

    Args:
        game: The game.
        own: The seats that decide.
        learns: They are the seats of a learner, whose step pays for all that has happened since the last one.
        options: The options of the interfaces.
    """

    def __init__(self, game, own, learns, options):
        self.game, self.own, self.learns, self.options = game, own, learns, options

    def begin(self, state):
        self.state, self.decided = state, False
        self.due, self.totals, self.points = np.zeros((3, self.game.players))
        self.pass_on()

    def act(self, action):
        if self.decided or not self.learns:
            self.due[list(self.own) if self.learns else self.seat] = 0.0
        self.decided = True
        self.apply(action)
        while self.options.get("skip_forced") and not self.end and len(self.legal) == 1:
            self.apply(self.legal[0])
        self.pass_on()

    def apply(self, action):
        self.game.apply_action(self.state, action)
        rewards = self.state["rewards"][0, : self.game.players]
        self.points = self.points + rewards
        if self.options.get("score_reward"):
            rewards = score_rewards(self.game, self.points[None])[0] if self.end else 0.0
        self.due, self.totals = self.due + rewards, self.totals + rewards

    def pass_on(self):
        while not self.end and self.seat not in self.own:
            self.apply(self.legal[0])

    def view(self, seat):
        """Return what the seat is shown."""
        if self.options.get("view") == "features":
            return {name: array[0] for name, array in listed(self.game, self.game.describe(self.state, seat)).items()}
        view, mask = self.game.observation(self.state, seat), self.game.mask(self.state)
        return np.append(view, mask | bool(self.end)) if self.options.get("mask_in_observation") else view

    @property
    def seat(self):
        return int(self.state["seat"][0])

    @property
    def legal(self):
        return self.game.legal(self.state)

    @property
    def end(self):
        return ("terminated", "truncated")[self.state["truncated"][0]] if self.state["over"][0] else ""


class Interfaces(RuleBasedStateMachine):
    """Interfaces beside the model. They get the same actions, and must show the same."""

    kinds, game, options = [], None, {}

    @initialize(seat=CHOICES, seed=SEEDS)
    def begin(self, seat, seed):
        seat %= self.game.players
        learns, mates = self.kinds[0] is Vector, self.game.team_of(seat) if self.options.get("team") else (seat,)
        own = mates if learns else range(self.game.players)
        self.model, self.following = Model(self.game, own, learns, self.options), {}
        self.played = [build(self.game, seat, **self.options) for build in self.kinds]
        self.deal(seed)

    def deal(self, seed):
        self.seed = seed
        self.model.begin(self.game.new(seed))
        for interface in self.played:
            look = interface.reset(seed)
            if not self.model.end:
                self.compare(interface, look)

    def compare(self, interface, look):
        model, at = self.model, (type(interface).__name__, look)
        end = look.get("end", "")
        assert end == model.end or (end == "over" and model.end), (*at, model.end)
        for seat, view in look.get("views", {}).items():
            assert same(view, model.view(seat)), (*at, seat)
        for name, sums in (("paid", model.due), ("totals", model.totals)):
            for seat, reward in look.get(name, {}).items():
                assert abs(reward - sums[seat]) < 1e-6, (*at, name, seat, sums)
        if not end:
            legal = list(range(len(model.legal))) if interface.by_place else model.legal
            assert (look["seat"], look["legal"]) == (model.seat, legal), at

    def choices(self, k):
        """Return a legal action, and a function that gives the choice of it in an interface."""
        place = k % len(self.model.legal)
        action = self.model.legal[place]
        return action, lambda interface: place if interface.by_place else action

    @precondition(lambda self: not self.model.end)
    @rule(k=CHOICES)
    def act(self, k):
        action, choice = self.choices(k)
        self.model.act(action)
        for interface in self.played:
            self.compare(interface, interface.act(choice(interface)))

    @precondition(lambda self: not self.model.end)
    @rule(k=CHOICES)
    def act_in_copies(self, k):
        """A copy takes the place of each interface that has one; all copies show the same after the next action."""
        (_, choice), copies = self.choices(k), [interface.copies() for interface in self.played]
        self.act(k)
        for place, twins in enumerate(copies):
            for twin in twins:
                self.compare(twin, twin.act(choice(twin)))
                self.played[place] = twins[k % len(twins)]

    @precondition(lambda self: not self.model.end)
    @rule(k=CHOICES)
    def act_illegally(self, k):
        illegal, legal = np.flatnonzero(self.game.mask(self.model.state) == 0), len(self.model.legal)
        for interface in self.played:
            size = self.game.most_legal if interface.by_place else self.game.actions.size
            wrong = legal if interface.by_place else int(illegal[k % len(illegal)])
            for choice in (wrong, -1, size):
                interface.refuse(choice)
            if wrong < size:
                interface.forfeit(wrong)

    @precondition(lambda self: self.model.end)
    @rule(seed=SEEDS)
    def play_on(self, seed):
        """Let each interface go on to its next game: its deal follows from the first seed, and is the same for all."""
        tables = set()
        for interface in self.played:
            if following := interface.more():
                start, look = following
                state = self.game.new(start) if isinstance(start, int) else start
                tables |= set() if isinstance(start, int) else {state.tobytes()}
                self.model.begin(state)
                if not self.model.end:
                    self.compare(interface, look)
        if tables:
            (table,) = tables
            assert self.following.setdefault(self.seed, table) == table
            assert len({*self.following.values()}) == len(self.following)
        self.deal(seed)


@pytest.mark.parametrize(
    ("kinds", "options", "name"),
    [(kinds, options, name) for kinds, options, names in CASES for name in names],
    ids=lambda value: value[0].__name__ if isinstance(value, list) else str(value),
)
def test_every_interface_plays_what_the_game_plays(kinds, options, name):
    machine = type("Machine", (Interfaces,), {"kinds": kinds, "game": GAMES[name], "options": options})
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=3, stateful_step_count=25, phases=[Phase.generate], report_multiple_bugs=False),
    )
