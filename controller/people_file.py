"""The file of people: TOML of mode 0600, read whole or refused with the line, and replaced in one step."""

import json
import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta

from controller import tomlfile
from controller.credentials import HASH_BYTES, SALT_BYTES, Cost, Kept
from controller.errors import PeopleFileError, PeopleUnwrittenError
from controller.events import CredentialName, RoleName
from controller.mistakes import mistake
from controller.people import NAME_LETTERS, People, Person, StateName, UseName
from controller.private_file import one_writer, read_private, write_private

WHAT: Final = "people"
_HEAD: Final = (
    "# The people of a room and the hashes of their badges and PINs; `cutcard people` writes this file.\n"
    "# It must be readable by the user alone who runs the table.\n"
)
_Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})+$")]


_HEADER: Final = re.compile(r"[ \t]*\[\[[ \t]*(person|person[ \t]*\.[ \t]*credential)[ \t]*\]\]")


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class _KeptPart(_Part, frozen=True):
    by: CredentialName
    given: Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    scrypt: tuple[int, int, int]
    salt: _Hex
    hash: _Hex


class _PersonPart(_Part, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=NAME_LETTERS)]
    role: RoleName
    state: StateName = "active"
    credential: tuple[dict[str, object], ...] = ()


class _FilePart(_Part, frozen=True):
    format: Literal[1]
    use: UseName = "room"
    person: tuple[dict[str, object], ...] = ()


_P = TypeVar("_P", bound=_Part)


class _WrongError(Exception):
    """What is wrong, at which person, which credential of his (from 0, none: -1) and which key."""

    def __init__(self, why: str, person: int = -1, credential: int = -1, key: str = "") -> None:
        super().__init__(why)
        self.at = person, credential, key


def read_people(path: Path, *, use: UseName = "room") -> People:
    """The people in a file. PeopleFileError names file, line and reason, and never shows a hash.

    `use` is what the file must be for: a room takes no file of a bench, whose hashes are quickly tried.
    """
    source = _source(path)
    try:
        people = _people(tomlfile.parse(source))
    except tomlfile.TomlError as error:
        raise PeopleFileError(f"{path}, line {error.line}: {error}") from None
    except _WrongError as wrong:
        raise PeopleFileError(f"{path}, line {_line(source, *wrong.at)}: {wrong}") from None
    if people.use == "bench" and use == "room":
        line = tomlfile.line_of(source, "use")
        raise PeopleFileError(f"{path}, line {line}: use: a bench's people may not decide at a table")
    return people


def unreadable(path: Path, error: OSError) -> PeopleFileError:
    """Why a file of people cannot be opened, and what makes one that is not there."""
    if isinstance(error, FileNotFoundError):
        return PeopleFileError(f"{path}: no such file: `cutcard people add` makes it")
    return PeopleFileError(f"{path}: the people cannot be read: {error.strerror}")


def _source(path: Path) -> str:
    if not path.exists():
        raise unreadable(path, FileNotFoundError())
    return read_private(path, WHAT, PeopleFileError)


def _people(tables: dict[str, object]) -> People:
    file = _read(tables, _FilePart)
    persons: list[Person] = []
    for number, table in enumerate(file.person):
        part = _read(table, _PersonPart, number)
        if not part.name.isprintable() or part.name.strip() != part.name:
            raise _WrongError("name: all its letters must be printable", number, key="name")
        if any(part.name.casefold() == person.name.casefold() for person in persons):
            raise _WrongError(f"name: {part.name} is there twice", number, key="name")
        kept = tuple(_kept(one, number, at, file.use) for at, one in enumerate(part.credential))
        persons.append(Person(part.name, part.role, part.state, kept))
    hashes: set[tuple[object, ...]] = set()
    for number, person in enumerate(persons):
        for at, one in enumerate(person.credentials):
            if (one.by, one.salt, one.hash) in hashes:
                raise _WrongError(f"hash: this {one.by} is there twice", number, at, "hash")
            hashes.add((one.by, one.salt, one.hash))
    return People(tuple(persons), file.use)


def _kept(table: dict[str, object], person: int, at: int, use: UseName) -> Kept:
    part = _read(table, _KeptPart, person, at)
    cost = Cost(*part.scrypt)
    salt, hashed = bytes.fromhex(part.salt), bytes.fromhex(part.hash)
    why_not = cost.wrong or ("its hash is tried too quickly" if cost.cheap and use == "room" else "")
    if why_not:
        raise _WrongError(f"scrypt: {why_not}", person, at, "scrypt")
    if len(salt) < SALT_BYTES:
        raise _WrongError(f"salt: {SALT_BYTES} bytes at least", person, at, "salt")
    if len(hashed) != HASH_BYTES:
        raise _WrongError(f"hash: {HASH_BYTES} bytes", person, at, "hash")
    return Kept(part.by, part.given, cost, salt, hashed)


def _read(table: object, kind: type[_P], person: int = -1, credential: int = -1) -> _P:
    try:
        return msgspec.convert(table, kind, str_keys=True, strict=True)
    except msgspec.ValidationError as error:
        wrong = mistake(error, table, kind)
        key = str(wrong.path[0]) if wrong.path else ""
        if key and not key.isalpha():  # what stands there as a key may be a PIN in the wrong place
            raise _WrongError("there is no such key", person, credential) from None
        raise _WrongError(f"{key}: {wrong.why}" if key else wrong.why, person, credential, key) from None


def _line(source: str, person: int, credential: int, key: str) -> int:
    """The line of a key, or of the table in which it is missing; 1 where the file has neither."""
    best, inside, persons, credentials = 1, person < 0, -1, -1
    for line, text in enumerate(source.split("\n"), start=1):
        if header := _HEADER.match(text):
            if header[1] == "person":
                persons, credentials = persons + 1, -1
            else:
                credentials += 1
            inside = (persons, credentials) == (person, credential)
            best = line if inside else best
        elif inside and key and re.match(rf"[ \t]*{re.escape(key)}[ \t]*=", text):
            return line
    return best


def write_people(path: Path, people: People) -> None:
    """Puts the file in the place of the one before, in one step and for good. PeopleUnwrittenError."""
    write_private(path, _text(people), WHAT, PeopleUnwrittenError)


def one_at_a_time(path: Path) -> AbstractContextManager[None]:
    """Whoever else would change the file waits until this is over. PeopleUnwrittenError."""
    return one_writer(path, WHAT, PeopleUnwrittenError)


def _text(people: People) -> str:
    lines = [_HEAD, "format = 1\n"]
    if people.use != "room":
        lines.append(f"use = {json.dumps(people.use)}\n")
    for person in people.persons:
        lines.append("\n[[person]]\n")
        lines.append(f"name = {json.dumps(person.name, ensure_ascii=False)}\n")
        lines.append(f"role = {json.dumps(person.role)}\n")
        lines.append(f"state = {json.dumps(person.state)}\n")
        for kept in person.credentials:
            lines.append("\n[[person.credential]]\n")
            lines.append(f"by = {json.dumps(kept.by)}\ngiven = {json.dumps(kept.given)}\n")
            lines.append(f"scrypt = {json.dumps(kept.cost)}\n")
            lines.append(f'salt = "{kept.salt.hex()}"\nhash = "{kept.hash.hex()}"\n')
    return "".join(lines)
