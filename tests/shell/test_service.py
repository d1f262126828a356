"""The order of things: what may leave before an entry is durable, what must wait, and what comes again."""

from dataclasses import replace

import pytest

from controller.cards import DECK
from controller.decisions import Alert, Command, PhaseEntered, Prompt
from controller.events import Arrived, DeviceLost, DeviceName, EventsLost, Faulted, ShoeReady
from controller.journal import MemoryJournal
from controller.notices import PromptShown
from controller.orders import SAFE_AT_ONCE
from controller.places import MUCK
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import ShufflerCaps
from firmware_bridge.codes import Facing, Key, Outcome, Reason, Zone
from firmware_bridge.events import Mark
from tests.shell import packs
from tests.shell.bare import BOOT, CAPS, Bare, HandJournal
from tests.shell.joined import Joined

WRAP = 1 << 32
STEP_MS = 30_000


@pytest.fixture
def bare() -> Bare:
    bare = Bare()
    bare.power_up()
    bare.service.acks.clear()
    return bare


def _alerts(bare: Bare) -> list[str]:
    return [decision.code for decision in bare.decisions if isinstance(decision, Alert)]


def _is_halted(bare: Bare) -> bool:
    return PhaseEntered(phase="halted") in bare.decisions


# Durable first


def test_an_event_is_acknowledged_only_once_it_is_durable(bare: Bare) -> None:
    bare.journal.held = True
    first = bare.press(Key.UNDO)
    second = bare.press(Key.UNDO)
    bare.service.settle()
    assert not bare.service.acks
    bare.journal.durable += 1
    bare.service.settle()
    assert list(bare.service.acks) == [("keypad", Mark(BOOT, first))]
    bare.journal.durable += 1
    bare.service.settle()
    assert list(bare.service.acks) == [("keypad", Mark(BOOT, first)), ("keypad", Mark(BOOT, second))]


def test_an_event_that_means_nothing_to_the_core_is_written_down_like_any_other(bare: Bare) -> None:
    bare.journal.held = True
    entries = bare.journal.last
    bare.press(Key.UNDO)
    shown = bare.say("prompts", lambda time: wire.Shown(time, 1, Outcome.DONE, Reason.NONE))
    assert bare.journal.last == entries + 2
    assert [record.heard for record in bare.journal.heard[-1:]] == ["SHOWN"]
    assert not bare.service.acks
    bare.journal.durable = bare.journal.last
    bare.service.settle()
    assert bare.service.acks[-1] == ("prompts", Mark(BOOT, shown))


def test_a_command_that_moves_a_card_leaves_only_after_its_causes_are_durable(bare: Bare) -> None:
    bare.journal.held = True
    bare.begin_hand()
    assert [d.command for d in bare.decisions if isinstance(d, Command)] == ["feed"]
    assert not bare.waiting()
    bare.journal.durable = bare.journal.last - 1
    bare.service.settle()
    assert not bare.waiting()
    bare.journal.durable = bare.journal.last
    bare.service.settle()
    ((device, feed),) = bare.waiting()
    assert device == "shuffler"
    assert isinstance(feed, wire.Feed)


def test_a_prompt_leaves_at_once(bare: Bare) -> None:
    bare.journal.held = True
    bare.begin_hand()
    shown = [message.code.label for _, message in bare.service.outbox if isinstance(message, wire.Show)]
    assert shown[-1] == "wait-machine"


def test_the_doors_are_told_nothing_that_could_still_be_forgotten(bare: Bare) -> None:
    bare.take()
    bare.journal.held = True
    bare.begin_hand()
    assert not bare.service.notices
    assert not bare.service.at_rest
    bare.journal.durable = bare.journal.last
    bare.service.settle()
    assert any(notice.said == PhaseEntered(phase="shuffle") for notice in bare.service.notices)


def test_shutting_the_gate_leaves_at_once_and_is_the_only_command_that_does(bare: Bare) -> None:
    bare.journal.held = True
    bare.press(Key.FLOOR)
    ((device, lock),) = bare.waiting()
    assert device == "shoe"
    assert isinstance(lock, wire.Lock)
    assert list(SAFE_AT_ONCE) == ["lock"]


def test_what_an_event_caused_is_handed_on_before_it_is_acknowledged(bare: Bare) -> None:
    bare.journal.held = True
    bare.begin_hand()
    bare.take()
    bare.journal.durable = bare.journal.last
    order: list[str] = []
    service = bare.service

    class Noted(type(service.outbox)):  # type: ignore[misc]
        def append(self, item: object) -> None:
            order.append("command" if self is service.outbox else "ack")
            super().append(item)

    service.outbox, service.acks = Noted(), Noted()
    service.settle()
    assert order == ["command", "ack", "ack"]


# Ids


def _ids(joined: Joined) -> list[tuple[DeviceName, str, int]]:
    return [(name, m.NAME, m.id) for name, m in joined.sent if isinstance(m, wire.Command)]


def test_the_same_cause_has_the_same_id_and_every_other_one_another() -> None:
    first, second = Joined(MemoryJournal()), Joined(MemoryJournal())
    for joined in (first, second):
        joined.play_until("done")
        joined.play_until("done")
    ids = _ids(first)
    assert ids == _ids(second)
    assert {name for _, name, _ in ids} >= {"FEED", "SHUFFLE", "BURN", "RELEASE_LID"}
    assert len({id_ for _, _, id_ in ids}) == len(ids)


def _feed_id(bare: Bare) -> int:
    bare.power_up()
    bare.begin_hand()
    return bare.taken(wire.Feed)[0].id


def test_another_table_and_another_entry_make_another_id() -> None:
    assert _feed_id(Bare()) == _feed_id(Bare())
    assert _feed_id(Bare(name="other")) != _feed_id(Bare())
    assert _feed_id(Bare(journal=HandJournal(last=40))) != _feed_id(Bare()), "a restart is no repeat"


# Devices that come and go


def test_the_same_boot_is_told_again_under_the_same_id_what_it_has_not_answered(bare: Bare) -> None:
    bare.begin_hand()
    (feed,) = bare.taken(wire.Feed)
    bare.service.lost("shuffler", "unplugged")
    bare.take()
    bare.answers("shuffler")
    assert [m for m in (message for _, message in bare.take()) if isinstance(m, wire.Command)] == [feed]
    bare.obey("shuffler", feed)
    bare.carry_out()
    bare.service.lost("shuffler", "unplugged")
    bare.answers("shuffler")
    assert feed not in [message for _, message in bare.take()], "it has been answered"


def test_what_was_answered_is_not_told_again_even_if_nothing_was_told_since(bare: Bare) -> None:
    bare.begin_hand()
    bare.carry_out()
    last = next(m for name, m in reversed(bare.sent) if isinstance(m, wire.Command))
    bare.service.lost("shuffler", "unplugged")
    bare.answers("shuffler")
    assert last not in [message for _, message in bare.take()]


def test_a_command_that_waited_while_its_device_was_away_is_sent_when_it_is_back(bare: Bare) -> None:
    bare.journal.held = True
    bare.begin_hand()
    bare.service.lost("shuffler", "unplugged")
    bare.journal.durable = bare.journal.last
    bare.service.settle()
    bare.take()  # nobody is there to get it
    bare.answers("shuffler")
    bare.journal.durable = bare.journal.last
    bare.service.settle()
    (again,) = {m.id for _, m in bare.waiting()}
    assert again == bare.taken(wire.Feed)[0].id


@pytest.mark.parametrize(("boot", "restarted"), [(BOOT + 1, False), (BOOT + 1, True), (BOOT, True)])
def test_another_boot_is_told_nothing_of_what_the_last_one_was_told(
    bare: Bare, boot: int, restarted: bool
) -> None:
    bare.deliver()
    bare.shuffler_is()
    bare.carry_out()
    bare.press(Key.ACK)  # the cut card lies under the pack: the shoe's lid is freed
    (release,) = bare.waiting()
    assert release[1] == bare.taken(wire.ReleaseLid)[-1]
    assert not bare.service.at_rest
    bare.answers("shoe", boot=boot, restarted=restarted)
    assert [type(m) for device, m in bare.waiting() if device == "shoe"] == [wire.Lock]
    assert ShoeReady(gate=True, burner=True, restarted=True) in [r.event for r in bare.journal.records]
    assert _alerts(bare)[-1] == "alignment-required"
    assert _is_halted(bare)
    bare.carry_out()
    bare.service.acks.clear()
    assert bare.service.at_rest, "nobody waits for the answer of a boot that is over"


def test_a_command_that_still_waits_never_reaches_another_boot(bare: Bare) -> None:
    bare.journal.held = True
    bare.begin_hand()
    bare.answers("shuffler", boot=BOOT + 1)
    bare.journal.durable = bare.journal.last
    bare.service.settle()
    bare.carry_out()
    assert not bare.taken(wire.Feed)


def test_an_acknowledgement_for_one_boot_never_goes_to_another(bare: Bare) -> None:
    bare.journal.held = True
    bare.press(Key.UNDO)
    bare.answers("keypad", boot=BOOT + 1)
    bare.journal.durable = bare.journal.last
    bare.service.settle()
    assert not [ack for ack in bare.service.acks if ack[0] == "keypad"]


def test_a_lost_device_is_told_and_the_prompt_stands_again_when_it_is_back(bare: Bare) -> None:
    bare.service.lost("keypad", "it was unplugged")
    assert DeviceLost(device="keypad", why="it was unplugged") in [r.event for r in bare.journal.records]
    assert bare.prompt == "device-lost"
    bare.answers("keypad")
    assert bare.prompt == "deck-in"


def test_a_device_of_which_it_is_found_out_why_it_stays_away_is_told_again_but_asked_for_once(
    bare: Bare,
) -> None:
    bare.service.lost("keypad", "it was unplugged")
    told = len(bare.taken(wire.Show))
    bare.service.lost("keypad", "another one is plugged in")
    assert [d.text for d in bare.decisions if isinstance(d, Alert)][-2:] == [
        "it was unplugged",
        "another one is plugged in",
    ]
    assert (len(bare.taken(wire.Show)), bare.prompt) == (told, "device-lost")


def test_a_ring_that_is_back_shows_the_standing_prompt(bare: Bare) -> None:
    bare.service.lost("prompts", "it was unplugged")
    bare.begin_hand()
    assert not [m for _, m in bare.take() if isinstance(m, wire.Show)], "nobody is there to show it"
    bare.answers("prompts")
    shown = [m for _, m in bare.take() if isinstance(m, wire.Show)]
    assert {m.code.label for m in shown} == {"wait-machine"}
    assert [said.code for said in bare.told if isinstance(said, PromptShown)][-1] == "wait-machine"


def test_what_is_acknowledged_is_sent_and_told_again_by_its_calm_pattern(bare: Bare) -> None:
    bare.begin_hand()
    bare.press(Key.FLOOR)
    bare.take()
    bare.press(Key.ACK)
    sent = bare.take()
    shown = [said for said in bare.told if isinstance(said, PromptShown)][-2:]
    assert [(said.code, said.acknowledged) for said in shown] == [("call-floor", False), ("call-floor", True)]
    assert [{lit.pattern for lit in said.lit} for said in shown] == [{"urgent"}, {"steady"}]
    assert [m.code.label for _, m in sent if isinstance(m, wire.Show)] == ["call-floor"]


def test_what_was_calm_already_is_neither_sent_nor_told_again(bare: Bare) -> None:
    bare.begin_hand()
    bare.take()
    told = [said for said in bare.told if isinstance(said, PromptShown)]
    bare.press(Key.ACK)
    sent = bare.take()
    assert bare.journal.records[-1].decisions[-1] == Prompt(code="wait-machine", acknowledged=True)
    assert [said for said in bare.told if isinstance(said, PromptShown)] == told
    assert not [m for _, m in sent if isinstance(m, wire.Show)]


def test_events_that_are_gone_are_told_after_the_device(bare: Bare) -> None:
    bare.begin_hand()
    bare.answers("zones", lost=1)
    assert bare.journal.records[-1].event == EventsLost(device="zones", count=1)
    assert _is_halted(bare)


# The shuffler's table


def _tables(bare: Bare) -> int:
    return len(bare.taken(wire.DeckEnd))


def test_a_table_of_tags_with_a_wrong_checksum_is_loaded_again() -> None:
    bare = Bare()
    bare.answers("shuffler")
    assert _tables(bare) == 1
    bare.confirm_deck(wrong=True)
    assert _tables(bare) == 2
    assert not bare.journal.records, "the shuffler is not ready yet"
    assert not bare.service.at_rest
    bare.confirm_deck()
    assert [type(record.event).__name__ for record in bare.journal.records] == ["ShufflerReady"]
    assert _tables(bare) == 2


def test_a_shuffler_that_never_confirms_its_table_is_told_to_a_technician_and_left_alone() -> None:
    bare = Bare()
    bare.answers("shuffler")
    for _ in range(6):
        bare.confirm_deck(wrong=True)
    assert _tables(bare) == 3
    events = [record.event for record in bare.journal.records]
    assert events == [Faulted(device="shuffler", fault="deck-table", state="begun")]


def test_the_table_of_tags_is_loaded_once_a_boot(bare: Bare) -> None:
    assert _tables(bare) == 1
    bare.service.lost("shuffler", "unplugged")
    bare.answers("shuffler")
    assert _tables(bare) == 1
    bare.answers("shuffler", boot=BOOT + 1)
    assert _tables(bare) == 2
    bare.carry_out()
    bare.answers("shuffler", boot=BOOT + 1, restarted=True)
    assert _tables(bare) == 3


def test_a_table_of_tags_that_was_cut_short_is_loaded_again() -> None:
    bare = Bare()
    bare.answers("shuffler")
    bare.service.lost("shuffler", "unplugged")
    bare.answers("shuffler")
    assert _tables(bare) == 2


def test_a_shuffler_is_ready_once_it_has_confirmed_the_table_of_each_of_two_decks() -> None:
    bare = Bare(other="blue")
    bare.answers("shuffler")
    assert [end.deck for end in bare.taken(wire.DeckEnd)] == [0, 1]
    bare.confirm_deck(1)
    assert not bare.journal.records
    bare.confirm_deck(0)
    assert [type(record.event).__name__ for record in bare.journal.records] == ["ShufflerReady"]


def test_a_table_of_two_that_is_wrong_is_loaded_again_with_the_other() -> None:
    bare = Bare(other="blue")
    bare.answers("shuffler")
    bare.confirm_deck(0)
    bare.confirm_deck(1, wrong=True)
    assert _tables(bare) == 4
    bare.confirm_deck(1)
    assert not bare.journal.records
    bare.confirm_deck(0)
    assert [type(record.event).__name__ for record in bare.journal.records] == ["ShufflerReady"]


def test_a_shuffler_without_room_for_both_tables_is_told_to_a_technician(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caps = CAPS["shuffler"]
    assert isinstance(caps, ShufflerCaps)
    monkeypatch.setitem(CAPS, "shuffler", replace(caps, slots=1))
    bare = Bare(other="blue")
    bare.answers("shuffler")
    events = [record.event for record in bare.journal.records]
    assert events == [Faulted(device="shuffler", fault="deck-table", state="begun")]


def test_a_card_is_of_the_deck_that_the_hand_is_dealt_from() -> None:
    bare = Bare(other="blue")
    bare.power_up()
    bare.begin_hand()
    arrived = wire.Arrived(bare.time["zones"], Zone.MUCK, Facing.DOWN, packs.BLUE[DECK[0]])
    bare.say("zones", lambda _: arrived)
    assert bare.journal.records[-1].event == Arrived(
        time=arrived.time, place=MUCK, facing="down", what="other-deck"
    )


# Deadlines


def _tick(bare: Bare, device: DeviceName, later_ms: int) -> None:
    bare.time[device] = (bare.time[device] + later_ms) % WRAP
    bare.service.ticked(device, bare.time[device])


@pytest.mark.parametrize("time", [1000, 0, WRAP - 10_000, WRAP // 2 - 5, WRAP // 2 + 5, 3_000_000_000])
def test_a_deadline_is_met_up_to_its_last_millisecond_and_missed_behind_it(time: int) -> None:
    bare = Bare(time=time)
    bare.power_up()
    bare.deliver()
    _tick(bare, "shuffler", STEP_MS)
    assert not _is_halted(bare)
    _tick(bare, "shuffler", 1)
    assert _is_halted(bare)
    assert _alerts(bare) == ["step-late"]


def test_a_deadline_runs_in_the_time_of_its_own_device(bare: Bare) -> None:
    bare.deliver()
    for device in CAPS:
        if device != "shuffler":
            _tick(bare, device, 10 * STEP_MS)
    assert not _is_halted(bare)


def test_an_event_at_a_later_time_makes_a_deadline_fall_due_before_it_counts(bare: Bare) -> None:
    bare.deliver()
    bare.time["shuffler"] += STEP_MS + 1
    bare.shuffler_is()
    assert [type(record.event).__name__ for record in bare.journal.records[-2:]] == [
        "DeadlinePassed",
        "ShufflerState",
    ]
    assert _is_halted(bare)


def test_an_event_within_the_time_meets_the_deadline(bare: Bare) -> None:
    bare.deliver()
    bare.time["shuffler"] += STEP_MS
    bare.shuffler_is()
    _tick(bare, "shuffler", 1)
    assert not _is_halted(bare)


def test_a_time_that_is_older_than_one_already_told_changes_nothing(bare: Bare) -> None:
    bare.deliver()
    bare.service.ticked("shuffler", (bare.time["shuffler"] - 5000) % WRAP)
    assert bare.service.times["shuffler"] == bare.time["shuffler"]
    assert not _is_halted(bare)


def test_only_the_tick_that_makes_a_deadline_fall_due_is_journaled(bare: Bare) -> None:
    bare.deliver()
    entries = bare.journal.last
    for _ in range(30):
        _tick(bare, "shuffler", 250)
        _tick(bare, "shoe", 250)
    assert bare.journal.last == entries


# At rest


def _rests(bare: Bare) -> bool:
    return bare.service.at_rest


def test_a_table_is_at_rest_only_when_everything_is_handled_stored_and_answered(bare: Bare) -> None:
    assert _rests(bare)
    bare.journal.held = True
    bare.begin_hand()
    assert not _rests(bare), "prompts lie in the outbox"
    show = next(m for _, m in bare.take() if isinstance(m, wire.Show))
    assert not _rests(bare), "a command waits for the disk"
    bare.journal.held = False
    bare.journal.durable = bare.journal.last
    bare.service.settle()
    bare.service.acks.clear()
    ((_, feed),) = bare.waiting()
    bare.take()
    bare.obey("prompts", show)
    bare.service.acks.clear()
    assert not _rests(bare), "a command has no answer"
    refused = wire.Result(bare.time["shuffler"], feed.id, feed.TYPE, Outcome.REFUSED, Reason.JAM, 0)
    bare.say("shuffler", lambda time: refused)
    (lock,) = bare.waiting()
    call = [m for _, m in bare.take() if isinstance(m, wire.Show)][-1]
    bare.obey("shoe", lock[1])
    bare.service.acks.clear()
    assert not _rests(bare), "the ring has not confirmed the last prompt"
    bare.obey("prompts", show)
    bare.service.acks.clear()
    assert not _rests(bare), "it has confirmed the one before"
    bare.obey("prompts", call)
    assert not _rests(bare), "an acknowledgement was not handed on"
    bare.service.acks.clear()
    assert _rests(bare)
