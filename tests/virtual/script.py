"""What a controller does from power-up to the flop, as one list of steps over any transport."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from hil_rigs.virtual.codes import Prompt, Type
from hil_rigs.virtual.crc import crc16
from hil_rigs.virtual.messages import Fields, Value, pack

if TYPE_CHECKING:
    from hil_rigs.virtual.deeds import Deed
    from hil_rigs.virtual.table import VirtualTable

FULL = b"\xff" * 6 + b"\x0f"


class Host(Protocol):
    """A transport as the script sees it."""

    table: VirtualTable
    log: list[tuple[str, int, Fields]]

    def give(self, device: str, type_: int, body: bytes) -> None:
        """Send a message."""

    def settle(self) -> None:
        """Go on until the table is quiet."""


class Script:
    """Drives a table through a `Host`; every step leaves it at rest."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.table = host.table
        self.ids = 0
        self.prompts = 0

    def send(self, device: str, type_: int, **values: Value) -> None:
        self.host.give(device, type_, pack(type_, **values))

    def command(self, device: str, type_: int, **values: Value) -> Fields:
        """Give a command with a new id; return its RESULT or FED."""
        self.ids += 1
        return self.again(device, type_, self.ids, **values)

    def again(self, device: str, type_: int, command_id: int, **values: Value) -> Fields:
        before = len(self.host.log)
        self.send(device, type_, id=command_id, **values)
        self.host.settle()
        answers = [
            fields
            for _, kind, fields in self.host.log[before:]
            if kind in (Type.RESULT, Type.FED) and fields["id"] == command_id
        ]
        assert len(answers) == 1
        return answers[0]

    def events(self, *types: int) -> list[Fields]:
        return [fields for _, kind, fields in self.host.log if kind in types]

    def load_table(self, deck: str = "deck-1", slot: int = 0) -> None:
        uids = [card.uid for card in self.table.decks[deck] if not card.is_cut_card]
        self.send("shuffler", Type.DECK_BEGIN, deck=slot, count=len(uids))
        for first in range(0, len(uids), 4):
            chunk = tuple(uids[first : first + 4])
            self.send("shuffler", Type.DECK_TAGS, deck=slot, first=first, uids=chunk)
        self.send("shuffler", Type.DECK_END, deck=slot)
        self.host.settle()
        ready = self.events(Type.DECK_READY)[-1]
        assert ready["count"] == 52
        assert ready["crc"] == crc16(b"".join(b"\x08" + uid for uid in uids))

    def show(self, code: int, seat: int = 0, count: int = 0, text: str = "") -> Fields:
        self.prompts += 1
        spans = ((0, 3, 4, 0), (10, 2, 1, 3))
        raw = text.encode()
        self.send("prompts", Type.LEDS, prompt=self.prompts, spans=spans)
        for at in range(0, len(raw), 30):
            self.send("prompts", Type.TEXT, prompt=self.prompts, offset=at, chunk=raw[at : at + 30])
        crc = crc16(b"".join(bytes(span) for span in spans) + raw)
        self.send(
            "prompts",
            Type.SHOW,
            prompt=self.prompts,
            code=code,
            seat=seat,
            count=count,
            spans=len(spans),
            length=len(raw),
            crc=crc,
        )
        self.host.settle()
        return self.events(Type.SHOWN)[-1]

    def obeyed(self, code: int, seat: int = 0, count: int = 0, text: str = "") -> list[Deed]:
        """Show a prompt and let the dealer do all that it asks."""
        shown = self.show(code, seat, count, text)
        assert (shown["outcome"], shown["reason"]) == (0, 0)
        deeds = []
        while (deed := self.table.dealer.obey()) is not None:
            deeds.append(deed)
            self.host.settle()
        return deeds

    def proved_pack(self) -> None:
        """From an empty table to a pack that is fed and proved."""
        self.host.settle()
        self.load_table()
        self.obeyed(Prompt.DECK_IN, text="Deck into the shuffler")
        assert self.events(Type.KEY)[-1]["key"] == 8
        fed = self.command("shuffler", Type.FEED, deck=0, expected=FULL)
        assert (fed["outcome"], fed["verdict"], fed["count"]) == (0, 0, 52)

    def load(self) -> None:
        """From a proved pack to a loaded shoe."""
        assert self.command("shuffler", Type.SHUFFLE)["outcome"] == 0
        if self.table.shuffler.able_to.cuts:
            assert self.command("shuffler", Type.CUT)["outcome"] == 0
        assert self.command("shuffler", Type.OPEN_COVER)["count"] == 52
        self.obeyed(Prompt.LIFT_PACK)
        assert self.command("shuffler", Type.CLOSE_COVER)["outcome"] == 0
        if self.table.shuffler.able_to.cuts:
            self.obeyed(Prompt.CUT_CARD_UNDER)
        else:
            self.obeyed(Prompt.CUT_PACK)
        assert self.command("shoe", Type.RELEASE_LID)["outcome"] == 0
        self.obeyed(Prompt.LOAD_SHOE)

    def deal(self) -> None:
        """Hole cards, a burn by the machine or by hand, the flop."""
        table = self.table
        first = table.dealer.seats[0]
        self.open_gate(table.setup.hole_cards * len(table.dealer.seats))
        self.obeyed(Prompt.DEAL_HOLE, first, table.setup.hole_cards, "Deal")
        if table.shoe.able_to.burner:
            assert self.command("shoe", Type.BURN)["count"] == 1
        else:
            self.open_gate(1)
            self.obeyed(Prompt.BURN)
        self.open_gate(3)
        self.obeyed(Prompt.DEAL_FLOP, count=3)

    def open_gate(self, cards: int) -> None:
        if self.table.shoe.able_to.gate:
            assert self.command("shoe", Type.UNLOCK, cards=cards)["count"] == cards

    def power_up(self) -> None:
        self.proved_pack()
        self.load()
        self.deal()
