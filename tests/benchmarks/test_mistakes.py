"""What cannot be played is refused in one line, before a folder is made."""

import shlex

import pytest

from benchmarks.__main__ import main

AGENTS = """
class Mine:
    name = "mine"
    def __init__(self, game): pass
    def act(self, obs, rng): pass

class Other(Mine): pass

class Search(Mine): name = "search:mine"

class Small(Mine):
    def __init__(self, game): raise RuntimeError("size mismatch: 519, 202")

class Quits(Mine):
    def act(self, obs, rng): raise SystemExit

class Wide(Mine):
    def act(self, obs, rng): return obs.observation @ [[1.0]]
"""
MISTAKES = {
    **{f"{name} chess": "unknown game 'chess'" for name in ("tournament", "ladder", "study")},
    **{
        f"{name} tantrix:solitaire": "players=1 is not allowed; allowed: games with opponents"
        for name in ("tournament", "ladder", "study")
    },
    **{f"{name} karma --deals 1.5": "allowed: whole numbers" for name in ("tournament", "ladder", "study")},
    **{f"{name} karma --results .": "it is a folder; allowed: a file" for name in ("tournament", "ladder", "study")},
    "tournament karma --agents nobody greedy": "unknown agent 'nobody'",
    "ladder karma --rungs nobody": "unknown agent 'nobody'",
    "ladder karma --rungs scripted scripted": "every agent once",
    "ladder karma --rungs scripted@0 greedy": "rungs='scripted@0' is not allowed",
    "study karma --agents nobody": "unknown agent 'nobody'",
    "study karma --agents scripted scripted": "every agent once",
    "study karma --agents scripted@0 greedy": "agents='scripted@0' is not allowed",
    "tournament karma:huge": "karma: unknown variant 'huge'; variants: ",
    "tournament --agents uniform": "allowed: two or more that differ",
    "tournament --form swiss": 'Choose from: "one-vs-rest", "distinct"',
    "study karma --sections drama": 'Choose from: "seats", "skill", ',
    "tournament --agents uniform@5 greedy": "agents=uniform@5 is not allowed; allowed: agents without @DEALS",
    "tournament --agents uniform mine.py:Mine mine.py:Other": "agents='mine.py:Mine mine.py:Other' is not allowed",
    "ladder --rungs search:4@many": "search:4@many",
    "ladder --compare greedy": "compare='greedy' is not allowed; allowed: AGENT OTHER",
    "ladder --compare 'greedy uniform karma many'": "compare='greedy uniform karma many' is not allowed",
    "ladder --compare 'greedy uniform@5'": "compare=uniform@5 is not allowed; allowed: agents without @DEALS",
    "ladder --compare 'greedy scripted tantrix:solitaire'": "players=1 is not allowed",
    "ladder --rungs search:4,margin=1e+1 search:4,margin=1e-1": "names differ in letters, digits or points",
    **{f"{name} karma --players 99": "players=99 is not allowed" for name in ("tournament", "ladder", "study")},
    "exact karma:tiny --players 99": "players=99 is not allowed",
    "speed --players 99": "players=99 is not allowed",
    "rank greedy --games chess": "games='chess' is not allowed; allowed: kanastic, ",
    "rank greedy --quick --deals 10": "quick=True is not allowed with deals",
    "rank held-out:early --games karma-4 --exploit": "held-out:early of karma",
    "rank text:cat --games karma-4 --exploit": "'text:cat' is a program",
    "rank greedy --label panel:learned": "label='panel:learned' is not allowed",
    "rank greedy --label 'a|b'": "label='a|b' is not allowed",
    "rank greedy --met held-out:late": "met='held-out:late' is not allowed: no training may meet held-out agents",
    "rank greedy --met self search:4,base=Held_Out:early": "is not allowed: no training may meet held-out agents",
    "rank greedy --training 'ppo --opponents held-out:late'": "command='ppo --opponents held-out:late' is not allowed",
    "rank greedy --inputs cards": "inputs='cards' is not allowed; allowed: nothing, observation, features, state",
    "rank greedy --met nobody self": "met='nobody self' is not allowed",
    "rank greedy --games karma --exact nothing.csv": "nothing.csv is damaged, or not a table of results",
    "rank mine.py:Search --games karma": "has the name 'search:mine' of another agent",
    "rank mine.py:Small --games karma": "play karma (agent 'mine.py:Small' could not be made: RuntimeError: size",
    "rank mine.py:Quits --games karma": "cannot play karma (agent 'mine' failed: SystemExit",
    "rank mine.py:Wide --games karma": "cannot play karma (agent 'mine' failed: ValueError: matmul",
    "study karma --all": "all=True is not allowed without one_at_a_time",
    "study karma --all --one-at-a-time --vary copies=2,3": "vary='copies=2,3' is not allowed with --all",
    "study karma --one-at-a-time": "one_at_a_time=True is not allowed without vary; allowed: --vary",
    "study karma --one-at-a-time --vary reward=win,placement": "vary=reward is not allowed with one_at_a_time",
    "study karma --all --one-at-a-time --agents learned --players 7": "players=7",
    "study karma --vary copies": "vary='copies' is not allowed",
    "study karma --vary copies=2,2": "with values that differ",
    "study karma --vary copies=2 copies=3": "every option once",
    "study karma --seeds 2": "seeds=2 is not allowed without retrain; allowed: --retrain",
    "study karma --sampled scripted@1": "sampled='scripted@1' is not allowed; allowed: 2 deals or more",
    "exact tarot:hand": " is too large",
    "exact tantra": "allowed: tantra:mini",
    "exact karma:tiny --agents nobody": "unknown agent 'nobody'",
    "speed --game chess": "chess",
    "speed --only chess": "chess",
    "show ladders .": "view='ladders' is not allowed; allowed: scores, ",
    "show scores .": "it has no plan.json; allowed: a folder of a run",
    "show losses .": "has no records",
    "check .": "has nothing to check",
    "play no.toml": "no.toml: No such file or directory",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_told_in_one_line(words, tmp_path, monkeypatch, refusal):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(AGENTS)
    line = refusal(main, shlex.split(words), 1 if words == "check ." else 2)  # 1 = it does not pass the check
    assert line.startswith("error: ") and MISTAKES[words] in line
    assert [entry.name for entry in tmp_path.iterdir() if entry.name != "__pycache__"] == ["mine.py"]
