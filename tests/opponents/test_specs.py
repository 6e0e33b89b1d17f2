"""The grammar of agent names: what is taken apart, and what is refused with the list of what is allowed."""

from pathlib import Path

import pytest

import agents
import tantra_envs
from tantra_envs.opponents import opponent
from tantra_envs.opponents.specs import AgentSpec, parse_list

GAME = tantra_envs.game("karma")


@pytest.mark.parametrize(
    ("text", "name", "argument", "options", "deals"),
    [
        ("uniform", "uniform", None, {}, None),
        (" search:64 ", "search", "64", {}, None),
        ("search:64@20", "search", "64", {}, 20),
        ("search:samples=64,margin=2", "search", None, {"samples": "64", "margin": "2"}, None),
        ("search:64,base=ppo:a/b@c.safetensors", "search", "64", {"base": "ppo:a/b@c.safetensors"}, None),
        ("ppo:a.safetensors,temperature=1@3", "ppo", "a.safetensors", {"temperature": "1"}, 3),
        ("learned", "learned", None, {}, None),
        ("text:python my_model.py --a=b,timeout=5", "text", "python my_model.py --a=b", {"timeout": "5"}, None),
        ("my/agent.py:Mine", "my/agent.py", "Mine", {}, None),
        ("C:/my/agent.py:Mine,key=x@7", "C:/my/agent.py", "Mine", {"key": "x"}, 7),
    ],
)
def test_words_are_taken_apart(text, name, argument, options, deals):
    spec = AgentSpec.parse(text)
    assert (spec.name, spec.argument, spec.options, spec.deals) == (name, argument, options, deals)
    assert spec.text == text.strip().removesuffix(f"@{deals}")
    assert spec.file == (Path(name) if name.endswith(".py") else None)
    assert spec.words == spec.text[len(name) + 1 :]


def test_options_are_added_and_removed():
    spec = AgentSpec.parse("search:64,base=learned@5")
    assert spec.lacking("base").text == "search:64" and spec.lacking("base").deals == 5
    assert spec.having(leaf="value").text == "search:64,base=learned,leaf=value"
    assert AgentSpec.parse("search").having(ms="1").text == "search:ms=1"
    assert AgentSpec.parse("search:ms=1").lacking("ms") == AgentSpec.parse("search")
    assert AgentSpec.parse("a.py:B").having(key="a").text == "a.py:B,key=a"
    assert hash(spec) == hash(AgentSpec.parse(spec.text + "@5"))


@pytest.mark.parametrize(
    "wrong",
    ["", ":", ",", "uniform,", "a,b", "scripted,key=x", "search:1,2", "search:a=1,a=2", "@5", 3, None, ["greedy"]],
)
def test_other_words_are_refused_with_the_grammar(wrong):
    with pytest.raises(ValueError, match=r"is not allowed.*allowed: NAME, NAME:key=value,key=value, FILE.py:CLASS"):
        AgentSpec.parse(wrong)
    with pytest.raises(ValueError, match="is not allowed"):
        opponent(wrong, GAME)


def test_a_list_of_agents_is_a_list():
    assert [spec.text for spec in parse_list(["search:4,margin=1", AgentSpec.parse("greedy")])] == [
        "search:4,margin=1",
        "greedy",
    ]
    made = agents.load_all(["search:4,margin=1", "ismcts:20,explore=1", "greedy"], GAME)
    assert [agent.name for agent in made] == ["search:4,margin=1", "ismcts:20,explore=1", "greedy"]
    with pytest.raises(ValueError, match="agents='uniform,greedy' is not allowed; allowed: a list"):
        agents.load_all("uniform,greedy", GAME)


def test_a_limit_of_deals_is_for_studies():
    with pytest.raises(ValueError, match=r"'greedy@20' is not allowed: only studies .* omit @20"):
        agents.load("greedy@20", GAME)
    assert agents.load(AgentSpec.parse("greedy@20"), GAME).name == "greedy"


def test_every_base_is_an_option():
    assert agents.load("search:2,base=scripted", GAME).name == "search:2,base=scripted"
    learned = agents.origin(agents.load("search:2,base=learned", GAME))
    assert learned["base"] == "learned" and learned["digest"]
    with pytest.raises(ValueError, match="greedy cannot play in playouts; allowed: scripted"):
        agents.load("search:base=greedy", GAME)
