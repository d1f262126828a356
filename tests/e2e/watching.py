"""A bench whose every word is read while it is played: no hidden card and no tag may be in one."""

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from controller.notices import Notice
from hil_rigs.simulate.bench import Bench
from hil_rigs.virtual.felt import UP, Change
from hil_rigs.virtual.table import VirtualTable

CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][shdc](?![A-Za-z0-9])")


class LeakError(AssertionError):
    """Something told what nobody may know; what told it, and how."""


class Watched:
    """A bench that reads, whenever it comes to rest, the notices and whatever `more` has to read."""

    def __init__(self, inner: Bench, more: Callable[[], Iterable[str]] = tuple) -> None:
        self._inner = inner
        self._more = more
        self._read = 0
        self.shown: set[str] = set()
        """Cards that lay face up somewhere: everybody may know them."""
        self.texts = 0
        inner.table.felt.listeners.append(self._changed)
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
        notices = self._inner.notices
        told = [text for notice in notices[self._read :] for text in ways_to_print(notice)]
        self._read = len(notices)
        self.check([*told, *self._more()])

    def ledger(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        """The controller's ledger, digested."""
        return self._inner.ledger(nonce)

    def close(self) -> None:
        """Lets everything go."""
        self._inner.close()

    def check(self, texts: Iterable[str]) -> None:
        """Raises LeakError for a text with a card that never lay face up, or with a tag."""
        for text in texts:
            self.texts += 1
            hidden = set(CARD.findall(text)) - self.shown
            if hidden:
                raise LeakError(f"{sorted(hidden)} in: {text}")
            bare = re.sub(r"[^0-9a-z]", "", text.lower())
            for form in self._tags:
                if form in text or form in bare:
                    raise LeakError(f"a tag in: {text}")

    def _changed(self, change: Change) -> None:
        if change.face == UP:
            self.shown.add(change.card.text)


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
