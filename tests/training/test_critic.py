"""Critics are fitted to games of a policy, whose file stays as it is, and the same command makes the same critic."""

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from tantra_envs.opponents import opponent
from tantra_envs.opponents.critics import critic_file, write_critic
from tantra_envs.opponents.learned import file_of
from tantra_envs.opponents.model_files import read_card, write_layers
from tantra_envs.programs import cli
from tantra_envs.programs.files import locked

training = pytest.importorskip("training.critic")


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "TABLES", 128)
    return shutil.copy(file_of("karma"), tmp_path / "mine.safetensors")


def made(model, **options):
    args = training.Args(agent=f"ppo:{model}", games=256, net_arch=(16,), replace=True, **options)
    with tempfile.TemporaryDirectory() as folder:
        return training.make(args, training.agents_of(args), Path(folder))


def small(model, folder, games):
    words = ["--games", games, "--net-arch", "4", "--epochs", "1", "--replace", "--runs", str(folder / "runs")]
    return ["karma", "--agent", f"ppo:{model}", *words]


def test_a_critic_is_fitted_next_to_the_model_file_and_searches_read_it(model):
    policy = model.read_bytes()
    file, card = made(model, epochs=20)
    assert file == critic_file(model, [2]) and model.read_bytes() == policy
    assert card.trained_for["seats"] == [2] and card.decisions > 1000 and card.settings["fit"]["positions"] > 1000
    first, (again, _) = file.read_bytes(), made(model, epochs=20)
    assert read_card(again).digest == card.digest and len(again.read_bytes()) == len(first)
    game = cli.game("karma", 2)
    assert opponent(f"search:2,base=ppo:{model},leaf=value", game).origin["critic"] == card.digest[:12]


def test_a_command_that_was_stopped_continues_and_makes_the_same_critic(model, tmp_path, monkeypatch, capsys):
    words = small(model, tmp_path, "384")
    training.main(words)
    whole, played, usual = read_card(critic_file(model, [2])), [], training.play

    def stopped(*words):
        played.append(words[-1])
        if len(played) == 2:
            raise KeyboardInterrupt
        return usual(*words)

    monkeypatch.setattr(training, "play", stopped)
    with pytest.raises(SystemExit) as end:
        training.main(words)
    assert end.value.code == 130 and "continues" in capsys.readouterr().err
    folder = tmp_path / "runs" / critic_file(model, [2]).stem
    (kept,) = folder.glob("*.games")
    kept.with_name(kept.name.replace("-0.", "-256.")).write_bytes(kept.read_bytes()[:100])  # damaged
    training.main(words)
    assert played == [0, 128, 128, 256] and not folder.exists()
    again = read_card(critic_file(model, [2]))
    assert again.digest == whole.digest


def test_a_folder_keeps_what_is_not_of_the_command_and_serves_one_at_a_time(model, tmp_path, capsys):
    words = [*small(model, tmp_path, "128"), "--name", "mine"]
    folder = tmp_path / "runs/mine"
    folder.mkdir(parents=True)
    (folder / "model.safetensors").touch()
    with locked(folder), pytest.raises(SystemExit) as end:
        training.main(words)
    assert end.value.code == 2 and "is in use by" in capsys.readouterr().err
    training.main(words)
    assert [file.name for file in folder.iterdir()] == ["model.safetensors"]


def test_games_of_other_settings_are_played_again(model, tmp_path):
    args = training.Args(agent=f"ppo:{model}")
    (agent,) = training.agents_of(args)
    file = tmp_path / f"{args.digest_of_games(agent)}-0-0.games"
    file.touch()
    training.remove_games(tmp_path, replace(args, epochs=9, games=512, net_arch=(8,)).digest_of_games(agent))
    assert file.exists()
    training.remove_games(tmp_path, replace(args, temperature=2.0).digest_of_games(agent))
    assert not file.exists()


def test_a_policy_has_a_critic_for_each_variant_of_its_game(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "TABLES", 32)
    model = shutil.copy(file_of("tarot"), tmp_path / "mine.safetensors")
    args = training.Args(game="tarot:hand", agent=f"ppo:{model}", games=64, net_arch=(4,), epochs=1)
    file, card = training.make(args, training.agents_of(args), tmp_path)
    assert file.name == "mine.value.hand.2.safetensors"
    other = critic_file(model, [2])
    content = load_file(file)
    write_critic(model, other, content, card.spec, cli.game("tarot", 2), settings={"game": "tarot"})
    for name, own in (("tarot:hand", file), ("tarot", other)):
        assert opponent(f"ppo:{model}", cli.game(name, 2)).critic().file == own


def test_who_has_no_cards_left_is_expected_to_win(model):
    """Positions near the end: the seat with one card that fits is ahead, and the critic learned it."""
    made(model, epochs=150)
    game = cli.game("karma", 2)
    hands = [[["9"], ["4", "5", "5", "6", "6", "8", "8"]], [["4", "5", "5", "6", "6", "8", "8"], ["9"]]]
    critic = opponent(f"ppo:{model}", game).critic()
    values = [critic.scores(game.from_position({"hands": cards, "pile": "7"}))[0, 0] for cards in hands]
    assert values[0] > 0.52 and values[1] < 0.48


def test_positions_are_of_all_seats_and_scores_of_teams(model, monkeypatch):
    args = training.Args(game="kanastic:round", agent="learned:kanastic", replace=True)
    (agent,) = training.agents_of(args)
    asked, inputs = [], training.CriticInputs.__call__
    monkeypatch.setattr(training.CriticInputs, "__call__", lambda *own: asked.append(own[-1]) or inputs(*own))
    positions, seats = training.join(training.play(args.tables[0], agent, args, 0, 0)), np.concatenate(asked)
    assert np.bincount(seats).tolist() == [len(seats) // 4] * 4
    of_seats = positions.scores.reshape(-1, 4)
    assert (of_seats[:, 0] == of_seats[:, 2]).all() and (of_seats[:, 0] == -of_seats[:, 1]).all()
    assert set(np.unique(of_seats)) <= {-1.0, 0.0, 1.0}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"agent": "scripted"}, "allowed: an agent with one model file"),
        ({"game": "tantrix", "seats": (2, 3)}, "allowed: an agent with one model file"),
        ({"players": 99}, "players=99 is not allowed"),
        ({"seats": (0,)}, "players=0 is not allowed"),
        ({"game": "tantrix:solitaire"}, "players=1 is not allowed; allowed: games with opponents"),
        ({"agent": "learned"}, "exists; allowed: --replace"),
        ({"agent": "ppo:MLP", "inputs": "action"}, "allowed: inputs=table, or a policy over action features"),
    ],
)
def test_what_cannot_be_fitted_is_refused(tmp_path, options, says):
    game = cli.game("karma", 2)
    layers = [(np.zeros((game.actions.size, game.view.size)), np.zeros(game.actions.size))]
    write_layers(tmp_path / "mlp.safetensors", layers, game)
    if options.get("agent") == "ppo:MLP":
        options = {**options, "agent": f"ppo:{tmp_path}/mlp.safetensors"}
    with pytest.raises(ValueError, match=says):
        training.agents_of(training.Args(**options))
