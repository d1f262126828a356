"""The key file: TOML of mode 0600 with the key of each paired device, read whole or refused with the line."""

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta

from controller import tomlfile
from controller.errors import KeyFileError, KeyFileMissingError, KeyUnwrittenError
from controller.events import DeviceName
from controller.key_book import REASON_LETTERS, KeyBook, KeyEntry, StateName
from controller.mistakes import mistake
from controller.private_file import one_writer, read_private, write_private
from firmware_bridge.codes import DeviceKind
from firmware_bridge.secrecy import PairKey
from firmware_bridge.trust import KeyRing, Plain, Standing

WHAT: Final = "keys"
_HEAD: Final = (
    "# The keys of the devices of a room; `cutcard pair` writes this file.\n"
    "# It must be readable by the user alone who runs the table, and no copy of it may be made.\n"
)
_HEADER: Final = re.compile(r"[ \t]*\[\[[ \t]*device[ \t]*\]\]")
_MEND: Final = (
    "undo what was changed in the file, or move it away and pair every device again "
    "(cutcard pair DEVICE --config FILE)"
)
_Printable = Annotated[str, Meta(pattern="^[ -~]*$")]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class _DevicePart(_Part, frozen=True):
    kind: DeviceName
    serial: Annotated[str, Meta(pattern="^[!-~]([ -~]{0,10}[!-~])?$")]
    state: StateName
    since: Annotated[str, Meta(pattern="^[0-9T:Z-]{10,20}$")]
    by: Annotated[_Printable, Meta(max_length=40)] = ""
    reason: Annotated[str, Meta(max_length=REASON_LETTERS)] = ""
    key: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None


class _FilePart(_Part, frozen=True):
    format: Literal[1]
    devices: int
    device: tuple[dict[str, object], ...] = ()


_P = TypeVar("_P", bound=_Part)


class _WrongError(Exception):
    def __init__(self, why: str, device: int = -1) -> None:
        super().__init__(why)
        self.device = device


def read_keys(path: Path) -> KeyBook:
    """The devices in a key file. KeyFileError names file, line and reason, and never shows a key."""
    if not _is_there(path):
        raise KeyFileMissingError(
            f"{path}: there is no such file, no device has been paired yet: "
            "`cutcard pair DEVICE --config FILE` pairs one, and makes it"
        )
    source = read_private(path, WHAT, KeyFileError)
    try:
        return _book(tomlfile.parse(source))
    except tomlfile.TomlError as error:
        why = f"the keys are damaged: {_blind(error)}"
        raise KeyFileError(f"{path}, line {error.line}: {why}; {_MEND}") from None
    except _WrongError as wrong:
        raise KeyFileError(f"{path}, line {_line(source, wrong.device)}: {wrong}; {_MEND}") from None


def _is_there(path: Path) -> bool:
    """Whether something has this name; what keeps it from being looked at is told by whoever reads it."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def _blind(error: Exception) -> str:
    """What is wrong with a line, without anything of it that could be a key."""
    return re.sub(r"[0-9A-Fa-f]{8,}", "…", str(error))


def _book(tables: dict[str, object]) -> KeyBook:
    file = _read(tables, _FilePart)
    entries = [_entry(_read(table, _DevicePart, at), at) for at, table in enumerate(file.device)]
    if len(entries) != file.devices:
        lost = "some are missing" if len(entries) < file.devices else "some were put in by hand"
        raise _WrongError(f"devices: {file.devices} are said to be here, and {len(entries)} are: {lost}")
    for at, entry in enumerate(entries):
        if any(other.serial == entry.serial for other in entries[:at]):
            raise _WrongError(f"serial: {entry.serial} is there twice", at)
        if entry.key is not None and any(other.key == entry.key for other in entries[:at]):
            raise _WrongError("key: two devices have the same", at)
    return KeyBook(tuple(entries))


def _entry(part: _DevicePart, at: int) -> KeyEntry:
    if (part.key is not None) != (part.state == "paired"):
        raise _WrongError("key: goes with the state paired, and that needs it", at)
    if not part.reason.isprintable():
        raise _WrongError("reason: all its letters must be printable", at)
    key = None if part.key is None else PairKey(bytes.fromhex(part.key))
    return KeyEntry(part.kind, part.serial, part.state, part.since, part.by, key, part.reason)


def _read(table: object, kind: type[_P], device: int = -1) -> _P:
    try:
        return msgspec.convert(table, kind, str_keys=True, strict=True)
    except msgspec.ValidationError as error:
        wrong = mistake(error, table, kind)
        key = str(wrong.path[0]) if wrong.path else ""
        if key not in kind.__struct_fields__:  # what stands there as a key may be one in the wrong place
            raise _WrongError(
                "there is a key of TOML that does not belong here, or one is missing", device
            ) from None
        raise _WrongError(f"{key}: {_blind(Exception(wrong.why))}", device) from None


def _line(source: str, device: int) -> int:
    """The line of a device's table, 1 for what is about the file as a whole."""
    heads = [at for at, text in enumerate(source.split("\n"), start=1) if _HEADER.match(text)]
    return heads[device] if 0 <= device < len(heads) else 1


def read_keys_or_none(path: Path) -> KeyBook | None:
    """The devices in a key file, None where there is none yet. KeyFileError."""
    try:
        return read_keys(path)
    except KeyFileMissingError:
        return None


def write_keys(path: Path, book: KeyBook) -> None:
    """Puts the file in the place of the one before, in one step and for good. KeyUnwrittenError."""
    write_private(path, _text(book), WHAT, KeyUnwrittenError)


def change_keys(path: Path, change: Callable[[KeyBook], KeyBook]) -> KeyBook:
    """Changes the file, which is made where there is none, while nobody else does; what became of it.

    KeyFileError, KeyUnwrittenError, and what `change` raises.
    """
    with one_writer(path, WHAT, KeyUnwrittenError):
        after = change(read_keys_or_none(path) or KeyBook())
        write_keys(path, after)
    return after


def _text(book: KeyBook) -> str:
    lines = [_HEAD, f"format = 1\ndevices = {len(book.entries)}\n"]
    for entry in book.entries:
        lines.append(f'\n[[device]]\nkind = "{entry.kind}"\nserial = {json.dumps(entry.serial)}\n')
        lines.append(f'state = "{entry.state}"\nsince = "{entry.since}"\nby = {json.dumps(entry.by)}\n')
        if entry.reason:
            lines.append(f"reason = {json.dumps(entry.reason, ensure_ascii=False)}\n")
        if entry.key is not None:
            lines.append(f'key = "{entry.key.reveal().hex()}"\n')
    return "".join(lines)


class FileTrust:
    """What a key file says, read anew where it has changed, so that who is revoked is refused soon.

    A file that cannot be used any more changes nothing: what it said when it could is still true, but for
    what was written since.
    """

    def __init__(self, path: Path, plain: Plain) -> None:
        self._path = path
        self._plain = plain
        self._seen: tuple[int, ...] = ()
        self._ring = KeyRing(plain=plain)
        self._look(self._stamp())

    @property
    def plain(self) -> Plain:
        """Whether a device without a key is taken too."""
        return self._plain

    def of(self, kind: DeviceKind, serial: str) -> Standing | None:
        """What is known of a device; None for nothing."""
        with contextlib.suppress(KeyFileError, OSError):
            stamp = self._stamp()
            if stamp != self._seen:
                self._look(stamp)
        return self._ring.of(kind, serial)

    def _stamp(self) -> tuple[int, ...]:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return ()
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _look(self, stamp: tuple[int, ...]) -> None:
        self._ring = read_keys(self._path).ring(self._plain)
        self._seen = stamp
