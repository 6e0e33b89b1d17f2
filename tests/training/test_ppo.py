"""PPO: each seat learns from its own decisions, opponents stay until a game ends, and stopped runs are resumed."""

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.observation import Observation
from tantra_envs.matches.match import play_match
from tantra_envs.opponents import opponent
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.model_files import digest_of
from tantra_envs.programs import cli

torch = pytest.importorskip("torch")
ppo = pytest.importorskip("training.ppo")
runs_module = pytest.importorskip("training.run")
trajectories = pytest.importorskip("training.trajectories")
options = pytest.importorskip("training.options")
ship = pytest.importorskip("training.export").ship
Args, PPO = ppo.Args, ppo.PPO
QLearning = pytest.importorskip("training.q_learning").QLearning
Sample = trajectories.Sample

from .test_self_play import advantage_of  # noqa: E402, it needs torch

CONFIGS = Path(__file__).parents[2] / "configs/training"
SMALL = {"tables": 16, "steps": 8, "batch_size": 32, "net_arch": (8,), "total_decisions": 500, "eval_every": 200}
SMALL |= {"eval_deals": 2, "final_deals": 2, "eval_opponents": ("uniform",)}


def ints(*values):
    return np.array(values, np.int64)


# Tables


def tables_of(game, count=8, kind="score", episode="game", share=0.0, features=True):
    return trajectories.Tables(game, count, trajectories.Rewards(kind, 1.0, episode), share, features, seed=3, group=0)


@pytest.mark.parametrize("name", ["karma", "kanastic:round"])
def test_rewards_of_a_game_are_the_scores_of_its_teams(name):
    game, rng = tantra_envs.game(name), np.random.default_rng(0)
    tables = tables_of(game, 4)
    ended = 0
    while ended < 4:
        played = tables.play(draw_uniform, {}, ints(), 50, rng)
        for now in played.moments:
            ended += int(now.ends.sum())
            assert np.abs(now.rewards).max(initial=0) <= 1
            for seat, partner in game.partners:
                assert (now.rewards[:, seat] == now.rewards[:, partner]).all()
            assert now.rewards[:, game.team_representatives].sum(axis=1) == pytest.approx(0, abs=1e-6)


def draw_uniform(batch, rng):
    places = (rng.random(len(batch.counts)) * batch.counts).astype(np.int64)
    return Sample(places, np.zeros(len(places), np.float32), np.zeros(len(places), np.float32))


@pytest.mark.parametrize(
    ("name", "config", "episode"),
    [("karma", {}, "game"), ("kanastic:round", {"dense": True}, "game"), ("tarot:scored", {}, "round")],
)
def test_advantages_are_those_of_the_own_decisions_of_each_seat(name, config, episode):
    """Computed one by one; the last one in an unfinished game has none. Forced ones are played and not recorded."""
    game, rng = tantra_envs.game(name, **config), np.random.default_rng(0)

    def draw(batch, rng):
        return draw_uniform(batch, rng)._replace(values=rng.random(len(batch.counts), np.float32))

    found, played = tables_of(game, 4, "points", episode).play(draw, {}, ints(), 600, rng), []
    for now in found.moments:
        seats, values, rewards, over = np.full(4, -1), np.zeros(4), np.zeros((4, game.players)), np.zeros(4, bool)
        seats[now.rows], values[now.rows] = now.seats, now.sample.values
        rewards[now.settled], over[now.settled] = now.rewards, now.ends
        played.append((seats, values, rewards, over))
    assert all(now.ends.all() for now in found.moments) == (episode == "round" or not config)
    decisions = [(t, i) for t, (seats, *_) in enumerate(played) for i in np.flatnonzero(seats >= 0)]
    wanted = [advantage_of(played, t, i, played[t][0][i], 0.9) for t, i in decisions]
    assert None in wanted and any(over.any() for *_, over in played)
    assert min(batch.counts.min(initial=99) for batch in found.batches) >= 2 and len(decisions) < 4 * 600
    assert found.advantages(0.9) == pytest.approx(np.array(wanted, float), nan_ok=True, abs=1e-5)


def test_a_table_keeps_its_opponent_until_its_game_ends():
    """New games get the newest opponent; games in play go on with theirs."""
    tables, rng = tables_of(tantra_envs.game("karma"), 32, share=1.0), np.random.default_rng(0)
    opponents = dict.fromkeys(range(12), opponent("greedy", tables.game))
    before, deals = None, 0
    for number in range(12):
        played = tables.play(draw_uniform, opponents, ints(number), 20, rng)
        now, ended = tables.opponent.copy(), np.zeros(32, bool)
        for one in played.moments:
            ended[one.settled[one.ends]] = True
        if before is not None:
            assert (now[~ended] == before[~ended]).all()
            assert (now[ended] == number).all()
            deals += int(ended.sum())
        before = now
    assert deals > 32
    assert len(set(before.tolist())) > 1  # long games still have older opponents


@pytest.mark.parametrize("kind", [PPO, QLearning])
def test_without_decisions_none_is_drawn_and_without_results_nothing_changes(tmp_path, kind):
    run = kind(kind.OPTIONS(**{**SMALL, "steps": 2}, game="tantrix", runs=tmp_path, name="a"))
    before = digest_of(run.tensors())
    run.update()  # each seat has decided once at most
    assert (run.updates, run.decisions) == (1, 0) and digest_of(run.tensors()) == before
    (batch,) = run.tables[0].play(draw_uniform, {}, ints(), 1, np.random.default_rng(0)).batches
    assert len(run.learner.draw(batch.take(ints()), np.random.default_rng(0)).places) == 0


def test_the_pool_drops_a_snapshot_only_when_no_table_has_it(tmp_path):
    run = PPO(Args(**{**SMALL, "snapshots": 1, "opponent_share": 1.0}, runs=tmp_path, name="a"))
    run.snapshots = {0: run.behaviour, 1: run.behaviour, 2: run.behaviour}
    run.tables[0].opponent[:] = 2
    run.tables[0].opponent[3] = 0
    run._plan()
    assert list(run.snapshots) == [0, 2]
    assert run.drawable == [2]
    run.tables[0].opponent[3] = 2
    run._plan()
    assert list(run.snapshots) == [2]


def test_an_exploiter_plays_one_team_and_its_victim_all_others(tmp_path):
    small = {name: value for name, value in SMALL.items() if name != "eval_opponents"}
    run = PPO(Args(**small, game="karma", players=3, exploit="greedy", runs=tmp_path, name="a"))
    assert [agent.name for agent in run.eval_opponents] == ["greedy"]
    tables = run.tables[0]
    tables.play(draw_uniform, run.named[0], ints(0), 1, np.random.default_rng(0))
    assert (tables.opponent == 0).all()
    assert (tables.state()["own"].sum(axis=1) == 1).all()
    assert run.named[0][0].name == "greedy"


# Runs


@pytest.mark.parametrize("policy", ["features", "mlp"])
def test_the_model_file_plays_like_the_policy_without_torch(tmp_path, policy):
    run = PPO.begin(Args(**SMALL, policy=policy, runs=tmp_path, name="a"))
    run.update()
    run.save()
    file, batch = LearnedAgent(run.game, tmp_path / "a/model.safetensors"), tantra_envs.make_batch("karma", 64, seed=2)
    for _ in range(25):
        batch.step(batch.sample())
    obs, rng = Observation(run.game, batch.states), np.random.default_rng(0)
    assert (file.act(obs, rng) == run.agent().act(obs, rng)).mean() > 0.98  # sums may differ in the last digit


@pytest.mark.whole
@pytest.mark.parametrize("kind", [PPO, QLearning])
def test_it_learns_karma_from_nothing_and_its_file_plays(tmp_path, kind):
    """The figure is far above chance (0.5) and far below what more training reaches."""
    options = {"total_decisions": 200_000, "tables": 256, "net_arch": (32, 32)}
    run = kind.begin(kind.OPTIONS(**options, runs=tmp_path, name="a"))
    run.train()
    run.save()
    agents = [LearnedAgent(run.game, tmp_path / "a/model.safetensors"), opponent("uniform", run.game)]
    assert play_match(run.game, agents, [0, 1], 100, seed=5).score(0).low > 0.55


def test_a_run_starts_from_the_weights_of_a_model_file_of_the_same_network(tmp_path):
    first = PPO.begin(Args(**SMALL, runs=tmp_path, name="a"))
    first.train()
    first.save()
    file = tmp_path / "a" / "model.safetensors"
    again = PPO.begin(Args(**SMALL, start=file, runs=tmp_path, name="b"))
    for name, tensor in again.tensors().items():
        assert (tensor == first.tensors()[name]).all()
    resumed = PPO.resume(Args(resume=tmp_path / "b"))
    assert resumed.tensors().keys() == again.tensors().keys()
    with pytest.raises(ValueError, match="net_arch"):
        PPO(Args(**{**SMALL, "net_arch": (16,)}, start=file, runs=tmp_path, name="b"))


@pytest.mark.parametrize("file", sorted(CONFIGS.glob("*.toml")), ids=lambda file: file.stem)
def test_shipped_configs_are_understood(file):
    """Each config begins with its command."""
    (run,) = [run for run in (PPO, QLearning) if f"python -m {run.PROGRAM} --config" in file.read_text()]
    args = cli.read(run.OPTIONS, run.PROGRAM, ["--config", str(file)])
    run.check(args)
    assert args.name == file.stem


@pytest.mark.parametrize(
    ("kind", "other", "field"),
    [
        (PPO, {"players": 99}, "players=99"),
        (PPO, {"seats": (0,)}, "players=0"),
        (PPO, {"more": 5}, "more=5"),
        (PPO, {"entropy": ()}, "entropy"),
        (PPO, {"entropy": (0.1, 0.1, 0.1)}, "entropy"),
        (PPO, {"exploit": "greedy", "snapshots": 1}, "snapshots"),
        (PPO, {"exploit": "greedy"}, "eval_opponents"),
        (PPO, {"net_arch": (8,) * 7}, "net_arch"),
        (PPO, {"net_arch": (4096, 4096)}, "net_arch"),
        (PPO, {"seats": (2, 3), "policy": "mlp"}, "seats"),
        (PPO, {"device": "abacus"}, "device"),
        (QLearning, {"seats": (2, 3), "tables": 1}, "tables"),
        (QLearning, {"seats": (3, 4)}, "players"),
        (QLearning, {"game": "tantrix:solitaire"}, "points"),
        (QLearning, {"opponents": ("nobody",)}, "nobody"),
        (QLearning, {"epsilon": ()}, "epsilon"),
    ],
)
def test_options_that_do_not_fit_are_refused(tmp_path, kind, other, field):
    with pytest.raises(ValueError, match=field):
        kind.begin(kind.OPTIONS(**{**SMALL, **other}, runs=tmp_path, name="a"))
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("agent", ["my.py:X", "my.py :X", "text:touch owned", "search:4,base=my.py:X"])
def test_code_of_agents_runs_only_on_request(tmp_path, agent):
    saved = options.to_json(Args(game="karma", opponents=(agent,)))
    with pytest.raises(ValueError, match="add --trust"):
        options.restore(saved, Args(resume=tmp_path))
    assert options.restore(saved, Args(resume=tmp_path, trust=True)).opponents == (agent,)


def test_a_resumed_run_keeps_its_options(tmp_path):
    saved = options.to_json(Args(game="tarot", tables=8, seats=(2, 3)))
    assert options.restore(saved, Args(resume=tmp_path, tables=8, more=5)).total_decisions == Args.total_decisions + 5
    for given in ({"tables": 9}, {"game": "tantra"}, {"total_decisions": 7}, {"exploit": "greedy"}):
        with pytest.raises(ValueError, match=f"{next(iter(given))}=.* is not allowed with resume"):
            options.restore(saved, Args(resume=tmp_path, **given))
    with pytest.raises(ValueError, match="more=5 is not allowed without resume"):
        PPO.check(Args(more=5))
    with pytest.raises(ValueError, match="start='x' is not allowed with resume"):
        options.restore(saved, Args(resume=tmp_path, start=Path("x")))
    assert options.restore(saved, Args(resume=Path())).folder == Path.cwd()


def test_weights_are_exported_with_their_own_results_and_not_over_those_of_other_options(tmp_path):
    run = PPO.begin(Args(**SMALL, game="karma:sixty", runs=tmp_path, name="a"))
    run.train()
    run.save()
    run.finish()
    model = tmp_path / "a" / "model.safetensors"
    _, card = ship(model, tmp_path / "shipped.safetensors")
    assert card.decisions == run.decisions and card.strength[0]["opponent"] == "uniform"
    with pytest.raises(ValueError, match=r"is for karma with .*, this run for karma:sixty .*--name NAME"):
        ship(model, replace=True)
    more = PPO.resume(Args(resume=tmp_path / "a", more=500))
    more.train()
    more.save()
    with pytest.raises(ValueError, match=r"its results of \S+; allowed: a run that has ended"):
        ship(model, tmp_path / "again.safetensors")


def test_measurements_do_not_change_what_is_learned(tmp_path):
    """Also where the measured game has other actions than the first tables, and snapshots play both."""
    seats = {"seats": (2, 3), "players": 3, "snapshots": 1, "snapshot_every": 100, "options": ("max_moves=12",)}
    often = PPO.begin(Args(**{**SMALL, "eval_every": 100}, **seats, runs=tmp_path, name="a"))
    never = PPO.begin(Args(**{**SMALL, "eval_every": 10_000}, **seats, runs=tmp_path, name="b"))
    assert often.train()
    assert never.train()
    assert len(often.history) > len(never.history)
    for name, tensor in often.tensors().items():
        assert (tensor == never.tensors()[name]).all()


def words(folder):
    """Return the command line of a small run, whose options are in a file."""
    file = folder / "run.toml"
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in SMALL.items()))
    return ["karma", "--runs", str(folder), "--name", "a", "--config", str(file)]


def test_a_run_that_is_asked_to_stop_says_how_to_continue(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(runs_module, "asked_to_stop", lambda: contextlib.nullcontext(lambda: True))
    with pytest.raises(SystemExit) as ended:
        PPO.main(words(tmp_path))
    printed = capsys.readouterr()
    assert printed.out.startswith(f"folder: {tmp_path / 'a'}\n") and "kl " in printed.out
    assert ended.value.code == 130 and printed.err.endswith(f"stopped; continue with --resume {tmp_path / 'a'}\n")
    assert 0 < PPO.resume(Args(resume=tmp_path / "a")).decisions < SMALL["total_decisions"]


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(("events", "code"), [(0, 2), (3, 1)])
def test_a_log_of_tensorboard_that_cannot_be_written_is_told_in_one_line(events, code, tmp_path, monkeypatch, capfd):
    record_writer = pytest.importorskip("tensorboard.summary.writer.record_writer")

    write, room = record_writer.RecordWriter.write, iter(range(events))

    def until_full(writer, event):
        if next(room, None) is None:
            raise OSError(28, "No space left on device")
        write(writer, event)

    with monkeypatch.context() as broken, pytest.raises(SystemExit) as ended:
        broken.setattr(record_writer.RecordWriter, "write", until_full)
        PPO.main(words(tmp_path))
    assert ended.value.code == code
    errors = capfd.readouterr().err
    assert errors.startswith("error: [Errno 28] No space left on device") and errors.count("\n") == 1
