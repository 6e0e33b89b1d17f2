"""Critics are fitted to games of a policy, whose file stays as it is, and the same command makes the same critic."""

import shutil

import numpy as np
import pytest

from tantra_envs.opponents import opponent
from tantra_envs.opponents.critics import critic_file
from tantra_envs.opponents.learned import file_of
from tantra_envs.opponents.model_files import read_card
from tantra_envs.programs import cli

training = pytest.importorskip("training.critic")


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "TABLES", 128)
    return shutil.copy(file_of("karma"), tmp_path / "mine.safetensors")


def made(model, **options):
    args = training.Args(agent=f"ppo:{model}", games=256, net_arch=(16,), replace=True, **options)
    return training.make(args, training.agents_of(args))


def test_a_critic_is_fitted_next_to_the_model_file_and_searches_read_it(model):
    policy = model.read_bytes()
    file, card = made(model, epochs=20)
    assert file == critic_file(model) and model.read_bytes() == policy
    assert card.trained_for["seats"] == [2] and card.decisions > 1000 and card.settings["fit"]["positions"] > 1000
    first, (again, _) = file.read_bytes(), made(model, epochs=20)
    assert read_card(again).digest == card.digest and len(again.read_bytes()) == len(first)
    game = cli.game("karma", 2)
    assert opponent(f"search:2,base=ppo:{model},leaf=value", game).origin["critic"] == card.digest[:12]


def test_who_has_no_cards_left_is_expected_to_win(model):
    """Positions near the end: the seat with one card that fits is ahead, and the critic learned it."""
    made(model, epochs=60)
    game = cli.game("karma", 2)
    hands = [[["9"], ["4", "5", "5", "6", "6", "8", "8"]], [["4", "5", "5", "6", "6", "8", "8"], ["9"]]]
    critic = opponent(f"ppo:{model}", game).critic()
    values = [critic.scores(game.from_position({"hands": cards, "pile": "7"}))[0, 0] for cards in hands]
    assert values[0] > 0.52 and values[1] < 0.48


def test_positions_are_of_all_seats_and_scores_of_teams(model):
    args = training.Args(game="kanastic:round", agent="learned:kanastic", replace=True)
    with pytest.warns(UserWarning, match="was trained for"):
        (agent,) = training.agents_of(args)
    seen = []

    class Watching(training.CriticInputs):
        def __call__(self, states, rows, seats):
            seen.append((rows, seats))
            return super().__call__(states, rows, seats)

    training.CriticInputs, usual = Watching, training.CriticInputs
    try:
        positions = training.join(training.play(args.tables[0], agent, args, 0, 0))
    finally:
        training.CriticInputs = usual
    seats = np.concatenate([seats for _, seats in seen])
    assert np.bincount(seats).tolist() == [len(seats) // 4] * 4
    of_seats = positions.scores.reshape(-1, 4)
    assert (of_seats[:, 0] == of_seats[:, 2]).all() and (of_seats[:, 0] == -of_seats[:, 1]).all()
    assert set(np.unique(of_seats)) <= {-1.0, 0.0, 1.0}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"agent": "scripted"}, "allowed: an agent with one model file"),
        ({"game": "tantrix", "seats": (2, 3)}, "allowed: an agent with one model file"),
        ({"game": "tantrix:solitaire"}, "has no score to learn"),
        ({"epochs": 0}, "epochs=0"),
        ({"temperature": 0.0}, "temperature=0.0"),
        ({"agent": "learned"}, "exists; allowed: --replace"),
    ],
)
def test_what_cannot_be_fitted_is_refused(options, says):
    with pytest.raises(ValueError, match=says):
        training.agents_of(training.Args(**options))
