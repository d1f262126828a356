"""The dealer's keypad, with the players' acts and a badge reader where it has them."""

from hil_rigs.virtual.codes import Action, Key, Kind, Type
from hil_rigs.virtual.device import Clock, Device, Identity
from hil_rigs.virtual.messages import pack

_ACTS = 1
_BADGES = 2
_DIGITS = 4


class Keypad(Device):
    """docs/protocol.md section 9, Keypad."""

    kind = Kind.KEYPAD

    def __init__(self, identity: Identity, clock: Clock, *, acts: bool = True) -> None:
        super().__init__(identity, clock)
        self.acts = acts

    @property
    def options(self) -> int:
        """Bit 0 acts, bit 1 badge reader, bit 2 digits."""
        return _DIGITS | _BADGES | (_ACTS if self.acts else 0)

    def press(self, key: Key, seat: int = 0) -> None:
        """Report a key, with a seat where it has one, else 0."""
        self.emit(Type.KEY, pack(Type.KEY, time=self.time_ms, key=key, seat=seat))

    def act(self, seat: int, action: Action, amount: int = 0) -> None:
        """Report a player's act; `amount` is the seat's chips in this round after a bet or a raise."""
        body = pack(Type.ACT, time=self.time_ms, seat=seat, action=action, amount=amount)
        self.emit(Type.ACT, body)

    def read_badge(self, uid: bytes) -> None:
        """Report a badge that is held to the reader, by its id of 4 to 8 bytes."""
        self.emit(Type.BADGE, pack(Type.BADGE, time=self.time_ms, uid=uid))

    def type_pin(self, digits: str) -> None:
        """Report a PIN of 1 to 12 digits that was typed and entered."""
        self.emit(Type.PIN, pack(Type.PIN, time=self.time_ms, digits=digits))
