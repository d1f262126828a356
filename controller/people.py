"""The people of a room: dealers and floors, each with badges and PINs by which tables know them."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, Literal

from controller.credentials import BENCH_COST, COST, SALT_BYTES, Cost, Credential, Kept
from controller.errors import PersonError
from controller.events import CredentialName, RoleName
from controller.mistakes import advice

StateName = Literal["active", "disabled"]
UseName = Literal["room", "bench"]
NAME_LETTERS: Final = 40
_COSTS: Final[dict[UseName, Cost]] = {"room": COST, "bench": BENCH_COST}


@dataclass(frozen=True)
class Person:
    """Somebody, by the name that goes into the record. A disabled one is unknown to every table."""

    name: str
    role: RoleName
    state: StateName = "active"
    credentials: tuple[Kept, ...] = ()

    def has(self, by: CredentialName) -> int:
        """How many badges or PINs he has."""
        return sum(kept.by == by for kept in self.credentials)


@dataclass(frozen=True)
class People:
    """All of them, in the order in which they came. Every change is another value, or PersonError.

    All credentials of one cost share a salt: a PIN says by itself whose it is, so that one slow hash must
    do for the whole room. `use` is `bench` for people who are made up: their hashes are quickly tried.
    """

    persons: tuple[Person, ...] = ()
    use: UseName = "room"

    def named(self, name: str) -> Person:
        """The person of that name."""
        for person in self.persons:
            if person.name.casefold() == name.casefold():
                return person
        names = [person.name for person in self.persons]
        near = advice(name, names, "`cutcard people list` tells who there is")
        raise PersonError(f"there is nobody of the name {name!r}{near or ': the file has nobody yet'}")

    def whose(self, shown: Credential) -> Person | None:
        """Who has this badge or PIN, disabled or not; None for nobody. As slow as its hash is meant to be.

        Raises ValueError or MemoryError where the machine has not the memory for it.
        """
        all_kept = [
            (kept, person) for person in self.persons for kept in person.credentials if kept.by == shown.by
        ]
        found = None
        all_kept.sort(key=_hashed_alike)
        for (cost, salt), alike in groupby(all_kept, key=_hashed_alike):
            tried = shown.hashed(cost, salt)
            for kept, person in alike:  # all of them: where one is found must not show in the time
                found = person if kept.is_hash(tried) else found
        return found

    def added(self, name: str, role: RoleName) -> "People":
        """Somebody comes, without a badge or a PIN yet."""
        if not (name.strip() == name and 1 <= len(name) <= NAME_LETTERS and name.isprintable()):
            raise PersonError(f"a name has 1 to {NAME_LETTERS} letters, all of them printable")
        if any(person.name.casefold() == name.casefold() for person in self.persons):
            raise PersonError(f"{name} is there already")
        return replace(self, persons=(*self.persons, Person(name, role)))

    def removed(self, name: str) -> "People":
        """Somebody leaves for good."""
        gone = self.named(name)
        return replace(self, persons=tuple(person for person in self.persons if person is not gone))

    def with_state(self, name: str, state: StateName) -> "People":
        """Somebody is not known to the tables any more, or again."""
        return self._changed(name, lambda person: replace(person, state=state))

    def with_pin(self, name: str, pin: Credential, given: str) -> "People":
        """Somebody gets a PIN, in the place of the one that he had; `given` is the date."""
        mine = self.named(name)
        others = tuple(kept for kept in mine.credentials if kept.by != "pin")
        rest = replace(self, persons=tuple(person for person in self.persons if person is not mine))
        if rest.whose(pin) is not None:
            raise PersonError("somebody has this PIN already: choose another")
        kept = self._kept(pin, given)
        return self._changed(name, lambda person: replace(person, credentials=(*others, kept)))

    def with_badge(self, name: str, badge: Credential, given: str) -> "People":
        """Somebody gets a badge more; `given` is the date."""
        self.named(name)
        if self.whose(badge) is not None:
            raise PersonError("somebody has this badge already: take another, or revoke it there first")
        kept = self._kept(badge, given)
        return self._changed(name, lambda person: replace(person, credentials=(*person.credentials, kept)))

    def revoked(self, name: str) -> "People":
        """All badges and PINs of somebody are taken away: one was lost, or seen."""
        return self._changed(name, lambda person: replace(person, credentials=()))

    def _changed(self, name: str, change: Callable[[Person], Person]) -> "People":
        changed = self.named(name)
        return replace(
            self, persons=tuple(change(person) if person is changed else person for person in self.persons)
        )

    def _kept(self, shown: Credential, given: str) -> Kept:
        cost = _COSTS[self.use]
        salts = (kept.salt for person in self.persons for kept in person.credentials if kept.cost == cost)
        salt = next(salts, None) or os.urandom(SALT_BYTES)
        return Kept(shown.by, given, cost, salt, shown.hashed(cost, salt))


def _hashed_alike(one: tuple[Kept, Person]) -> tuple[Cost, bytes]:
    return one[0].cost, one[0].salt
