"""Weights that ship: what is written is played, and what is damaged or unfit is refused."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from agents import parse
from agents import pretrained as shipped
from tantra_envs.matches.playing import play_tables

nets = pytest.importorskip("agents.networks")
ship = pytest.importorskip("training.export")
GAME = tantra_envs.game("karma")


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    return tmp_path


def written(file, **form):
    form = {"policy": "mlp", "network": [8, 6], "activation": "relu", "numbers": "log", "advice": False, **form}
    net = nets.Form(**form).choosing_net(GAME)
    strength = [{"opponent": "uniform", "score": {"mean": 0.5, "low": 0.4, "high": 0.6}}]
    shipped.write(file, net, GAME, settings={**form, "seed": 7}, decisions=100, strength=strength)
    return net


@pytest.mark.parametrize("advice", [False, True])
def test_weights_play_as_the_network_they_were_taken_from(folder, advice):
    net = written(shipped.file_of("karma", 2), advice=advice)
    (player,) = parse("learned:karma", GAME)
    for mine, kept in zip(net.state_dict().values(), player.net.state_dict().values(), strict=True):
        assert (mine.half().float() == kept).all()
    outcomes = [play_tables(GAME, [player], np.zeros((4, 2), int), np.arange(4)) for _ in range(2)]
    assert (outcomes[0].states == outcomes[1].states).all() and player.advice == advice
    assert [file.name for file in folder.iterdir()] == ["karma-2p.safetensors"]


def test_the_card_tells_where_weights_come_from(folder):
    file = shipped.file_of("karma", 2)
    written(file)
    card = shipped.read_card(file)
    assert card.label["game"] == GAME.name and card.settings["seed"] == 7 and card.decisions == 100
    assert card.strength[0]["score"]["mean"] == 0.5 and len(card.digest) == 64


def test_unfit_or_damaged_weights_are_refused(folder):
    file = shipped.file_of("karma", 2)
    with pytest.raises(ValueError, match="there are no weights 'karma' for players=2; there are: none"):
        parse("learned:karma", GAME)
    written(file)
    with pytest.raises(ValueError, match="no weights 'chess' for players=2; there are: karma for 2"):
        parse("learned:chess", GAME)
    with pytest.raises(ValueError, match="was trained for actions=44; this game has actions=64"):
        parse("learned:karma", tantra_envs.game("karma", copies=3))
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    with pytest.raises(ValueError, match="is damaged: its tensors are not those it was written with"):
        parse("learned:karma", GAME)
    file.write_bytes(content[:50])
    with pytest.raises(ValueError, match="holds no weights with a card"):
        parse("learned:karma", GAME)


@pytest.mark.parametrize("file", sorted(shipped.FOLDER.glob("*.safetensors")), ids=lambda file: file.stem)
def test_what_ships_can_be_played(file):
    name, _, players = file.stem.rpartition("-")
    card = shipped.read_card(file)
    game = tantra_envs.game(card.settings["game"], players=int(players[:-1]))
    (player,) = parse(f"learned:{name}", game)
    obs = tantra_envs.Observation(game, game.new(1))
    assert obs.action_mask[0, player.act(obs, np.random.default_rng(0))[0]]
    assert card.decisions > 0 and {"uniform", "scripted"} <= {result["opponent"] for result in card.strength}
