"""Faults of wire, port and power as acts of a scenario: what the wire heals changes no report, what it does
not is told by its name, and the hand goes on once it is put right."""

import json
import re
from typing import Final

import pytest

from hil_rigs.simulate.command import played
from hil_rigs.simulate.direct import LOSSES, DirectBench
from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.load import refuse_wire_faults
from hil_rigs.simulate.scenario import ANY_DEVICE, DEVICES, NEEDS_WIRE, WIRE_FAULTS, Scenario
from hil_rigs.simulate.wire import WireBench
from hil_rigs.wire.faults import NAMES
from tests.e2e.tables import Json, cards_lost, reported, scenario_of
from tests.e2e.test_chaos import but_for_losses

SEATS: Final = {"1": 1000, "2": 1000, "3": 1000}
HEALED: Final = (*NAMES, "babble")
UNPLUGGED: Final = "{0} at {0}: the device was unplugged or switched off; plug it in again"
WHY: Final = {
    "unplug": [UNPLUGGED],
    "replug-other-device": [UNPLUGGED, "{0}: wrong device: wanted .*, found {0} X-0815; .*"],
    "port-busy": [UNPLUGGED, "{0} at {0}: another program holds it; end that program"],
    "permission-denied": [UNPLUGGED, "{0} at {0}: this user may not open it; .*"],
    "wrong-version": [
        "{0}: the device has restarted; .*",
        "{0}: wrong device: wanted protocol version 1, .*",
    ],
}
"""What an alert says of a device that stays away until it is put right."""


def until(phase: str) -> Json:
    return {"do": "play", "until": phase}


def fault(device: str, name: str) -> Json:
    return {"do": "fault", "device": device, "fault": name}


def made(*acts: Json, hands: int = 1) -> Scenario:
    table = {"game": "holdem", "seats": SEATS}
    return scenario_of({"table": table, "seed": 3, "hands": hands, "acts": list(acts)})


def over_bytes(*acts: Json) -> Json:
    said: Json = json.loads(played(made(*acts), direct=False))
    return said


def alerts(said: Json) -> list[str]:
    return [alert["code"] for alert in said["alerts"]]


def unless_it_stalled(said: Json) -> Json:
    """A machine that does nothing for a second loses devices by silence, whatever their wires do: a report
    without such a loss."""
    silent = [alert for alert in said["alerts"] if "fallen silent" in alert["text"]]
    return but_for_losses(said) if silent == said["alerts"] != [] else said


CLEAN: Final = json.loads(played(made(until("done")), direct=True))


def test_every_fault_of_a_line_is_one_that_is_tried_here() -> None:
    at_once = {"replug", "replug-as-other-port", "reset", "watchdog"}
    assert set(ANY_DEVICE) == set(HEALED) | set(WHY) | at_once
    assert set(NAMES) < set(WIRE_FAULTS)


@pytest.mark.parametrize("name", HEALED)
def test_what_the_wire_heals_changes_not_a_byte_of_the_report(name: str) -> None:
    for device in (DEVICES[len(name) % 5], "shoe"):
        acts = [act for phase in ("deal", "flop", "done") for act in (fault(device, name), until(phase))]
        assert unless_it_stalled(over_bytes(*acts)) == CLEAN, device


def test_cards_of_one_draw_are_ruled_on_alike_though_the_shoes_word_was_late() -> None:
    five = {"do": "draw", "to": "board", "count": 5, "face": "up"}
    for name in ("drop-frame", "delay"):
        acts = (until("flop-deal"), fault("shoe", name), five, until("done"))
        assert unless_it_stalled(over_bytes(*acts)) == over_bytes(acts[0], *acts[2:]), name


@pytest.mark.parametrize("name", WHY)
def test_a_device_that_is_away_is_told_by_name_and_the_hand_goes_on_when_it_is_back(name: str) -> None:
    device = "keypad" if name == "wrong-version" else DEVICES[len(name) % 5]
    said = over_bytes(until("preflop"), fault(device, name), fault(device, "replug"), until("done"))
    for alert, pattern in zip(said["alerts"], WHY[name], strict=True):
        assert alert["code"] == "device-lost"
        assert re.fullmatch(pattern.format(device), alert["text"]), alert
    shown = [prompt["code"] for prompt in said["prompts"]]
    assert shown.count("device-lost") == 1
    assert but_for_losses(said) == but_for_losses(CLEAN)


def test_the_name_of_a_port_may_lead_to_another_port() -> None:
    said = over_bytes(until("preflop"), fault("shoe", "replug-as-other-port"), until("done"))
    assert [alert["text"] for alert in said["alerts"]] == [UNPLUGGED.format("shoe")]
    assert but_for_losses(said) == but_for_losses(CLEAN)


def test_what_happens_while_a_device_is_away_is_told_once_when_it_is_back() -> None:
    fold = {"do": "bet", "seat": 1, "action": "fold"}
    for device, act in (("keypad", fold), ("zones", {"do": "draw", "to": "burn"})):
        cut = (until("preflop"), fault(device, "unplug"), act, fault(device, "replug"), until("done"))
        said, clean = over_bytes(*cut), over_bytes(cut[0], act, cut[-1])
        assert alerts(said).count("device-lost") == 1
        assert but_for_losses(said)["commands"] == clean["commands"]
        assert (said["hole"], said["board"], said["stacks"]) == (
            clean["hole"],
            clean["board"],
            clean["stacks"],
        )


def test_a_device_is_pulled_once_and_put_in_once() -> None:
    twice = over_bytes(fault("shoe", "replug"), fault("shoe", "unplug"), fault("shoe", "port-busy"))
    assert [refusal["why"] for refusal in twice["refused"]] == [
        "the cable of the shoe is in",
        "the shoe is away: put it in again first (replug)",
    ]


@pytest.mark.parametrize("name", NEEDS_WIRE)
def test_what_needs_a_wire_is_refused_by_name_where_there_is_none(name: str) -> None:
    with pytest.raises(ScenarioError, match=f"the fault `{name}` needs a wire"):
        refuse_wire_faults(made(until("preflop"), fault("zones", name)), "file")


@pytest.mark.parametrize("phase", ["idle", "flop"])
@pytest.mark.parametrize("name", LOSSES)
def test_power_that_fails_is_the_same_with_and_without_a_wire(name: str, phase: str) -> None:
    for device in DEVICES if name == "reset" else ("zones", "keypad"):
        scenario = made(until(phase), fault(device, name), until("done"))
        directly = reported(scenario, DirectBench(scenario))
        assert reported(scenario, WireBench(scenario)) == directly
        said = json.loads(directly)
        halts = phase != "idle" and device in ("shoe", "shuffler", "zones")
        assert alerts(said) == ["device-lost", *(["alignment-required"] if halts else [])]
        assert (said["outcome"] == "halted") is halts


@pytest.mark.parametrize("direct", [True, False])
def test_a_brown_out_in_mid_shuffle_is_not_shuffled_on_and_all_cards_are_proved_anew(direct: bool) -> None:
    void = {"do": "floor", "decision": "void"}
    acts = (fault("shuffler", "brown-out-mid-shuffle"), until("done"), void, until("done"))
    scenario = made(*acts, hands=2)
    halted = json.loads(played(made(*acts[:2]), direct))
    assert alerts(halted) == ["device-lost", "alignment-required"]
    assert [(c["command"], c["count"]) for c in halted["commands"]] == [("feed", 52)], "it shuffled nothing"
    assert halted["other"]["shuffler"] == 52
    said = json.loads(played(scenario, direct))
    after = [(command["command"], command["count"]) for command in said["commands"]]
    assert after[:4] == [("feed", 52), ("return", 52), ("feed", 52), ("shuffle", 52)]
    assert (said["outcome"], cards_lost(said)) == ("completed", [])


def test_a_brown_out_halts_in_the_same_words_with_and_without_a_wire() -> None:
    scenario = made(fault("shuffler", "brown-out-mid-shuffle"), until("done"))
    assert played(scenario, direct=True) == played(scenario, direct=False)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("motor-stall", ["device-fault", "command-failed"]),
        ("lying-firmware", ["command-failed"]),
        ("stuck-sensor", ["device-fault"]),
        ("sensor-flicker", []),
    ],
)
def test_a_machine_that_fails_or_lies_delivers_nothing_to_play(name: str, told: list[str]) -> None:
    scenario = made(fault("shuffler", name), until("done"))
    directly = played(scenario, direct=True)
    assert played(scenario, direct=False) == directly
    said = json.loads(directly)
    assert alerts(said) == told
    opened = [command for command in said["commands"] if command["command"] == "open-cover"]
    assert bool(opened) is (name == "sensor-flicker")


@pytest.mark.parametrize("name", ["motor-stall", "stuck-sensor"])
def test_a_machine_that_was_put_right_goes_on(name: str) -> None:
    right = [fault("shuffler", "clear-jam"), *([] if name == "stuck-sensor" else [STAND])]
    said = json.loads(
        played(made(fault("shuffler", name), until("done"), *right, until("done")), direct=True)
    )
    assert said["outcome"] == "completed"


STAND: Final[Json] = {"do": "floor", "decision": "stand"}


def test_a_lid_that_is_forced_halts_the_hand_and_a_dead_led_does_not() -> None:
    forced = json.loads(played(made(until("preflop"), fault("shoe", "door-open")), direct=True))
    assert (forced["outcome"], alerts(forced)) == ("halted", ["lid-open"])
    dark = json.loads(
        played(made(until("preflop"), fault("prompts", "led-dead"), until("done")), direct=True)
    )
    assert (dark["outcome"], alerts(dark)) == ("completed", ["device-fault"])
