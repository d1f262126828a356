"""Pairing one device at its port: a physical act, a key, a proof, and a key file that says how far it is."""

import contextlib
import secrets
import select
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.config import DeviceSection
from controller.errors import KeyFileError, KeyUnwrittenError, PairingError
from controller.events import DeviceName
from controller.key_book import KeyEntry, StateName
from controller.key_file import change_keys, read_keys_or_none
from controller.serve import source_of
from firmware_bridge.codes import CloseReason, DeviceKind
from firmware_bridge.errors import BridgeError, LinkLost
from firmware_bridge.events import Expect, Lost
from firmware_bridge.link import Link
from firmware_bridge.messages import Close
from firmware_bridge.pairing import Failed, KeyGiver, Met, Taken
from firmware_bridge.port import SerialPort
from firmware_bridge.secrecy import KEY_BYTES, PairKey
from firmware_bridge.trust import KeyRing

ACT_WITHIN_S: Final = 60.0
"""How long somebody has to hold the device's button."""
NOTHING_CHANGED: Final = "nothing was changed"
_POLL_S: Final = 0.01
_FULL_S: Final = 1.0


def today() -> str:
    """Now, as the key file says it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class PairDevice:
    """Pairs the device of a configuration under a name; `say` is told each step in a line.

    Raises PairingError, KeyFileError, KeyUnwrittenError and KeyRefusedError. Whatever ends it once the key
    has left, the key file says that the pairing was not finished, and no table takes the device.
    """

    def __init__(self, name: DeviceName, keys: Path, *, by: str, say: Callable[[str], None]) -> None:
        self._name = name
        self._keys = keys
        self._by = by
        self._say = say
        self._key = PairKey(secrets.token_bytes(KEY_BYTES))
        self._serial = ""
        self.began = False
        """Whether the key may have left: nobody knows then which one the device holds."""

    def run(self, device: DeviceSection, *, act_within_s: float = ACT_WITHIN_S) -> KeyEntry:
        """Pairs it; what the key file says of it now."""
        try:
            source = source_of(device)
            port = SerialPort.open(source.resolve(), baudrate=source.baudrate)
        except BridgeError as error:
            raise PairingError(f"{self._name}: {error}") from None
        try:
            self._give_key(port, Expect(DeviceKind.of(self._name), device.serial), act_within_s)
            self._prove(port)
            entry = self._note("paired")
        except (BridgeError, KeyUnwrittenError) as error:
            port.discard()
            raise self._ended(str(error)) from None
        finally:
            port.close()
        self._say(f"{self._name} {self._serial} is paired: it has proved its key, which is in {self._keys}")
        return entry

    def unfinished(self) -> str:
        """What is to be done where the key may have left and nothing was proved."""
        return (
            f"the pairing of {self._name} {self._serial} was not finished, and nobody knows which key it "
            f"holds: {self._keys} says so, and no table takes it; hold its button and pair it again"
        )

    def broken_off(self) -> str:
        """What is left of it where it was broken off from outside, as the key file has it now."""
        known = None
        with contextlib.suppress(KeyFileError):
            book = read_keys_or_none(self._keys)
            known = None if book is None else book.find(self._serial)
        if known is not None and known.key == self._key:
            return f"{self._name} {self._serial} had proved its key before, and is paired"
        unfinished = known is not None and known.state == "unfinished"
        return self.unfinished() if self.began or unfinished else NOTHING_CHANGED

    def _ended(self, why: str) -> PairingError:
        return PairingError(f"{why}; {self.unfinished() if self.began else NOTHING_CHANGED}")

    def _entry(self, state: StateName) -> KeyEntry:
        key = self._key if state == "paired" else None
        return KeyEntry(self._name, self._serial, state, today(), self._by, key)

    def _note(self, state: StateName) -> KeyEntry:
        entry = self._entry(state)
        change_keys(self._keys, lambda book: book.with_entry(entry))
        return entry

    def _give_key(self, port: SerialPort, expect: Expect, act_within_s: float) -> None:
        now = time.monotonic()
        giver = KeyGiver(self._name, expect, self._key, now=now, random=secrets.randbits)
        until = now + act_within_s
        while True:
            _write(port, giver.outgoing(now))
            data = _wait(port, min(giver.due_at(), until))
            now = time.monotonic()
            for event in giver.receive(data, now) + giver.expire(now):
                match event:
                    case Met(serial=serial) if not self.began:
                        self._meets(event, act_within_s)
                        if event.waits:
                            self._serial = serial
                            self._note("unfinished")
                            self.began = True
                            giver.give(now)
                    case Taken():
                        return
                    case Failed(error=error):
                        raise error
                    case _:
                        pass
            if now >= until and not self.began:
                who = f"{self._name} {self._serial}" if self._serial else self._name
                raise PairingError(
                    f"{who}: nobody held its button within {act_within_s:.0f} s; {NOTHING_CHANGED}: "
                    "try again, with the device at hand"
                )

    def _meets(self, met: Met, act_within_s: float) -> None:
        """Says, once, what is to be done."""
        if met.serial == self._serial:
            return
        self._serial = met.serial
        book = read_keys_or_none(self._keys)
        if book is not None:
            book.with_entry(self._entry("unfinished"))  # one that was revoked is refused before anybody acts
        again = " It holds a key already, which a new one replaces." if met.paired else ""
        if not met.waits:
            self._say(
                f"{self._name} {met.serial} answers.{again} Keep its whole cable in sight and hold its "
                f"pairing button for 3 s; there are {act_within_s:.0f} s for it"
            )

    def _prove(self, port: SerialPort) -> None:
        """A session under the new key, and a fresh challenge in it."""
        kind = DeviceKind.of(self._name)
        now = time.monotonic()
        link = Link(
            self._name,
            Expect(kind, self._serial),
            trust=KeyRing({(kind, self._serial): self._key}),
            now=now,
            random=secrets.randbits,
        )
        while not link.proved:
            _write(port, link.outgoing(now))
            data = _wait(port, min(link.due_at(), link.lost_at()))
            now = time.monotonic()
            for event in link.receive(data, now) + link.expire(now):
                if isinstance(event, Lost):
                    raise event.error
        _write(port, link.close(Close(CloseReason.GOING_DOWN), now))


def _write(port: SerialPort, data: bytes) -> None:
    until = time.monotonic() + _FULL_S
    while data := data[port.write(data) :]:
        if time.monotonic() > until:
            raise LinkLost(port.name, "the port takes no bytes", "see to the device and its cable")
        time.sleep(_POLL_S)


def _wait(port: SerialPort, until: float) -> bytes:
    """What comes until then; nothing where nothing does."""
    wait = max(0.0, until - time.monotonic())
    fd = port.fileno()
    if fd is None:
        time.sleep(min(wait, _POLL_S))
        return port.read()
    poller = select.poll()
    poller.register(fd, select.POLLIN)
    return port.read() if poller.poll(wait * 1000) else b""
