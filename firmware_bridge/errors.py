"""Everything that the bridge can raise, in one tree.

Each error says in one line what happened, to which device or port, and what to do next. Neither a tag's UID
nor the contents of a frame are ever part of a text: errors are logged, and a UID is a card.
"""

# The names say what is the matter; "Error" behind each would say nothing more.
# ruff: noqa: N818


class BridgeError(Exception):
    """Root of all errors of the bridge.

    ``where`` names the device or the port, ``what`` says what happened and ``remedy`` what to do next.
    """

    def __init__(self, where: str, what: str, remedy: str) -> None:
        super().__init__(where, what, remedy)
        self.where = where
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return " ".join(f"{self.where}: {self.what}; {self.remedy}".split())


class PortError(BridgeError):
    """A port cannot be opened or used."""


class PortMissing(PortError):
    """There is no such port now: the device is not plugged in, or not yet."""


class PortBusy(PortError):
    """Another program holds the port; ``holder`` names it, ``pid 812 (ModemManager)``, if it can be told."""

    def __init__(self, where: str, what: str, remedy: str, holder: str | None = None) -> None:
        super().__init__(where, what, remedy)
        self.args = (where, what, remedy, holder)
        self.holder = holder


class PortDenied(PortError):
    """The port is there, but this user may not open it."""


class PortUnusable(PortError):
    """The port exists but is not a serial line, or the settings asked of it are impossible."""


class DeviceGone(BridgeError):
    """The open port went away below us: unplugged, hung up, or closed."""


class LinkLost(BridgeError):
    """The port is open but the device does not answer, or ended the session."""


class DeviceRestarted(LinkLost):
    """The device has booted anew: what it was doing is unknown."""


class WrongDevice(BridgeError):
    """Another device answers than the one expected: kind, serial number or protocol version differ."""

    def __init__(self, where: str, wanted: str, found: str) -> None:
        super().__init__(
            where,
            f"wrong device: wanted {wanted}, found {found}",
            "plug the right device into this port or correct the configuration",
        )
        self.args = (where, wanted, found)
        self.wanted = wanted
        self.found = found


class SecurityError(BridgeError):
    """A device is not taken for what it says that it is."""


class Unpaired(SecurityError):
    """There is no key that this controller and the device share."""


class WrongKey(SecurityError):
    """The device has the name of one that is paired, and not its key: it was exchanged."""


class Revoked(SecurityError):
    """The device's key was taken back: it was lost, stolen or opened."""


class ProofFailed(SecurityError):
    """The device gave a wrong proof of its key, or none in time: refused until a person has seen to it."""


class ProtocolError(BridgeError):
    """Bytes, or the values meant for them, do not follow the protocol."""


class MalformedFrame(ProtocolError):
    """A payload is too short or too long for a frame."""


class BadMessage(ProtocolError):
    """A body does not fit its message type, or a message's values do not fit its fields."""
