"""Model files: what is kept in them, and what is refused; nothing in them is ever run."""

import json
import pickle
import sys

import pytest
from safetensors.numpy import load_file, save

import tantra_envs
from agents import load, origin
from tantra_envs.envs.seat import SeatEnv
from tantra_envs.opponents import learned
from tantra_envs.opponents.network_spec import NetworkSpec

torch = pytest.importorskip("torch")
save_torch = pytest.importorskip("safetensors.torch").save_file
sb3_contrib = pytest.importorskip("sb3_contrib")
networks = pytest.importorskip("agents.networks")
checkpoint = pytest.importorskip("tantra_envs.opponents.model_files")
export = pytest.importorskip("training.export")
GAME = tantra_envs.game("karma")


@pytest.fixture(scope="module")
def model():
    arch = {"net_arch": [8, 6], "activation_fn": torch.nn.ReLU}
    more = {"n_steps": 8, "batch_size": 8, "seed": 1, "device": "cpu"}
    return sb3_contrib.MaskablePPO("MlpPolicy", SeatEnv(GAME), policy_kwargs=arch, **more)


@pytest.fixture(scope="module")
def model_file(model, tmp_path_factory):
    file = tmp_path_factory.mktemp("models") / "model.safetensors"
    spec = NetworkSpec(net_arch=(8, 6), activation="relu")
    checkpoint.write_model(
        file, networks.tensors_of(networks.actor_of(model)), spec, GAME, settings={"seed": 1}, decisions=64
    )
    assert [made.name for made in file.parent.iterdir()] == ["model.safetensors"]
    return file


def test_it_plays_the_likeliest_action_of_the_policy_and_says_where_it_comes_from(model, model_file):
    obs, player = tantra_envs.Observation(GAME, GAME.new(3)), load(f"ppo:{model_file}", GAME)
    likeliest, _ = model.predict(obs.observation, deterministic=True, action_masks=obs.action_mask)
    assert player.act(obs, None) == likeliest
    assert origin(player) == {"seed": 1, "decisions": 64, "digest": player.card.digest[:12]}
    assert player.spec == player.card.spec == NetworkSpec(net_arch=(8, 6), activation="relu")


@pytest.mark.parametrize(
    ("name", "value", "plays"),
    [("advice", False, True), ("advice", True, False), ("output", "actions", True), ("output", "value", False)],
)
def test_files_of_earlier_versions_play_without_advice_and_values(name, value, plays, model_file, tmp_path):
    card, file = checkpoint.read_card(model_file), tmp_path / "a.safetensors"
    header = {**vars(card), "network": {**card.network, name: value}}
    file.write_bytes(save(load_file(model_file), {checkpoint.KEY: json.dumps(header)}))
    if plays:
        assert load(f"ppo:{file}", GAME).spec == card.spec
    else:
        with pytest.raises(ValueError, match=rf"network\.{name}={value!r} is not allowed"):
            load(f"ppo:{file}", GAME)


def test_refusals_say_what_is_wrong(model_file, tmp_path):
    card, content = checkpoint.read_card(model_file), bytearray(model_file.read_bytes())
    content[-1] ^= 1
    (tmp_path / "damaged.safetensors").write_bytes(content)
    wrong = json.dumps({**vars(card), "network": {**card.network, "net_arch": [9]}})
    (tmp_path / "other.safetensors").write_bytes(save(load_file(model_file), {checkpoint.KEY: wrong}))
    strange = {name: torch.from_numpy(tensor).bfloat16() for name, tensor in load_file(model_file).items()}
    save_torch(
        strange, tmp_path / "strange.safetensors", {checkpoint.KEY: json.dumps(vars(card))}
    )  # NumPy lacks the type
    for file, config, told in (
        (tmp_path / "none.safetensors", {}, r"there is no model file '.*none.safetensors'"),
        (model_file, {"players": 3}, "was trained for players=2; this game has players=3"),
        (model_file, {"copies": 3}, "was trained for actions=44; this game has actions=64"),
        (tmp_path / "damaged.safetensors", {}, "is damaged: its tensors do not match its digest"),
        (tmp_path / "other.safetensors", {}, "its tensors are not those of its network"),
        (tmp_path / "strange.safetensors", {}, r"cannot be read: .*allowed: tensors of float16, float32"),
    ):
        with pytest.raises(ValueError, match=told) as refused:
            load(f"ppo:{file}", tantra_envs.game("karma", **config))
        assert "\n" not in str(refused.value)


def test_weights_over_described_actions_serve_the_mode_they_learned(tmp_path):
    alone, spec, file = tantra_envs.game("tantrix", mode="solitaire"), NetworkSpec("features", (4,)), tmp_path / "a"
    checkpoint.write_model(file, networks.tensors_of(networks.build_actor(spec, alone)), spec, alone)
    assert load(f"ppo:{file}", tantra_envs.game("tantrix", mode="solitaire", goal="R"))
    with pytest.raises(ValueError, match="was trained for tantrix solitaire; this game is tantrix strategy"):
        load(f"ppo:{file}", tantra_envs.game("tantrix"))


class Evil:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


@pytest.mark.parametrize("name", ["evil.safetensors", "evil.zip", "evil.pt"])
def test_pickles_are_never_read(name, tmp_path):
    (tmp_path / name).write_bytes(pickle.dumps(Evil()))
    with pytest.raises(ValueError, match="is not a model file"):
        load(f"ppo:{tmp_path}/{name}", GAME)


def test_a_zip_of_sb3_becomes_a_model_file_only_when_trusted(model, tmp_path, capsys):
    model.save(tmp_path / "model.zip")
    with pytest.raises(ValueError, match=r"loading it can run any code.*--trust"):
        load(f"ppo:{tmp_path}/model.zip", GAME)
    with pytest.raises(SystemExit):
        export.main([f"{tmp_path}/model.zip"])
    assert "loading it can run any code" in capsys.readouterr().err
    export.main([f"{tmp_path}/model.zip", "--trust"])
    obs = tantra_envs.Observation(GAME, GAME.new(3))
    likeliest, _ = model.predict(obs.observation, deterministic=True, action_masks=obs.action_mask)
    assert load(f"ppo:{tmp_path}/model.safetensors", GAME).act(obs, None) == likeliest


def test_weights_that_ship_are_replaced_only_on_request(tmp_path, monkeypatch, capsys):
    shipped, card = learned.file_of("karma").read_bytes(), learned.read_card(learned.file_of("karma"))
    monkeypatch.setattr(learned, "WEIGHTS", tmp_path / "weights")
    learned.WEIGHTS.mkdir()
    file = learned.file_of("karma")
    for copy in (file, tmp_path / "model.safetensors"):
        copy.write_bytes(shipped)
    (tmp_path / "results.json").write_text(f'{{"results": [], "history": [{{"decisions": {card.decisions}}}]}}')
    with pytest.raises(SystemExit):
        export.main([str(tmp_path)])
    assert "karma.safetensors exists; allowed: another --name, or --replace" in capsys.readouterr().err
    assert file.read_bytes() == shipped and learned.shipped() == []
    export.main([str(tmp_path), "--replace"])
    assert learned.read_card(file).strength == [] and learned.shipped() == [file]
    assert load("learned", GAME).file == file


def test_without_the_library_it_is_named(model_file, monkeypatch):
    monkeypatch.delitem(sys.modules, "tantra_envs.opponents.learned", raising=False)
    monkeypatch.delitem(sys.modules, "tantra_envs.opponents.model_files")
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(ValueError, match="agent 'ppo' needs safetensors: pip install safetensors"):
        load(f"ppo:{model_file}", GAME)


WRONG = [None, True, -1, 0, 2.5, 10**30, "", "x", [], [0], [-2], ["x"], [None], {}, {"x": 1}, [[2]]]


def damaged(fields):
    """Yield the name of a field, and fields in which it has another value or is missing."""
    for name in fields:
        yield from ((name, {**fields, name: value}) for value in WRONG)
        yield name, {other: value for other, value in fields.items() if other != name}


def damaged_cards(card):
    """Yield the path of a field or of a part of it, and a card in which it is damaged."""
    yield from damaged(card)
    for name in [name for name, value in card.items() if isinstance(value, dict)]:
        yield from ((f"{name}.{part}", {**card, name: parts}) for part, parts in damaged(card[name]))


@pytest.mark.parametrize("policy", ["mlp", "features"])
@pytest.mark.filterwarnings("ignore:.*was trained for")
def test_a_damaged_card_is_refused_with_the_name_of_its_field_or_plays(policy, tmp_path):
    file, spec = tmp_path / "a.safetensors", NetworkSpec(policy, net_arch=(4,))
    settings = {"seed": 1, "game": "karma:quick", "players": 2}
    strength = [{"opponent": "uniform", "score": {"mean": 0.5, "low": 0.4, "high": 0.6}}]
    facts = {"settings": settings, "decisions": 64, "strength": strength, "trained_for": {"seats": [2, 3]}}
    card = checkpoint.write_model(file, networks.tensors_of(networks.build_actor(spec, GAME)), spec, GAME, **facts)
    tensors, header = load_file(file), {**vars(card), "config": {"karma_sets": False, "max_moves": 300}}
    refused = set()
    for path, damage in damaged_cards(header):
        file.write_bytes(save(tensors, {"tantra_envs": json.dumps(damage)}))
        try:
            agent = load(f"ppo:{file}", GAME)
            assert agent.act(tantra_envs.Observation(GAME, GAME.new(3)), None) >= 0 and origin(agent)["digest"]
            learned.trained_for(agent.card)
        except ValueError as error:
            told = str(error)
            parts = header[path] if isinstance(header.get(path), dict) else path.split(".")
            assert str(file) in told and "\n" not in told
            assert any(word in told for word in [*parts, path, "was trained for"])
            refused.add(path)
    needed = {"label", "network", "digest", "config", "settings", "decisions", "strength", "trained_for"}
    inner = {"network.net_arch", "network.policy", "trained_for.seats", "trained_for.players", "settings.seed"}
    assert needed | inner <= refused and ("config.karma_sets" in refused) == (policy == "features")
