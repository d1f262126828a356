"""The pack of a scenario by places: which card goes where when everybody deals and plays by the rule.

Nothing here asks the controller: what is expected of a report is written from the printed rule, as places in
the deck (0 is the first card off it) or in the order of a shuffle of the report (`@0.2`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

Json = dict[str, Any]
Spot = int | str | frozenset[int]
"""A card: its place in the deck, `@i.k` of shuffle i, or one of several places."""

_DECK: Final = (
    "4h Jd 9c Qs 2h Kd 7s Tc 3d 8h As 6c 5s Qd 9h Kc 2s Jh 7d Th 4c 8s Ad 3c 6h Js "
    "5c Td 8d Qh 3s Ks 7h 9d 2c Ah 6s 4d Jc 5h Ts Qc 2d 8c Kh 3h 9s 7c 4s Ac 6d 5d"
)
DECK: Final = tuple(_DECK.split())
"""The deck of every scenario that does not need one of its own."""

ROYAL: Final = ("As", "Ks", "Qs", "Js", "Ts")
"""A board that no hand beats."""


@dataclass(frozen=True)
class Shown:
    """A scenario and what the rule says of its report."""

    acts: Sequence[Json]
    expect: Mapping[str, object]
    table: Mapping[str, object] = field(default_factory=dict)
    deck: Sequence[str] = DECK
    hands: int = 1


@dataclass(frozen=True)
class Layout:
    """A hand of `each` hole cards; `order` is the order of the deal, the button last."""

    game: str
    order: tuple[int, ...] = (2, 3, 1)

    @property
    def each(self) -> int:
        """Hole cards of every seat."""
        return 2 if self.game == "holdem" else 4

    @property
    def stub(self) -> int:
        """How many cards the deal takes: the place of the first burn, and of the first card of the stub."""
        return self.each * len(self.order)

    def at(self, nth: int) -> int:
        """The place of a card of the stub, from 0: burn 0, flop 1 to 3, burn 4, turn 5, burn 6, river 7."""
        return self.stub + nth

    def seat(self, nth: int) -> int:
        """Who is dealt the card at this place."""
        return self.order[nth % len(self.order)]

    def hole(self, first: int = 0, shuffle: int | None = None) -> dict[str, list[Spot]]:
        """The hands of a deal that begins with the card at `first`, of the deck or of a shuffle."""
        held: dict[str, list[Spot]] = {}
        for nth in range(self.stub):
            held.setdefault(str(self.seat(nth)), []).append(_spot(first + nth, shuffle))
        return held

    def deal(self, count: int | None = None, *, up: Sequence[int] = ()) -> list[Json]:
        """The first `count` cards of the deal by the dealer's hand, those at the places `up` face up."""
        dealt = range(self.stub if count is None else count)
        return [until("deal"), *(draw(f"seat:{self.seat(nth)}", face=_face(nth in up)) for nth in dealt)]

    def played(self, *rulings: str, first: int = 0, **other: object) -> Json:
        """A hand that came to its end in the natural order, the card at `first` the first dealt."""
        return self.streets(first + self.stub) | {
            "rulings": list(rulings),
            "hole": self.hole(first),
            "shuffles": 0,
            **other,
        }

    def streets(self, first: int, shuffle: int | None = None) -> Json:
        """Board and burns in the natural order, the first burn at `first`."""
        spots = [_spot(first + nth, shuffle) for nth in range(8)]
        wasted = first - self.stub if shuffle is None else 0
        return {
            "board": [*spots[1:4], spots[5], spots[7]],
            "burns": [spots[0], spots[4], spots[6]],
            "stub": self.left - wasted,
        }

    @property
    def left(self) -> int:
        """Cards in the shoe after a hand with three burns."""
        return 52 - self.stub - 8

    def misdealt(self, *rulings: str, **other: object) -> Json:
        """A hand that was dealt anew from all 52 cards and came to its end."""
        return self.streets(self.stub, 0) | {
            "rulings": list(rulings),
            "hole": self.hole(shuffle=0),
            "shuffles": 1,
            "included": [list(range(52))],
            "cut": [True],
            **other,
        }


Case = Callable[[Layout, str], Shown]
"""Makes a scenario and what is expected of it, for a hand under a ruleset."""


def _spot(place: int, shuffle: int | None) -> Spot:
    return place if shuffle is None else f"@{shuffle}.{place}"


def _face(up: bool) -> str:
    return "up" if up else "down"


def until(phase: str) -> Json:
    """The hand is brought to a phase."""
    return {"do": "play", "until": phase}


DONE: Final = until("done")
AROUND: Final[Json] = {"do": "check_around"}
BY_HAND: Final = {"shoe": {"gate": False, "burner": False}}
"""The dealer burns by hand."""


def draw(to: str, count: int = 1, *, face: str = "down", boxed: bool = False) -> Json:
    """Cards leave the shoe by hand."""
    act: Json = {"do": "draw", "to": to, "count": count, "face": face}
    return act | ({"boxed": True} if boxed else {})


def up(count: int = 1) -> Json:
    """Cards go face up to the board."""
    return draw("board", count, face="up")


def bet(seat: int, action: str, amount: int | None = None) -> Json:
    """A player acts."""
    act: Json = {"do": "bet", "seat": seat, "action": action}
    return act | ({} if amount is None else {"amount": amount})


def key(name: str, seat: int | None = None) -> Json:
    """The dealer presses a key."""
    pressed: Json = {"do": "key", "key": name}
    return pressed | ({} if seat is None else {"seat": seat})


def floor(decision: str, reason: str, remedy: str | None = None) -> Json:
    """The floor decides."""
    decided: Json = {"do": "floor", "decision": decision, "reason": reason}
    return decided | ({} if remedy is None else {"remedy": remedy})


def accept(reason: str) -> Json:
    """The floor has the proposed remedy carried out."""
    return floor("accept", reason)


def fault(name: str, device: str = "shoe") -> Json:
    """Something goes wrong with a card or in a machine."""
    return {"do": "fault", "device": device, "fault": name}


def wait(ms: int) -> Json:
    """Time passes."""
    return {"do": "wait", "ms": ms}


def choose(remedy: str, reason: str) -> Json:
    """The floor has another remedy carried out than the one proposed."""
    return {"do": "floor", "decision": "choose", "remedy": remedy, "reason": reason}


def found(rule: str, seat: int | None = None) -> list[Json]:
    """The dealer calls the floor, which says what happened."""
    said: Json = {"do": "floor", "decision": "found", "rule": rule, "reason": "the dealer says so"}
    return [key("floor"), said | ({} if seat is None else {"seat": seat})]


def shuffled(place: int, spots: Sequence[int]) -> list[str]:
    """The cards at these places in the order of a shuffle."""
    return [f"@{place}.{spot}" for spot in spots]


def halted(acts: Sequence[Json], rule: str, remedy: str, **other: object) -> Shown:
    """The floor is called before anything is done: after the acts nothing can be played."""
    expect: Json = {"rulings": [rule], "remedies": [remedy], "shuffles": 0, "refused": [len(acts)]}
    expect |= {"outcome": "halted", "alerts": ["floor-decides"], **other}
    return Shown([*acts, DONE], expect)
