"""A bench whose every word is read while it is played: no hidden card and no tag may be in one."""

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from controller.decisions import CardLay, Ruled, Tabled
from controller.door import Wish
from controller.notices import Notice
from hil_rigs.simulate.bench import Bench
from hil_rigs.simulate.scenario import Floor
from hil_rigs.virtual.felt import UP, ZONES, Change
from hil_rigs.virtual.table import VirtualTable

CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][shdc](?![A-Za-z0-9])")


class LeakError(AssertionError):
    """Something told what nobody may know; what told it, and how."""


class Known:
    """The cards that everybody may know: they lay face up since they were shuffled last, or, where nothing
    looks, the dealer said by his key that one was seen."""

    def __init__(self, table: VirtualTable) -> None:
        self._felt = table.felt
        self._antennas = table.zones is not None
        self._shuffles = len(table.felt.shuffles)
        self._say_exposed = [False]  # of all that the hands did since the notices were read last
        self._boxed = table.shoe.boxed
        self.cards: set[str] = set()
        self._felt.listeners.append(self._changed)

    def hears(self, act: Mapping[str, object]) -> None:
        """What the hands do next."""
        self._say_exposed.append(act["do"] == "expose" or act.get("key") == "exposed")

    def told(self, notice: Notice) -> None:
        """What the dealer's word, or the procedure where nothing looks, lets the controller say."""
        match notice.said:
            case Ruled(cards=cards) if any(self._say_exposed) and not self._antennas:
                self.cards |= set(cards[-1:])
            case CardLay(card=str() as card, place="board") if not self._antennas:
                self.cards.add(card)
            case Tabled(cards=cards) if not self._antennas:
                self.cards |= set(cards)
            case _:
                pass

    def forget_shuffled(self) -> None:
        """What was shuffled meanwhile nobody knows any more; what was done before the last act is read."""
        del self._say_exposed[:-1]
        for record in self._felt.shuffles[self._shuffles :]:
            self.cards -= set(record.included)
        self._shuffles = len(self._felt.shuffles)
        lying = (card for place in ZONES for card in self._felt.cards(place))
        self.cards |= {card.text for card in lying if self._felt.face(card) == UP}

    def _changed(self, change: Change) -> None:
        if change.face == UP or change.card in self._boxed:  # everybody saw it at the lip
            self.cards.add(change.card.text)


class Watched:
    """A bench that reads, whenever it comes to rest, the notices and whatever `more` has to read."""

    def __init__(self, inner: Bench, more: Callable[[], Iterable[str]] = tuple) -> None:
        self._inner = inner
        self._more = more
        self._read = 0
        self.known = Known(inner.table)
        self.texts = 0
        self._tags = tag_forms(inner.table)

    @property
    def table(self) -> VirtualTable:
        """The physical table."""
        return self._inner.table

    @property
    def notices(self) -> Sequence[Notice]:
        """All that the controller has told so far."""
        return self._inner.notices

    def rest(self) -> None:
        """Comes to rest and reads."""
        self._inner.rest()
        new = self._inner.notices[self._read :]
        self._read += len(new)
        for notice in new:
            self.known.told(notice)
        self.check([*(text for notice in new for text in ways_to_print(notice)), *self._more()])
        self.known.forget_shuffled()

    def ledger(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        """The controller's ledger, digested."""
        return self._inner.ledger(nonce)

    def wish(self, wish: Wish) -> None:
        """A player comes, goes or buys chips."""
        self._inner.wish(wish)

    def decide(self, act: Floor) -> str:
        """The floor decides."""
        return self._inner.decide(act)

    def restart(self) -> None:
        """The controller is killed, and started again."""
        self._inner.restart()

    def fault(self, device: str, name: str) -> None:
        """Something goes wrong with a line, a port or the power."""
        self._inner.fault(device, name)

    def plain(self, text: str) -> str:
        """A text without what is another one in each run."""
        return self._inner.plain(text)

    def close(self) -> None:
        """Lets everything go."""
        self._inner.close()

    def check(self, texts: Iterable[str]) -> None:
        """Raises LeakError for a text with a card that nobody may know, or with a tag."""
        for text in texts:
            self.texts += 1
            hidden = set(CARD.findall(text)) - self.known.cards
            if hidden:
                raise LeakError(f"{sorted(hidden)} in: {text}")
            bare = re.sub(r"[^0-9a-z]", "", text.lower())
            for form in self._tags:
                if form in text or form in bare:
                    raise LeakError(f"a tag in: {text}")


def tag_forms(table: VirtualTable) -> set[str]:
    """Every way to write a tag of the table: hexadecimal, decimal, base64, as Python has bytes."""
    forms = set[str]()
    for card in table.felt.all_cards():
        for uid in (card.uid, card.uid[::-1]):
            forms |= {uid.hex(), str(int.from_bytes(uid, "big")), repr(uid)[2:-1]}
            forms.add(base64.b64encode(uid).decode().rstrip("="))
    return forms


def ways_to_print(value: object) -> tuple[str, ...]:
    """A value as a log, a debugger and a door would have it."""
    return repr(value), str(value), msgspec.json.encode(value).decode() if isinstance(value, Notice) else ""
