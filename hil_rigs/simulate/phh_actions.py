"""The actions of a hand history, followed one by one into acts and a deck (scenarios.md, PHH).

`d dh pN CARDS` deals hole cards and `d db CARDS` board cards; `pN f`, `pN cc`, `pN cbr TOTAL` are acts and
`pN sm [CARDS]` shows or mucks. `?` is what is not known; what follows `#` is commentary.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

from hil_rigs.simulate.deck import DECK, UNKNOWN, DeckError, drawn, fits
from hil_rigs.simulate.errors import ScenarioError, quoted
from hil_rigs.simulate.round import Betting, TurnError
from hil_rigs.simulate.scenario import MAX_CHIPS, Act, Action, Bet, Key, Phase, Play, TableSetup

STREETS: tuple[Phase, ...] = ("preflop", "flop", "turn", "river")
_DEALT = (0, 3, 4, 5)
"""Cards on the board in each street."""

_WHEN = ("before the flop", "on the flop", "on the turn", "on the river")
_AMOUNT = re.compile(r"[0-9]{1,10}(\.[0-9]{1,6})?")
_PLAYER = re.compile(r"p[0-9]{1,2}")


class Way(NamedTuple):
    """One action as it stands: which one (`at`), whose (0 for the dealer), what, with what."""

    at: int
    seat: int
    verb: Literal["dh", "db", "f", "cc", "cbr", "sm", "?"]
    cards: str = ""
    amount: str | None = None


class Told(NamedTuple):
    """What the rest of the file says: the table as it is set up, its scale, and the actions."""

    file: str
    actions: list[str]
    table: TableSetup
    scale: int
    seed: int


class Played(NamedTuple):
    """The acts and all 52 cards in the order in which they leave the shoe."""

    acts: tuple[Act, ...]
    deck: tuple[str, ...]


def ways_of(actions: list[str]) -> Iterator[Way]:
    """Yield every action that is more than commentary; the verb `?` is one that cannot be read."""
    for index, action in enumerate(actions):
        words = action.partition("#")[0].split()
        if words:
            yield _way(index, words)


def follow(told: Told) -> Played:
    """Return the acts and the deck of a history.

    Raises:
        ScenarioError: an action cannot be read or cannot be; an act is missing; a card stands twice.
    """
    return _Follower(told).run()


def _way(index: int, words: list[str]) -> Way:
    match words:
        case ["d", "db", cards]:
            return Way(index, 0, "db", cards)
        case ["d", "dh", player, cards] if _PLAYER.fullmatch(player):
            return Way(index, int(player[1:]), "dh", cards)
        case [player, "f" | "cc" as verb] if _PLAYER.fullmatch(player):
            return Way(index, int(player[1:]), "f" if verb == "f" else "cc")
        case [player, "cbr", amount] if _PLAYER.fullmatch(player) and _AMOUNT.fullmatch(amount):
            return Way(index, int(player[1:]), "cbr", amount=amount)
        case [player, "sm"] if _PLAYER.fullmatch(player):
            return Way(index, int(player[1:]), "sm")
        case [player, "sm", cards] if _PLAYER.fullmatch(player):
            return Way(index, int(player[1:]), "sm", cards)
        case _:
            return Way(index, 0, "?")


class _Follower:
    def __init__(self, told: Told) -> None:
        table = told.table
        self._told = told
        self._seats = tuple(table.seats)
        self._hole_cards = table.hole_cards
        self._hole: dict[int, list[str]] = {seat: [] for seat in self._seats}
        self._board = list[str]()
        self._street = 0
        self._acts = list[Act]()
        self._showed = set[int]()
        self._muckers = list[int]()
        self._named = set[str]()
        self._reached = False
        self._betting = Betting(table.seats, table.antes, _blinds(table), table.posts)

    def run(self) -> Played:
        for way in ways_of(self._told.actions):
            try:
                self._action(way)
            except TurnError as error:
                raise self._error(str(error), way) from None
        self._dealt_in(None)
        self._finish()
        return Played(tuple(self._acts), self._deck())

    def _action(self, way: Way) -> None:
        if way.verb == "?":
            action = self._told.actions[way.at]
            raise self._error(f"cannot be read: {quoted(action)} (dh, db, f, cc, cbr and sm are known)", way)
        if way.verb == "db":
            self._deal_board(way)
            return
        if way.seat not in self._hole:
            raise self._error(f"seat {way.seat} is not in the hand (seats 1 to {len(self._seats)})", way)
        if way.verb == "dh":
            self._deal_hole(way)
            return
        self._dealt_in(way)
        if way.verb == "sm":
            self._show_or_muck(way)
        else:
            self._bet(way)

    def _deal_hole(self, way: Way) -> None:
        if self._acts or self._board or self._showed:
            raise self._error(f"seat {way.seat} is dealt a hole card after the deal", way)
        cards = self._cards(way)
        hole = self._hole[way.seat]
        if len(hole) + len(cards) > self._hole_cards:
            held = len(hole) + len(cards)
            raise self._error(
                f"seat {way.seat} is dealt {held} hole cards instead of {self._hole_cards}", way
            )
        for card in cards:
            self._name(card, way)
        hole.extend(cards)

    def _dealt_in(self, way: Way | None) -> None:
        for seat, hole in self._hole.items():
            if len(hole) < self._hole_cards:
                why = f"seat {seat} is dealt {len(hole)} hole cards instead of {self._hole_cards}"
                raise self._error(why, way)

    def _deal_board(self, way: Way) -> None:
        self._dealt_in(way)
        left = self._betting.left
        if len(left) < 2:
            raise self._error(f"a board card after the hand: only seat {left[0]} is left", way)
        self._complete(way)
        if self._street + 1 == len(STREETS):
            raise self._error("the board is complete; a sixth card is dealt", way)
        street = STREETS[self._street + 1]
        want = _DEALT[self._street + 1] - _DEALT[self._street]
        cards = self._cards(way)
        if len(cards) != want:
            raise self._error(f"the {street} has {want} card{'s' * (want > 1)}, not {len(cards)}", way)
        for card in cards:
            self._name(card, way)
        self._board.extend(cards)
        self._next_street()

    def _bet(self, way: Way) -> None:
        if self._showed:
            raise self._error(f"seat {way.seat} acts after the showdown began", way)
        if way.verb == "cc" and self._betting.to_act != way.seat and self._betting.idle(way.seat):
            # Some histories let him check who has nobody to bet against; at this table he is not asked.
            return
        amount: int | None = None
        action: Action = "fold"
        if way.verb == "f":
            self._betting.fold(way.seat)
        elif way.verb == "cc":
            action = self._betting.check_or_call(way.seat)
        else:
            amount = self._scaled(way)
            action = self._betting.bet_to(way.seat, amount)
        if not self._reached:
            self._acts.append(Play(len(self._acts), STREETS[self._street]))
            self._reached = True
        self._acts.append(Bet(len(self._acts), way.seat, action, amount))

    def _show_or_muck(self, way: Way) -> None:
        seat, left = way.seat, self._betting.left
        self._complete(way)
        if seat not in left:
            raise self._error(f"seat {seat} shows or mucks, but has folded", way)
        if seat in self._showed and seat not in self._muckers:
            self._shows_again(way)
            return
        if self._street + 1 < len(STREETS) and not self._betting.closed:
            raise self._error(f"seat {seat} shows or mucks before the {STREETS[self._street + 1]}", way)
        self._showed.add(seat)
        # Who said nothing of his cards when the bets were closed may show them once the board is complete.
        if seat in self._muckers:
            self._muckers.remove(seat)
        if not way.cards.strip(UNKNOWN):
            # Who is left alone has won: there is no showdown to muck at.
            if len(left) > 1:
                self._muckers.append(seat)
        elif way.cards != "-":
            self._hole[seat] = self._merged(way)

    def _shows_again(self, way: Way) -> None:
        """Take a word about cards that lie open already: they stay so, and are the same."""
        cards = self._cards(way) if way.cards != "-" else []
        if any(UNKNOWN not in card and card not in self._hole[way.seat] for card in cards):
            raise self._error(f"seat {way.seat} shows other cards than before", way)

    def _merged(self, way: Way) -> list[str]:
        """Return a seat's cards as dealt, with what it shows in the places that were not known."""
        shown, hole = self._cards(way), list(self._hole[way.seat])
        if len(shown) != len(hole):
            raise self._error(f"seat {way.seat} shows {len(shown)} cards instead of {len(hole)}", way)
        known = [card for card in shown if UNKNOWN not in card]
        for i, card in enumerate(known):
            if card in known[:i]:
                raise self._error(f"the card {card} stands twice", way)
        news = [card for card in known if card not in hole]
        for card in news:
            self._name(card, way)
            # The narrower place first: a card shown that could be the `A?` that was dealt is that one.
            places = [i for i, slot in enumerate(hole) if UNKNOWN in slot and fits(card, slot)]
            if not places:
                raise self._error(f"seat {way.seat} shows {card}, which it was not dealt", way)
            hole[min(places, key=lambda i: hole[i].count(UNKNOWN))] = card
        return hole

    def _finish(self) -> None:
        left = self._betting.left
        if len(left) > 1:
            self._complete(None)
            while self._street + 1 < len(STREETS):
                self._next_street()
                self._complete(None)
            for seat in left:
                if seat not in self._showed:
                    raise self._error(f"seat {seat} neither shows nor mucks at the showdown", None)
            self._acts.append(Play(len(self._acts), "showdown"))
            # The last hand of all keeps the pot, whatever was said of it.
            kept = self._muckers[-1:] if len(self._muckers) == len(left) else []
            for seat in (seat for seat in self._muckers if seat not in kept):
                self._acts.append(Key(len(self._acts), "muck", seat))
        self._acts.append(Play(len(self._acts), "done"))

    def _next_street(self) -> None:
        self._street += 1
        self._reached = False
        self._betting.next_street()

    def _complete(self, way: Way | None) -> None:
        seat = self._betting.to_act
        if seat is not None:
            raise self._error(f"seat {seat} has not acted {_WHEN[self._street]}", way)

    def _cards(self, way: Way) -> list[str]:
        cards = [way.cards[i : i + 2] for i in range(0, len(way.cards), 2)]
        for card in cards:
            if len(card) != 2 or not any(fits(known, card) for known in DECK):
                raise self._error(
                    f"{quoted(card)} is no card of the deck; a card is rank then suit, as in As", way
                )
        return cards

    def _name(self, card: str, way: Way) -> None:
        if UNKNOWN in card:
            return
        if card in self._named:
            raise self._error(f"the card {card} stands twice", way)
        self._named.add(card)

    def _scaled(self, way: Way) -> int:
        # Whole by the choice of the scale, which every amount of the file has a part in.
        units = int(Fraction(way.amount or 0) * self._told.scale)
        if units > MAX_CHIPS:
            raise self._error(f"seat {way.seat} bets more than {MAX_CHIPS}", way)
        return units

    def _deck(self) -> tuple[str, ...]:
        rounds = range(self._hole_cards)
        slots = [self._hole[seat][i] for i in rounds for seat in self._seats]
        board = self._board + ["??"] * (_DEALT[-1] - len(self._board))
        for street in ([*board[:3]], [board[3]], [board[4]]):
            slots += ["??", *street]
        try:
            return drawn(slots, self._told.seed)
        except DeckError as error:
            raise self._error(str(error), None) from None

    def _error(self, why: str, way: Way | None) -> ScenarioError:
        place = "actions" if way is None else f"actions[{way.at}]"
        return ScenarioError(self._told.file, place, why)


def _blinds(table: TableSetup) -> dict[int, int]:
    """Return the blinds by seat; heads-up the last player has the first of the two."""
    seats = tuple(table.seats)
    return dict(zip(seats[::-1] if len(seats) == 2 else seats, table.blinds, strict=False))
