"""PPO: each seat learns from its own decisions, opponents stay until a game ends, and stopped runs are resumed."""

import contextlib
import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.playouts import Playouts
from tantra_envs.matches.match import play_match
from tantra_envs.opponents import opponent
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.model_files import read_card
from tantra_envs.programs import cli

torch = pytest.importorskip("torch")
ppo = pytest.importorskip("training.ppo")
runs_module = pytest.importorskip("training.run")
trajectories = pytest.importorskip("training.trajectories")
options = pytest.importorskip("training.options")
read_checkpoint = pytest.importorskip("training.run_folder").read_checkpoint
ship = pytest.importorskip("training.export").ship
Args, PPO = ppo.Args, ppo.PPO
QLearning = pytest.importorskip("training.q_learning").QLearning
Batch, Moment, Sample, Trajectories = (
    trajectories.Batch,
    trajectories.Moment,
    trajectories.Sample,
    trajectories.Trajectories,
)

CONFIGS = Path(__file__).parents[2] / "configs/training"
SMALL = {"tables": 16, "steps": 8, "batch_size": 32, "net_arch": (8,), "total_decisions": 500, "eval_every": 200}
SMALL |= {"eval_deals": 2, "final_deals": 2, "eval_opponents": ("uniform",)}


def ints(*values):
    return np.array(values, np.int64)


def floats(*values):
    return np.array(values, np.float32)


def moment(rows, seats, values, paid=(), rewards=(), ends=()):
    sample = Sample(ints(*[0] * len(rows)), floats(*[0] * len(rows)), floats(*values))
    of_seats = np.array(rewards, np.float32).reshape(len(paid), 2)
    return Moment(ints(*rows), ints(*seats), sample, ints(*paid), of_seats, np.array(ends, bool))


# Trajectories


def test_rewards_belong_to_the_last_decision_of_each_seat_and_values_pass_along_its_own_decisions():
    moments = [
        moment([0], [0], [0.1]),
        moment([0], [1], [0.2]),
        moment([0], [0], [0.3], paid=[0], rewards=[[0.5, -0.5]], ends=[False]),
        moment([0], [1], [0.4], paid=[0], rewards=[[1, -1]], ends=[True]),
    ]
    lam = 0.5
    last_0 = 0.5 + 1 - 0.3  # both rewards come before another decision of seat 0
    last_1 = -1 - 0.4
    first_0 = 0.3 - 0.1 + lam * last_0
    first_1 = -0.5 + 0.4 - 0.2 + lam * last_1
    advantages = Trajectories((1, 2), [], moments).advantages(lam)
    assert advantages == pytest.approx([first_0, first_1, last_0, last_1], rel=1e-6)


def test_the_last_decision_of_a_game_that_goes_on_has_no_advantage_and_gives_its_value_to_the_one_before():
    moments = [moment([0], [0], [0.25]), moment([0], [0], [0.75]), moment([0], [1], [0.5])]
    first, second, other = Trajectories((1, 2), [], moments).advantages(0.9)
    assert first == pytest.approx(0.5)
    assert np.isnan(second)
    assert np.isnan(other)


def test_nothing_passes_from_one_game_to_the_next():
    over = moment([0], [0], [0.5], paid=[0], rewards=[[1, -1]], ends=[True])
    alone = Trajectories((1, 2), [], [over]).advantages(0.9)
    later = [moment([0], [0], [0.9]), moment([0], [0], [-0.9], paid=[0], rewards=[[-1, 1]], ends=[True])]
    assert Trajectories((1, 2), [], [over, *later]).advantages(0.9)[0] == alone[0] == pytest.approx(0.5)


def test_a_batch_keeps_the_actions_of_the_decisions_that_are_taken():
    batch = Batch(np.zeros((3, 0)), np.arange(3.0)[:, None], ints(2, 1, 3), np.arange(6), np.arange(6.0)[:, None])
    taken = batch.take(ints(2, 0))
    assert taken.actions.tolist() == [3, 4, 5, 0, 1]
    assert taken.features[:, 0].tolist() == [3, 4, 5, 0, 1]
    assert taken.table[:, 0].tolist() == [2, 0]
    assert taken.starts.tolist() == [0, 3]


# Tables


class First:
    """A policy that plays the first legal action, and keeps what it was asked."""

    def __init__(self):
        self.batches = []

    def __call__(self, batch, rng):
        self.batches.append(batch)
        k = len(batch.counts)
        return Sample(np.zeros(k, np.int64), np.zeros(k, np.float32), np.zeros(k, np.float32))


def tables_of(game, count=8, kind="score", episode="game", share=0.0, features=True):
    return trajectories.Tables(game, count, trajectories.Rewards(kind, 1.0, episode), share, features, seed=3, group=0)


@pytest.mark.parametrize("name", ["karma", "kanastic:round"])
def test_decisions_with_one_legal_action_are_played_and_not_recorded(name):
    policy, rng = First(), np.random.default_rng(0)
    played = tables_of(tantra_envs.game(name)).play(policy, {}, ints(), 40, rng)
    assert min(batch.counts.min(initial=99) for batch in policy.batches) >= 2
    assert sum(len(now.rows) for now in played.moments) < 40 * 8


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


def test_every_reward_ends_an_episode_of_one_round():
    game, rng = tantra_envs.game("tarot:scored"), np.random.default_rng(0)
    played = tables_of(game, 4, "points", "round").play(draw_uniform, {}, ints(), 200, rng)
    assert sum(len(now.settled) for now in played.moments) > 4
    assert all(now.ends.all() for now in played.moments)


class Named:
    def __init__(self, name, tables):
        self.name, self.tables, self.played = name, tables, []

    def act(self, obs, rng):
        self.played.append(len(obs))
        return obs.action_mask.argmax(axis=1)


def test_a_table_keeps_its_opponent_until_its_game_ends():
    """New games get the newest opponent; games in play go on with theirs."""
    tables, rng = tables_of(tantra_envs.game("karma"), 32, share=1.0), np.random.default_rng(0)
    opponents = {number: Named(str(number), tables) for number in range(12)}
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


def weights_of(folder):
    return read_card(folder / "model.safetensors").digest


def ends_as_if_it_was_not_interrupted(folder, options):
    """Compare the end of the run in a folder with a whole run of the same options, and return the number of updates."""
    rest = PPO.resume(Args(resume=folder))
    assert 0 < rest.decisions < options["total_decisions"]
    assert rest.train()
    rest.save()
    whole = PPO.begin(Args(**options, runs=folder.parent, name="whole"))
    assert whole.train()
    whole.save()
    assert weights_of(folder) == weights_of(folder.parent / "whole")
    assert rest.updates == whole.updates
    return rest.updates


AHEAD = {"threads": 2}
MIXED = {"seats": (2, 3), "opponents": ("greedy",), "snapshots": 2, "snapshot_every": 100, "magnet": 0.1}


@pytest.mark.parametrize(
    "options", [{}, AHEAD, {**MIXED, **AHEAD}, {"policy": "mlp"}], ids=["in turn", "ahead", "mixed", "mlp"]
)
@pytest.mark.parametrize("updates", [2, 3])
def test_a_run_that_was_stopped_ends_with_the_weights_of_one_that_was_not(tmp_path, monkeypatch, options, updates):
    """It is stopped after some updates, while another thread plays the next games, or between two updates."""
    run = PPO.begin(Args(**SMALL, **options, runs=tmp_path, name="parts"))
    with monkeypatch.context() as patch:
        patch.setattr(runs_module, "asked_to_stop", lambda: contextlib.nullcontext(lambda: run.updates == updates))
        assert not run.train()
    run.save()
    assert ends_as_if_it_was_not_interrupted(tmp_path / "parts", SMALL | options) > updates


@pytest.mark.whole
def test_a_killed_run_ends_with_the_weights_of_one_that_was_not(tmp_path):
    """It is killed at any point after its first measurement, which saves a checkpoint."""
    options = {**SMALL, "total_decisions": 1_500, "eval_every": 300}
    config = tmp_path / "run.toml"
    config.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in options.items()))
    command = ["-m", "training", "ppo", "karma", "--config", str(config), "--runs", str(tmp_path), "--name", "parts"]
    process = subprocess.Popen([sys.executable, *command])
    checkpoint = tmp_path / "parts" / "checkpoint.safetensors"
    while not checkpoint.exists() or read_checkpoint(checkpoint.parent)["decisions"] == 0:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    ends_as_if_it_was_not_interrupted(tmp_path / "parts", options)


@pytest.mark.parametrize("policy", ["features", "mlp"])
def test_the_model_file_plays_like_the_policy_without_torch_and_in_playouts(tmp_path, policy):
    game = tantra_envs.game("karma")
    run = PPO.begin(Args(**SMALL, policy=policy, runs=tmp_path, name="a"))
    run.train()
    run.save()
    file = LearnedAgent(game, tmp_path / "a" / "model.safetensors")
    here = run.agent()
    states = np.concatenate([game.new(seed) for seed in range(64)])
    for _ in range(12):
        obs = tantra_envs.core.observation.Observation(game, states)
        actions = file.act(obs, np.random.default_rng(0))
        assert (actions == here.act(obs, np.random.default_rng(0))).mean() > 0.98  # sums may differ in the last digit
        game.drivers.apply_rows(states, np.arange(64), actions)
    obs = tantra_envs.core.observation.Observation(game, states)
    in_playouts = Playouts(game, file.policy()).choose(obs.known, obs.action_mask)
    assert (in_playouts == file.act(obs, np.random.default_rng(0))).mean() > 0.9  # sums may differ in the last digit
    assert file.origin["digest"] == read_card(file.file).origin["digest"]


@pytest.mark.whole
def test_it_learns_karma_from_nothing(tmp_path):
    """The figure is far above chance (0.5) and far below what more training reaches."""
    run = PPO.begin(Args(total_decisions=300_000, tables=256, runs=tmp_path, name="a", net_arch=(32, 32)))
    run.train()
    game = tantra_envs.game("karma")
    agents = [run.agent(), opponent("uniform", game)]
    assert play_match(game, agents, [0, 1], 100, seed=5).score(0).low > 0.65


def test_the_policy_learns_only_from_large_advantages(tmp_path):
    """With a filter, decisions with small advantages change nothing in the policy."""
    run = PPO.begin(Args(**{**SMALL, "skip_smallest": 0.5}, runs=tmp_path, name="a"))
    taken = []
    objective = run._objective
    run._objective = lambda batch, parts, progress: (
        taken.append(parts[2].abs().min().item()) or objective(batch, parts, progress)
    )
    (played,) = run.play(*run._next_games())
    advantages = played.advantages(0.95)
    batch, sample = trajectories.join(played.batches), trajectories.join([now.sample for now in played.moments])
    complete = np.flatnonzero(~np.isnan(advantages))
    run.fit(batch, sample, advantages, complete, 0.0)
    bound = np.quantile(np.abs(advantages[complete]), 0.5)
    shift, scale = advantages[complete].mean(), advantages[complete].std() + 1e-8
    assert len(taken) > 1
    assert min(taken) >= (bound - abs(shift)) / scale - 1e-5


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


def test_options_that_do_not_fit_are_refused(tmp_path):
    good = Args(**SMALL, runs=tmp_path, name="a")
    for wrong, field in [
        ({"entropy": ()}, "entropy"),
        ({"entropy": (0.1, 0.1, 0.1)}, "entropy"),
        ({"exploit": "greedy", "snapshots": 1}, "snapshots"),
        ({"exploit": "greedy"}, "eval_opponents"),
        ({"net_arch": (8,) * 7}, "net_arch"),
        ({"net_arch": (4096, 4096)}, "net_arch"),
        ({"seats": (2, 3), "policy": "mlp"}, "seats"),
        ({"seats": (2, 3), "tables": 1}, "tables"),
        ({"seats": (3, 4)}, "players"),
        ({"threads": 3}, "threads"),
        ({"game": "tantrix:solitaire"}, "points"),
        ({"skip_smallest": 1.0}, "skip_smallest"),
        ({"steps": 1}, "steps"),
        ({"device": "abacus"}, "device"),
    ]:
        with pytest.raises(ValueError, match=field):
            PPO(replace(good, **wrong))


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
    often = PPO.begin(Args(**{**SMALL, "eval_every": 100}, runs=tmp_path, name="a"))
    never = PPO.begin(Args(**{**SMALL, "eval_every": 10_000}, runs=tmp_path, name="b"))
    assert often.train()
    assert never.train()
    assert len(often.history) > len(never.history)
    for name, tensor in often.tensors().items():
        assert (tensor == never.tensors()[name]).all()


@pytest.mark.whole
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")
def test_sigterm_saves_a_run_which_ends_with_the_weights_of_one_that_was_not_stopped(tmp_path):
    """No measurement has saved it. Without a terminal, its log has lines with decisions, speed and a figure."""
    options = {**SMALL, "total_decisions": 3_000, "eval_every": 1_000_000}
    config = tmp_path / "run.toml"
    config.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in options.items()))
    command = ["-m", "training", "ppo", "karma", "--config", str(config), "--runs", str(tmp_path), "--name", "parts"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, *command], **pipes) as process:
        assert process.stdout.readline() == f"folder: {tmp_path / 'parts'}\n"
        assert re.fullmatch(r"decisions: [\d,]+ of 3,000, [\d,]+/s, kl [\d.]+\n", process.stdout.readline())
        process.terminate()
        _, complaints = process.communicate(timeout=120)
    assert process.returncode == 130
    assert complaints.splitlines()[-1] == f"stopped; continue with --resume {tmp_path / 'parts'}"
    ends_as_if_it_was_not_interrupted(tmp_path / "parts", options)


def test_a_run_that_is_killed_in_a_measurement_has_kept_its_decisions_and_measures_again(tmp_path, monkeypatch):
    run = PPO.begin(Args(**SMALL, runs=tmp_path, name="parts"))
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(run, "measure_now", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        run.train()
    resumed = PPO.resume(Args(resume=tmp_path / "parts"))
    assert resumed.decisions == run.decisions >= SMALL["eval_every"] and not resumed.history
    assert ends_as_if_it_was_not_interrupted(tmp_path / "parts", SMALL)
    assert PPO.resume(Args(resume=tmp_path / "parts")).history


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(("events", "code"), [(0, 2), (3, 1)])
def test_a_log_of_tensorboard_that_cannot_be_written_is_told_in_one_line(events, code, tmp_path, monkeypatch, capfd):
    record_writer = pytest.importorskip("tensorboard.summary.writer.record_writer")

    write, room = record_writer.RecordWriter.write, iter(range(events))

    def until_full(writer, event):
        if next(room, None) is None:
            raise OSError(28, "No space left on device")
        write(writer, event)

    words = ["karma", "--runs", str(tmp_path), "--name", "full"]
    words += [part for name, value in SMALL.items() for part in (f"--{name.replace('_', '-')}", *words_of(value))]
    with monkeypatch.context() as broken, pytest.raises(SystemExit) as ended:
        broken.setattr(record_writer.RecordWriter, "write", until_full)
        PPO.main(words)
    assert ended.value.code == code
    errors = capfd.readouterr().err
    assert errors.startswith("error: [Errno 28] No space left on device") and errors.count("\n") == 1


def words_of(value):
    return map(str, value) if isinstance(value, tuple) else [str(value)]
