"""Best responses and exploitability equal those of OpenSpiel to 1e-9."""

import numpy as np
import pytest

import tantra_envs
from agents import load
from benchmarks.exact import solve, tree
from benchmarks.exact.deals import all_deals
from benchmarks.exact.policies import Looks, policy_of
from docs.course.best_response import policy_of as shares_of
from tantra_envs import adapters
from tantra_envs.core.observation import Observation

pytest.importorskip("pyspiel")
best_response = pytest.importorskip("open_spiel.python.algorithms.best_response")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
policy = pytest.importorskip("open_spiel.python.policy")


@pytest.mark.parametrize("name", ["karma:tiny", "tarot:tiny"])
def test_best_responses_are_those_of_openspiel(name):
    rules = tantra_envs.game(name)
    tables, _ = all_deals(rules)
    chosen = np.ascontiguousarray(tables[:: len(tables) // 12])
    built = tree.build(rules, given=(chosen, np.full(len(chosen), 1 / len(chosen))))
    looks = Looks(built)
    game = adapters.openspiel(
        rules, [chosen[k : k + 1] for k in range(len(chosen))], zero_sum=True, utility=(-1.0, 1.0)
    )
    for agent in (load("scripted", rules), load("uniform", rules)):
        strategy = policy_of(built, looks, agent, 2).strategy
        responses, gap = solve.exploitability(built.part, strategy)

        class Policy(policy.Policy):
            def action_probabilities(self, state, player_id=None, agent=agent):
                (row,) = shares_of(agent, Observation(rules, state.table))
                return {action: float(row[action]) for action in state.legal_actions()}

        theirs = [
            best_response.BestResponsePolicy(game, seat, Policy(game, [0, 1])).value(game.new_initial_state())
            for seat in (0, 1)
        ]
        assert responses == pytest.approx(theirs, abs=1e-9)
        assert gap == pytest.approx(exploitability.exploitability(game, Policy(game, [0, 1])), abs=1e-9)
