"""Self-play with RLlib on Ray: what its env runners hand in, and runs that lose runners, machines and themselves."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.envs.vector import SeatVectorEnv
from tantra_envs.workers import executor

os.environ["RAY_AUTH_MODE"] = "disabled"  # a Ray begun here would ask for tokens from now on, which a Cluster has not
ray = pytest.importorskip("ray")
torch = pytest.importorskip("torch")
pytest.importorskip("stable_baselines3")
scale = pytest.importorskip("training.scale.command")
algorithm = pytest.importorskip("training.scale.algorithm")
cluster = pytest.importorskip("training.scale.cluster")
run_folder = pytest.importorskip("training.run_folder")
runner = pytest.importorskip("training.scale.table_runner")
Args = pytest.importorskip("training.scale.options").Args
ROOT = Path(__file__).resolve().parents[2]
SMALL = [
    *("--num-envs", "8", "--n-steps", "16", "--batch-size", "64", "--n-epochs", "1", "--net-arch", "8"),
    *("--snapshot-every", "256", "--eval-every", "256", "--eval-deals", "2", "--final-deals", "3"),
    *("--opponents", "uniform", "scripted", "--eval-opponents", "uniform", "--pool-size", "2"),
]
processes = pytest.mark.trainers  # Ray's own take a while to begin


# What is handed in


def made(game, **more):
    args = Args(num_envs=6, n_steps=40, net_arch=(8,), opponents=("uniform",), **more)
    return runner.TableRunner(config=algorithm.config_for(args, tantra_envs.game(game)), worker_index=None)


@pytest.mark.parametrize("name", ["karma", "tantra:first", "kanastic:round", "tantrix", "tarot:hand"])
def test_a_runner_hands_in_what_was_played_step_by_step(name):
    one = made(name)
    twin = twin_of(one)
    views, masks = twin.reset(seed=one.started)[0], twin.action_masks()
    for _ in range(3):
        episodes = one.sample()
        steps = {column: by_step(episodes, column) for column in ("actions", "rewards", "observations", "action_mask")}
        over = np.concatenate([ends(episode) for episode in episodes]).reshape(6, 40)
        for step in range(40):
            assert (steps["observations"][:, step] == views).all() and (steps["action_mask"][:, step] == masks).all()
            views, rewards, terminated, truncated, infos = twin.step(steps["actions"][:, step])
            masks = infos["action_mask"]
            assert (steps["rewards"][:, step] == rewards.astype(np.float32)).all()
            assert (over[:, step] == terminated + 2 * truncated).all()


def twin_of(one):
    """Tables like those of the runner."""
    pool = one.seating.pool()
    return SeatVectorEnv(one.seating.game, 6, opponents=pool, team=one.seating.together, autoreset_mode="SameStep")


def by_step(episodes, column):
    """(tables, steps, ..) of what the episodes hold: they come table by table."""
    parts = []
    for episode in episodes:
        if column in ("observations", "action_mask"):
            parts.append(episode.get_observations(slice(0, len(episode)))[column])
        else:
            parts.append(getattr(episode, column).data)
    whole = np.concatenate(parts)
    return whole.reshape(6, 40, *whole.shape[1:])


def ends(episode):
    """At every step of an episode 0, but at the last 1 if it ended there, 2 if it was cut off."""
    return [0] * (len(episode) - 1) + [episode.is_terminated + 2 * episode.is_truncated]


def test_an_episode_ends_with_the_last_table_and_knows_how_likely_its_actions_were():
    one = made("karma")
    episodes = [episode for _ in range(4) for episode in one.sample()]
    whole = [episode for episode in episodes if episode.is_done]
    assert len(whole) > 5
    for episode in episodes:
        seen = episode.get_observations(slice(0, len(episode) + 1))
        assert len(seen["observations"]) == len(episode) + 1
        logits = torch.from_numpy(episode.extra_model_outputs["action_dist_inputs"].data)
        known = logits.log_softmax(1).numpy()[range(len(episode)), episode.actions.data]
        assert np.allclose(known, episode.extra_model_outputs["action_logp"].data, atol=1e-5)
        assert (logits.softmax(1).numpy()[seen["action_mask"][:-1] == 0] == 0).all()
    assert all((e.get_observations(-1)["action_mask"] == 1).all() for e in whole)
    assert {float(np.abs(e.rewards.data).max()) for e in whole} == {1.0}


@pytest.mark.parametrize(("partner", "teams"), [("self", True), ("pool", False)])
def test_partners_are_the_learner_or_of_the_pool(partner, teams):
    one = made("kanastic:round", partner=partner)
    assert one.seating.together is teams
    one.set_snapshots([weights_of(one)])
    one.sample()
    assert len(one.pool.snapshots) == 1
    sitting = one.env.save()["_sitting"]
    assert (sitting[:, :2] == sitting[:, 2:]).all()


def test_a_runner_without_named_opponents_plays_against_snapshots():
    args = Args(num_envs=6, n_steps=40, net_arch=(8,), opponents=())
    one = runner.TableRunner(config=algorithm.config_for(args, tantra_envs.game("karma")), worker_index=None)
    (untrained,) = one.pool.agents
    one.set_snapshots([weights_of(one)])
    assert one.pool.agents[0] is untrained and one.pool.snapshots == one.pool.agents[1:]  # its games go on
    one.sample()
    one.set_snapshots([weights_of(one)])
    assert len(one.pool.agents) == 2  # an equal snapshot is no new one


def weights_of(one):
    state = one.module.get_state()
    return {name.removeprefix("actor."): array for name, array in state.items()}


def test_runners_have_no_critic_and_entropies_are_finite():
    one = made("karma")
    assert not hasattr(one.module, "critic")
    game = one.seating.game
    masks = torch.zeros(2, game.actions.size)
    masks[:, :2] = 1
    logits = one.module.logits(torch.zeros(2, game.view.size), masks)
    entropy = torch.distributions.Categorical(logits=logits).entropy()
    assert entropy.isfinite().all() and (entropy < 0.7).all()


# Runs


class Machines:
    """A cluster of two machines of one core each, on this one; the second may be lost."""

    def __init__(self):
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        self.address = self.cluster.address
        self.second = self.cluster.add_node(num_cpus=1)

    def lose_one(self):
        """The second machine is gone without a word; a third takes its place."""
        self.cluster.remove_node(self.second, allow_graceful=False)
        self.second = self.cluster.add_node(num_cpus=1)


@pytest.fixture(scope="module")
def machines():
    made = Machines()
    yield made
    ray.shutdown()
    made.cluster.shutdown()


def learn(runs, name, *more):
    given = ["--runs", str(runs), "--name", name, "--workers", "2", "--total-timesteps", "1536", *SMALL, *more]
    scale.main(given)
    return runs / name


@pytest.fixture
def loss(monkeypatch):
    """Something is lost after the first update; the run is stopped when it has all its runners again."""
    seen, usual, began = {}, scale.Scale.after_update, time.monotonic()

    def after_update(run, before):
        usual(run, before)
        seen["pids"] = pids(run)
        seen["snapshots"] = run.algorithm.env_runner_group.foreach_env_runner(
            lambda one: len(one.pool.snapshots), local_env_runner=False
        )
        if "before" not in seen:
            seen["before"] = seen["pids"]
            seen["lose"](seen["pids"])

    @contextlib.contextmanager
    def whole_again():
        yield lambda: time.monotonic() > began + 400 or (len(seen["pids"]) == 2 and seen["pids"] != seen["before"])

    monkeypatch.setattr(scale.Scale, "after_update", after_update)
    monkeypatch.setattr(scale, "asked_to_stop", whole_again)
    return seen


def lose(runs, name, loss, *more):
    """A run until it has lost something and is whole again; its folder."""
    with pytest.raises(SystemExit) as ended:
        learn(runs, name, "--total-timesteps", "10000000", *more)
    assert ended.value.code == 130
    assert len(set(loss["pids"])) == 2 and len({*loss["before"], *loss["pids"]}) == 3
    assert loss["snapshots"] == [2, 2]  # the new one knows whom to play against
    return runs / name


def pids(run):
    return run.algorithm.env_runner_group.foreach_env_runner(lambda one: os.getpid(), local_env_runner=False)


@processes
def test_a_killed_runner_is_started_again_and_the_run_goes_on(tmp_path, machines, loss, monkeypatch, capsys):
    loss["lose"] = lambda pids: os.kill(pids[0], signal.SIGKILL)
    folder = lose(tmp_path, "killed", loss, "--address", machines.address)
    assert f"stopped; continue with --resume {folder}" in capsys.readouterr().err
    kept = run_folder.read_checkpoint(folder)
    goes_on_where_it_was(folder, kept, machines)

    monkeypatch.undo()
    more = str(kept["decisions"] + 384 - 10_000_000)
    scale.main(["--resume", str(folder), "--more", more, "--workers", "1"])  # by itself now
    again, results = run_folder.read_checkpoint(folder), json.loads((folder / "results.json").read_text())
    assert again["decisions"] == kept["decisions"] + 384 and again["settings"]["workers"] == 1
    assert again["history"][: len(kept["history"])] == kept["history"] and len(again["history"]) > len(kept["history"])
    assert results["history"] == again["history"] and results["results"][0]["games"] == 6
    assert {"checkpoint.safetensors", "curve.png", "command.txt"} < {file.name for file in folder.iterdir()}
    assert load(f"ppo:{folder}/model.safetensors", tantra_envs.game("karma"))


def goes_on_where_it_was(folder, kept, machines):
    """What a run begins with when it is taken up is what its checkpoint holds: learner, runners, pool."""
    with cluster.left():
        run = scale.Scale.resume(Args(resume=folder, workers=1, address=machines.address))
        state = run.algorithm.learner_state()
        told = run.algorithm.env_runner_group.foreach_env_runner(
            lambda one: one.module.get_state(), local_env_runner=False
        )
        assert len(run.snapshots()) == 2 and run.decisions == kept["decisions"]
    for name, weights in kept["learner"]["weights"].items():
        assert (state["weights"][name] == weights).all()
        assert name.startswith("critic") or (told[0][name] == weights).all()
    for moments, again in zip(kept["learner"]["moments"][1], state["moments"][1], strict=True):
        assert all(np.array_equal(again[name], array) for name, array in moments.items())


@processes
def test_a_killed_run_goes_on_from_its_last_checkpoint(tmp_path, machines):
    there = ["--workers", "1", "--address", machines.address]
    words = ["--runs", str(tmp_path), "--name", "shot", *there, "--total-timesteps", "10000000", *SMALL]
    with (tmp_path / "told").open("w") as told:
        run = subprocess.Popen([sys.executable, "-m", "training", "scale", *words], cwd=ROOT, stdout=told, stderr=told)
        while run.poll() is None and decisions(tmp_path / "shot") < 512:
            time.sleep(0.2)
        run.kill()
        run.wait()
    assert run.returncode == -signal.SIGKILL, (tmp_path / "told").read_text()
    kept = run_folder.read_checkpoint(tmp_path / "shot")
    more = str(kept["decisions"] + 256 - 10_000_000)
    scale.main(["--resume", str(tmp_path / "shot"), "--more", more, *there])
    results = json.loads((tmp_path / "shot" / "results.json").read_text())
    assert results["history"][: len(kept["history"])] == kept["history"]
    assert run_folder.read_checkpoint(tmp_path / "shot")["decisions"] == kept["decisions"] + 256


def decisions(folder):
    try:
        return run_folder.read_checkpoint(folder)["decisions"]
    except ValueError:  # not yet
        return 0


@processes
def test_a_cluster_loses_a_machine_and_gets_another(tmp_path, machines, loss):
    loss["lose"] = lambda pids: machines.lose_one()
    lose(tmp_path, "far", loss, "--address", machines.address)


@processes
def test_jobs_on_a_cluster_outlive_a_worker(tmp_path, machines):
    ray.init(machines.address, log_to_driver=False, logging_level="error")
    with cluster.left():
        jobs = [(number, str(tmp_path / f"shot-{number}")) for number in range(4)]
        with executor(2, ray=True) as run:
            assert sorted(result for _, result in run(doubled_by_who_dies_first, jobs)) == [0, 2, 4, 6]


def doubled_by_who_dies_first(job):
    number, mark = job
    if number == 1 and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


# Bad input


@pytest.mark.parametrize(("words", "told"), [
    (["--workers", "0"], "workers=0 is not allowed"),
    (["--learners", "64", "--batch-size", "100"], "batch_size=100 is not allowed; allowed: at least 2 for each"),
    (["--opponents", "nobody"], "unknown agent 'nobody'"),
    (["--resume", "nowhere"], "nowhere/checkpoint.safetensors does not exist; allowed: the folder of a run"),
    (["--wrkers", "2"], "training scale --help"),
])  # fmt: skip
def test_what_cannot_be_is_told_in_one_line_before_anything_begins(words, told, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        scale.main(["--runs", str(tmp_path), *words])
    message = capsys.readouterr().err
    assert ended.value.code == 2 and told in message and message.count("\n") == 1
    assert not ray.is_initialized() and not list(tmp_path.iterdir())


@processes
def test_a_cluster_that_is_too_small_or_not_there_is_told(tmp_path, machines, capsys):
    small = f"the cluster at {machines.address} has 2 cores; workers and learners need 3"
    for address, told in ((machines.address, small), ("127.0.0.1:1", "no answer from 127.0.0.1:1")):
        with pytest.raises(SystemExit) as ended:
            scale.main(["--runs", str(tmp_path), "--workers", "3", "--address", address])
        assert ended.value.code == 2 and told in capsys.readouterr().err


def test_the_help_has_an_example(capsys):
    with pytest.raises(SystemExit) as ended:
        scale.main(["--help"])
    assert ended.value.code == 0
    assert "python -m training scale --config configs/scale/karma.toml --workers 2" in " ".join(
        capsys.readouterr().out.split()
    )
