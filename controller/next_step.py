"""What follows of itself once no card is in flight: a question, a remedy, or the hand's own next step."""

from controller.button_draw import ButtonDraw
from controller.hand import BEFORE_SHOWDOWN, BETTING_ROUNDS, STREETS_DEALT
from controller.late_next import BettingComplete
from controller.mucked import Mucked
from controller.parts import Parts
from controller.remedies.steps import LETS_OUT, Await
from controller.remedies.under_way import Open
from controller.remedies.walk import walk


class NextStep:
    """One hand's next steps, each taken as far as it goes."""

    def __init__(self, parts: Parts, draw: ButtonDraw, question: BettingComplete, mucked: Mucked) -> None:
        self._state = parts.state
        self._desk = parts.desk
        self._loading = parts.loading
        self._rulings = parts.rulings
        self._works = parts.works
        self._judge = parts.judge
        self._ending = parts.ending
        self._draw = draw
        self._question = question
        self._mucked = mucked
        self._lacks_card = False
        self.asking: Open | None = None
        """The remedy whose step hands or machines must do now."""

    def forget(self) -> None:
        """A new hand, or none any more: nothing is asked."""
        self.asking = None
        self._lacks_card = False

    def lacks_card(self) -> None:
        """What left the shoe in the place of a card that is due was none, and has still to go."""
        self._lacks_card = True

    @property
    def lets_out(self) -> bool:
        """Whether cards that are due may leave the shoe: no remedy that holds everything waits for hands."""
        asking = self.asking
        return asking is None or isinstance(asking.step, LETS_OUT) or not asking.holds("everything")

    def take(self) -> None:
        """No card is in flight: does all that is due now, questions to the dealer first, remedies before the
        hand's own procedure."""
        while self._desk.phase not in ("halted", "idle", "done") and not self._loading.only_parks:
            if self._mucked.settle() or self._question.pauses():
                return
            if self._is_won:
                if self._works.lets_go():
                    self._one_left()
                return
            self.asking = walk(self._rulings.open, self._works)
            if self._desk.phase == "halted":
                return
            if self._lacks_card and not self._rulings.is_open("joker") and not self._works.burn_is_ordered:
                self._lacks_card = False
                self._works.goes_on()
            if self.asking is not None and self.asking.holds("everything"):
                return
            if not self._goes_on():
                return

    @property
    def _is_won(self) -> bool:
        """Whether one player is left before the hands are shown."""
        phase, left = self._desk.phase, self._state.following.contenders
        return len(left) == 1 and phase in BEFORE_SHOWDOWN

    def _goes_on(self) -> bool:
        """The hand's own next step; True where another may follow at once."""
        phase, state = self._desk.phase, self._state
        if state.due or self._works.works_on:
            if self.asking is None and state.due:
                self.ask_for_cards()
            return False
        if phase == "button-draw":
            self._draw.look()
        elif phase == "deal" and state.deal.complete:
            self._desk.enter("hole_cards_dealt")
            return True
        elif phase == "showdown" and self.asking is None:
            self._ending.goes_on()
        elif phase in STREETS_DEALT:
            return self._street_goes_on()
        elif phase in BETTING_ROUNDS:
            return self._betting_goes_on()
        return False

    def ask_for_cards(self) -> None:
        """Asks for the cards that are due, unless a machine or a remedy has asked for them."""
        due = self._state.due[0]
        if due.purpose == "hole":
            waiting = next((r for r in self._rulings.open if isinstance(r.step, Await)), None)
            exposed = next(reversed(self._state.deal.exposed), None)
            step = waiting.step if waiting is not None else None
            if waiting is not None and isinstance(step, Await) and step.prompt and exposed:
                which = self._works.which(exposed)
                self._desk.ask(step.prompt, seat=waiting.owner, count=which)
            else:
                order = self._state.deal.order
                self._desk.ask("deal-hole", seat=order[0], count=self._state.deal.each, seats=order)
        elif due.purpose == "button":
            self._draw.ask()
        elif due.purpose == "street":
            self._works.ask_for_street()
        elif due.purpose == "burn":
            self._works.ask_for_burn()

    def _street_goes_on(self) -> bool:
        """No card of the street is due: it lies, or a remedy comes first, or has kept it from being dealt."""
        if not self._state.streets.missing(self._desk.phase):
            self._street_lies()
            return True
        if self.asking is None:
            self._works.street_goes_on()
        return False

    def _street_lies(self) -> None:
        self._state.open_street(self._desk.enter("street_lies"))

    def _betting_goes_on(self) -> bool:
        if self.asking is not None:
            return False
        if not self._state.following.complete:
            self._state.following.ask()
            return False
        return self._next_street()

    def _next_street(self) -> bool:
        """The round is complete: the burn, then the street; after the river the hands are shown."""
        streets = self._state.streets
        if self._desk.phase == "river":
            self._ending.show()
            return False
        if self._works.begins_with_what_stands() or self._judge.street_lies_without_burn():
            return True
        if streets.burn_is_due:
            self._works.burn()
        else:
            self._works.deal_street()
        return True

    def _one_left(self) -> None:
        """One player is left: the pot is his, nothing is dealt, burned or shuffled any more."""
        self._rulings.close()
        self._mucked.forget()
        self._works.nothing_is_due()
        self._ending.one_left()
