"""Errors: one tree, one line each, never a secret."""

import pickle

import pytest

from firmware_bridge import errors
from firmware_bridge.errors import BridgeError, PortBusy, WrongDevice

ALL = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, BridgeError) and value is not WrongDevice
]


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_an_error_says_in_one_line_where_what_and_what_to_do(cls: type[BridgeError]) -> None:
    error = cls("shoe", "it fell\noff", "put it back")
    assert str(error) == "shoe: it fell off; put it back"
    assert isinstance(error, BridgeError)


def test_the_wrong_device_and_a_holder_are_named() -> None:
    wrong = WrongDevice("shoe", "shoe SH-1", "keypad KP-2")
    assert (wrong.wanted, wrong.found) == ("shoe SH-1", "keypad KP-2")
    assert "wanted shoe SH-1, found keypad KP-2" in str(wrong)
    assert PortBusy("p", "w", "r", "pid 1 (x)").holder == "pid 1 (x)"


@pytest.mark.parametrize("error", [WrongDevice("a", "b", "c"), PortBusy("a", "b", "c", "d")])
def test_an_error_survives_the_way_to_another_process(error: BridgeError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
