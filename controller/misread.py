"""Passages that the shoe could not make one card of: unread, two at once, pushed back, stuck at the lip.

None is a matter of the rules. Such a passage has its place in the one sequence, and everything behind it
waits until the dealer has confirmed that it was put right; antennas then say which cards they were. Where
none can, the table is halted: nothing is guessed.
"""

from collections.abc import Callable
from typing import Final, Literal, Protocol

from controller.cards import Card
from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Arrived, Drew, Keyed
from controller.ledger import Evidence, Facing, Ledger
from controller.places import BURN, TRANSIT, Place, seat_of
from controller.sequence import Flight, Passage, Sequence

Code = Literal["unread-card", "double-feed", "reversed-card", "card-timeout"]
_CODES: Final[dict[str, Code]] = {
    "unread": "unread-card",
    "double": "double-feed",
    "reversed": "reversed-card",
}
_SAID: Final[dict[Code, str]] = {
    "unread-card": "a card left the shoe unread",
    "double-feed": "cards left the shoe at once",
    "reversed-card": "a card was pushed back into the shoe",
    "card-timeout": "a card was half drawn for too long",
}
_PROMPTS: Final[dict[Code, str]] = {
    "unread-card": "card-unread",
    "double-feed": "two-at-once",
    "reversed-card": "card-back-in",
    "card-timeout": "card-stuck",
}
_AT_ONCE: Final = 2
"""More cards at once cannot be told apart."""


class Play(Protocol):
    """The hand that the cards are dealt in."""

    @property
    def follows_draws(self) -> bool:
        """Whether every card that leaves the shoe means something now."""

    def place_due(self, ahead: int, way: str) -> Place | None:
        """Where the card is due that comes `ahead` cards after the next one, None where none is due."""


class Misread:
    """The passages that wait for the dealer's word, and what was asked of him."""

    def __init__(
        self,
        desk: Desk,
        ledger: Ledger,
        equipment: Equipment,
        play: Play,
        sequence: Sequence,
        halt: Callable[[str, str], None],
    ) -> None:
        self._desk = desk
        self._ledger = ledger
        self._equipment = equipment
        self._play = play
        self._sequence = sequence
        self._halt = halt

    @property
    def asks(self) -> bool:
        """Whether the dealer has to confirm something before anything else goes on."""
        return self._sequence.passage() is not None

    def names(self) -> bool:
        """Whether an antenna's word may still name a card that was not read."""
        passage = self._sequence.passage()
        return passage is not None and passage.count > 0

    def forget(self) -> None:
        """A new hand: nothing is asked any more."""
        self._desk.first_is_answered("check")

    def drew(self, event: Drew) -> None:
        """A draw that is no ordinary card."""
        code = _CODES[event.what]
        count = {"unread-card": 1, "double-feed": max(event.seen, _AT_ONCE)}.get(code, 0)
        known = event.cards if count else ()
        self._passes(code, Passage(code, event.way, event.time, count, known))

    def timed_out(self) -> None:
        """A card was half drawn for too long; it has not left the shoe."""
        self._passes("card-timeout", Passage("card-timeout", "hand", 0))

    def _passes(self, code: Code, passage: Passage) -> None:
        if not self._play.follows_draws:
            self._ledger.move_all(passage.known, TRANSIT, Evidence.SEEN)
            self._tell(code)
            return
        due = self._dues(self._sequence.ahead, passage)
        self._ledger.move_all(passage.known, TRANSIT, Evidence.SEEN)
        if passage.count and not self._can_be_named(passage, due):
            self._nobody_can_name(passage)
            return
        self._tell(code)
        self._sequence.passes(passage)
        self.ask()

    def _tell(self, code: Code) -> None:
        said = _SAID[code]
        match code:
            case "unread-card":
                self._desk.alert("unread-card", said)
            case "double-feed":
                self._desk.alert("double-feed", said)
            case "reversed-card":
                self._desk.alert("reversed-card", said)
            case "card-timeout":
                self._desk.alert("card-timeout", said)

    def _nobody_can_name(self, passage: Passage) -> None:
        why = "and no antenna can say which lies where"
        if passage.code == "double-feed":
            self._halt("double-feed", f"{_SAID[passage.code]}, {why}")
        else:
            self._halt("unread-card", f"{_SAID[passage.code]}, {why}")

    def _dues(self, ahead: int, passage: Passage) -> list[Place | None]:
        if passage.way == "burner":
            return [BURN] * passage.count
        return [self._play.place_due(ahead + at, passage.way) for at in range(passage.count)]

    def _can_be_named(self, passage: Passage, due: list[Place | None]) -> bool:
        antennas = self._equipment.antennas
        if passage.count > _AT_ONCE or not antennas:
            return False
        return all(place is None or place in antennas for place in due)

    def ask(self) -> None:
        """Asks for what the first passage that waits needs."""
        passage = self._sequence.passage()
        if passage is None:
            self._desk.first_is_answered("check")
            return
        due = self._dues(self._sequence.position(passage), passage)
        seat = seat_of(due[0]) if due and due[0] is not None else None
        self._desk.ask_first(_PROMPTS[passage.code], seat=seat or 0, count=passage.count, over="check")

    def press(self, key: Keyed) -> bool:
        """A key while something is to be confirmed; whether it was, and what comes behind may go on."""
        passage = self._sequence.passage()
        if passage is None:
            return False
        if key.key != "ack":
            self._desk.refuse_key(key, f"{_SAID[passage.code]}: that has first to be confirmed")
            return False
        named = self._named(passage)
        if len(named) < passage.count:
            self._desk.refuse("ack", "no antenna has seen it: it has first to lie where it belongs")
            self._desk.ask_again()
            return False
        self._desk.first_is_answered("check")
        self._sequence.becomes(passage, [self._flight(passage, card) for card in named])
        self.ask()
        return True

    def _named(self, passage: Passage) -> list[Card]:
        """The cards that passed, as far as antennas have said, in the order in which they fit what is due."""
        due = self._dues(self._sequence.position(passage), passage)
        heard = self._sequence.heard_early()
        unknown = passage.count - len(passage.known)
        known = [card for card in passage.known if card in heard]
        waits = [card for card in heard if not self._sequence.is_known_to_pass(card)]
        # A card that fits what is due is the one that was not read; another's draw may still be on its way.
        fits = sorted(waits, key=lambda card: heard[card] not in due)
        cards = known + fits[:unknown]
        if len(cards) == _AT_ONCE and heard[cards[0]] != due[0] and heard[cards[1]] == due[0]:
            cards.reverse()
        return cards

    def _flight(self, passage: Passage, card: Card) -> Flight:
        said, deadline = self._sequence.take_early(card)
        if deadline is not None:
            self._desk.deadlines.discard(deadline)
        first = next(event for event in said if isinstance(event, Arrived))
        self._ledger.move(card, TRANSIT, Evidence.SEEN)
        return Flight(
            card,
            passage.way,
            passage.time,
            place=first.place,
            facing=Facing(first.facing),
            later=said[said.index(first) + 1 :],
        )
