"""A card room's own rulebook leaves more to its floor: what that decides never leaves a hand a card short."""

from pathlib import Path
from typing import Final

import pytest

from tests.e2e.tables import Json, played_directly

HEAD: Final = 'name = "house"\ntitle = "House"\nextends = "roberts"\n'
BURN_AND_CALL: Final = """
[rule.exposed-later-hole-card]
remedy = "burn-and-call"
cases = []
source = "House 4"
[remedy.burn-and-call]
says = "The exposed card is the burn; the floor decides what the owner gets."
holds = "first-act"
[[remedy.burn-and-call.steps]]
do = "await"
until = "hole-cards"
prompt = "deal-on"
says = "The deal goes on."
[[remedy.burn-and-call.steps]]
do = "move"
cards = "exposed"
to = "burn"
prompt = "exposed-to-burn"
proof = "seen"
says = "It is the burn."
[[remedy.burn-and-call.steps]]
do = "floor"
says = "The floor decides."
"""
CALL_US: Final = """
[remedy.call-us]
says = "The floor decides."
holds = "everything"
[[remedy.call-us.steps]]
do = "floor"
says = "The floor decides."
"""
RIVER: Final = """
[rule.premature-river]
by = "floor"
source = "House 6.2"
[[rule.premature-river.cases]]
case = "flop-betting"
remedy = "reshuffle-turn-and-river"
by = "floor"
"""
SHOWN: Final = {"do": "expose", "seat": 3, "card": 1, "by": "dealer"}


def until(phase: str) -> Json:
    return {"do": "play", "until": phase}


def floor(decision: str) -> Json:
    return {"do": "floor", "decision": decision}


def draw(to: str, count: int = 1, face: str = "down") -> Json:
    return {"do": "draw", "to": to, "count": count, "face": face}


def played(folder: Path, house: str, *acts: Json) -> Json:
    """The report of a hand of three by a house's rulebook."""
    file = folder / "house.toml"
    file.write_text(HEAD + house, "utf-8")
    table = {"game": "holdem", "rules": str(file), "seats": dict.fromkeys("123", 1000), "button": 1}
    return played_directly({"table": table, "seed": 1, "acts": list(acts)})


@pytest.mark.parametrize(
    ("decision", "why"), [("accept", "nothing is proposed"), ("stand", "seat 3 would play with 1 of 2 cards")]
)
def test_a_remedy_that_ends_with_the_floor_leaves_no_hand_to_be_played_a_card_short(
    tmp_path: Path, decision: str, why: str
) -> None:
    said = played(tmp_path, BURN_AND_CALL, until("preflop"), SHOWN, {"do": "comply"}, floor(decision))
    assert said["outcome"] == "halted"
    assert why in said["refused"][-1]["why"]
    void = played(tmp_path, BURN_AND_CALL, until("preflop"), SHOWN, {"do": "comply"}, floor("void"))
    assert void["outcome"] == "void"


def test_where_nothing_stands_behind_the_floors_step_there_is_nothing_to_accept(tmp_path: Path) -> None:
    house = '[rule.exposed-later-hole-card]\nremedy = "call-us"\ncases = []\nsource = "House 4"\n' + CALL_US
    said = played(tmp_path, house, until("preflop"), SHOWN, floor("accept"), floor("stand"), until("done"))
    assert "nothing is proposed" in said["refused"][0]["why"]
    assert (said["outcome"], [len(cards) for cards in said["hole"].values()]) == ("completed", [2, 2, 2])


def test_a_hand_with_a_card_too_many_is_not_let_stand(tmp_path: Path) -> None:
    house = '[rule.wrong-count-after-action]\nremedy = "call-us"\ncases = []\nsource = "House 9"\n' + CALL_US
    acts = (until("flop"), draw("seat:2"), floor("accept"), floor("stand"))
    said = played(tmp_path, house, *acts)
    assert said["outcome"] == "halted"
    assert "the wrong number of cards" in said["refused"][-1]["why"]


def test_what_stands_of_a_ruling_stands_of_those_that_it_superseded(tmp_path: Path) -> None:
    early = {"do": "bet", "seat": 2, "action": "check"}
    acts = (until("flop"), early, draw("board", 2, "up"), floor("stand"), until("done"))
    said = played(tmp_path, RIVER, *acts)
    assert (said["outcome"], len(said["board"]), said["aside"]) == ("completed", 5, [])
    assert [alert["code"] for alert in said["alerts"]] == ["floor-decides"]
