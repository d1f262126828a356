"""Badges and PINs at the keypad: who signs in is told by name, what was shown by nothing; and the floor's
keys."""

import json

import msgspec
import pytest

from controller.decisions import Alert, PersonSignedIn, PhaseEntered, Refused
from controller.events import CredentialRefused, FloorDecided, Keyed, SignedIn
from controller.journal import split
from controller.reception import FLOOR_KEYS, FLOOR_MS, KEYPAD_REASON, Reception
from controller.signing_in import NOBODY_DEALS
from controller.table import Table
from firmware_bridge import messages as wire
from firmware_bridge.codes import Key
from firmware_bridge.events import Mark
from tests.shell.bare import BOOT, Bare
from tests.shell.folk import (
    ANN_BADGE,
    ANN_PIN,
    BADGES,
    BOB_BADGE,
    BOB_PIN,
    CID_PIN,
    NOBODYS_PIN,
    PINS,
    Slow,
    known_at_once,
)

NAMES_NOTHING = {"remedy": "", "rule": "", "seat": 0}
WRAP = 1 << 32


def table(*, require_sign_in: bool = False) -> Bare:
    bare = Bare(checker=known_at_once(), require_sign_in=require_sign_in)
    bare.power_up()
    bare.service.acks.clear()
    return bare


def type_pin(bare: Bare, digits: str) -> int:
    return bare.say("keypad", lambda time: wire.PinTyped(time, digits))


def hold_badge(bare: Bare, uid: bytes) -> int:
    return bare.say("keypad", lambda time: wire.BadgeRead(time, uid))


def alerts(bare: Bare) -> list[Alert]:
    return [decision for decision in bare.decisions if isinstance(decision, Alert)]


def events(bare: Bare, *kinds: type) -> list[object]:
    return [record.event for record in bare.journal.records if isinstance(record.event, kinds)]


def decided(bare: Bare) -> list[object]:
    return events(bare, FloorDecided)


# Signing in


def test_a_dealer_signs_in_by_badge_or_pin_and_doors_and_journal_are_told() -> None:
    bare = table()
    hold_badge(bare, BOB_BADGE)
    number = type_pin(bare, ANN_PIN)
    signed = [PersonSignedIn("Bob", "dealer", "badge"), PersonSignedIn("Ann", "floor", "pin")]
    bare.take()
    assert [said for said in bare.told if isinstance(said, PersonSignedIn)] == signed
    assert events(bare, SignedIn) == [SignedIn("Bob", "dealer", "badge"), SignedIn("Ann", "floor", "pin")]
    source = bare.journal.records[-1].source
    assert source is not None
    assert (source.device, source.number) == ("keypad", number)


@pytest.mark.parametrize("digits", [NOBODYS_PIN, CID_PIN])
def test_a_pin_of_nobody_or_of_somebody_disabled_is_an_alert_that_says_no_more(digits: str) -> None:
    bare = table()
    type_pin(bare, digits)
    assert alerts(bare) == [Alert("credential-unknown", "a PIN that nobody has was tried at the keypad")]
    assert events(bare, SignedIn) == []


def test_a_strange_badge_is_an_alert() -> None:
    bare = table()
    hold_badge(bare, b"\x01\x02\x03\x04")
    assert alerts(bare) == [Alert("credential-unknown", "a badge that nobody has was tried at the keypad")]


def test_after_five_wrong_pins_the_sixth_is_not_looked_at() -> None:
    bare = table()
    for _ in range(5):
        type_pin(bare, NOBODYS_PIN)
    type_pin(bare, ANN_PIN)
    assert [alert.code for alert in alerts(bare)] == ["credential-unknown"] * 5 + ["credential-locked"]


def test_at_a_table_without_people_a_badge_says_that_there_are_none() -> None:
    bare = Bare()
    bare.power_up()
    hold_badge(bare, ANN_BADGE)
    assert alerts(bare) == [Alert("people-unusable", "the table's configuration names no people")]


def test_no_record_and_no_notice_holds_a_pin_or_a_badge() -> None:
    bare = table()
    for digits in PINS:
        type_pin(bare, digits)
    for uid in (*BADGES, b"\x01\x02\x03\x04"):
        hold_badge(bare, uid)
    bare.take()
    values = ((record.event, *record.decisions) for record in bare.journal.records)
    stored = [split(value) for of_record in values for value in of_record if value is not None]
    texts = [json.dumps(stored), repr(bare.journal.records), msgspec.json.encode(bare.told).decode()]
    for text in texts:
        assert "Ann" in text
        assert not any(digits in text for digits in PINS)
        assert not any(uid.hex() in text.lower() or repr(uid) in text for uid in BADGES)


# What waits behind a badge or a PIN


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def waiting(slow: Slow) -> Bare:
    bare = Bare(checker=slow)
    bare.power_up()
    bare.service.acks.clear()
    return bare


def test_what_the_keypad_says_behind_a_pin_waits_for_it_and_nothing_else_does(
    waiting: Bare, slow: Slow
) -> None:
    first = type_pin(waiting, BOB_PIN)
    second = waiting.press(Key.UNDO)
    third = hold_badge(waiting, ANN_BADGE)
    fourth = waiting.press(Key.FLOOR)
    assert slow.waiting == ["pin"]
    assert (events(waiting, SignedIn, Keyed), list(waiting.service.acks)) == ([], [])
    assert not waiting.service.at_rest
    waiting.shuffler_is(cards_in_input=True)
    assert [device for device, _ in waiting.service.acks] == ["shuffler"]
    slow.deliver()
    waiting.service.settle()
    bob, ann = SignedIn("Bob", "dealer", "pin"), SignedIn("Ann", "floor", "badge")
    assert events(waiting, SignedIn, Keyed) == [bob, Keyed("undo")]
    assert slow.waiting == ["badge"]
    slow.deliver()
    waiting.service.settle()
    assert events(waiting, SignedIn, Keyed) == [bob, Keyed("undo"), ann, Keyed("floor")]
    keypad = [mark for device, mark in waiting.service.acks if device == "keypad"]
    assert keypad == [Mark(BOOT, number) for number in (first, second, third, fourth)]


def test_a_pin_is_acknowledged_only_once_what_became_of_it_is_durable(waiting: Bare, slow: Slow) -> None:
    number = type_pin(waiting, BOB_PIN)
    waiting.journal.held = True
    slow.deliver()
    waiting.service.settle()
    assert not waiting.service.acks
    waiting.journal.durable = waiting.journal.last
    waiting.service.settle()
    assert list(waiting.service.acks) == [("keypad", Mark(BOOT, number))]


def test_a_keypad_that_boots_meanwhile_has_said_nothing(waiting: Bare, slow: Slow) -> None:
    type_pin(waiting, BOB_PIN)
    waiting.press(Key.FLOOR)
    waiting.answers("keypad", boot=BOOT + 1)
    slow.deliver()
    assert events(waiting, SignedIn, Keyed) == []
    waiting.press(Key.UNDO)
    assert events(waiting, SignedIn, Keyed) == [Keyed("undo")]


def test_a_keypad_that_comes_back_in_the_same_boot_is_still_waited_for(waiting: Bare, slow: Slow) -> None:
    type_pin(waiting, BOB_PIN)
    waiting.service.lost("keypad", "unplugged")
    waiting.answers("keypad")
    slow.deliver()
    assert events(waiting, SignedIn) == [SignedIn("Bob", "dealer", "pin")]


# The floor at the keypad


@pytest.fixture
def halted() -> Bare:
    bare = table()
    bare.begin_hand()
    bare.press(Key.FLOOR)
    assert PhaseEntered(phase="halted") in bare.decisions
    return bare


@pytest.mark.parametrize(
    ("key", "decision", "refusals"),
    [(Key.YES, "accept", ["floor: accept", "yes"]), (Key.NO, "stand", ["no"])],
    ids=["accept, where nothing is proposed", "stand"],
)
def test_a_floor_decides_once_by_a_key_behind_his_badge(
    halted: Bare, key: Key, decision: str, refusals: list[str]
) -> None:
    hold_badge(halted, ANN_BADGE)
    halted.time["keypad"] += FLOOR_MS
    halted.press(key)
    halted.press(key)
    assert FLOOR_KEYS[key.label] == decision
    assert [msgspec.to_builtins(event) for event in decided(halted)] == [
        {"event": "floor", "decision": decision, "who": "Ann", "reason": KEYPAD_REASON, **NAMES_NOTHING}
    ]
    refused = [said.what for said in halted.decisions if isinstance(said, Refused)]
    assert refused == refusals


def test_a_floor_s_badge_is_good_for_a_minute_of_the_keypad_s_time(halted: Bare) -> None:
    type_pin(halted, ANN_PIN)
    halted.time["keypad"] += FLOOR_MS + 1
    halted.press(Key.YES)
    assert decided(halted) == []


def test_the_keypad_s_clock_may_begin_anew_in_between() -> None:
    bare = Bare(checker=known_at_once(), time=WRAP - 2000)
    bare.power_up()
    bare.begin_hand()
    bare.press(Key.FLOOR)
    type_pin(bare, ANN_PIN)
    bare.time["keypad"] = 3000
    bare.press(Key.NO)
    assert len(decided(bare)) == 1


@pytest.mark.parametrize("digits", [BOB_PIN, CID_PIN, NOBODYS_PIN])
def test_nobody_else_s_pin_lets_a_key_decide(halted: Bare, digits: str) -> None:
    type_pin(halted, digits)
    halted.press(Key.YES)
    assert decided(halted) == []


def test_another_key_decides_nothing_and_uses_nothing_up(halted: Bare) -> None:
    type_pin(halted, ANN_PIN)
    halted.press(Key.NEXT)
    halted.press(Key.YES)
    assert len(decided(halted)) == 1


def test_a_badge_that_was_shown_before_the_halt_lets_no_key_decide() -> None:
    bare = table()
    type_pin(bare, ANN_PIN)
    bare.begin_hand()
    bare.press(Key.FLOOR)
    bare.press(Key.YES)
    assert decided(bare) == []


def test_a_keypad_that_boots_forgets_whose_badge_it_read(halted: Bare) -> None:
    type_pin(halted, ANN_PIN)
    halted.answers("keypad", boot=BOOT + 1)
    halted.press(Key.YES)
    assert decided(halted) == []


# A dealer must sign in


def test_where_it_is_required_no_hand_begins_before_a_dealer_has_signed_in() -> None:
    bare = table(require_sign_in=True)
    bare.begin_hand()
    assert [said for said in bare.decisions if isinstance(said, Refused)] == [Refused("ack", NOBODY_DEALS)]
    type_pin(bare, ANN_PIN)
    bare.press(Key.ACK)
    assert PhaseEntered(phase="shuffle") not in bare.decisions, "a floor does not deal"
    type_pin(bare, BOB_PIN)
    bare.press(Key.ACK)
    assert PhaseEntered(phase="shuffle") in bare.decisions


def test_where_it_is_not_a_hand_begins_without_a_name() -> None:
    bare = table()
    bare.begin_hand()
    assert PhaseEntered(phase="shuffle") in bare.decisions
    assert events(bare, CredentialRefused) == []


def test_a_floor_who_did_not_use_his_badge_shows_it_again_at_the_next_halt() -> None:
    halts = [True]
    taken: list[object] = []
    reception = Reception(
        known_at_once(), lambda _number, _message, event: taken.append(event), lambda: halts[0]
    )
    reception.comes(1, wire.PinTyped(0, ANN_PIN))
    reception.halt_is_over()
    reception.comes(2, wire.KeyPressed(1, Key.YES, 0))
    assert taken == [SignedIn("Ann", "floor", "pin"), None]


def test_a_badge_counts_for_the_halt_at_which_it_was_shown_and_for_no_other() -> None:
    halts = [False]
    taken: list[object] = []
    reception = Reception(
        known_at_once(), lambda _number, _message, event: taken.append(event), lambda: halts[0]
    )
    reception.comes(1, wire.PinTyped(0, ANN_PIN))
    halts[0] = True
    reception.comes(2, wire.KeyPressed(1, Key.YES, 0))
    assert taken == [SignedIn("Ann", "floor", "pin"), None]


def test_once_the_halt_is_over_the_floor_s_key_is_a_key_like_any_other(
    halted: Bare, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_pin(halted, ANN_PIN)
    with monkeypatch.context() as over:
        over.setattr(Table, "phase", property(lambda _table: "done"))
        halted.shuffler_is()
    halted.press(Key.YES)
    assert decided(halted) == []
