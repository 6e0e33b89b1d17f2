"""Named variants, the registries, and compiling ahead."""

import pytest

import tantra_envs
from tantra_envs import configuration
from tantra_envs.commands import warmup


def test_variants_by_either_spelling():
    assert tantra_envs.game("karma:sixty").config == tantra_envs.game("karma", "sixty").config
    assert tantra_envs.game("karma", "sixty", players=4).config["copies"] == 3
    assert tantra_envs.game("karma", "booklet").config == tantra_envs.game("karma").config
    with pytest.raises(ValueError, match="two variants"):
        tantra_envs.game("karma:sixty", "booklet")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[a]\ncopie = 3", "unknown field 'copie'"),
        ("[a]\ncopies = 7", "copies=7"),
        ("[a", "Expected"),
        ("a = 3", "a=3 is not allowed; allowed: a table of options"),
    ],
)
def test_bad_variant_files_name_the_file(tmp_path, monkeypatch, text, words):
    (tmp_path / "karma.toml").write_text(text)
    monkeypatch.setattr(configuration, "_FOLDERS", (tmp_path,))
    configuration._variants.cache_clear()
    try:
        with pytest.raises(ValueError, match=rf"karma\.toml.*{words}"):
            tantra_envs.variants("karma")
    finally:
        monkeypatch.undo()
        configuration._variants.cache_clear()


def test_warmup_compiles_games_side_by_side(capsys):
    assert warmup.main(["karma", "tarot", "--jobs", "2"]) == 0
    assert "2 of 2" in capsys.readouterr().err
