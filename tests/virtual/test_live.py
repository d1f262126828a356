"""A table that plays by itself: at its pace, with machines that take their time, and words that come late."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from hil_rigs.virtual.codes import Prompt, Type
from hil_rigs.virtual.felt import TEXTS
from hil_rigs.virtual.live import LiveTable, NotStarted, Pace
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.virtual.hosts import PtyHost
from tests.virtual.script import FULL, Script

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hil_rigs.virtual.deeds import Deed


class LiveHost(PtyHost):
    """A host of a live table: the dealer acts by himself, whenever the table is turned."""

    def __init__(self, live: LiveTable, directory: Path) -> None:
        self.live = live
        ports = live.start(directory)
        self.deeds: list[tuple[float, Deed]] = []
        super().__init__(live.table, directory)
        assert self.ports == ports

    def begin(self, directory: Path) -> None:
        self.ports = {name: directory / name for name in self.table.devices}

    def pump(self) -> None:
        deed = self.live.step(self.now_s, wait_s=0)
        if deed is not None:
            self.deeds.append((self.now_s, deed))

    @property
    def quiet(self) -> bool:
        return self.live.quiet

    def close(self) -> None:
        for name in list(self.fds):
            self.shut(name)
        self.live.stop()

    def until(self, kind: str) -> None:
        for _ in range(20_000):
            if self.deeds and self.deeds[-1][1].kind == kind:
                return
            self.turn(0.02)
        raise AssertionError(f"the dealer never came to {kind}")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[LiveHost]:
    setup = Setup(seats=(3, 4), seed=1, shuffler=ShufflerOptions(shuffle_s=5))
    host = LiveHost(LiveTable(setup, Pace(step_s=0.5)), tmp_path)
    yield host
    host.close()


def test_the_dealer_obeys_at_his_pace_and_the_machine_takes_its_time(host: LiveHost) -> None:
    script = Script(host)
    host.settle()
    script.load_table()
    script.show(Prompt.DECK_IN)
    host.until("ack")
    fed = script.command("shuffler", Type.FEED, deck=0, expected=FULL)
    assert fed["verdict"] == 0
    before_s = host.now_s
    script.command("shuffler", Type.SHUFFLE)
    assert 5 <= host.now_s - before_s < 5.5
    script.command("shuffler", Type.CUT)
    script.command("shuffler", Type.OPEN_COVER)
    script.show(Prompt.LIFT_PACK)
    host.until("lift-pack")
    script.command("shuffler", Type.CLOSE_COVER)
    script.show(Prompt.CUT_CARD_UNDER)
    host.until("ack")
    script.command("shoe", Type.RELEASE_LID)
    script.show(Prompt.LOAD_SHOE)
    host.until("load-shoe")
    script.show(Prompt.DEAL_HOLE, 4, 2)
    for _ in range(200):
        host.turn(0.02)
    host.settle()
    dealt = [(at_s, deed.seat) for at_s, deed in host.deeds if deed.kind == "deal-hole"]
    assert [seat for _, seat in dealt] == [4, 3, 4, 3]
    assert all(later - sooner >= 0.35 for (sooner, _), (later, _) in pairwise(dealt))
    draws = {draw.tags("uids")[0]: draw.num("time") for draw in script.events(Type.DRAW)}
    late = [word.num("time") - draws[word.raw("uid")] for word in script.events(Type.ARRIVED)]
    assert len(late) == 4
    assert all(0 <= ms <= 1_600 for ms in late)
    assert max(late) > 0


def test_two_runs_of_one_table_never_boot_with_the_same_nonce(tmp_path: Path) -> None:
    boots = [LiveTable(Setup(seed=1)).setup.boot_salt for _ in range(2)]
    assert boots[0] != boots[1]
    links = [VirtualTable(Setup(seed=1, boot_salt=salt)).link("shoe").boot for salt in boots]
    assert links[0] != links[1]


def test_the_registry_tells_every_tag_of_the_deck_and_the_cut_card(tmp_path: Path) -> None:
    live = LiveTable(Setup(seed=1, decks=2))
    live.start(tmp_path)
    registry = json.loads(live.registry.read_text())
    assert registry["format"] == 1
    for told, cards in zip(registry["decks"], live.table.decks.values(), strict=True):
        assert told["cards"] == {card.uid.hex().upper(): card.text for card in cards[:52]}
        assert sorted(told["cards"].values()) == sorted(TEXTS)
        assert told["cut_cards"] == [cards[52].uid.hex().upper()]
        assert told["back"] == cards[0].back
    live.stop()


def test_a_table_that_was_not_started_or_was_stopped_says_so(tmp_path: Path) -> None:
    live = LiveTable(Setup())
    with pytest.raises(NotStarted):
        live.step(0.0)
    live.start(tmp_path)
    live.step(0.0, wait_s=0)
    live.stop()
    live.stop()
    with pytest.raises(NotStarted):
        live.step(1.0)
