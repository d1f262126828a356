"""Ways through what no page of a rule book foresees: a remedy interrupted, obeyed wrongly, late, taken back.

Every hand ends, or halts with a reason, and the ledger says what lies on the table.
"""

import pytest

from tests.e2e.tables import cards_lost
from tests.rulings.ways import DONE, FOUR_ON_THE_FLOP, WAYS, Way, comply, draw, expose, played, until


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_there_is_a_way_through(way: Way) -> None:
    said = played(way)
    assert said["outcome"] == way.outcome, (said["phases"], said["alerts"], said["refused"])
    assert [ruling["rule"] for ruling in said["rulings"]] == way.rulings
    assert [alert["code"] for alert in said["alerts"]] == way.alerts
    assert len(said["refused"]) == way.refused, said["refused"]
    assert cards_lost(said) == []
    if way.outcome != "completed":
        assert len(said["burns"]) == way.burns
        return
    assert (len(said["board"]), said["aside"], len(said["burns"])) == (5, [], way.burns)
    assert {len(hand) for hand in said["hole"].values()} - {0} == {2}
    assert len(said["shuffles"]) == sum(
        command["command"] == "shuffle" for command in said["commands"]
    ) - 1 or (way.table.get("shuffler") == {"min_cards": 52})


def test_the_card_that_a_wrong_one_was_laid_down_for_is_asked_for_again_without_a_name() -> None:
    acts = [until("preflop"), draw("seat:2", face="down"), {"do": "move", "cards": "2h", "to": "burn"}, DONE]
    said = played(Way(acts, [], table={"deck": "2h 3h"}))
    codes = [prompt["code"] for prompt in said["prompts"]]
    at = codes.index("extra-to-burn")
    assert codes[at : at + 3] == ["extra-to-burn", "wrong-card", "extra-to-burn"]
    assert "2h" in said["hole"]["2"]
    assert not any("2h" in prompt["text"] for prompt in said["prompts"])
    assert (said["outcome"], said["alerts"], said["refused"]) == ("completed", [], [])


def test_a_missing_card_is_named_only_where_everybody_saw_it() -> None:
    seen = played(Way([*FOUR_ON_THE_FLOP, comply("keep-card")], []))
    assert seen["alerts"][0]["text"].endswith("1 is missing (" + seen["rulings"][0]["cards"][0] + ")")
    burn = played(Way([*FOUR_ON_THE_FLOP, comply("add-burn")], []))
    assert burn["alerts"][0]["text"].endswith("; 1 is too many")


def test_what_a_misdeal_voids_is_dealt_again_with_the_same_blinds() -> None:
    said = played(
        Way([until("preflop"), {"do": "bet", "seat": 4, "action": "call"}, expose(2), comply()], [])
    )
    assert (said["outcome"], said["stacks"]) == ("open", {"1": 1000, "2": 995, "3": 995, "4": 1000})
    assert said["phases"].count("deal") == 2
    assert said["pots"][0]["amount"] == 10
