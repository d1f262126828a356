"""Tables of mocked ports, ready to be set up otherwise."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from pytest_mock import MockerFixture

from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.table import Setup
from tests.shell.joined import SEATS
from tests.shell.wires import Wires, wired


@pytest.fixture
def set_up(mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Setup], Wires]]:
    """Makes a table of whatever machines."""
    with ExitStack() as tables:
        yield lambda setup: tables.enter_context(wired(mocker, monkeypatch, setup))


@pytest.fixture
def wires(set_up: Callable[[Setup], Wires]) -> Wires:
    """Seats 2, 5 and 9, the button at 2; the shoe burns by itself and has no gate."""
    return set_up(Setup(seats=SEATS, seed=8))


@pytest.fixture
def gated(set_up: Callable[[Setup], Wires]) -> Wires:
    """The same with a gate in the shoe."""
    return set_up(Setup(seats=SEATS, seed=8, shoe=ShoeOptions(gate=True)))


@pytest.fixture
def by_hand(set_up: Callable[[Setup], Wires]) -> Wires:
    """The same with a shoe that cannot burn."""
    return set_up(Setup(seats=SEATS, seed=8, shoe=ShoeOptions(burner=False)))
