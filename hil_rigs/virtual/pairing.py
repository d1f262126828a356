"""What a device keeps of its key: the key itself, the last greeting, and whether somebody holds its button.

docs/protocol.md section 10. The link (link.py) carries the frames.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hil_rigs.virtual import secrecy
from hil_rigs.virtual.frames import Frame, FrameError, opened
from hil_rigs.virtual.messages import Fields, unpack

PAIRING_S = 60.0
HOLDS_KEY = 1
WAITS = 2
_NEVER = float("-inf")


@dataclass
class Greeting:
    """What was said in answer to a GREET, and what is derived from it once an OPEN comes.

    `used`: a session was opened with it, or it was said under another key, so that none can be any more.
    """

    host_nonce: int
    device_nonce: int
    greet: bytes
    hello: bytes
    caps: bytes
    keys: secrecy.SessionKeys | None = field(default=None, repr=False)
    used: bool = False


class Keeper:
    """A device's pair key over all boots; empty for none. Times are seconds of the link's clock."""

    def __init__(self, pair_key: bytes) -> None:
        self._pair_key = pair_key
        self.greeting: Greeting | None = None
        self._waits_until_s = _NEVER
        self._new = False  # a key has come, and no session was opened with it yet

    @property
    def paired(self) -> bool:
        """Whether the device holds a key."""
        return bool(self._pair_key)

    def booted(self) -> None:
        """The device lost its power: the key stays."""
        self.greeting = None
        self._waits_until_s = _NEVER
        self._new = False

    def hold_button(self, now_s: float) -> None:
        """Somebody holds the button: for a minute a key is taken."""
        self._waits_until_s = now_s + PAIRING_S

    def said_of_it(self, now_s: float) -> int:
        """CAPS: bit 0 holds a key, bit 1 waits to be paired."""
        return HOLDS_KEY * self.paired | WAITS * (now_s < self._waits_until_s)

    def same_again(self, host_nonce: int) -> Greeting | None:
        """The greeting that a GREET repeats, and that is to be answered by the same two bodies."""
        before = self.greeting
        return before if before is not None and before.host_nonce == host_nonce and not before.used else None

    def pair(self, host_nonce: int, key: bytes, serial: str, now_s: float) -> bytes:
        """Take a key; return what PAIRED says of it, nothing where none is taken now."""
        greeting = self.greeting
        if now_s >= self._waits_until_s or greeting is None or greeting.host_nonce != host_nonce:
            return b""
        if key != self._pair_key or not self._new:
            self._pair_key = key
            self._new = True
            greeting.used = True
        return secrecy.check(key, host_nonce, greeting.device_nonce, serial)

    @property
    def greeted_anew(self) -> bool:
        """Whether a host has greeted since a session was opened last: its OPEN opens another one."""
        return self.greeting is not None and not self.greeting.used

    def session_opened(self) -> tuple[int, int]:
        """A session was opened with the last greeting; return its two nonces."""
        if self._new:
            self._new = False
            self._waits_until_s = _NEVER
        if self.greeting is None:
            return 0, 0
        self.greeting.used = True
        return self.greeting.host_nonce, self.greeting.device_nonce

    def unseal_open(
        self, frame: Frame, in_use: secrecy.SessionKeys | None, session: int
    ) -> tuple[Fields, secrecy.SessionKeys]:
        """Return what a sealed OPEN says, and the keys of its session: new ones, or again those in use.

        Raises SealError or FrameError, whose text is the word under which it is dropped.
        """
        error: ValueError = secrecy.SealError("mac")
        for keys in self._able(in_use):
            try:
                clear = opened(frame, keys.from_host)
            except (secrecy.SealError, FrameError) as why:
                error = error if str(why) == "mac" else why
                continue
            fields = unpack(clear.type, clear.body)
            if keys is in_use and fields.num("session") != session:
                raise FrameError("session")
            return fields, keys
        raise error

    def prove(self, nonce: int, boot: int, firmware: bytes, serial: str) -> bytes:
        """Return what PROOF says."""
        return secrecy.proof(self._pair_key, nonce, boot, firmware, serial)

    def _able(self, in_use: secrecy.SessionKeys | None) -> list[secrecy.SessionKeys]:
        able = [in_use] if in_use is not None else []
        greeting = self.greeting
        if greeting is not None and not greeting.used:
            if greeting.keys is None:
                bodies = greeting.greet, greeting.hello, greeting.caps
                greeting.keys = secrecy.session_keys(self._pair_key, *bodies)
            able.insert(0, greeting.keys)
        return able
