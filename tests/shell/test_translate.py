"""Between the wire and the core: what each message means, and that no UID gets past this place."""

import random
from typing import cast

import pytest

from controller import events
from controller.cards import DECK, Card
from controller.decisions import Command, CommandName
from controller.events import AnyEvent
from controller.places import Place
from controller.translate import DeckInUse, Translator
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import (
    Capabilities,
    KeypadCaps,
    PromptsCaps,
    ShoeCaps,
    ShufflerCaps,
    ZonesCaps,
)
from firmware_bridge.codes import (
    Action,
    Charset,
    Cover,
    DrawFlags,
    Facing,
    Fault,
    Gate,
    Key,
    Lid,
    Mode,
    Outcome,
    Reason,
    Stage,
    Verdict,
    Way,
    Zone,
)
from firmware_bridge.devices.shuffler import deck_crc, indices, mask
from tests.shell import packs

ACE, KING, TEN = Card("As"), Card("Kh"), Card("Td")
NO_FLAGS = DrawFlags(0)


def _indices_order() -> list[bytes]:
    tags = sorted(packs.UIDS.values())
    random.Random(7).shuffle(tags)
    return tags


@pytest.fixture
def translator() -> Translator:
    return Translator(packs.registry(), [DeckInUse(packs.deck(), tuple(_indices_order()))])


def _draw(
    *uids: bytes, seen: int | None = None, flags: DrawFlags = NO_FLAGS, way: Way = Way.HAND
) -> wire.Draw:
    return wire.Draw(70, 9, way, flags, 180, len(uids) if seen is None else seen, uids)


ACE_TAG, KING_TAG, TEN_TAG = (packs.UIDS[card] for card in (ACE, KING, TEN))


@pytest.mark.parametrize(
    ("message", "what", "cards"),
    [
        (_draw(ACE_TAG), "card", (ACE,)),
        (_draw(), "unread", ()),
        (_draw(seen=1), "unread", ()),
        (_draw(ACE_TAG, KING_TAG), "double", (ACE, KING)),
        (_draw(ACE_TAG, seen=2), "double", (ACE,)),
        (_draw(seen=2), "double", ()),
        (_draw(ACE_TAG, KING_TAG, TEN_TAG), "double", (ACE, KING, TEN)),
        (_draw(ACE_TAG, KING_TAG, TEN_TAG, seen=5), "double", (ACE, KING, TEN)),
        (_draw(ACE_TAG, packs.CUT_CARD), "double", (ACE,)),
        (_draw(ACE_TAG, packs.FOREIGN), "foreign", (ACE,)),
        (_draw(ACE_TAG, flags=DrawFlags.BOXED), "boxed", (ACE,)),
        (_draw(ACE_TAG, flags=DrawFlags.REVERSED), "reversed", (ACE,)),
        (_draw(ACE_TAG, flags=DrawFlags.REVERSED | DrawFlags.BOXED), "reversed", (ACE,)),
        (_draw(ACE_TAG, KING_TAG, flags=DrawFlags.BOXED), "double", (ACE, KING)),
        (_draw(packs.FOREIGN), "foreign", ()),
        (_draw(packs.FOREIGN, flags=DrawFlags.BOXED), "foreign", ()),
        (_draw(packs.CUT_CARD), "cut-card", ()),
        (_draw(packs.CUT_CARD, flags=DrawFlags.BOXED), "cut-card", ()),
    ],
)
def test_a_draw_is_what_passed_the_lip_and_the_cards_that_were_read(
    translator: Translator, message: wire.Draw, what: str, cards: tuple[Card, ...]
) -> None:
    event = translator.event("shoe", message)
    assert isinstance(event, events.Drew)
    assert (event.what, event.cards) == (what, cards)
    assert (event.time, event.number, event.way) == (70, 9, "hand")


def test_a_draw_tells_whether_the_burner_made_it(translator: Translator) -> None:
    event = translator.event("shoe", _draw(ACE_TAG, way=Way.BURNER))
    assert isinstance(event, events.Drew)
    assert event.way == "burner"


MEANINGS: list[tuple[wire.Message, AnyEvent | None]] = [
    (
        wire.Arrived(5, Zone.SEAT_4, Facing.DOWN, ACE_TAG),
        events.Arrived(time=5, place=Place("seat:4"), facing="down", what="card", card=ACE),
    ),
    (
        wire.Arrived(5, Zone.BOARD, Facing.UP, packs.FOREIGN),
        events.Arrived(time=5, place=Place("board"), facing="up", what="foreign"),
    ),
    (
        wire.Arrived(5, Zone.CUT_PLATE, Facing.UNKNOWN, packs.CUT_CARD),
        events.Arrived(time=5, place=Place("cut-plate"), facing="unknown", what="cut-card"),
    ),
    (
        wire.Turned(6, Zone.SEAT_11, Facing.UP, KING_TAG),
        events.Turned(time=6, place=Place("seat:11"), facing="up", card=KING),
    ),
    (
        wire.Turned(6, Zone.MUCK, Facing.UP, packs.FOREIGN),
        events.Turned(time=6, place=Place("muck"), facing="up"),
    ),
    (wire.KeyPressed(7, Key.PLAYS_BOARD, 0), events.Keyed(key="plays-board")),
    (wire.KeyPressed(7, Key.EXPOSED, 6), events.Keyed(key="exposed", seat=6)),
    (wire.Act(8, 4, Action.BET_OR_RAISE, 60), events.Acted(seat=4, action="bet-or-raise", amount=60)),
    (wire.Act(8, 5, Action.CHECK_OR_CALL, 0), events.Acted(seat=5, action="check-or-call")),
    (wire.Gap(9, 3), events.EventsLost(device="shoe", count=3)),
    (
        wire.DeviceFault(9, Fault.DOUBLE_FEED, False, 7),
        events.Faulted(device="shoe", fault="double-feed", state="begun"),
    ),
    (wire.DeviceFault(9, Fault.JAM, True, 7), events.Faulted(device="shoe", fault="jam", state="ended")),
    (wire.ShoeState(1, Lid.LOCKED, False, Gate.NO_GATE, 0), events.ShoeState(lid="locked", content="cards")),
    (wire.ShoeState(1, Lid.RELEASED, True, Gate.SHUT, 0), events.ShoeState(lid="released", content="empty")),
    (wire.ShoeState(1, Lid.OPEN, True, Gate.SHUT, 0), events.ShoeState(lid="open", content="empty")),
    (
        wire.ShufflerState(1, True, False, Cover.SHUT, Mode.SHUFFLE, Stage.HELD, 52),
        events.ShufflerState(
            input="cards", output="none", cover="shut", mode="shuffle", held=52, stage="held"
        ),
    ),
    (
        wire.ShufflerState(1, False, True, Cover.OPEN, Mode.SERVICE, Stage.DELIVERED, 0),
        events.ShufflerState(
            input="none", output="cards", cover="open", mode="service", held=0, stage="delivered"
        ),
    ),
    (
        wire.ZonesState(1, 1 << 4 | 1 << 16 | 1 << 30),
        events.Occupied(places=(Place("seat:4"), Place("board"))),
    ),
    (wire.ZonesState(1, 0), events.Occupied(places=())),
    (wire.Shown(1, 3, Outcome.DONE, Reason.NONE), None),
    (wire.DeckReady(1, 0, 52, 0), None),
]


@pytest.mark.parametrize(("message", "event"), MEANINGS, ids=lambda value: type(value).__name__)
def test_a_message_means_one_event_to_the_core(
    translator: Translator, message: wire.Message, event: AnyEvent | None
) -> None:
    assert translator.event("shoe", message) == event


@pytest.mark.parametrize("zone", Zone)
def test_every_antenna_is_a_place_of_the_core(translator: Translator, zone: Zone) -> None:
    event = translator.event("zones", wire.Arrived(0, zone, Facing.DOWN, ACE_TAG))
    assert isinstance(event, events.Arrived)
    assert event.place == zone.label


@pytest.mark.parametrize(
    ("caps", "event"),
    [
        (ShoeCaps(True, False, True, 52), events.ShoeReady(gate=True, burner=False, restarted=True)),
        (
            ShufflerCaps(False, True, False, 10, 52, 30, 2),
            events.ShufflerReady(cuts=False, identifies=True, min_cards=10, max_cards=52, restarted=True),
        ),
        (
            ZonesCaps(True, frozenset({Zone.BOARD, Zone.SEAT_2})),
            events.ZonesReady(facing=True, places=(Place("seat:2"), Place("board")), restarted=True),
        ),
        (PromptsCaps(64, 20, 2, Charset.ASCII), events.PromptsReady(restarted=True)),
        (KeypadCaps(True, False, True), events.KeypadReady(acts=True, restarted=True)),
    ],
)
def test_a_device_that_answers_is_told_with_what_it_can_do(
    translator: Translator, caps: Capabilities, event: AnyEvent
) -> None:
    assert translator.ready(caps, restarted=True) == event


def _command(name: str, **more: object) -> Command:
    return Command(
        ref=5,
        device="shoe",
        command=cast(CommandName, name),
        phase="deal",
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (_command("burn"), wire.Burn(77)),
        (_command("lock"), wire.Lock(77)),
        (_command("unlock", cards=18), wire.Unlock(77, 18)),
        (_command("release-lid"), wire.ReleaseLid(77)),
        (_command("shuffle"), wire.Shuffle(77)),
        (_command("cut"), wire.Cut(77)),
        (_command("open-cover"), wire.OpenCover(77)),
        (_command("close-cover"), wire.CloseCover(77)),
        (_command("return"), wire.Return(77)),
    ],
)
def test_a_command_is_a_message_under_its_id(
    translator: Translator, command: Command, message: wire.Message
) -> None:
    assert translator.order(command, 77) == message


def test_a_set_travels_as_a_mask_over_the_shuffled_table(translator: Translator) -> None:
    order = _indices_order()
    assert order != sorted(order), "else the table would tell the cards"
    feed = translator.order(_command("feed", expected=(ACE, KING)), 77)
    assert isinstance(feed, wire.Feed)
    assert {order[i] for i in indices(feed.expected)} == {ACE_TAG, KING_TAG}
    everything = translator.order(_command("feed", expected=DECK), 78)
    assert isinstance(everything, wire.Feed)
    assert everything.expected == mask(range(52))


def _fed(id_: int, missing: bytes, surplus: bytes) -> wire.Fed:
    return wire.Fed(3, id_, Outcome.DONE, Reason.NONE, Verdict.WRONG, 51, 1, missing, surplus)


def test_what_a_feed_missed_and_had_too_much_is_named_by_card(translator: Translator) -> None:
    order = _indices_order()
    translator.order(_command("feed", expected=DECK), 77)
    missing = mask([order.index(ACE_TAG)])
    surplus = mask([order.index(TEN_TAG), 52, 55])  # the last two are of no tag of the table
    assert translator.event("shuffler", _fed(77, missing, surplus)) == events.Fed(
        ref=5,
        outcome="done",
        reason="none",
        verdict="wrong",
        count=51,
        strangers=1,
        missing=(ACE,),
        surplus=(TEN,),
    )


@pytest.fixture
def two_decks() -> Translator:
    """Red is deck 1, blue is deck 2."""
    blue = DeckInUse(packs.both().deck("blue"), tuple(sorted(packs.BLUE.values(), reverse=True)))
    return Translator(packs.both(), [DeckInUse(packs.deck(), tuple(_indices_order())), blue])


def test_a_card_is_named_only_where_it_is_of_the_deck_in_play(two_decks: Translator) -> None:
    red, blue = packs.UIDS[ACE], packs.BLUE[ACE]

    def lies(uid: bytes) -> events.AnyEvent | None:
        return two_decks.event("zones", wire.Arrived(5, Zone.SEAT_4, Facing.DOWN, uid))

    place = Place("seat:4")
    named = events.Arrived(time=5, place=place, facing="down", what="card", card=ACE)
    unnamed = events.Arrived(time=5, place=place, facing="down", what="other-deck")
    assert (lies(red), lies(blue)) == (named, unnamed)
    two_decks.in_play = 2
    assert (lies(red), lies(blue)) == (unnamed, named)


def test_a_card_of_the_other_deck_at_the_shoes_lip_is_foreign(two_decks: Translator) -> None:
    drew = two_decks.event("shoe", _draw(packs.BLUE[ACE]))
    assert isinstance(drew, events.Drew)
    assert (drew.what, drew.cards) == ("foreign", ())


def test_a_feed_and_its_answer_are_read_with_the_table_of_their_deck(two_decks: Translator) -> None:
    orders = {1: _indices_order(), 2: sorted(packs.BLUE.values(), reverse=True)}
    tags = {1: packs.UIDS, 2: packs.BLUE}
    for deck in (2, 1):
        feed = two_decks.order(_command("feed", expected=(ACE,), deck=deck), 70 + deck)
        assert isinstance(feed, wire.Feed)
        assert feed.deck == deck - 1
        assert {orders[deck][i] for i in indices(feed.expected)} == {tags[deck][ACE]}
    for deck in (1, 2):
        missing = mask([orders[deck].index(tags[deck][TEN])])
        fed = two_decks.event("shuffler", _fed(70 + deck, missing, bytes(7)))
        assert isinstance(fed, events.Fed)
        assert fed.missing == (TEN,)


def test_each_of_two_tables_is_confirmed_in_its_own_slot(two_decks: Translator) -> None:
    blue = deck_crc(sorted(packs.BLUE.values(), reverse=True))
    assert two_decks.confirms(wire.DeckReady(0, 1, 52, blue))
    assert not two_decks.confirms(wire.DeckReady(0, 0, 52, blue))
    assert not two_decks.confirms(wire.DeckReady(0, 2, 52, blue))


def test_an_answer_goes_to_the_command_that_it_answers(translator: Translator) -> None:
    translator.order(_command("burn"), 77)
    result = wire.Result(3, 77, wire.Burn.TYPE, Outcome.FAILED, Reason.JAM, 0)
    assert translator.event("shoe", result) == events.Answered(ref=5, outcome="failed", reason="jam", count=0)
    assert translator.event("shoe", wire.Result(3, 78, 0, Outcome.DONE, Reason.NONE, 0)) is None
    assert translator.event("shuffler", _fed(78, bytes(7), bytes(7))) is None


def test_the_shufflers_table_is_confirmed_by_slot_count_and_checksum(translator: Translator) -> None:
    tags = _indices_order()
    sent = [
        uid
        for message in translator.deck_tables()
        if isinstance(message, wire.DeckTags)
        for uid in message.uids
    ]
    assert sent == tags
    crc = deck_crc(tags)
    assert translator.confirms(wire.DeckReady(0, 0, 52, crc))
    assert not translator.confirms(wire.DeckReady(0, 1, 52, crc))
    assert not translator.confirms(wire.DeckReady(0, 0, 51, crc))
    assert not translator.confirms(wire.DeckReady(0, 0, 52, crc ^ 1))


def test_nothing_that_is_printed_shows_a_uid(translator: Translator) -> None:
    printed: list[object] = [
        translator,
        *translator.deck_tables(),
        _draw(ACE_TAG, KING_TAG, packs.FOREIGN),
        wire.Arrived(5, Zone.SEAT_4, Facing.DOWN, ACE_TAG),
        wire.Turned(5, Zone.SEAT_4, Facing.UP, packs.CUT_CARD),
        translator.event("shoe", _draw(ACE_TAG)),
        translator.event("zones", wire.Arrived(5, Zone.SEAT_4, Facing.DOWN, packs.FOREIGN)),
    ]
    for value in printed:
        assert not packs.any_uid_in(f"{value!r} {value}"), type(value).__name__


def test_a_card_that_is_no_member_ends_in_an_error_without_a_uid(translator: Translator) -> None:
    with pytest.raises(KeyError) as caught:
        translator.order(_command("feed", expected=(Card("joker"),)), 77)
    assert not packs.any_uid_in(repr(caught.value))
