"""What improves PPO: held to what was cloned, its best network kept, a critic that sees what all seats see."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest

import tantra_envs
from agents import parse
from tantra_envs.matches.intervals import Estimate

torch = pytest.importorskip("torch")
selfplay = pytest.importorskip("training.selfplay")
anchored = pytest.importorskip("training.anchored")
checkpoint = pytest.importorskip("agents.checkpoint")
export = pytest.importorskip("training.export")
vec_env = pytest.importorskip("training.vec_env")
GAME = tantra_envs.game("karma")

SMALL = {"num_envs": 8, "n_steps": 16, "batch_size": 64, "n_epochs": 2, "net_arch": (8,), "learning_rate": 0.02}
SMALL |= {"opponents": "uniform", "eval_opponents": "uniform", "eval_deals": 2, "final_deals": 3, "replays": False}
SMALL |= {"bc_decisions": 400, "total_timesteps": 512, "eval_every": 128, "snapshot_every": 10**6}


def begun(folder, name, **other):
    return selfplay.begin(selfplay.Args(**{**SMALL, "runs": folder, "name": name, **other}))


def moved(run, before):
    """The KL divergence from a network to the learner of today, over some positions."""
    obs = tantra_envs.Observation(GAME, np.concatenate([GAME.new(seed) for seed in range(50)]))
    masks = torch.from_numpy(obs.action_mask == 0)
    views = torch.from_numpy(obs.observation)
    now, then = (
        net(views).detach().masked_fill(masks, anchored.NEVER) for net in (selfplay.actor_of(run.model), before)
    )
    return float(anchored.divergence(now, then).mean())


def test_a_large_coefficient_keeps_what_was_cloned_and_a_small_one_lets_go(tmp_path):
    far = {}
    for kl_coef in (0.001, 100.0):
        run = begun(tmp_path, f"kl-{kl_coef}", kl_coef=kl_coef)
        selfplay.learn(run)
        far[kl_coef] = moved(run, run.model.policy.anchor)
    assert far[100.0] < 0.1 * far[0.001]


def test_the_anchor_is_the_cloned_network_and_does_not_move(tmp_path):
    run = begun(tmp_path, "anchor", kl_coef=0.1)
    selfplay.clone_expert(run)
    cloned = [weights.clone() for weights in selfplay.actor_of(run.model).parameters()]
    selfplay.train(run)
    anchor, actor = run.model.policy.anchor.parameters(), selfplay.actor_of(run.model).parameters()
    for was, kept, now in zip(cloned, anchor, actor, strict=True):
        assert (was == kept).all() and (was != now).any()


def test_a_divergence_is_that_of_torch_and_leaves_illegal_actions_out():
    rng = np.random.default_rng(3)
    logits, before = (torch.from_numpy(rng.normal(size=(4, 6))) for _ in range(2))
    logits[:, 2], before[:, 2] = anchored.NEVER, anchored.NEVER
    choices = [torch.distributions.Categorical(logits=part[:, [0, 1, 3, 4, 5]]) for part in (logits, before)]
    wanted = torch.distributions.kl_divergence(*choices)
    assert torch.allclose(anchored.divergence(logits, before), wanted) and (wanted > 0).all()


def test_the_weight_falls_as_told(tmp_path):
    run = begun(tmp_path, "falls", kl_coef=0.4, kl_decay_steps=512, critic_timesteps=10**6)
    weights = []
    for _ in range(5):
        selfplay.update(run)
        weights.append(run.model.policy.kl_coef)
    assert weights == pytest.approx([0.4, 0.3, 0.2, 0.1, 0.0])


def test_without_a_weight_nothing_but_the_bonus_for_entropy_is_paid(tmp_path):
    """A weight too small to matter learns what no weight learns: the two losses are the same but for it."""
    learned = []
    for kl_coef in (0.0, 1e-12):
        run = begun(tmp_path, f"kl-{kl_coef}", kl_coef=kl_coef)
        selfplay.clone_expert(run)
        selfplay.update(run)
        learned.append(selfplay.actor_of(run.model).parameters())
    assert all(torch.allclose(plain, held, atol=1e-5) for plain, held in zip(*learned, strict=True))


def scores_in_turn(*means):
    """In place of an evaluation: these scores, one after the other, then the last for ever."""
    left = list(means)

    def evaluated(game, agent, opponent, deals, seed):
        mean = left.pop(0) if len(left) > 1 else left[0]
        score = Estimate(mean, mean - 0.1, mean + 0.1, deals)
        return selfplay.Result(opponent.name, score, score, deals, 1.0, 0.0)

    return evaluated


def test_the_best_network_is_kept_when_later_ones_score_less(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(selfplay, "evaluate", scores_in_turn(0.3, 0.4, 0.6, 0.6, 0.5))
        run = begun(tmp_path, "best")
        selfplay.learn(run)
    assert [entry["decisions"] for entry in run.history] == [0, 128, 256, 384, 512]
    best, last = (checkpoint.read_card(run.folder / name) for name in ("best.safetensors", "model.safetensors"))
    assert best.decisions == 256 and last.decisions == 512 and best.digest != last.digest
    selfplay.judge(run)
    results = json.loads((run.folder / "results.json").read_text())
    assert results["best"]["decisions"] == 256 and results["best"]["results"][0]["games"] == 6
    assert len(results["minutes"]) == 6 and results["minutes"] == sorted(results["minutes"])


def test_the_best_network_outlives_a_stop(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(selfplay, "evaluate", scores_in_turn(0.3, 0.9, 0.6, 0.6, 0.5))
        patched.setattr(selfplay, "asked_to_stop", once_asked)
        run = begun(tmp_path, "stopped")
        with pytest.raises(KeyboardInterrupt):
            selfplay.learn(run)
        again = selfplay.resume(selfplay.Args(resume=run.folder))
        patched.setattr(selfplay, "asked_to_stop", lambda: contextlib.nullcontext(lambda: False))
        selfplay.learn(again)
    assert again.history[1]["scores"]["uniform"][0] == 0.9 and len(again.history) == 5
    assert checkpoint.read_card(run.folder / "best.safetensors").decisions == 128


@contextlib.contextmanager
def once_asked():
    yield lambda: True


def test_what_ships_is_the_best_unless_the_last_is_wanted(tmp_path, monkeypatch, capsys):
    with monkeypatch.context() as patched:
        patched.setattr(selfplay, "evaluate", scores_in_turn(0.9, 0.1))
        run = begun(tmp_path, "shipped")
        selfplay.learn(run)
        selfplay.judge(run)
    monkeypatch.setattr(export, "file_of", lambda name, players: tmp_path / f"{name}-{players}.safetensors")
    for words, file, decisions in (([], "best.safetensors", 0), (["--last"], "model.safetensors", 512)):
        export.main([str(run.folder), *words])
        assert f"made of {run.folder / file}: " in capsys.readouterr().out
        card = checkpoint.read_card(tmp_path / "karma-2.safetensors")
        assert card.decisions == decisions and card.strength[0]["opponent"] == "uniform"
    assert parse(f"ppo:{tmp_path}/karma-2.safetensors", GAME)[0].card.decisions == 512


@pytest.mark.parametrize("other", [{}, {"advice": True}, {"transform": "symlog"}, {"kl_coef": 0.1}], ids="-".join)
def test_a_critic_sees_all_and_the_actor_does_not(other, tmp_path):
    run = begun(tmp_path, "all", critic_sees="all", **other)
    policy, table = run.model.policy, run.model.env
    inputs = torch.from_numpy(table.reset())
    own = GAME.view.size + (GAME.actions.size if other.get("advice") else 0)
    assert inputs.shape == (8, own + GAME.view.size) == (8, *table.observation_space.shape)
    swapped = torch.cat([inputs[:, :own], inputs[:, own:].flip(0)], 1)
    assert (inputs != swapped).any()
    actor = selfplay.actor_of(run.model)
    assert (actor(inputs) == actor(swapped)).all() and (actor(inputs) == actor(inputs[:, :own])).all()
    masks = table.env_method("action_masks")
    one, two = (policy.get_distribution(seen, masks).distribution.logits for seen in (inputs, swapped))
    assert (one == two).all()
    assert (policy.predict_values(inputs) != policy.predict_values(swapped)).any()


def test_a_model_that_learned_beside_such_a_critic_plays_without_it(tmp_path):
    run = begun(tmp_path, "plays", critic_sees="all", kl_coef=0.1)
    selfplay.learn(run)
    (player,) = parse(f"ppo:{run.folder}/model.safetensors", GAME)
    obs = tantra_envs.Observation(GAME, np.concatenate([GAME.new(seed) for seed in range(20)]))
    assert (player.act(obs, None) == run.learner.act(obs, None)).all()
    assert {tensor.shape[1] for tensor in player.tensors.values() if tensor.ndim > 1} == {GAME.view.size, 8}


def test_such_a_critic_is_shown_the_end_of_a_game_that_was_cut_off():
    game = tantra_envs.game("karma", max_moves=60)
    made = {"opponents": "uniform", "all_views": True, "autoreset_mode": "SameStep"}
    tables = selfplay.SeatVectorEnv(game, 4, **made)
    adapted = vec_env.SB3VecEnv(selfplay.SeatVectorEnv(game, 4, **made), advice=True)
    adapted.seed(1)
    shown = adapted.reset()
    _, infos = tables.reset(seed=1)
    ends = 0
    for _ in range(120):
        assert (shown[:, -game.view.size :] == infos["views"][:, 1]).all()
        actions = tables.action_masks().argmax(axis=1)
        _, _, _, cut, infos = tables.step(actions)
        shown, _, _, told = adapted.step(actions)
        for i in np.flatnonzero(cut):
            last, views = told[i]["terminal_observation"], infos["final_info"]["views"][i]
            assert (last[: game.view.size] == views[0]).all() and (last[-game.view.size :] == views[1]).all()
            assert not last[game.view.size : -game.view.size].any()  # no advice: nothing is to be decided
            ends += 1
    assert ends > 3


def test_a_run_with_all_of_it_taken_up_again_ends_as_if_never_stopped(tmp_path, monkeypatch):
    improved = {"kl_coef": 0.1, "kl_decay_steps": 400, "critic_sees": "all", "opponents": "uniform,scripted"}
    whole = begun(tmp_path, "whole", **improved)
    selfplay.learn(whole)
    halves = begun(tmp_path, "halves", **improved)
    with monkeypatch.context() as patched:
        patched.setattr(selfplay, "asked_to_stop", once_asked)
        with pytest.raises(KeyboardInterrupt):
            selfplay.learn(halves)
    again = selfplay.resume(selfplay.Args(resume=halves.folder))
    assert again.earlier > 0 and again.model.num_timesteps == 128
    selfplay.learn(again)
    one, two = (run.model.policy.state_dict() for run in (whole, again))
    assert one.keys() == two.keys() and any(name.startswith("anchor.") for name in one)
    assert all((weights == two[name]).all() for name, weights in one.items())
    kept = [selfplay.read_checkpoint(run.folder) for run in (whole, again)]
    assert kept[0]["history"] == kept[1]["history"] and len(again.minutes) == len(whole.minutes)
    cards = [checkpoint.read_card(run.folder / "best.safetensors") for run in (whole, again)]
    assert cards[0].digest == cards[1].digest


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--kl-coef", "-1"], "kl_coef=-1.0 is not allowed; allowed: 0 or more"),
        (["--kl-coef", "nan"], "kl_coef=nan is not allowed"),
        (["--kl-coef", "0.1"], "kl_coef=0.1 is not allowed with bc_decisions=0; allowed: 0"),
        (["--kl-decay-steps", "9"], "kl_decay_steps=9 is not allowed with kl_coef=0; allowed: 0"),
        (["--critic-sees", "everything"], "everything"),
        (
            ["--game", "tantrix", "--policy", "placements", "--critic-sees", "all"],
            "critic_sees='all' is not allowed with policy='placements'; allowed: 'own'",
        ),
    ],
)
def test_users_errors_end_in_one_line(words, says, capsys, tmp_path):
    with pytest.raises(SystemExit) as stop:
        selfplay.main(["--runs", str(tmp_path), *words])
    told = capsys.readouterr().err
    assert stop.value.code == 2 and told.startswith("error: ") and says in told
    assert not list(tmp_path.iterdir())


def test_a_run_of_an_earlier_version_is_refused(tmp_path, capsys):
    run = begun(tmp_path, "old")
    content = selfplay.read_checkpoint(run.folder)
    del content["minutes"]
    selfplay.write_checkpoint(run.folder, content)
    with pytest.raises(SystemExit):
        selfplay.main(["--resume", str(run.folder)])
    assert "holds a run of another version" in capsys.readouterr().err


def test_shipped_settings_ask_for_all_of_it():
    file = Path("configs/training/karma-anchored.toml")
    args = selfplay.cli.read(selfplay.Args, "training.selfplay", ["--config", str(file)])
    assert args.kl_coef > 0 and args.critic_sees == "all" and not args.advice
