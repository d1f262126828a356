"""What a link does with keys: whom it takes, sealed frames, challenges (docs/protocol.md, section 10).

Without any input or output of its own; times are monotonic seconds.
"""

from collections.abc import Callable
from typing import Final

from firmware_bridge.codes import Pairing
from firmware_bridge.errors import BridgeError, ProofFailed, Revoked, Unpaired, WrongDevice, WrongKey
from firmware_bridge.events import Expect
from firmware_bridge.header import SEALED, Header, pack
from firmware_bridge.messages import Caps, Challenge, Hello, Proof
from firmware_bridge.secrecy import Channel, PairKey, Refusal, host_channel, proof, same
from firmware_bridge.trust import HalfPaired, Plain, Trust, Withdrawn

CHALLENGE_EVERY_S: Final = 0.200
"""Between repeats of a CHALLENGE."""
CHALLENGE_TRIES: Final = 10
"""How often it is sent in all: a PROOF is late after 2 s. That is counted in what was sent and not by the
clock alone, so that a host that stood still itself accuses nobody; and it is more than a silence may last, so
that a device that is only away is lost first."""
CHALLENGE_AFTER_S: Final = (30.0, 90.0)
"""From one CHALLENGE to the next that nothing but chance asks for: at least and at most."""

_NEVER = float("inf")
_FINEST = 1 << 16


class Guard:
    """Keys and challenges of one link. Used once, as its link is; ``random`` gives so many bits."""

    def __init__(self, name: str, expect: Expect, trust: Trust, random: Callable[[int], int]) -> None:
        self._name = name
        self._expect = expect
        self._trust = trust
        self._random = random
        self._key: PairKey | None = None
        self._channel: Channel | None = None
        self._hello: Hello | None = None
        self._nonce = 0  # of the challenge that has no proof yet
        self._again = False
        self._next_at = _NEVER
        self._late_at = _NEVER
        self._tries = 0
        self.proved = 0
        """How many challenges were answered."""

    @property
    def sealed(self) -> bool:
        """Whether every frame from OPEN on is sealed."""
        return self._channel is not None

    @property
    def spent(self) -> bool:
        """Whether the session must end, for its counters are about to."""
        return self._channel is not None and self._channel.sealer.spent

    # Whom to take

    def unexpected(self, hello: Hello, version: int) -> WrongDevice | None:
        """What is wrong with who answers: version, kind or serial number; None where nothing is."""
        found, serial = f"{hello.kind.label} {hello.serial}", self._expect.serial
        if hello.version != version:
            return WrongDevice(self._name, f"protocol version {version}", f"{found} without it")
        if hello.kind is not self._expect.kind or serial not in (None, hello.serial):
            return WrongDevice(self._name, str(self._expect), found)
        return None

    def admit(self, hello: Hello, caps: Caps, bodies: tuple[bytes, bytes, bytes]) -> BridgeError | None:
        """Whether a device is taken; ``bodies`` are those of GREET, HELLO and CAPS, as they crossed the line.

        None where it is, and then either its key or nothing seals what follows.
        """
        standing = self._trust.of(hello.kind, hello.serial)
        holds = bool(caps.pairing & Pairing.HOLDS_KEY)
        who = f"{hello.kind.label} {hello.serial}"
        pair = f"pair it on a bench: cutcard pair {hello.kind.label} --config FILE"
        if (gone := self._withdrawn(hello)) is not None:
            return gone
        if isinstance(standing, HalfPaired):
            what = f"the pairing of {who}, begun {standing.since}, was not finished"
            return Unpaired(self._name, what, pair)
        if isinstance(standing, PairKey):
            if not holds:
                what = f"{who} says that it holds no key, and this table has one for it: exchanged, or reset"
                return Unpaired(self._name, what, f"look at it and its cable, then {pair}")
            self._key, self._hello = standing, hello
            self._channel = host_channel(standing, *bodies)
            return None
        if self._trust.plain is Plain.REFUSED:
            return Unpaired(self._name, f"unpaired device: this table has no key of {who}", pair)
        if holds:
            what = f"{who} is paired, and this table does not have its key"
            return Unpaired(self._name, what, f"use the key file that has it, or {pair}")
        return None

    def _withdrawn(self, hello: Hello) -> Revoked | None:
        standing = self._trust.of(hello.kind, hello.serial)
        if not isinstance(standing, Withdrawn):
            return None
        why = f" ({standing.reason})" if standing.reason else ""
        what = f"{hello.kind.label} {hello.serial} was revoked {standing.since}{why}"
        return Revoked(self._name, what, "take it away from the table and use another")

    def wrong_key(self, hello: Hello) -> WrongKey:
        """What it means that a device answers, and opens no session under its key."""
        who = f"{hello.kind.label} {hello.serial}"
        return WrongKey(
            self._name,
            f"exchanged device: it answers as {who} and does not hold the key of {who}",
            f"put the right one in its place, or look at this one and pair it anew: "
            f"cutcard pair {hello.kind.label} --config FILE",
        )

    # Frames

    def body(self, header: Header, payload: bytes, clear: bytes, *, bare: bool) -> bytes | str:
        """The body of a frame that came, or the word under which it is dropped.

        ``clear`` is what stands behind the header; ``bare``: of the kind that is never sealed.
        """
        channel = self._channel
        if not header.flags & SEALED:
            return clear if channel is None or bare else "unsealed"
        if channel is None or bare:
            return "sealed"
        body = channel.opener.open(payload)
        return body.value if isinstance(body, Refusal) else body

    def payload(self, header: Header, body: bytes, *, bare: bool) -> bytes:
        """The payload of a frame that leaves: sealed under the next counter where there is a key."""
        channel = self._channel
        return pack(header, body) if channel is None or bare else channel.sealer.seal(header, body)

    # Challenges

    def challenge(self, now: float) -> None:
        """The device has to prove its key, now; nothing where there is none."""
        if self._channel is None:
            return
        if self._nonce:
            self._again = True  # the proof that is under way may be older than what made this one due
            return
        self._nonce = self._random(64) or 1
        self._next_at = now
        self._tries = 0

    def due_at(self) -> float:
        """When `take` has something; ``inf`` for never."""
        return self._next_at

    def late_at(self) -> float:
        """When the proof that is awaited is late."""
        return self._late_at

    def take(self, now: float) -> Challenge | None:
        """The CHALLENGE that leaves now."""
        if now < self._next_at:
            return None
        if not self._nonce:
            self.challenge(now)
        self._next_at = now + CHALLENGE_EVERY_S
        self._tries += 1
        if self._tries >= CHALLENGE_TRIES:
            self._next_at, self._late_at = _NEVER, now + CHALLENGE_EVERY_S
        return Challenge(self._nonce)

    def proves(self, said: Proof, now: float) -> BridgeError | str:
        """Takes a PROOF: what ends the session, or the word under which it is dropped, empty for neither."""
        hello, key = self._hello, self._key
        if not self._nonce or said.nonce != self._nonce or hello is None or key is None:
            return "untimely"
        if not same(said.proof, proof(key, said.nonce, hello.boot, hello.firmware, hello.serial)):
            return self._failed("gave a wrong proof")
        self.proved += 1
        self._nonce = 0
        self._late_at = _NEVER
        least, most = CHALLENGE_AFTER_S
        self._next_at = now + least + (most - least) * self._random(16) / _FINEST
        if self._again:
            self._again = False
            self.challenge(now)
        return self._withdrawn(hello) or ""

    def late(self) -> ProofFailed:
        """The proof did not come."""
        return self._failed(f"gave no proof within {CHALLENGE_TRIES * CHALLENGE_EVERY_S:.0f} s")

    def _failed(self, what: str) -> ProofFailed:
        hello = self._hello
        who = f"{hello.kind.label} {hello.serial}" if hello else "the device"
        return ProofFailed(
            self._name,
            f"{who} {what} of its key and stays refused",
            "look at the device and its cable, then start the table anew",
        )
