"""A prompt is shown as a whole or not at all; a key is told once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hil_rigs.virtual.codes import Outcome, Pattern, Prompt, Reason, Type
from hil_rigs.virtual.crc import crc16
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.prompts import PromptsOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.virtual.hosts import DirectHost
from tests.virtual.script import Script

if TYPE_CHECKING:
    from hil_rigs.virtual.messages import Span


def _script(options: PromptsOptions | None = None) -> Script:
    return Script(DirectHost(VirtualTable(Setup(prompts=options or PromptsOptions()))))


def _show(script: Script, number: int, lit: tuple[Span, ...], text: bytes, **other: int) -> tuple[int, int]:
    values = {
        "code": 8,
        "seat": 4,
        "count": 2,
        "spans": len(lit),
        "length": len(text),
        "crc": crc16(b"".join(map(bytes, lit)) + text),
        **other,
    }
    script.send("prompts", Type.SHOW, prompt=number, **values)
    script.host.settle()
    shown = script.events(Type.SHOWN)[-1]
    assert shown["prompt"] == number
    return shown.num("outcome"), shown.num("reason")


def test_a_whole_prompt_is_shown_with_its_code_seat_count_text_and_lights() -> None:
    script = _script()
    assert script.show(Prompt.DEAL_HOLE, 4, 2, "Distribuisci è\n4 cartè")["outcome"] == 0
    shown = script.table.prompts.display
    assert shown is not None
    assert (shown.code, shown.seat, shown.count) == (8, 4, 2)
    assert shown.text == "Distribuisci è\n4 cartè"
    assert shown.spans == ((0, 3, 4, 0), (10, 2, 1, 3))
    assert script.table.prompts.history == [shown]


@pytest.mark.parametrize("wrong", [{"spans": 2}, {"length": 5}, {"crc": 1}, {"spans": 0}, {"length": 3}])
def test_an_incomplete_prompt_is_refused_and_the_old_one_stays(wrong: dict[str, int]) -> None:
    script = _script()
    script.show(Prompt.BURN)
    span = (1, 2, 3, 0)
    script.send("prompts", Type.LEDS, prompt=50, spans=(span,))
    script.send("prompts", Type.TEXT, prompt=50, offset=0, chunk=b"Seat")
    assert _show(script, 50, (span,), b"Seat", **wrong) == (Outcome.REFUSED, Reason.INCOMPLETE)
    assert script.table.prompts.display == script.table.prompts.history[0]
    assert _show(script, 50, (span,), b"Seat") == (Outcome.DONE, Reason.NONE)


def test_only_the_last_prompt_is_remembered() -> None:
    script = _script()
    script.send("prompts", Type.TEXT, prompt=1, offset=0, chunk=b"one")
    script.send("prompts", Type.TEXT, prompt=2, offset=0, chunk=b"two")
    assert _show(script, 1, (), b"one") == (Outcome.REFUSED, Reason.INCOMPLETE)


def test_chunks_of_text_may_come_in_any_order() -> None:
    script = _script()
    script.send("prompts", Type.TEXT, prompt=1, offset=4, chunk=b" 4")
    script.send("prompts", Type.TEXT, prompt=1, offset=0, chunk=b"Seat")
    assert _show(script, 1, (), b"Seat 4") == (Outcome.DONE, Reason.NONE)


@pytest.mark.parametrize(
    ("span", "text", "other"),
    [
        ((0, 48, 1, 0), b"", {}),
        ((0, 1, 6, 0), b"", {}),
        ((0, 1, 1, 6), b"", {}),
        ((0, 1, 1, Pattern.LOST), b"", {}),
        ((0, 1, 1, 0), b"\xff\xfe", {}),
        ((0, 1, 1, 0), b"a\nb\nc", {}),
        ((0, 1, 1, 0), b"", {"seat": 12}),
    ],
)
def test_what_the_ring_or_the_display_cannot_show_is_a_bad_value(
    span: Span, text: bytes, other: dict[str, int]
) -> None:
    script = _script()
    script.send("prompts", Type.LEDS, prompt=1, spans=(span,))
    script.send("prompts", Type.TEXT, prompt=1, offset=0, chunk=text)
    assert _show(script, 1, (span,), text, **other) == (Outcome.REFUSED, Reason.BAD_VALUE)


def test_a_line_longer_than_the_display_is_a_bad_value() -> None:
    script = _script(PromptsOptions(columns=20))
    assert script.show(Prompt.BURN, text="x" * 20)["outcome"] == Outcome.DONE
    assert script.show(Prompt.BURN, text="x" * 21)["reason"] == Reason.BAD_VALUE


def test_a_prompt_sent_anew_after_a_new_session_is_not_added_to_its_first_half() -> None:
    script = _script()
    span = (1, 2, 3, 0)
    script.send("prompts", Type.LEDS, prompt=1, spans=(span,))
    script.table.prompts.session_opened()
    script.send("prompts", Type.LEDS, prompt=1, spans=(span,))
    assert _show(script, 1, (span,), b"") == (Outcome.DONE, Reason.NONE)


def test_a_lost_host_darkens_the_prompt_until_it_is_back() -> None:
    script = _script()
    script.show(Prompt.BURN)
    script.table.prompts.go_safe()
    assert script.table.prompts.display is None
    assert script.table.dealer.obey() is None
    script.table.prompts.session_opened()
    assert script.table.prompts.display is not None


def test_prompts_and_keypads_have_no_state_to_tell() -> None:
    script = _script()
    for device in ("prompts", "keypad"):
        script.send(device, Type.ASK)
    script.host.settle()
    assert {name for name, _, _ in script.host.log} == {"shoe", "shuffler", "zones"}


def test_keys_and_acts_are_told_once_as_pressed() -> None:
    script = _script()
    hands = script.table.hands
    hands.press("exposed", 3)
    hands.act(4, "raise", 60)
    hands.act(5, "call", 60)
    hands.act(6, "all-in")
    script.host.settle()
    assert [(key["key"], key["seat"]) for key in script.events(Type.KEY)] == [(2, 3)]
    told = [(act["seat"], act["action"], act["amount"]) for act in script.events(Type.ACT)]
    assert told == [(4, 3, 60), (5, 2, 0), (6, 4, 0)]


def test_a_key_or_an_act_that_is_not_on_the_keypad_cannot_be_pressed() -> None:
    table = VirtualTable(Setup(keypad_acts=False))
    assert table.keypad.options == 6
    with pytest.raises(CannotDo):
        table.hands.press("start")
    with pytest.raises(CannotDo):
        table.hands.act(1, "call")
    assert table.keypad.idle
