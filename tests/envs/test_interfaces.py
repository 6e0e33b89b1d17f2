"""One law for all interfaces: each plays what the game's own kernels play, from any seed, by any actions."""

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

import tantra_envs

from .interfaces import LEARNERS, TABLES, Forced

GAMES = {
    "ends": tantra_envs.game("karma:tiny"),
    "cut off": tantra_envs.game("karma", players=3, max_moves=12, reward="placement", truncation_reward=-0.25),
    "hands": tantra_envs.game("tarot:mini", episode="game", target=40, max_hands=3),  # each is paid
}
SEEDS, CHOICES = st.integers(1, 99), st.integers(0, 99)


class Model:
    """The game by its own kernels: what every interface must show."""

    def __init__(self, game, own, skips_forced):
        self.game, self.own, self.skips_forced = game, own, skips_forced

    def begin(self, state):
        self.state, self.due, self.totals = state, np.zeros(self.game.players), np.zeros(self.game.players)
        self.pass_on()

    def act(self, action):
        self.due[self.seat] = 0.0
        self.apply(action)
        while self.skips_forced and not self.end and len(self.legal) == 1:
            self.apply(self.legal[0])
        self.pass_on()

    def apply(self, action):
        self.game.apply_action(self.state, action)
        rewards = self.state["rewards"][0, : self.game.players]
        self.due, self.totals = self.due + rewards, self.totals + rewards

    def pass_on(self):
        while not self.end and self.seat not in self.own:
            self.apply(self.legal[0])

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

    kinds, game, skips_forced = [], None, False

    @initialize(seat=CHOICES, seed=SEEDS)
    def begin(self, seat, seed):
        seat %= self.game.players
        own = (seat,) if self.kinds is LEARNERS else range(self.game.players)
        self.model, self.following = Model(self.game, own, self.skips_forced), {}
        self.played = [build(self.game, seat) for build in self.kinds]
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
            assert (view == self.game.observation(model.state, seat)).all(), (*at, seat)
        for name, sums in (("paid", model.due), ("totals", model.totals)):
            for seat, reward in look.get(name, {}).items():
                assert abs(reward - sums[seat]) < 1e-6, (*at, name, seat, sums)
        if not end:
            assert (look["seat"], look["legal"]) == (model.seat, model.legal), at

    def choice(self, k):
        return self.model.legal[k % len(self.model.legal)]

    @precondition(lambda self: not self.model.end)
    @rule(k=CHOICES)
    def act(self, k):
        action = self.choice(k)
        self.model.act(action)
        for interface in self.played:
            self.compare(interface, interface.act(action))

    @precondition(lambda self: not self.model.end)
    @rule(k=CHOICES)
    def act_in_copies(self, k):
        """A copy takes the place of each interface that has one; all copies show the same after the next action."""
        action, copies = self.choice(k), [interface.copies() for interface in self.played]
        self.act(k)
        for place, twins in enumerate(copies):
            for twin in twins:
                self.compare(twin, twin.act(action))
                self.played[place] = twins[k % len(twins)]

    @precondition(lambda self: not self.model.end)
    @rule(k=CHOICES)
    def act_illegally(self, k):
        illegal = np.flatnonzero(self.game.mask(self.model.state) == 0)
        for interface in self.played:
            for action in (int(illegal[k % len(illegal)]), -1, self.game.actions.size):
                interface.refuse(action)
            interface.forfeit(int(illegal[k % len(illegal)]))

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


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("kinds", "skips_forced"),
    [(TABLES, False), ([Forced], True), (LEARNERS, False)],
    ids=["tables", "forced", "learners"],
)
def test_every_interface_plays_what_the_game_plays(name, kinds, skips_forced):
    machine = type("Machine", (Interfaces,), {"kinds": kinds, "game": GAMES[name], "skips_forced": skips_forced})
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=4, stateful_step_count=25, phases=[Phase.generate], report_multiple_bugs=False),
    )
