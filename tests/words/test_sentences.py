"""The plain sentences: every phase has a question, actions differ in words, and nothing hidden changes a byte."""

import re

import numpy as np
import pytest

import tantra_envs
from tantra_envs.drawing.drawings import module
from tantra_envs.games import SHIPPED
from tantra_envs.words import english, sentences
from tests.contract.games import contract, words

MODES = [{"mode": mode} for mode in ("solitaire", "discovery", "rainbow", "daily")]
CASES = [(name, config) for name in SHIPPED for config in contract(name).TABLES]
CASES += [("tantrix", config) for config in MODES]
CASES += [
    ("tantra", {"players": 3, "buy_order": "turn_player_first"}),
    ("tantra", {"players": 3, "auto_forced": False}),
]
LONGEST, KEPT = 700, 3  # actions of a game, tables of a phase
SENTENCE = re.compile(r"[A-Z0-9][^{}_|#]*[.?]")  # a sentence, without codes
PHRASE = re.compile(r"[a-z]+( [^{}_|#]+)?")


def moments(game, seed=1):
    """Yield a few tables of each phase of a random game: the table before, the action, the table after."""
    state, rng, seen = game.new(seed), np.random.default_rng(seed), dict[int, int]()
    while not state["over"][0] and state["plies"][0] < LONGEST:
        phase, before = int(state["phase"][0]), state.copy()
        seen[phase] = seen.get(phase, 0) + 1
        action = int(rng.choice(game.legal(state)))
        game.apply_action(state, action)
        if seen[phase] <= KEPT or rng.random() < 0.02 or state["over"][0]:
            yield before, action, state.copy()


@pytest.mark.parametrize(("name", "config"), CASES, ids=words)
def test_every_table_has_a_question_and_actions_in_words(name, config):
    game = tantra_envs.game(name, **config)
    for before, action, after in moments(game):
        decider = int(before["seat"][0])
        for seat in (None, *range(game.players)):
            asked = sentences.prompt(game, before, seat)
            assert SENTENCE.fullmatch(asked.replace("(≤5)", "")), asked
            assert "no left" not in asked
            line = sentences.log_line(game, before, action, after, seat)
            assert line.startswith("You " if seat == decider else f"Seat {decider} "), line
        said = [sentences.action_words(game, before, one, decider) for one in game.legal(before)]
        assert len(set(said)) == len(said), said
        assert all(PHRASE.fullmatch(phrase) for phrase in said), said
    assert sentences.prompt(game, after, 0) == sentences.OVER or not after["over"][0]


@pytest.mark.parametrize(("name", "config"), CASES, ids=words)
def test_hidden_cards_change_no_sentence(name, config):
    game = tantra_envs.game(name, **config)
    for before, action, after in moments(game, 2):
        for seat in range(min(game.players, 4)):
            other, later = game.redeal(before, 7, seat), game.redeal(after, 8, seat)
            assert sentences.prompt(game, other, seat) == sentences.prompt(game, before, seat)
            line = sentences.log_line(game, before, action, after, seat)
            if seat != before["seat"][0]:
                assert sentences.log_line(game, other, action, later, seat) == line
            if seat == before["seat"][0]:
                said = [sentences.action_words(game, table, action, seat) for table in (before, other)]
                assert said[0] == said[1]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_phase_is_asked_about_and_explained(name):
    games = [tantra_envs.game(game, **config) for game, config in CASES if game == name]
    wanted = {phase for game in games for phase in game.phases} - {"OVER"}
    for seed, game in [(3, game) for game in games] + [(seed, games[0]) for seed in range(4, 40)]:
        if wanted:
            phases = {game.phases[before["phase"][0]] for before, *_ in moments(game, seed)}
            waits, terms = sentences.module(game).WAITS, set(sentences.glossary(game))
            assert not {phase for phase in phases if not {phase, waits[phase]} & terms}, game.config
            wanted -= phases
    assert not wanted


@pytest.mark.parametrize(("name", "config"), CASES, ids=words)
def test_a_glossary_has_whole_sentences(name, config):
    entries = sentences.glossary(tantra_envs.game(name, **config))
    assert len(entries) > 3
    assert all(re.fullmatch(r"[A-Z0-9].+\.", meaning) for meaning in entries.values()), entries
    assert not [key for key in entries if "=" in key]


def at(name, config, position):
    game = tantra_envs.game(name, **config)
    return game, game.from_position(position)


def played(game, state, words_of_action):
    """Play an action; return the lines of the seat that acted and of the next seat."""
    before, seat = state.copy(), int(state["seat"][0])
    action = game.parse_action(state, words_of_action)
    game.apply_action(state, action)
    names = ["Ann", "Bob", "Cy"][: game.players]
    return [
        sentences.log_line(game, before, action, state, j, ["You" if i == j else x for i, x in enumerate(names)])
        for j in (seat, (seat + 1) % game.players)
    ]


def test_karma_tells_of_cleared_and_taken_piles():
    hands = [["7", "9", "GIVE"], ["8", "9", "10"], ["2", "3", "4"]]
    game, state = at("karma", {"players": 3}, {"hands": hands, "pile": ["3", "7"], "draw": []})
    assert sentences.prompt(game, state, 0) == "Play 7 or higher, or a karma card, or take the pile of two cards."
    assert sentences.prompt(game, state, 1) == "Seat 0 is playing a card."
    assert played(game, state.copy(), "play 7") == [
        "You play the 7; the pile of three cards leaves the game; you play again",
        "Ann plays the 7; the pile of three cards leaves the game; Ann plays again",
    ]
    give = state.copy()
    assert played(game, give, "play GIVE")[1] == "Ann plays “Give The Pile To A Friend” (G)"
    assert sentences.prompt(game, give, 0) == "Who takes the pile of two cards?"
    assert played(game, give, "give 1")[1] == "Ann gives the pile of two cards to you; you pick up two cards"


def test_karma_says_which_face_down_card_was_turned_over():
    position = {"hands": [[], ["8", "9"], ["2"]], "up": [[], [], []], "down": [["9"], ["3"], ["4"]], "pile": ["5"]}
    game, state = at("karma", {"players": 3}, position)
    assert played(game, state, "flip") == ["You turn over the 9 and are out", "Ann turns over the 9 and is out"]


def test_karma_quotes_its_karma_cards_and_asks_to_take_the_pile():
    hands = [["2", "2", "TABLE"], ["8", "9", "10"], ["3", "3", "4"]]
    game, state = at("karma", {"players": 3, "voluntary_pickup": False}, {"hands": hands, "pile": ["7"], "draw": []})
    assert played(game, state.copy(), "play TABLE")[0] == "You play “Play A Table Card” (T)"
    position = {"hands": [["2", "3"], ["8"], ["9"]], "up": [["4"], [], []], "pile": ["9"], "draw": []}
    game, state = at("karma", {"players": 3, "voluntary_pickup": False}, position)
    asked = "No card in your hand fits, and face-up cards come later: take the pile of one card."
    assert sentences.prompt(game, state, 0) == asked


def test_karma_says_which_cards_lie_face_up_once_all_have_chosen():
    game = tantra_envs.game("karma", players=2)
    state, lines = game.new(3), []
    while game.phases[state["phase"][0]] == "SETUP":
        before, action = state.copy(), game.legal(state)[0]
        game.apply_action(state, action)
        lines.append(sentences.log_line(game, before, action, state, 0, ["You", "Ann"]))
    cards = [sentences.module(game)._the(card) for card in np.flatnonzero(state["up"][0, 1])]
    assert all(card in lines[-1] for card in cards) and "shows" in lines[-1]
    assert not any("shows" in line for line in lines[:-1])


def test_karma_says_that_a_game_was_stopped_while_cards_were_chosen():
    game = tantra_envs.game("karma", players=2, max_moves=2)
    state = game.new(3)
    game.apply_action(state, game.legal(state)[0])
    before, action = state.copy(), game.legal(state)[0]
    game.apply_action(state, action)
    actor = int(before["seat"][0])
    line = sentences.log_line(game, before, action, state, 1 - actor)
    assert line == f"Seat {actor} chooses three cards to lay face up: one left; the game is stopped and nobody loses"


def test_karma_says_that_a_card_comes_from_the_table():
    position = {"hands": [["TABLE", "2"], ["8"]], "up": [["9"], []], "pile": ["5"], "draw": []}
    game, state = at("karma", {"players": 2}, position)
    assert "from the table" not in played(game, state, "play TABLE")[1]
    assert played(game, state, "play 9")[1].startswith("Ann plays the 9 from the table")


def test_karma_ends_with_you_lose():
    position = {"hands": [["9"], ["8"]], "up": [[], []], "down": [[], []], "pile": ["5"], "draw": []}
    game, state = at("karma", {"players": 2}, position)
    assert played(game, state, "play 9") == ["You play the 9 and are out; Bob loses",
                                             "Ann plays the 9 and is out; you lose"]  # fmt: skip
    assert module(game).result(game, state, ["Ann", "You"]) == "You lose"


@pytest.mark.parametrize(("reward", "words_of_end"), [("winlose", "is out"), ("placement", "is out in place 1")])
def test_karma_names_places_only_where_they_count(reward, words_of_end):
    position = {"hands": [["7"], ["8", "9"], ["2"]], "up": [[], [], []], "down": [[], ["3"], ["4"]], "pile": ["1"]}
    game, state = at("karma", {"players": 3, "reward": reward}, position | {"draw": []})
    assert played(game, state, "play 7")[1] == f"Ann plays the 7 and {words_of_end}"


def test_karma_says_which_play_clears_the_pile():
    hands = [["7", "7", "9", "16"], ["8", "9", "10"], ["2", "3", "4"]]
    game, state = at("karma", {"players": 3, "copies": 3}, {"hands": hands, "pile": ["3", "7"], "draw": []})
    said = {sentences.action_words(game, state, action, 0) for action in game.legal(state)}
    assert said >= {"play the 7", "play two 7s: clears the pile", "play the 9"}
    for top, asked in (("1", "Play any card"), ("16", "Play a 16 or a karma card"), ("15", "Play 15 or higher")):
        game, state = at("karma", {"players": 3}, {"hands": hands, "pile": [top], "draw": []})
        assert sentences.prompt(game, state, 0).startswith(asked)
    position = {"hands": [[], ["8", "9"], ["2"]], "up": [[], [], []], "down": [["9"], ["3"], ["4"]], "pile": ["1"]}
    game, state = at("karma", {"players": 3}, position)
    assert sentences.prompt(game, state, 0).startswith(
        "Turn over your next face-down card, or take the pile of one card. Any card fits."
    )


def test_karma_asks_for_three_cards():
    game = tantra_envs.game("karma", players=3)
    state = game.new(1)
    seat = int(state["seat"][0])
    later = "You play them once your hand is empty."
    assert sentences.prompt(game, state, seat) == f"Choose three cards to lay face up. {later}"
    game.apply_action(state, game.legal(state)[0])
    assert sentences.prompt(game, state, seat) == f"Choose three cards to lay face up: two left. {later}"


def test_tarot_tells_who_takes_a_trick():
    game = tantra_envs.game("tarot", players=2)
    hands = [["CK", "S2"], ["T5", "S3"]]
    state = game.from_position({"hands": hands, "leader": 0, "dealer": 1})
    assert played(game, state, "CK")[1] == "Ann leads the King of Cups"
    assert sentences.prompt(game, state, 1) == "You have no Cups: play any card."
    assert played(game, state, "T5")[1] == "Bob plays The Pontiff (V) and wins the trick for 10 points"


def test_tarot_says_which_card_changed_hands_to_those_who_see_it():
    game = tantra_envs.game("tarot", players=2, dealer=1)
    seen = set()
    for seed in range(60):
        state = game.new(seed)
        while game.phases[state["phase"][0]] != "PLAY" and not state["over"][0]:
            before, phase, seat = state.copy(), game.phases[state["phase"][0]], int(state["seat"][0])
            action = game.legal(state)[0]
            words = sentences.action_words(game, before, action, seat)
            if phase == "CALL":
                asked = sentences.prompt(game, before, seat)
                shape = r"Call for an honour\? (You show .+ and .+; t|T)he opponent gives you one for another card, "
                assert re.fullmatch(shape + r"or you score 5 points\.", asked), asked
            game.apply_action(state, game.actions["yes"].start if phase == "CALL" else action)
            if phase in ("ANSWER", "RETURN"):
                line = sentences.log_line(game, before, action, state, 1 - seat)
                assert line == f"Seat {seat} gives you {words.removeprefix('give ')}"
                assert sentences.log_line(game, before, action, state, seat) == f"You {words}"
                seen.add(phase)
    assert seen == {"ANSWER", "RETURN"}


def test_tarot_says_that_nobody_has_an_honour_even_if_that_scores_nothing():
    position = {"hands": ["T21 WK W2 W3", "S3 S4 S5 S6"], "phase": "CALL", "cur": 0}
    game, state = at("tarot", {"players": 2, "call_points": 0}, position)
    assert played(game, state, "YES")[1] == "Ann calls for an honour; nobody has one"


def test_tarot_does_not_say_that_a_stopped_call_was_answered():
    position = {"hands": ["T21 WK W2 W3", "T0 T1 S5 S6"], "phase": "CALL", "cur": 0}
    game, state = at("tarot", {"players": 2, "max_moves": 1}, position)
    assert played(game, state, "YES")[1] == "Ann calls for an honour; the game is stopped"


def test_tarot_hides_a_card_laid_away_when_the_game_is_stopped():
    game = tantra_envs.game("tarot", players=2, dealer=1, max_moves=1)
    state = game.new(1)
    before, action = state.copy(), game.legal(state)[0]
    game.apply_action(state, action)
    line = sentences.log_line(game, before, action, state, 0)
    assert line == "Seat 1 lays away three cards: two left; the game is stopped"


def test_tarot_names_the_cards_that_are_shown():
    game = tantra_envs.game("tarot", players=2, dealer=1)
    names, seen = ["Ann", "Bob"], set()
    for seed in range(40):
        state = game.new(seed)
        while game.phases[state["phase"][0]] in ("DISCARD", "DECLARE"):
            before, seat = state.copy(), int(state["seat"][0])
            legal = game.legal(state)
            action = game.actions["yes"].start if game.actions["yes"].start in legal else legal[0]
            game.apply_action(state, action)
            line = sentences.log_line(game, before, action, state, 1 - seat, names)
            if before["phase"][0] != state["phase"][0] and "lays away" in line:
                assert line == f"{names[seat]} lays away three cards and takes the talon"
                own = sentences.log_line(game, before, action, state, seat, names)
                assert re.search("takes the talon: .+, .+ and ", own), own
                seen.add("talon")
            if "Trumps: " in line:
                assert re.fullmatch(r"\w+ shows (Greater|Lesser|Tarot) Trumps: [\w, ]+; \w+ scores \d+ points", line), (
                    line
                )
                if "Greater" in line:
                    assert set(re.findall(r"[XVI]+(?=[,;])", line)) <= {"XVII", "XVIII", "XIX", "XX", "XXI"}
                    seen.add("greater")
    assert seen == {"talon", "greater"}


@pytest.mark.parametrize(("rule", "words_about_cards"), [
    ("none", ": any card may go, but honours, trumps and cards in a row are usually kept."),
    ("no_tarots", ": no honours while you have other cards. Trumps and cards in a row are usually kept."),
    ("no_trumps_kings", ": no trumps or kings while you have other cards. Queens and cards in a row are usually kept."),
])  # fmt: skip
def test_tarot_says_what_may_be_laid_away(rule, words_about_cards):
    game = tantra_envs.game("tarot", dealer=0, discard_rule=rule)
    asked = sentences.prompt(game, game.new(1), 0)
    assert asked == f"Lay away the first of three cards before you see the talon{words_about_cards}"


def test_tarot_names_the_fool_at_the_start_of_a_row():
    game = tantra_envs.game("tarot", players=2, dealer=1)
    state = game.new(seed=170)
    for _ in range(5):
        game.apply_action(state, game.legal(state)[-1])
    assert (
        sentences.prompt(game, state, int(state["seat"][0]))
        == "Show trumps in a row (0, I, II, III) for 5 points? All see them."
    )


def test_tarot_ends_with_the_points_of_the_hand():
    game = tantra_envs.game("tarot", players=2, episode="hand")
    state = game.from_position({"hands": [["CK"], ["T5"]], "leader": 0, "dealer": 1, "trick_no": 24})
    play = played(game, state.copy(), "CK")
    assert play[0] == "You lead the King of Cups"
    game.apply_action(state, game.parse_action(state, "CK"))
    assert (
        played(game, state, "T5")[0]
        == "You play The Pontiff (V), win the last trick for 10 points, score 10 points for the hand and win the game"
    )
    assert module(game).result(game, state, ["Ann", "You"]) == "You win: points of the hand: Ann 0, you 10"


@pytest.mark.parametrize(("pile", "more"), [
    ("7C", ""),
    ("9H 7C", ", and after your turn the other card of the stack"),
    ("9H 8H 7C", ", and after your turn the other two cards of the stack"),
])  # fmt: skip
def test_kanastic_names_all_cards_that_come_with_the_stack(pile, more):
    position = {"hands": ["7H 7D 4C 5D"], "pile": pile, "phase": "DRAW", "tables": [{"ranks": {"K": "KH KD KC"}}]}
    game, state = at("kanastic", {}, position)
    assert sentences.prompt(game, state, 0) == f"Draw a card, or take the 7 of clubs{more}?"


@pytest.mark.parametrize(("score", "usual", "any_suit"), [
    (0, "45 points", "a golden suit or 45 points"),
    (2000, "90 points with at most one wild card", "a golden suit or 90 points with at most one wild card"),
    (5000, "a canasta or a complete golden suit", "a canasta or a golden suit"),
])  # fmt: skip
def test_kanastic_names_what_opens(score, usual, any_suit):
    position = {"hands": ["4G 5G 6G AH AH AD AD AC AC AS 7H 8D"], "scores": [score, 0]}
    for config, opens in (({}, usual), ({"partial_suit_opens": True}, any_suit)):
        game, state = at("kanastic", config, position)
        assert sentences.prompt(game, state, 0).startswith(f"Open your team with {opens}, or discard")


def test_the_glossary_of_kanastic_has_the_cost_of_a_shield():
    terms = sentences.glossary(tantra_envs.game("kanastic", shield_penalty=35))
    assert terms["Shield"].endswith("In a hand at the end it costs 35 points.")


def test_the_glossary_of_kanastic_names_the_cards_that_double_and_the_suits_of_a_new_formation():
    terms, classic = (
        sentences.glossary(tantra_envs.game("kanastic", suit_rule=rule)) for rule in ("three_suits", "any")
    )
    assert {term for term, meaning in terms.items() if "doubles" in meaning} == {"Sword", "Artifact"}  # KN-62
    assert all("all teams" in terms[term] for term in ("Sword", "Artifact"))
    assert "different suits" in terms["formation"] and "golden card is a spade" in terms["formation"]  # KN-03
    assert "suits" not in classic["formation"] and "three cards that are not wild" in classic["formation"]


def test_tantra_asks_to_buy_and_may_buy_back():
    game = tantra_envs.game("tantra", players=3)
    state = game.new(3, display=1)
    assert sentences.action_words(game, state, 1).startswith("ask to buy ")
    found = set()
    for before, *_ in moments(game, 5):
        seat = int(before["seat"][0])
        if game.phases[before["phase"][0]] == "ASK" and (before["turn"][0] - 1) % 3 == seat and before["turns"][0]:
            asked = sentences.prompt(game, before, seat)
            assert re.fullmatch(
                r"You discarded .+\. Buy it back\? You get it and one extra card(, unless .+ it)?\. You have .+ left\.",
                asked,
            )
            found.add("back")
    assert found


def test_tantra_says_each_set_that_is_laid_down():
    position = {"hands": [["5C", "5D", "5H", "5S", "8C", "8D", "8H", "8S", "2H", "3H", "4H", "KC"], ["9C"], ["9D"]]}
    game = tantra_envs.game("tantra", players=3)
    state = game.from_position(
        position | {"display": 12, "phase": "MAIN", "turn": 0, "cur": 0, "turns": 4, "wild": "2"}
    )
    lay_down = game.parse_action(state, "lay down")
    assert sentences.action_words(game, state, lay_down, 0) == "lay down all sets: you choose their cards next"
    lines = []
    while state["mode"][0] or not lines:
        before, action = state.copy(), next(a for a in game.legal(state) if a not in range(8, 62))
        game.apply_action(state, action)
        lines.append(sentences.log_line(game, before, action, state, 1))
    assert lines[0] == "Seat 0 lays down all sets; Seat 0 makes a kind of fives: the 5 of clubs and the 5 of diamonds"
    eights = "Seat 0 makes a kind of eights: the 8 of clubs, the 8 of diamonds, the 8 of hearts and the 8 of spades"
    assert lines[1] == f"Seat 0 places the 5 of hearts and the 5 of spades; {eights}"
    sets = "fives, eights and run of hearts from 2 to 4"
    assert lines[-1].endswith(f"a wild 2; Seat 0 has laid down all sets: {sets}")


def test_tantra_says_a_run_with_both_ends_before_it_is_whole():
    hand = ["6C", "7C", "8C", "9C", "6C", "8H", "9H", "10H", "JH", "KC"]
    position = {"hands": [hand, ["9C"], ["9D"]], "display": 21, "phase": "MAIN", "turn": 0, "cur": 0, "turns": 4}
    game, state = at("tantra", {"players": 3}, position)
    before, action = state.copy(), game.parse_action(state, "lay down")
    game.apply_action(state, action)
    line = sentences.log_line(game, before, action, state, 1)
    assert line == "Seat 0 lays down all sets; Seat 0 makes a run of clubs from 6 to 9: the 6 of clubs"


def test_an_effect_does_not_say_the_action_again():
    game, state = at(
        "tantra",
        {"players": 3, "auto_forced": False},
        {"hands": [["5C", "5D", "5H", "5S", "8C", "8D", "8H", "8S", "2H", "3H", "4H", "KC"], ["9C"], ["9D"]]}
        | {"display": 12, "phase": "MAIN", "turn": 0, "cur": 0, "turns": 4, "wild": "2"},
    )
    for words_of_action in ("lay down", "kind 5", "place 5C"):
        before, action = state.copy(), game.parse_action(state, words_of_action)
        game.apply_action(state, action)
        assert sentences.effect(game, before, action, state, 1) == ""
    assert sentences.log_line(game, before, action, state, 1) == "Seat 0 places the 5 of clubs"


def test_tantra_names_the_cards_that_may_be_added():
    hand = ["5C", "5D", "5H", "5S", "8C", "8D", "8H", "8S", "2H", "3H", "4H", "KC", "5C", "JS"]
    position = {"hands": [hand, ["9C"], ["9D"]], "display": 12, "phase": "MAIN", "turn": 0, "cur": 0, "turns": 4}
    game = tantra_envs.game("tantra", players=3)
    state = game.from_position(position | {"wild": "6"})
    while not (state["mode"][0] == 0 and state["laid_turn"][0, 0] >= 0):
        game.apply_action(state, next(a for a in game.legal(state) if a not in range(8, 62)))
    action = next(a for a in game.legal(state) if a >= game.actions["lay_off"].start)
    words_of = sentences.action_words(game, state, action, 0)
    assert re.fullmatch("add the 5 of (clubs|diamonds|hearts|spades) to your fives", words_of), words_of
    assert sentences.action_words(game, state, action, 1) == "add to its own fives"
    before = state.copy()
    game.apply_action(state, action)
    line = sentences.log_line(game, before, action, state, 1)
    assert re.fullmatch("Seat 0 adds the 5 of [a-z]+ to its own fives", line), line


def test_tantra_names_what_was_bought_to_the_buyer_only():
    game, seen = tantra_envs.game("tantra", players=3), 0
    for before, action, after in moments(game, 5):
        if game.phases[before["phase"][0]] == "PEEK":
            turn, buyer = int(before["seat"][0]), int(before["requester"][0])
            line = sentences.log_line(game, before, action, after, buyer)
            assert re.search(r"you get (the|a) ", line) and "one more card" not in line, line
            told = sentences.log_line(game, before, action, after, 3 - turn - buyer)
            assert ("gets one more card" in told) == ("keeps" in told) and re.search("keeps|over to", told), told
            seen += 1
    assert seen


def test_tantra_names_the_card_drawn_when_nobody_buys_what_was_declined():
    config = {"players": 3, "buy_order": "turn_player_first"}
    position = {"hands": [["2C"], ["3D"], ["4D"]], "display": 10, "wild": "A", "phase": "DRAW"}
    game, state = at("tantra", config, position | {"stock": ["5D", "6D", "7D"], "discard": ["2H"]})
    played(game, state, "draw")
    played(game, state, "pass")
    assert played(game, state, "pass") == ["You do not buy", "Cy does not buy; you get the 5 of diamonds"]


def test_tantra_counts_equal_cards_that_are_placed():
    hand = [*["7C"] * 4, *["8D"] * 3, "8H", "KC"]
    position = {"hands": [hand, ["9C"], ["9D"]], "display": 6, "phase": "MAIN", "turn": 0, "cur": 0, "turns": 4}
    game, state = at("tantra", {"players": 3, "n_packs": 4}, position)
    line = played(game, state, "lay down")[1]
    assert "a kind of sevens: the 7 of clubs four times" in line and "the 8 of diamonds thrice and the 8" in line, line


def test_tantra_asks_about_the_discard():
    game = tantra_envs.game("tantra", players=3)
    state = game.new(3, display=1)
    seat = int(state["seat"][0])
    asked = sentences.prompt(game, state, seat)
    assert re.fullmatch(
        r"(The|A) .+ was turned up\. Buy it\? You get it and one extra card, unless Seat \d refuses and takes it\. "
        r"You have three buys left\.",
        asked,
    )
    while game.phases[state["phase"][0]] != "MAIN":
        legal = {game.action_name(state, action): action for action in game.legal(state)}
        game.apply_action(state, legal.get("pass", legal.get("draw")))
    seat = int(state["seat"][0])
    game.apply_action(state, game.legal(state)[-1])
    assert f"Seat {seat} discarded" in sentences.prompt(game, state, int(state["seat"][0]))


def test_a_game_without_sentences_is_named_by_its_actions(monkeypatch):
    game = tantra_envs.game("karma", players=3, auto_setup=True)
    monkeypatch.setattr(sentences, "module", lambda game: None)
    before, state = game.new(1), game.new(1)
    seat, action = int(state["seat"][0]), game.legal(state)[0]
    game.apply_action(state, action)
    assert sentences.prompt(game, before, seat) == "You are to decide, in phase PLAY."
    assert sentences.prompt(game, before, None) == f"Seat {seat} is to decide, in phase PLAY."
    assert sentences.action_words(game, before, action, seat) == game.action_name(before, action)
    assert sentences.log_line(game, before, action, state, seat) == f"You: {game.action_name(before, action)}"
    assert sentences.log_line(game, before, action, state, 1 - min(seat, 1)).endswith("decides in secret")
    assert sentences.glossary(game) == {} and sentences.effect(game, before, action, state) == ""


@pytest.mark.parametrize(
    ("phrase", "third"),
    [("play two 7s", "plays two 7s"), ("pass", "passes"), ("do not buy", "does not buy"), ("be out", "is out"),
     ("have nine", "has nine"), ("try it", "tries it"), ("lay it", "lays it"), ("must give one", "must give one")],
)  # fmt: skip
def test_verbs_agree_with_their_subject(phrase, third):
    assert english.third_person(phrase) == third
    assert english.clause(["Ann", "You"], 0, phrase) == f"Ann {third}"


def test_lists_and_numbers():
    assert english.listed(["a", "b", "c"], "or") == "a, b or c" and english.listed(["a"]) == "a"
    assert english.counted(1, "card") == "one card" and english.counted(13, "card") == "13 cards"
    assert english.clause(["You"], 0, "be out") == "You are out"
