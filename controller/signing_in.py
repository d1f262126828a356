"""Who deals at the table, and what is told of those whom it knows, or does not."""

from typing import Final

from controller.decisions import PersonSignedIn
from controller.desk import Desk
from controller.events import CredentialName, CredentialRefused, ShownAtName, SignedIn

NOBODY_DEALS: Final = "no dealer has signed in: badge or PIN at the keypad first"
_WHAT: Final[dict[CredentialName, str]] = {"badge": "badge", "pin": "PIN"}
_WHERE: Final[dict[ShownAtName, str]] = {"keypad": "at the keypad", "door": "over the door"}


class SigningIn:
    """The people of one table. `dealer` is the name of whoever deals, empty while nobody has signed in."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.dealer = ""

    def signs_in(self, event: SignedIn) -> None:
        """Somebody proved who he is."""
        if event.role == "dealer":
            self.dealer = event.who
        self._desk.tell(PersonSignedIn(who=event.who, role=event.role, by=event.by))

    def refuses(self, event: CredentialRefused) -> None:
        """A badge or a PIN told of nobody: the floor should know that it was tried."""
        what, where = _WHAT[event.by], _WHERE[event.at]
        match event.cause:
            case "unknown":
                self._desk.alert("credential-unknown", f"a {what} that nobody has was tried {where}")
            case "locked":
                self._desk.alert("credential-locked", f"too many wrong ones: a {what} {where} has to wait")
            case "unusable":
                self._desk.alert("people-unusable", event.text)
