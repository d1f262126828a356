"""A small room: Ann of the floor, Bob who deals, Cid of the floor who is disabled; and a slow one who looks
them up."""

from collections import deque
from pathlib import Path
from typing import Final

from controller.checking import InlineChecker, Then
from controller.credentials import Credential
from controller.events import CredentialName, ShownAtName
from controller.people import People
from controller.people_file import write_people

ANN_PIN: Final = "482913"
BOB_PIN: Final = "730164"
CID_PIN: Final = "951347"
NOBODYS_PIN: Final = "264801"
ANN_BADGE: Final = bytes.fromhex("04a1b2c3d4e5f6")
BOB_BADGE: Final = bytes.fromhex("0477885599")
PINS: Final = (ANN_PIN, BOB_PIN, CID_PIN, NOBODYS_PIN)
BADGES: Final = (ANN_BADGE, BOB_BADGE)
_GIVEN: Final = "2026-01-31"


def pin(digits: str) -> Credential:
    return Credential("pin", digits)


def badge(uid: bytes) -> Credential:
    return Credential("badge", uid.hex())


def room() -> People:
    """With quick hashes, as a bench has them."""
    people = People(use="bench").added("Ann", "floor").added("Bob", "dealer").added("Cid", "floor")
    for name, digits in (("Ann", ANN_PIN), ("Bob", BOB_PIN), ("Cid", CID_PIN)):
        people = people.with_pin(name, pin(digits), _GIVEN)
    for name, uid in (("Ann", ANN_BADGE), ("Bob", BOB_BADGE)):
        people = people.with_badge(name, badge(uid), _GIVEN)
    return people.with_state("Cid", "disabled")


def known_at_once() -> InlineChecker:
    people = room()
    return InlineChecker(lambda: people)


def file_of(folder: Path, people: People | None = None) -> Path:
    path = folder / "people.toml"
    write_people(path, people or room())
    return path


class Slow:
    """Looks somebody up only when the test says so."""

    def __init__(self) -> None:
        self._inner = known_at_once()
        self.asked: deque[tuple[Credential, ShownAtName, Then]] = deque()

    def check(self, shown: Credential, at: ShownAtName, then: Then) -> None:
        self.asked.append((shown, at, then))

    def wake_fd(self) -> int | None:
        return None

    def deliver(self) -> None:
        """The first of those who wait."""
        self._inner.check(*self.asked.popleft())

    def close(self) -> None:
        pass

    @property
    def waiting(self) -> list[CredentialName]:
        return [shown.by for shown, _, _ in self.asked]
