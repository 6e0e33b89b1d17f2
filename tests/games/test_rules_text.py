"""The rules in plain text: short, without markup, and with the meaning of every action word that can occur."""

import re

import pytest

import tantra_envs
from tantra_envs.core.rules_text import read_rules
from tantra_envs.games import SHIPPED
from tantra_envs.testing import play
from tests.contract.games import contract, words

NUMBER, CARD, RANK = r"-?\d+", "[0-9A-Za-z]+", "(?:[2-9]|10|[AJQK])"
PLACEHOLDERS = {  # what stands for a part of an action word in the forms of a game
    "karma": {"CARD": CARD, "N": r"\d", "SEAT": r"\d+"},
    "tarot": {"CARD": CARD},
    "kanastic": {"CARD": CARD, "RANK": RANK, "SUITS": "[HDSCG]{3}"},
    "tantra": {"CARD": CARD, "RANK": RANK, "SUIT": "[CDHS]", "PLACE": r"\d+", "SEAT": r"\d", "SET": r"\d"},
    "tantrix": {"TILE": r"\d+", "ROT": "[0-5]", "Q": NUMBER, "R": NUMBER, "SEAT": r"\d"},
}
MODES = [("tantrix", {"mode": mode}) for mode in ("solitaire", "discovery", "rainbow", "daily")]
PLAYED = [(name, config) for name in SHIPPED for config in (contract(name).BASE, *contract(name).TABLES[:4])]
ENOUGH = 600  # actions of a game that are looked at


def forms(game):
    """The forms of action words in a text, as patterns: the words before a dash on an indented line."""
    stands_for = PLACEHOLDERS[game.id]
    tokens = re.compile(rf"(?<![A-Z])({'|'.join(sorted(stands_for, key=len, reverse=True))})(?![A-FH-Z])")
    found = re.findall(r"^  (.+?) - ", game.rules_text, re.MULTILINE)
    return {form: "".join(stands_for.get(part) or re.escape(part) for part in tokens.split(form)) for form in found}


@pytest.mark.parametrize(("name", "config"), [*PLAYED, *MODES], ids=words)
def test_every_action_word_and_phase_is_explained(name, config):
    game = tantra_envs.game(name, **config)
    explained, text = forms(game), game.rules_text
    said, phases = set(), set()
    for _, state in zip(range(ENOUGH), play(game, 5), strict=False):
        said |= {game.action_name(state, action) for action in game.legal(state)}
        phases |= {game.phases[state["phase"][0]]} - {"OVER"}
    unexplained = [word for word in said if not any(re.fullmatch(form, word) for form in explained.values())]
    assert said and not unexplained
    assert not [phase for phase in phases if phase not in text]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_block_of_actions_has_a_form_and_every_form_an_action(name):
    used, blocks = set(), set()
    for config in (contract(name).BASE, *contract(name).TABLES):
        game = tantra_envs.game(name, **config)
        explained = forms(game)
        for _, state in zip(range(150), play(game, 6), strict=False):
            for block in game.actions:
                if (name, block.name) in blocks and used.issuperset(explained):
                    continue
                said = [game.action_name(state, action) for action in range(block.start, block.start + block.size)]
                fits = {form for form, pattern in explained.items() if any(re.fullmatch(pattern, w) for w in said)}
                used |= fits
                blocks |= {(name, block.name)} if fits else set()
    every = [block.name for config in contract(name).TABLES for block in tantra_envs.game(name, **config).actions]
    assert not {block for block in every if (name, block) not in blocks}
    texts = [forms(tantra_envs.game(name, **config)) for config in contract(name).TABLES]
    assert not {form for found in texts for form in found} - used


def test_parts_are_shown_where_their_options_are_so(tmp_path):
    file = tmp_path / "rules.txt"
    file.write_text("Both.\n[mode=a, b; players=2]\n\nTwo.\n[mode=c]\nOther.\n[always]\nEnd.\n")
    assert read_rules(file, {"mode": "b", "players": 2}) == "Both.\n\nTwo.\nEnd."
    assert read_rules(file, {"mode": "b", "players": 3}) == "Both.\nEnd."
    assert read_rules(file, {"mode": "c", "players": 2}) == "Both.\nOther.\nEnd."
    assert read_rules(tmp_path / "none.txt", {}) == ""
    (tmp_path / "values.txt").write_text("{players} seats, {SUITS}.")
    assert read_rules(tmp_path / "values.txt", {"players": 3}) == "3 seats, {SUITS}."
