"""What goes wrong by a scenario's act: devices report it with the bytes that they would, and nothing else."""

import json

import pytest

from hil_rigs.virtual.codes import ZONES, Fault, Prompt, Type, Verdict
from hil_rigs.virtual.felt import LOST, Card
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.messages import Fields
from hil_rigs.virtual.mishaps import MISHAPS
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.virtual.hosts import DirectHost
from tests.virtual.script import FULL, Script

_DECK = "deck-1"


def loaded(*, antennas: bool = True) -> Script:
    """A table with a loaded shoe, without the way there."""
    table = VirtualTable(Setup() if antennas else Setup(zones=None))
    script = Script(DirectHost(table))
    for card in table.decks[_DECK]:
        table.felt.move(card, "shoe")
    script.host.settle()
    script.host.log.clear()
    return script


def happens(script: Script, device: str, fault: str) -> None:
    MISHAPS[device, fault](script.table)
    script.host.settle()


def drawn(script: Script, to: str = "seat:2") -> Card:
    (card,) = script.table.hands.draw(to)
    script.host.settle()
    return card


def tags(script: Script) -> list[object]:
    return [draw["uids"] for draw in script.events(Type.DRAW)]


def members(table: VirtualTable) -> list[bytes]:
    return [card.uid for card in table.decks[_DECK] if not card.is_cut_card]


def registered(table: VirtualTable, key: str) -> list[bytes]:
    (deck,) = json.loads(table.registry())["decks"]
    return [bytes.fromhex(uid) for uid in deck[key]]


def test_a_joker_leaves_the_shoe_by_its_registered_tag_and_the_card_under_it_is_the_next() -> None:
    script = loaded()
    first = script.table.felt.cards("shoe")[0]
    happens(script, "shoe", "joker")
    joker, card = drawn(script), drawn(script)
    assert joker.uid in registered(script.table, "jokers")
    assert joker.uid not in members(script.table)
    assert (card, tags(script)) == (first, [(joker.uid,), (first.uid,)])


def test_a_deck_has_two_jokers_and_no_third() -> None:
    script = loaded()
    for _ in range(2):
        happens(script, "shoe", "joker")
    assert len({drawn(script).uid, drawn(script).uid}) == 2
    with pytest.raises(CannotDo, match="2 jokers"):
        happens(script, "shoe", "joker")


def test_a_second_one_of_a_card_has_its_tag_and_the_card_in_its_place_is_lost() -> None:
    script = loaded()
    lying, true = drawn(script), script.table.felt.cards("shoe")[0]
    happens(script, "shoe", "duplicate-card")
    copy = drawn(script, "seat:3")
    assert (copy.uid, copy.text) == (lying.uid, lying.text)
    assert tags(script)[-1] == (lying.uid,)
    assert script.table.felt.where(true) == LOST
    heard = {event["zone"] for event in script.events(Type.ARRIVED) if event["uid"] == lying.uid}
    assert heard == {ZONES["seat:2"], ZONES["seat:3"]}
    script.table.felt.check()


def test_what_is_pushed_back_or_stuck_has_left_nothing_on_the_table() -> None:
    script = loaded()
    happens(script, "shoe", "reversed-card")
    happens(script, "shoe", "card-timeout")
    assert [draw["flags"] for draw in script.events(Type.DRAW)] == [2]
    assert [(told["fault"], told["ended"]) for told in script.events(Type.FAULT)] == [(Fault.CARD_TIMEOUT, 0)]
    assert len(script.table.felt.texts("shoe")) == 52


def fed(script: Script, place: str) -> Fields:
    """What the shuffler says of the cards that lie in a place."""
    script.load_table()
    script.table.hands.lay_in_cards(tuple(c for c in script.table.felt.cards(place) if not c.is_cut_card))
    script.host.settle()
    return script.command("shuffler", Type.FEED, deck=0, expected=FULL)


def test_the_shuffler_finds_that_the_deck_which_lies_ready_lacks_a_card() -> None:
    script = Script(DirectHost(VirtualTable(Setup())))
    happens(script, "shuffler", "missing-card")
    told = fed(script, "away")
    assert (told["verdict"], told["count"], told["strangers"]) == (Verdict.WRONG, 51, 0)
    assert int.from_bytes(told.raw("missing")).bit_count() == 1


def test_the_shuffler_finds_a_strange_card_in_the_stub_and_which_member_is_missing() -> None:
    script = loaded()
    happens(script, "shuffler", "foreign-card")
    for card in script.table.felt.cards("shoe"):
        script.table.felt.move(card, "pack")
    told = fed(script, "pack")
    assert (told["verdict"], told["count"], told["strangers"]) == (Verdict.WRONG, 52, 1)
    assert int.from_bytes(told.raw("missing")).bit_count() == 1


@pytest.mark.parametrize("fault", ["missing-card", "foreign-card"])
def test_of_a_stub_in_the_shoe_it_is_the_last_card_above_the_cut_card(fault: str) -> None:
    script = loaded()
    before = script.table.felt.cards("shoe")
    happens(script, "shuffler", fault)
    after = script.table.felt.cards("shoe")
    assert (script.table.felt.cards(LOST), after[-1]) == (before[51:52], before[52])
    assert after[:51] == before[:51]
    assert tags(script) == []


@pytest.mark.parametrize("fault", ["foreign-card", "duplicate-card"])
def test_a_card_that_never_was_in_the_shoe_is_told_by_the_antenna_where_it_lies(fault: str) -> None:
    script = loaded()
    happens(script, "zones", fault)
    (arrived,) = script.events(Type.ARRIVED)
    assert arrived["zone"] == ZONES["muck"]
    assert (arrived["uid"] in members(script.table)) == (fault == "duplicate-card")
    assert (tags(script), len(script.table.felt.texts("shoe"))) == ([], 52)


@pytest.mark.parametrize(
    ("device", "fault", "why"),
    [
        ("shoe", "duplicate-card", "no card lies on the table"),
        ("zones", "foreign-card", "no antenna is under the muck"),
        ("zones", "duplicate-card", "no antenna is under the muck"),
    ],
)
def test_what_cannot_be_is_said(device: str, fault: str, why: str) -> None:
    with pytest.raises(CannotDo, match=why):
        happens(loaded(antennas=False), device, fault)


@pytest.mark.parametrize(
    "fault", ["joker", "foreign-card", "duplicate-card", "card-timeout", "reversed-card"]
)
def test_an_empty_shoe_has_none_of_them(fault: str) -> None:
    with pytest.raises(CannotDo):
        happens(Script(DirectHost(VirtualTable(Setup()))), "shoe", fault)


def test_the_dealer_lays_a_joker_away_and_frees_the_lip() -> None:
    script = loaded()
    happens(script, "shoe", "joker")
    joker = drawn(script)
    assert script.obeyed(Prompt.JOKER_AWAY)
    assert script.table.felt.where(joker) == "away"
    happens(script, "shoe", "card-timeout")
    assert script.obeyed(Prompt.CARD_STUCK)
    assert [told["ended"] for told in script.events(Type.FAULT)] == [0, 1]
