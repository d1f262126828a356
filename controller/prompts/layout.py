"""Which LEDs of the ring stand for a seat, the board, the shoe and so on."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.decisions import Prompt
from controller.places import SEATS
from controller.prompts.catalogue import ColourName, Light, PatternName, Worded

DEALER_SIDE: tuple[Light, ...] = ("shuffler", "muck", "board", "burn", "shoe")


@dataclass(frozen=True)
class Span:
    """LEDs `first` to `last`, both included, clockwise; it may run over the ring's end."""

    first: int
    last: int
    colour: ColourName
    pattern: PatternName


@dataclass(frozen=True)
class Layout:
    """A ring of `leds`, numbered clockwise from the dealer's left, with the span of each thing that can light
    up."""

    leds: int
    spans: Mapping[str, tuple[int, int]]

    def light(self, prompt: Prompt, worded: Worded) -> tuple[Span, ...]:
        """The spans that a prompt lights, in the order in which its look names them."""
        names: list[str] = []
        for light in worded.lights:
            match light:
                case "seat":
                    names += [f"seat:{prompt.seat}"] if prompt.seat else []
                case "seats":
                    names += [
                        f"seat:{seat}" for seat in prompt.seats or ((prompt.seat,) if prompt.seat else ())
                    ]
                case "all":
                    return (Span(0, self.leds - 1, worded.colour, worded.pattern),)
                case _:
                    names.append(light)
        return tuple(
            Span(*self.spans[name], worded.colour, worded.pattern) for name in names if name in self.spans
        )


def even_layout(leds: int) -> Layout:
    """Seats 1 to 11 clockwise, then the dealer's side: shuffler, muck, board, burn, shoe; equal spans, 24
    LEDs at least.

    Raises ValueError for a ring that is too small.
    """
    names = [f"seat:{seat}" for seat in SEATS] + list(DEALER_SIDE)
    if leds < len(names):
        raise ValueError(f"a ring needs at least {len(names)} LEDs, not {leds}")
    size = leds // len(names)
    return Layout(leds, {name: (i * size, i * size + size - 1) for i, name in enumerate(names)})
