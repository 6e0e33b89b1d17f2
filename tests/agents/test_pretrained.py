"""Weights that ship: what is written is played as ever, and what is damaged or unfit is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import tantra_envs
from agents import parse
from agents.network_spec import NetworkSpec
from tantra_envs import cli
from tantra_envs.matches.playing import play_tables
from training.evaluate import evaluate

networks = pytest.importorskip("agents.networks")
checkpoint = pytest.importorskip("agents.checkpoint")
pretrained = pytest.importorskip("agents.pretrained")
GAME = tantra_envs.game("karma")


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path)
    return tmp_path


def written(file, **other):
    spec = NetworkSpec(**{"net_arch": (8, 6), "activation": "relu", "transform": "symlog", **other})
    actor = spec.actor(GAME)
    strength = [{"opponent": "uniform", "score": {"mean": 0.5, "low": 0.4, "high": 0.6}}]
    known = {"settings": {"seed": 7}, "decisions": 100, "strength": strength}
    checkpoint.write_model(file, networks.tensors_of(actor), spec, GAME, half=True, **known)
    return actor


@pytest.mark.parametrize("advice", [False, True])
def test_weights_play_as_the_network_they_were_taken_from(folder, advice):
    actor = written(pretrained.file_of("karma", 2), advice=advice)
    (player,) = parse("learned:karma", GAME)
    for name, mine in actor.state_dict().items():
        assert (mine.half().float().numpy() == player.tensors[name]).all()
    outcomes = [play_tables(GAME, [player], np.zeros((4, 2), int), np.arange(4)) for _ in range(2)]
    assert (outcomes[0].states == outcomes[1].states).all() and player.advice == advice
    assert [file.name for file in folder.iterdir()] == ["karma-2p.safetensors"]


def test_the_card_tells_where_weights_come_from(folder):
    file = pretrained.file_of("karma", 2)
    written(file)
    card = checkpoint.read_card(file)
    assert card.label["game"] == GAME.name and card.settings["seed"] == 7 and card.decisions == 100
    assert card.strength[0]["score"]["mean"] == 0.5 and len(card.digest) == 64


def test_a_name_is_short_for_its_student(folder):
    written(pretrained.file_of("karma-student", 2))
    (short,), (whole,) = (parse(f"learned:{name}", GAME) for name in ("karma", "karma-student"))
    assert short.origin == whole.origin and short.name == "learned:karma"
    written(pretrained.file_of("karma", 2), net_arch=(4,))
    assert parse("learned:karma", GAME)[0].origin != whole.origin


def test_unfit_or_damaged_weights_are_refused(folder):
    file = pretrained.file_of("karma", 2)
    with pytest.raises(ValueError, match="there are no weights 'karma' for players=2; there are: none"):
        parse("learned:karma", GAME)
    written(file)
    with pytest.raises(ValueError, match="no weights 'chess' for players=2; there are: karma for 2"):
        parse("learned:chess", GAME)
    with pytest.raises(ValueError, match="was trained for actions=44; this game has actions=64"):
        parse("learned:karma", tantra_envs.game("karma", copies=3))
    content = file.read_bytes()
    file.write_bytes(content[:50])
    with pytest.raises(ValueError, match="is no model file"):
        parse("learned:karma", GAME)


PLAYS_BARE = """
import sys
for missing in ("torch", "stable_baselines3", "sb3_contrib", "rich", "cyclopts"):
    sys.modules[missing] = None
import numpy as np, tantra_envs
from agents import parse
game = tantra_envs.game(sys.argv[1])
(player,) = parse(f"learned:{sys.argv[2]}", game)
tables = tantra_envs.make_seat_vector(sys.argv[1], num_envs=4, opponents=player)
tables.reset(seed=1)
print(player.act(tantra_envs.Observation(game, game.new(3)), None))
"""


@pytest.mark.parametrize(("name", "weights"), [("karma", "karma"), ("tantrix", "tantrix-student")])
def test_learned_opponents_play_without_torch(name, weights):
    done = subprocess.run([sys.executable, "-c", PLAYS_BARE, name, weights], capture_output=True, text=True, check=True)
    game = tantra_envs.game(name)
    (player,) = parse(f"learned:{weights}", game)
    assert done.stdout.strip() == str(player.act(tantra_envs.Observation(game, game.new(3)), None))


SHIPPED = {
    "karma-selfplay-2p": (0.6, "3dd5bdc6ec64"),
    "karma-student-2p": (0.6, "834198122d85"),
    "kanastic-selfplay-4p": (0.5, "a0cd9b265852"),
    "tantra-selfplay-4p": (0.5041666666666667, "45a50610ee37"),
    "karma-student-3p": (0.6, "8b61cd35b020"),
    "karma-student-4p": (0.5291666666666666, "d4e5570aec51"),
    "tantrix-gobble-student": (0.4666666666666666, "3723cee77ac2"),
    "tantrix-gobble-student-1p": (0.5, "567fdf726183"),
    "tantrix-solitaire-student": (0.75, "fbcde109d5d0"),
    "tantrix-student": (1.0, "66fba4791b72"),
    "tarot-selfplay-2p": (0.55, "6641d58c10bd"),
    "tarot-student-2p": (0.55, "3d777b760d79"),
    "tarot-student-3p": (0.5, "a5974f9bffd7"),
    "tantra-student": (0.5041666666666667, "8ae20ad396a9"),
    "kanastic-student": (0.85, "43b5943e5c7e"),
}


@pytest.mark.parametrize("file", sorted(pretrained.FOLDER.glob("*.safetensors")), ids=lambda file: file.stem)
def test_what_ships_scores_what_it_scored(file):
    """Scores against the scripted player over ten deals, to the last digit."""
    score, digest = SHIPPED[file.stem]
    (name, _), card = pretrained.named(file.stem), checkpoint.read_card(file)
    game = cli.game(card.settings["game"], card.settings.get("players"))
    assert card.digest.startswith(digest) and {"uniform", "scripted"} <= {row["opponent"] for row in card.strength}
    assert evaluate(game, *parse(f"learned:{name},scripted", game), 10, seed=3).score.mean == score
