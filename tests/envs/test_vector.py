"""SeatVectorEnv and SeatEnv: the learner's own sequence of decisions and rewards, resets, masks, opponents."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import tantra_envs
from tantra_envs.envs.aec import TableEnv
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.envs.vector import SeatVectorEnv


class First:
    """Plays the legal action with the smallest id."""

    name = "first"

    def act(self, obs, rng):
        return obs.action_mask.argmax(axis=1)


class Last:
    """Plays the legal action with the largest id."""

    name = "last"

    def act(self, obs, rng):
        return obs.action_mask.shape[1] - 1 - obs.action_mask[:, ::-1].argmax(axis=1)


class Lots:
    """First and Last in turn at the seats of every new table; counts the tables it was asked for."""

    def __init__(self):
        self.agents = [First(), Last()]
        self.drawn = 0

    def draw(self, tables, players, rng):
        self.drawn += tables
        return np.tile(np.arange(players) % 2, (tables, 1))


def lowest(masks):
    return masks.argmax(axis=1)


def test_disabled_refuses_to_play_on_at_a_finished_table():
    tables = SeatVectorEnv(tantra_envs.game("karma", max_moves=8), 2, autoreset_mode=AutoresetMode.DISABLED)
    tables.reset(seed=0)
    with pytest.raises(ValueError, match="table 0 is over; reset it"):
        for _ in range(9):
            tables.step(lowest(tables.action_masks()))


def test_a_game_ended_by_the_others_before_the_first_decision_still_pays():
    env = SeatEnv(tantra_envs.game("karma"), seat=1)
    last_card = {"cur": 0, "hands": [["5"], ["7", "8"]]}
    _, info = env.reset(seed=1, options={"position": last_card})
    assert info["action_mask"].all()  # nothing to decide: any action leads on
    assert env.step(3)[1:4] == (-1.0, True, False)


def test_resets_take_decks_and_dealers():
    game = tantra_envs.game("karma")
    env = SeatEnv(game, seat=0)
    view, _ = env.reset(seed=9, options={"dealer": 1, "of no meaning": 3})
    assert (view == game.observation(game.new(9, dealer=1), 0)).all()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("opponents", [None, Lots, "greedy"], ids=str)
def test_a_reset_of_some_tables_leaves_nothing_of_their_last_games(mode, opponents):
    """The tables play like those of a new vector with these seeds, and the others as if nothing had happened."""
    game = tantra_envs.game("karma", players=3, max_moves=250)
    lots = [Lots() if opponents is Lots else opponents for _ in range(3)]
    tables, undisturbed, fresh = (SeatVectorEnv(game, 6, opponents=one, autoreset_mode=mode) for one in lots)
    tables.reset(seed=1)
    undisturbed.reset(seed=1)
    ended = np.zeros(6, bool)
    while not ended.any():
        ended = np.logical_or(*tables.step(lowest(tables.action_masks()))[2:4])
        undisturbed.step(lowest(undisturbed.action_masks()))
    again = ended | (np.arange(6) == ended.argmin())  # tables that have just ended, and one in the middle of its game
    assert not again.all()
    views, infos = tables.reset(seed=list(range(50, 56)), options={"reset_mask": again})
    first, fresh_infos = fresh.reset(seed=50)
    assert (views[again] == first[again]).all() and (infos["seat"] == fresh_infos["seat"])[again].all()
    for _ in range(120):
        if mode == "Disabled" and (tables.save()["_done"] | fresh.save()["_done"]).any():
            break
        assert (tables.action_masks()[again] == fresh.action_masks()[again]).all()
        steps = [
            env.step(lowest(env.action_masks()))[:4] for env in (tables, fresh, *[undisturbed] * (mode != "Disabled"))
        ]
        for other, rows in zip(steps[1:], (again, ~again), strict=False):
            assert all((mine[rows] == theirs[rows]).all() for mine, theirs in zip(steps[0], other, strict=True))


def test_rewards_before_the_first_decision_end_with_their_game():
    env = SeatEnv(tantra_envs.game("karma", dealer=0), seat=1)
    last_card = {"cur": 0, "hands": [["5"], ["7", "8"]]}
    env.reset(seed=1, options={"position": last_card})  # seat 0 wins before the learner decides
    env.reset(seed=2)
    mask = env.action_masks()
    assert env.step(int(mask.argmax()))[1:4] == (0.0, False, False)


class Remembering(First):
    """Needs the past decisions."""

    remembers = True


def test_the_past_of_a_table_is_that_of_its_game():
    game = tantra_envs.game("tarot:hand")
    tables = SeatVectorEnv(game, 4, opponents=Remembering(), autoreset_mode="Disabled")

    def decisions():
        return [len(past) for past in tables._past._Past__tables]

    tables.reset(seed=1)
    for again in ([True, False, True, False], [True, True, True, True], [False, False, False, True]):
        for _ in range(3):
            tables.step(lowest(tables.action_masks()))
        assert min(decisions()) > 2
        tables.reset(options={"reset_mask": np.array(again)})
        assert decisions() == tables.known()["plies"].tolist()
    tables.load(tables.save())
    assert decisions() == [0] * 4


def test_every_table_takes_a_seed_of_its_own():
    game = tantra_envs.game("karma", players=3)
    tables, alone = SeatVectorEnv(game, 4), SeatVectorEnv(game, 1)
    for seeds in ([9, 2, 9, 40], (9, 2, 9, 40), np.array([9, 2, 9, 40])):
        views, infos = tables.reset(seed=seeds)
        for i, seed in enumerate([9, 2, 9, 40]):
            view, info = alone.reset(seed=seed)
            assert (views[i] == view[0]).all() and infos["seat"][i] == info["seat"][0]
    assert (tables.reset(seed=[5, 6, 7, 8])[0] == tables.reset(seed=5)[0]).all()


def test_a_table_without_a_seed_goes_on_with_its_series():
    game = tantra_envs.game("karma")
    tables, other = SeatVectorEnv(game, 3), SeatVectorEnv(game, 3)
    tables.reset(seed=1)
    other.reset(seed=1)
    views, following = tables.reset(seed=[None, 50, None])[0], other.reset()[0]
    assert (views[[0, 2]] == following[[0, 2]]).all() and (views[1] == other.reset(seed=49)[0][1]).all()
    one = np.array([False, True, False])
    assert (tables.reset(seed=[4, 5, 6], options={"reset_mask": one})[0][1] == other.reset(seed=4)[0][1]).all()
    fresh = SeatVectorEnv(game, 3).reset(seed=[None, 50, None])[0]
    assert (fresh[1] == views[1]).all()


def test_the_learners_seat_is_drawn_evenly_or_fixed():
    game = tantra_envs.game("karma", players=3)
    drawn = SeatVectorEnv(game, 3000).reset(seed=1)[1]["seat"]
    assert (np.abs(np.bincount(drawn) - 1000) < 120).all()
    assert (SeatVectorEnv(game, 50, seat=2).reset(seed=1)[1]["seat"] == 2).all()


def test_a_lineup_is_drawn_anew_for_every_deal():
    lots = Lots()
    tables = SeatVectorEnv(tantra_envs.game("karma", players=3), 7, opponents=lots, autoreset_mode="SameStep")
    tables.reset(seed=1)
    ended = 0
    for _ in range(120):
        _, _, terminated, truncated, _ = tables.step(lowest(tables.action_masks()))
        ended += (terminated | truncated).sum()
    assert ended > 7 and lots.drawn == 7 + ended


def test_infos_tell_of_every_round_that_ends():
    game = tantra_envs.game("tantra", players=3, n_rounds=2, max_turns_per_player=1)
    tables, told = SeatVectorEnv(game, 3, opponents=First(), autoreset_mode=AutoresetMode.SAME_STEP), [[], [], []]
    tables.reset(seed=4)
    ended = np.zeros(3, bool)
    while not ended.all():
        _, _, terminated, truncated, infos = tables.step(lowest(tables.action_masks()))
        over = terminated | truncated
        for i in np.flatnonzero(~ended):
            news = infos["final_info"] if over[i] else infos
            if news["rounds"][i] > len(told[i]):
                told[i].append((news["round_display"][i], [news[f"round_score_{seat}"][i] for seat in range(3)]))
        ended |= over
    for i in range(3):
        env, expected = TableEnv(game), []
        env.reset(seed=4 + i)
        while not env.truncations["player_0"]:
            env.step(env.last()[0]["action_mask"].argmax())
            news = [env.infos[agent] for agent in env.agents]
            if news[0]["rounds"] > len(expected):
                expected.append((news[2]["round_display"], [news[1][f"round_score_{seat}"] for seat in range(3)]))
                assert env.round_info()["scores"].tolist() == expected[-1][1]
        assert told[i] == expected and len(expected) == 2


def test_the_first_seat_does_not_follow_from_the_deal():
    """Both are drawn, and the random numbers of one say nothing about the other."""
    tables = SeatVectorEnv(tantra_envs.game("karma", players=4), 400)
    _, infos = tables.reset(seed=0)
    after = (infos["seat"] - tables._states["dealer"]) % 4
    assert (np.bincount(after, minlength=4) > 70).all()  # 100 each, with a standard deviation of 9
