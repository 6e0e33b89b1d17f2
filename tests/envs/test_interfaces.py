"""One law for all interfaces: each plays what the game's own kernels play, from any seed, by any actions."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

import tantra_envs

from .interfaces import LEARNERS, TABLES, Forced, Model

GAMES = [
    tantra_envs.game("karma:tiny"),
    tantra_envs.game("karma", players=3, max_moves=12, reward="placement", truncation_reward=-0.25),
    tantra_envs.game("tarot:mini"),
]
# By the seats that are played: the interfaces, and whether forced actions are skipped.
PLAYED = {"all": (TABLES, False), "forced": ([Forced], True), "one": (LEARNERS, False)}


class Interfaces(RuleBasedStateMachine):
    """Interfaces beside the model. They get the same actions, and must show the same."""

    @initialize(
        game=st.sampled_from(GAMES), kind=st.sampled_from(list(PLAYED)), seat=st.integers(0, 9), seed=st.integers(1, 99)
    )
    def begin(self, game, kind, seat, seed):
        kinds, skips_forced = PLAYED[kind]
        seat %= game.players
        self.game, self.starts = game, set()
        self.model = Model(game, (seat,) if kind == "one" else tuple(range(game.players)), skips_forced)
        self.played = [build(game, seat) for build in kinds]
        self.deal(seed)

    def deal(self, seed):
        """Deal the game of a seed everywhere."""
        self.model.begin(self.game.new(seed))
        for interface in self.played:
            look = interface.reset(seed)
            if not self.model.end:
                self.compare(interface, look)

    def compare(self, interface, look):
        model, game, name = self.model, self.game, type(interface).__name__
        assert look.end in (None, model.end) and (look.end is not None or model.end), (name, look.end, model.end)
        for seat, view in (look.views or {}).items():
            assert (view == game.observation(model.state, seat)).all(), (name, seat)
        for seat, paid in (look.paid or {}).items():
            assert abs(paid - model.due[seat]) < 1e-6, (name, seat, paid, model.due)
        for seat, total in (look.totals or {}).items():
            assert abs(total - model.totals[seat]) < 1e-6, (name, seat, total, model.totals)
        if not model.end:
            assert look.seat == model.seat and look.legal == model.legal, (name, look)

    @rule(k=st.integers(0, 99))
    def act(self, k):
        if self.model.end:
            return
        action = self.model.legal[k % len(self.model.legal)]
        self.model.act(action)
        for interface in self.played:
            self.compare(interface, interface.act(action))

    @precondition(lambda self: self.model.end)
    @rule(seed=st.integers(1, 99))
    def go_on(self, seed):
        """Let each interface go on to its next game, and deal that of a seed elsewhere."""
        nexts = []
        for interface in self.played:
            start, look = interface.more() or (seed, interface.reset(seed))
            state = self.game.new(start) if isinstance(start, int) else start
            nexts.append((interface, state, look, start))
        tables = {
            state.tobytes()
            for *_, state, _, start in [(i, s, lo, st_) for i, s, lo, st_ in nexts]
            if not isinstance(start, int)
        }
        assert len(tables) <= 1 and not tables & self.starts  # the same deal for all, and a new one
        self.starts |= tables
        for interface, state, look, _ in nexts:
            self.model.begin(state.copy())
            if not self.model.end:
                self.compare(interface, look)
        self.deal(seed)

    @precondition(lambda self: not self.model.end)
    @rule(k=st.integers(0, 99))
    def play_illegally(self, k):
        illegal = np.flatnonzero(self.game.mask(self.model.state) == 0).tolist()
        inside = illegal[k % len(illegal)]
        for interface in self.played:
            for action in (inside, -1, self.game.actions.size):
                interface.refuse(action)
            interface.forfeit(inside)

    @precondition(lambda self: not self.model.end)
    @rule(k=st.integers(0, 99))
    def go_on_with_copies(self, k):
        """A copy takes the place of each interface that has one; all copies show the same after the next action."""
        action, played = self.model.legal[k % len(self.model.legal)], list(self.played)
        copies = [interface.copies() for interface in self.played]
        self.act(k)
        for place, twins in enumerate(copies):
            for twin in twins:
                self.compare(twin, twin.act(action))
            self.played[place] = twins[k % len(twins)] if twins else played[place]


Interfaces.TestCase.settings = settings(max_examples=12, stateful_step_count=25)
TestInterfaces = Interfaces.TestCase
