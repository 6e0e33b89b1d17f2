"""KN-20 to KN-44: formations, golden suits, the initial meld."""

import pytest

from .table import Table

KINGS = {"ranks": {"K": "KH KD KC"}}
WORTH_OPEN = "KS QH QD"  # cards to keep


def on(cards, rank="7", hand="", **more):
    """Seat 0's team has a formation of `rank`, and kings."""
    return Table(hands=[f"{hand} {WORTH_OPEN}"], tables=[{"ranks": {rank: cards, **KINGS["ranks"]}}], **more)


def test_KN20_at_most_three_wild_cards_and_no_shield():
    assert {"ADD SW to 7", "ADD AR to 7"} <= on("7H 7D 7C SW AR", hand="SW AR SH").legal
    table = on("7H 7D 7C SW SW AR", hand="SW AR SH")
    assert not {"ADD SW to 7", "ADD AR to 7"} & table.legal and "ADD SW to K" in table.legal
    with pytest.raises(ValueError, match="KN-20"):
        on("7H 7D 7C SW SW AR AR")
    with pytest.raises(ValueError, match="KN-20"):
        on("7H 7D SW")


def test_KN21_one_formation_a_rank_for_each_team():
    table = on("7H 7D 7C", hand="7H 7D 7C")
    assert table.placements == {"ADD 7H", "ADD 7D", "ADD 7C", "ADD KS"}
    other = Table(hands=["7H 7D 7C QH QD"], tables=[KINGS, {"ranks": {"7": "7H 7D 7C"}}])
    assert "NEW 7 {HDC}" in other.legal


def test_KN22_the_partner_adds_and_the_others_do_not():
    tables = [{"ranks": {"7": "7H 7D 7C"}}, {"ranks": {"K": "KH KD KC"}}]
    for seat, words in ((0, "ADD 7S"), (2, "ADD 7S"), (1, "ADD KS"), (3, "ADD KS")):
        hands = ["7S KS QH QD"] * 4
        assert Table(hands=hands, cur=seat, tables=tables).placements == {words}


def test_KN23_an_eighth_card_but_no_ninth_and_a_wild_one_makes_it_mixed():
    table = on("7H 7D 7C 7S 7G 7H 7D", hand="7C SW AR")
    before = table.seen(0, "team_0")[3 * 11 + 3], table.seen(0, "team_0")[4 * 11 + 3]
    table.do("ADD SW to 7")
    assert before == (1.0, 0.0)
    assert (table.seen(0, "team_0")[3 * 11 + 3], table.seen(0, "team_0")[4 * 11 + 3]) == (0.0, 1.0)
    assert table.placements == {"ADD KS", "ADD AR to K"}
    assert on("7H 7D 7C 7S 7G 7H SW", hand="SW").do("ADD SW to 7").ranks(0)["7"].count("SW") == 2


@pytest.mark.parametrize(
    ("rank", "cards", "points"),
    [
        ("7", "7H 7H 7D 7D 7S 7G 7C", 600 + 35),
        ("7", "7H 7H 7D 7D 7S 7G SW", 300 + 30 + 25),
        ("A", "AH AH AD AD AS AG AC", 1000 + 140),
        ("A", "AH AH AD AD AS AG AC AR", 500 + 140 + 50),
        ("7", "7H 7H 7D 7D 7S 7G", 30),
    ],
)
def test_KN25_bonuses(rank, cards, points):
    table = Table(hands=["4H 6D"], tables=[{"ranks": {rank: cards}}])
    assert table.seen(0, "team_0")[-1] == pytest.approx(points / 5000)


def with_suit(lo, cards, hand, config=None, **more):
    return Table(config, hands=[f"{hand} QH QD"], tables=[{"ranks": {"K": "KH KD KC"}, "suit": [lo, cards]}], **more)


def test_KN30_golds_and_at_most_three_artifacts_no_swords_no_wrap():
    table = with_suit("6", "6G 7G 8G", "5G 9G JG AR SW")
    suit = {words for words in table.legal if words.startswith("SUIT")}
    assert suit == {"SUIT + 5G", "SUIT + 9G", "SUIT + AR low", "SUIT + AR high"}
    full = with_suit("4", "4G AR 6G AR 8G AR", "AR 10G")
    assert {words for words in full.legal if words.startswith("SUIT")} == {"SUIT + 10G"}
    aces = with_suit("Q", "QG KG AG", "4G AR JG")
    assert {words for words in aces.legal if words.startswith("SUIT")} == {"SUIT + JG", "SUIT + AR low"}
    with pytest.raises(ValueError, match="KN-30"):
        with_suit("6", "6G AR 8G", "4H")


def test_KN31_a_suit_begins_with_three_golds_and_grows_at_both_ends():
    table = Table(hands=["4G 6G 8G AR AR 5G 9G QH QD"], tables=[KINGS])
    assert {words for words in table.legal if words.startswith("NEWSUIT")} == {  # and not 4-8-9: three Artifacts
        "NEWSUIT 4-5-6",
        "NEWSUIT 4-6-8",
        "NEWSUIT 5-6-8",
        "NEWSUIT 4-5-8",
        "NEWSUIT 6-8-9",
        "NEWSUIT 5-8-9",
        "NEWSUIT 5-6-9",
    }
    table.do("NEWSUIT 4-6-8", "SUIT + 9G")
    assert table.suit(0) == ["4G", "AR", "6G", "AR", "8G", "9G"]


def test_KN32_one_suit_a_team():
    table = with_suit("4", "4G 5G 6G", "JG QG KG")
    assert not {words for words in table.legal if words.startswith("NEWSUIT")}


@pytest.mark.parametrize(
    ("lo", "cards", "points"),
    [
        ("4", "4G 5G 6G 7G 8G 9G 10G", 5000 + 45),
        ("4", "4G 5G 6G 7G 8G 9G 10G JG", 5000 + 55),
        ("4", "4G 5G AR 7G 8G 9G 10G", 2500 + 90),
        ("4", "4G 5G 6G 7G 8G 9G 10G AR", 2500 + 95),
        ("4", "4G 5G 6G 7G 8G 9G", 35),
    ],
)
def test_KN33_bonus_of_a_suit(lo, cards, points):
    table = Table(hands=["4H 6D"], tables=[{"suit": [lo, cards]}])
    assert table.seen(0, "team_0")[-1] == pytest.approx(points / 5000)


def test_KN34_a_shorter_suit_opens_only_with_the_switch_and_does_not_allow_going_out():
    hand = "4G 5G 6G QH QD 8C 9D"
    assert Table(hands=[hand]).placements == set()
    table = Table({"partial_suit_opens": True}, hands=[hand]).do("NEWSUIT 4-5-6")
    assert table["opened"][0]
    left = Table(
        hands=["QH"], tables=[{"suit": ["4", "4G 5G 6G 7G 8G 9G"]}], pile="4H 5H", taken=2, top_taken="9G", pick="SUIT"
    )
    assert "DISCARD QH" in left.legal  # an old stack waits: this goes out for nobody
    assert left.do("DISCARD QH")["phase"] == "DRAW"


def test_KN34_its_points_count_towards_the_requirement():
    table = Table(hands=["10G JG QG KH KD KC AH AD AC 4H 5D"], scores=[1500, 0])
    assert "NEWSUIT 10-J-Q" in table.legal
    table.do("NEWSUIT 10-J-Q")
    assert (table["open_pts"], table["opened"]) == (30, [False, False])
    assert table.do("NEW A {HDC}")["opened"] == [True, False]


def test_KN35_an_artifact_keeps_its_place():
    table = with_suit("4", "4G AR 6G 7G", "5G 8G")
    assert "SUIT + 5G" not in table.legal and "SUIT + 8G" in table.legal


@pytest.mark.parametrize(
    ("total", "stage"), [(-500, 1), (0, 1), (1495, 1), (1500, 2), (2995, 2), (3000, 3), (4995, 3), (5000, 4)]
)
def test_KN40_stages(total, stage):
    assert Table(hands=["4H 6D"], scores=[total, 0])["stage"] == [stage, 1]


@pytest.mark.parametrize(
    ("total", "hand", "words", "opens"),
    [
        (0, "KH KD KC KS 5H 5D", ["NEW K {HDC}"], False),  # forty points
        (0, "AH AD AC 5H 5D", ["NEW A {HDC}"], True),
        (0, "KH KD KC AR 5H 5D", ["NEW K {HDC}", "ADD AR to K"], True),
        (1500, "AH AD AC SW SW 5H 5D", ["NEW A {HDC}"], False),  # one wild card is not enough, two are too many
        (1500, "AH AD AC AR 5H 5D", ["NEW A {HDC}", "ADD AR to A"], True),
        (3000, "AH AD AC AR SW 5H 5D", ["NEW A {HDC}", "ADD AR to A", "ADD SW to A"], True),
        (3000, "AH AD AC SW SW SW 5H 5D", ["NEW A {HDC}"], False),
        (5000, "4H 4D 4S 4C SW SW AR 5H 5D", ["NEW 4 {HDS}", "ADD 4C"], True),
        (0, "4H 4H 4D 4D 4S 4C 4C 5H", ["NEW 4 {HDS}"], False),  # thirty-five points
        (3000, "4G 5G 6G 7G AR AR AR 5H", ["NEWSUIT 4-5-6", "SUIT + 7G"], True),  # Artifacts unlimited in a suit
    ],
)
def test_KN41_requirements(total, hand, words, opens):
    table = Table(hands=[hand], scores=[total, 0])
    assert bool(table.placements) == opens
    if opens:
        table.do(*words)
        assert table.placements or table["opened"][0]


def test_KN41_stage_IV_opens_with_the_seventh_card():
    table = Table(hands=["4H 4D 4S 4C SW SW AR 5H 5D"], scores=[5000, 0])
    table.do("NEW 4 {HDS}", "ADD 4C", "ADD SW to 4", "ADD SW to 4")
    assert (table["opened"], table.discards) == ([False, False], set())
    assert table.do("ADD AR to 4")["opened"] == [True, False]


def test_KN42_formations_add_up_and_the_limits_end_with_the_meld():
    table = Table(hands=["KH KD KC QH QD QC AR AR SW 5H 5D"], scores=[1500, 0])
    table.do("NEW K {HDC}", "NEW Q {HDC}")
    assert (table["open_pts"], table.discards) == (60, set())
    table.do("ADD AR to K")
    assert (table["opened"][0], table["opener"][0], table["open_pts"]) == (True, 0, 0)
    assert {"ADD AR to K", "ADD SW to Q"} <= table.legal and table.discards


def test_KN43_two_cards_are_left_or_one_and_a_canasta():
    assert on("7H 7D 7C").placements == {"ADD KS"}
    table = Table(hands=["7S QH"], tables=[{"ranks": {"7": "7H 7D 7C"}}])
    assert table.placements == set()
    almost = Table(hands=["7S QH"], tables=[{"ranks": {"7": "7H 7D 7C 7H SW SW"}}])
    assert almost.placements == {"ADD 7S"}  # the seventh card itself allows the finish
    done = Table(hands=["7S QH"], tables=[{"ranks": {"7": "7H 7D 7C", "9": "9H 9D 9C 9S SW SW AR"}}])
    assert done.placements == {"ADD 7S"}


def of_ranks(rank, cards):
    return {"ranks": {rank: cards}}


@pytest.mark.parametrize(
    ("card", "shorter", "longer", "words"),
    [
        ("SW", of_ranks("7", "7H 7D 7C 7H AR"), of_ranks("7", "7H 7D 7C 7H 7D AR"), {"ADD SW to 7"}),
        ("AR", of_ranks("A", "AH AD AC AH AD"), of_ranks("A", "AH AD AC AH AD SW"), {"ADD AR to A"}),
        ("10G", {"suit": ["5", "5G 6G 7G 8G 9G"]}, {"suit": ["4", "4G 5G 6G 7G 8G 9G"]}, {"SUIT + 10G"}),
        ("AR", {"suit": ["5", "5G 6G 7G 8G 9G"]}, {"suit": ["5", "5G 6G 7G 8G 9G 10G"]},
         {"SUIT + AR low", "SUIT + AR high"}),
    ],
)  # fmt: skip
def test_KN43_whatever_completes_a_canasta_or_a_suit_allows_the_finish(card, shorter, longer, words):
    assert Table(hands=[f"{card} 4H"], tables=[shorter]).placements == set()
    assert Table(hands=[f"{card} 4H"], tables=[longer]).placements == words


def test_KN43_what_begins_a_formation_leaves_two_cards():
    for hand in ("7H 7D 7C 4H", "7G 8G 9G 4H"):
        assert Table(hands=[hand], tables=[KINGS]).placements == set()
        assert Table(hands=[f"{hand} 5D"], tables=[KINGS]).placements
    assert Table(hands=["AH AD AC 4H"]).placements == set()  # and the initial meld
    assert Table({"partial_suit_opens": True}, hands=["4G 5G 6G 8G AR"]).placements == {"NEWSUIT 4-5-6"}
    assert Table({"partial_suit_opens": True}, hands=["KH KD KC 4G 5G 6G 4H"]).placements == {"NEWSUIT 4-5-6"}


def test_KN44_three_jacks_open_nothing():
    assert Table(hands=["JH JD JC 4H 5D 6C"]).placements == set()
