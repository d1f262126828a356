"""A hand that is finished by hand: its cards are off the machines, its chips are followed to the last pot.

The dealer deals by hand and says so by `next`; acts are told as before, or `next` ends a round; at showdown
the dealer names who has won each pot.
"""

from typing import Final

from controller.betting import IllegalAct
from controller.dealing import STREET_CARDS
from controller.events import Acted, Keyed
from controller.hand import BETTING_ROUNDS, STREETS_DEALT
from controller.parts import Parts

_BY_HAND: Final = "the hand is finished by hand: the key means nothing in it now"


class ByHand:
    """One hand's end without the machines. `active` from the floor's word until the hand is over."""

    def __init__(self, parts: Parts) -> None:
        self._state = parts.state
        self._desk = parts.desk
        self._ending = parts.ending
        self._named: list[frozenset[int]] = []
        self._now: set[int] = set()
        self.active = False

    def begin(self) -> None:
        """The hand goes on by hand in the phase that it is in; whoever has shown or mucked has done so."""
        self.active = True
        self._named.clear()
        self._now.clear()
        self._ending.call_off()
        self._go_on()

    def stop(self) -> None:
        """The hand is over, or the floor called it off."""
        self.active = False

    def _go_on(self) -> None:
        """Asks for what is next: cards, acts, winners, or the next pot to be pushed."""
        desk, following = self._desk, self._state.following
        if self._ending.to_push:
            self._ending.ask()
        elif desk.phase == "showdown":
            self._ask_for_winners()
        elif len(following.contenders) == 1:
            self._ending.one_left()
        elif desk.phase == "deal":
            desk.ask("deal-by-hand", count=self._state.deal.each)
        elif desk.phase in STREETS_DEALT:
            desk.ask("deal-by-hand", count=STREET_CARDS[desk.phase])
        elif not following.complete:
            following.ask()
        elif desk.phase == "river":
            desk.enter("showing")
            self._ask_for_winners()
        else:
            desk.enter("street_due")
            self._go_on()

    def act(self, event: Acted) -> None:
        """A player's act."""
        if self._desk.phase not in BETTING_ROUNDS or self._state.following.complete:
            self._desk.refuse(f"{event.action} of seat {event.seat}", "no betting round is open")
        elif self._state.following.act(event) is not None:
            self._go_on()

    def press(self, key: Keyed) -> None:
        """A key of the dealer's."""
        desk, phase = self._desk, self._desk.phase
        if key.key == "ack" and self._ending.to_push:
            self._ending.press(key)
        elif key.key == "next" and phase == "deal":
            desk.asked_is_done()
            desk.enter("hole_cards_dealt")
            self._go_on()
        elif key.key == "next" and phase in STREETS_DEALT:
            desk.asked_is_done()
            self._state.open_street(desk.enter("street_lies"))
            self._go_on()
        elif phase in BETTING_ROUNDS and key.key in ("next", "muck"):
            self._in_betting(key)
        elif phase == "showdown" and not self._ending.to_push and key.key in ("yes", "no", "ack"):
            self._names(key)
        else:
            desk.refuse_key(key, _BY_HAND)

    def _in_betting(self, key: Keyed) -> None:
        following = self._state.following
        if key.key == "next":
            if why := following.why_not_complete:
                self._desk.refuse("next", why)
                return
            following.close_round()
        else:
            try:
                following.fold_out(key.seat)
            except IllegalAct as refusal:
                self._desk.refuse_key(key, refusal.why)
                return
        self._go_on()

    # Who has won

    def _contested(self) -> tuple[tuple[int, ...], int] | None:
        """The first pot of which it does not follow who has won it: its seats and its chips."""
        following = self._state.following
        amounts = [pot.amount for pot in following.standing().pots]
        for at, seats in enumerate(following.shares):
            decided = len(seats) == 1 or any(named & frozenset(seats) for named in self._named)
            if not decided:
                return seats, amounts[at] if amounts else 0
        return None

    def _ask_for_winners(self) -> None:
        """A pot whose seats include a winner of one before it is his too, as the hands are the same."""
        pot = self._contested()
        if pot is None:
            self._ending.pays(self._state.following.settle(self._named, {}))
            return
        seats, chips = pot
        lit = tuple(sorted(self._now)) or seats
        self._desk.ask("name-winners", seat=min(self._now, default=0), count=chips, seats=lit)

    def _names(self, key: Keyed) -> None:
        pot = self._contested()
        seats = pot[0] if pot is not None else ()
        if key.key == "ack":
            if not self._now:
                self._desk.refuse("ack", "no winner of this pot is named: press yes with each winner's seat")
                return
            self._named.append(frozenset(self._now))
            self._now.clear()
            self._desk.asked_is_done()
        elif key.seat not in seats:
            self._desk.refuse_key(key, "this key needs the number of a seat that contests this pot")
            return
        elif key.key == "yes":
            self._now.add(key.seat)
        else:
            self._now.discard(key.seat)
        self._ask_for_winners()
