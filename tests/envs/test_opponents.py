"""Opponents of the learner: names, agents, samplers, and errors for anything else."""

import gymnasium
import numpy as np
import pytest

import tantra_envs
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.games import SHIPPED
from tantra_envs.opponents import opponent
from tantra_envs.opponents.learned import file_of
from tantra_envs.opponents.scripted import Scripted


class Mixed:
    """Two agents that use chance in different ways, and one that does not, on seats that are drawn."""

    def __init__(self, game):
        self.agents = [opponent(name, game) for name in ("uniform", "greedy", "search:2")]

    def draw(self, tables, players, rng):
        return rng.integers(3, size=(tables, players))


MOVES_OF_BELIEF = "search:samples=2,belief=moves"
DRAWN = f"ppo:{file_of('karma')},temperature=1"
MIRROR = "search:2,base=learned,eta=5"


@pytest.mark.parametrize(
    ("name", "who", "mode"),
    [(name, "mixed", mode) for name in SHIPPED for mode in ("NextStep", "SameStep")]
    + [("karma", who, "NextStep") for who in ("ismcts:5", "scripted", "search:16", DRAWN, MIRROR)]
    + [("tarot", who, "SameStep") for who in (MOVES_OF_BELIEF, "search:16,margin=0")],
)
def test_a_table_plays_the_same_games_among_many_and_alone(name, who, mode):
    """The own vector, Gymnasium's vector of single tables and a vector of two of them: the same steps from a seed."""
    limit = {"tantrix": {"max_steps": 24}}.get(name, {"max_cycles": 40})
    env_id, n = f"tantra_envs/{name.capitalize()}-{tantra_envs.GAMES[name]}", 4
    opponents = Mixed(tantra_envs.make_raw(name, **limit).game) if who == "mixed" else who
    given = {"opponents": opponents, "illegal_reward": -1.0, **limit}
    autoreset = gymnasium.vector.AutoresetMode(mode)
    sync = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": autoreset}}
    own = gymnasium.make_vec(env_id, num_envs=n, autoreset_mode=autoreset, **given)
    single = gymnasium.make_vec(env_id, num_envs=n, **sync, **given)
    few = gymnasium.make_vec(env_id, num_envs=2, autoreset_mode=autoreset, **given)
    views, infos = own.reset(seed=8)
    assert (views == single.reset(seed=8)[0]).all() and (views[2:] == few.reset(seed=10)[0]).all()
    ended = 0
    for _ in range(40 if who == "mixed" or who.startswith("search:16") else 12):
        actions = infos["action_mask"].argmax(axis=1)
        views, rewards, *ends, infos = own.step(actions)
        for other, rows in ((single, slice(None)), (few, slice(2, None))):
            again, paid, *over, told = other.step(actions[rows])
            assert (again == views[rows]).all() and (paid == rewards[rows]).all()
            assert all((mine[rows] == theirs).all() for mine, theirs in zip(ends, over, strict=True))
            assert (np.stack(told["action_mask"]) == infos["action_mask"][rows]).all()
        ended += ends[0].sum() + ends[1].sum()
    assert ended or who != "mixed"


@pytest.mark.parametrize("who", ["greedy", "search:2"])
def test_what_an_agent_draws_does_not_change_the_deals(who):
    """Later deals are those that came against other opponents before: only what the opponents do has changed."""
    game = tantra_envs.game("karma", max_moves=6)
    deals = []
    for opponents in (who, "scripted"):
        tables = SeatVectorEnv(game, 3, opponents=opponents, seat=0, autoreset_mode="Disabled")
        tables.reset(seed=1)
        deals.append([tables.reset()[0].tobytes() and tables.save()["_streams"].tobytes() for _ in range(3)])
    assert deals[0] == deals[1]


@pytest.mark.parametrize("wrong", ["poker", "", 3, [3], Scripted, object()])
def test_what_cannot_play_is_refused(wrong):
    with pytest.raises(ValueError, match=r"'uniform', 'greedy', 'scripted'|uniform, greedy, scripted"):
        SeatVectorEnv(tantra_envs.game("karma"), opponents=wrong)
    with pytest.raises(ValueError, match=r"unknown agent|is not allowed"):
        opponent(wrong, tantra_envs.game("karma"))


class Noting:
    """Plays the first legal action and notes the seats that it decides for."""

    def __init__(self, name):
        self.name, self.seats = name, set()

    def act(self, obs, rng):
        self.seats |= set(obs.seat.tolist())
        return obs.action_mask.argmax(axis=1)


@pytest.mark.parametrize(
    ("game", "seat", "others"),
    [
        *(("karma:party", seat, [(seat + i) % 6 for i in range(1, 6)]) for seat in range(6)),
        ("kanastic:round", 1, [2, 0]),
    ],
)
def test_a_list_has_an_opponent_for_each_seat_in_turn_that_is_not_of_the_learners_team(game, seat, others):
    agents = [Noting(str(other)) for other in others]
    tables = SeatVectorEnv(tantra_envs.game(game), 2, opponents=agents, seat=seat, team=True)
    tables.reset(seed=1)
    for _ in range(20):
        tables.step(tables.action_masks().argmax(axis=1))
    assert [agent.seats for agent in agents] == [{other} for other in others]


def test_a_learner_whose_seat_is_drawn_meets_the_same_opponents_in_turn():
    agents = [Noting(name) for name in "ab"]
    tables = SeatVectorEnv(tantra_envs.game("karma", players=3), 40, opponents=agents)
    _, infos = tables.reset(seed=1)
    turn = tables._sitting[np.arange(40)[:, None], (infos["seat"][:, None] + [1, 2]) % 3]
    assert set(infos["seat"].tolist()) == {0, 1, 2} and (turn == [0, 1]).all()


@pytest.mark.parametrize("env_id", ["Karma-v0", "Tantrix-v0", "Tarot-v0"])
def test_lists_and_files_of_agents_play_in_every_environment(env_id, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    name = 'mine'\n    def __init__(self, game): pass\n"
                    "    def act(self, obs, rng): return obs.action_mask.argmax(axis=1)\n")  # fmt: skip
    env = gymnasium.make(f"tantra_envs/{env_id}", players=3, opponents=["scripted", f"{file}:Mine"])
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    tables = gymnasium.make_vec(f"tantra_envs/{env_id}", num_envs=2, opponents=f"{file}:Mine")
    tables.reset(seed=1)
    tables.step(tables.action_masks().argmax(axis=1))


@pytest.mark.parametrize(
    ("opponents", "says"),
    [
        ([], r"opponents=\[\] is not allowed; allowed: a list of 2, one for each other seat in order"),
        (["greedy"], "a list of 2, one for each other seat"),
        (["greedy"] * 3, "a list of 2, one for each other seat"),
        (
            ["greedy", "gredy"],
            r"\[1\]: unknown agent 'gredy'; allowed: uniform, greedy, scripted, search:SAMPLES, ismcts:SIMULATIONS, ",
        ),
        (["greedy", "search:x"], r"opponents\[1\]: karma_v0: search:x is not allowed"),
        (["greedy", 3], r"opponents\[1\]=3 is not allowed; allowed: 'uniform', 'greedy', 'scripted'"),
        ("greedy,scripted", "agent 'greedy,scripted' is not allowed; allowed: NAME, "),
        ("mine.py:Mine", "there is no file 'mine.py' with an agent; allowed: FILE.py:CLASS"),
    ],
)
def test_wrong_lists_and_names_say_what_is_allowed(opponents, says):
    with pytest.raises(ValueError, match=says):
        SeatVectorEnv(tantra_envs.game("karma", players=3), opponents=opponents)


class Broken:
    """Plays legally for some decisions, then answers with one action too few."""

    name = "broken"

    def __init__(self, good):
        self.good = good

    def act(self, obs, rng):
        self.good -= 1
        return obs.action_mask.argmax(axis=1)[: len(obs) if self.good >= 0 else -1]


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
def test_after_a_failed_opponent_only_a_reset_helps(mode):
    game, agent = tantra_envs.game("karma"), Broken(0)
    tables = SeatVectorEnv(game, 3, opponents=agent, seat=0, autoreset_mode=mode)
    position = {"cur": 0, "hands": [["4", "5"], ["7", "8", "9"]], "pile": ["3"]}
    tables.reset(seed=2, options={"position": position})
    actions = tables.action_masks().argmax(axis=1)
    with pytest.raises(ValueError, match="returned int64 of shape"):
        tables.step(actions)
    agent.good = 10**9
    for call in (lambda: tables.step(actions), tables.action_masks, tables.save):
        with pytest.raises(ValueError, match=r"call reset\(\) first"):
            call()
    one = np.array([True, False, False])
    with pytest.raises(ValueError, match="reset_mask"):
        tables.reset(seed=2, options={"reset_mask": one})
    fresh = SeatVectorEnv(game, 3, opponents=Broken(10**9), seat=0, autoreset_mode=mode)
    seen = [env.reset(seed=2)[0].tobytes() for env in (tables, fresh)]
    for _ in range(30):
        actions = fresh.action_masks().argmax(axis=1)
        if mode == "Disabled" and fresh._done.any():
            break
        seen = [env.step(actions)[0].tobytes() for env in (tables, fresh)]
        assert seen[0] == seen[1]


def test_a_step_that_somebody_breaks_off_wants_a_reset(monkeypatch):
    def stopped(rows):
        raise KeyboardInterrupt

    tables = SeatVectorEnv(tantra_envs.game("karma"), 3)
    tables.reset(seed=1)
    actions = tables.action_masks().argmax(axis=1)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(tables, "_pass_on", stopped)
        tables.step(actions)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):  # its masks are of the tables before
        tables.step(actions)
    tables.reset(seed=1)
    tables.step(actions)
