"""The hands of the demo, told deed by deed."""

import textwrap
import time
from collections.abc import Sequence
from typing import Final, Literal, cast

from rich.console import Console
from rich.text import Text

from controller.decisions import (
    Alert,
    CardLay,
    CarriedOut,
    ChipsMoved,
    HandBegan,
    Joined,
    LateNext,
    PhaseEntered,
    Refused,
    Ruled,
    TakenBack,
    Withdrawn,
)
from controller.narrate import line, lit_words, money, ruling, seen, told_machine
from controller.notices import AnyNotice, Lit, PromptShown
from hil_rigs.demo.chapters import BLINDS, BUTTON, CHAPTERS, SEATS, SEED, Chapter
from hil_rigs.simulate.deck import full_deck
from hil_rigs.simulate.scenario import Scenario, TableSetup
from hil_rigs.simulate.wire import WireBench
from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.deeds import Deed

STEP_S: Final = 0.4
CARD_S: Final = 0.2

_DOT: Final = "●"
_DARK: Final = "·"
_COLOURS: Final = {"white": "bright_white", "red": "red", "amber": "yellow", "green": "green", "blue": "blue"}


def tell(game: str, *, pauses: bool) -> None:
    """Plays the chapters and tells them on standard output. Raises BenchError where the table fails."""
    console = Console(highlight=False, soft_wrap=True)
    story = _Story(console, pauses=pauses)
    scenario = _scenario(cast(Literal["holdem", "omaha"], game))
    story.introduce(scenario)
    bench = WireBench(scenario)
    try:
        story.play(bench)
    finally:
        bench.close()
    story.end()


def _scenario(game: Literal["holdem", "omaha"]) -> Scenario:
    return Scenario(
        name="demo",
        table=TableSetup(game=game, seats=SEATS, button=BUTTON, blinds=BLINDS, antes=dict.fromkeys(SEATS, 0)),
        deck=full_deck((), SEED),
        seed=SEED,
        acts=(),
    )


class _Story:
    """Prints what happens, each line in the voice of whoever it comes from."""

    def __init__(self, console: Console, *, pauses: bool) -> None:
        self._console = console
        self._pauses = pauses
        self._read = 0
        self._leds = 0
        self._phase = "idle"
        self._to_come = list(CHAPTERS)
        self._chapter: Chapter = CHAPTERS[0]
        self._script = dict(CHAPTERS[0].players)
        self._mistake_is_made = False

    def introduce(self, scenario: Scenario) -> None:
        """Who is who."""
        game = {"holdem": "hold'em", "omaha": "Omaha"}[scenario.table.game]
        seats = ", ".join(map(str, scenario.table.seats))
        blinds = " and ".join(map(str, BLINDS))
        self._console.print(
            Text(f"Two hands of {game}, a mistake in each: seats {seats}, blinds {blinds}.", "bold")
        )
        for voice, words in (
            ("dealer", "what the dealer's hands do"),
            ("player", "what a player does, told by the dealer's keypad"),
            ("table", "what the shoe, the antennas and the keypad have seen of it"),
            ("ruling", "what the rulebook has for a mistake, and what will be done about it"),
            ("machine", "what the controller had a machine do"),
            ("ring", "what the dealer reads next: LEDs round the rail and a line of text"),
        ):
            self._say(voice, words)
        self._console.print("ACK is the key of the dealer's keypad that says: done.")
        self._console.print()

    def play(self, bench: WireBench) -> None:
        """Obeys the prompts, but for the mistakes, until the last pot is pushed; tells each step."""
        self._leds = bench.table.prompts.able_to.leds
        bench.rest()
        self._tell_news(bench)
        while self._to_come or self._phase != "done":
            deed = self._mistaken(bench) or self._scripted(bench) or bench.table.dealer.obey()
            if deed is None:
                return
            told = self._is_told
            if told:
                self._say("dealer" if deed.kind != "act" else "player", deed.words)
            bench.rest()
            self._tell_news(bench)
            if told:
                self._pause(deed)

    @property
    def _is_told(self) -> bool:
        return self._phase == "idle" or self._phase in self._chapter.phases

    def _mistaken(self, bench: WireBench) -> Deed | None:
        """The dealer's one mistake of this hand, once he is asked for what he gets wrong."""
        asked = bench.table.prompts.display
        if asked is None or self._mistake_is_made or (self._phase, asked.code) != self._chapter.at:
            return None
        self._mistake_is_made = True
        return self._chapter.mistake(bench.table)

    def _scripted(self, bench: WireBench) -> Deed | None:
        """A player acts as the script has it, if it is the turn of one who does."""
        asked = bench.table.prompts.display
        if asked is None or asked.code not in (Prompt.ACT_CHECK, Prompt.ACT_CALL):
            return None
        scripted = self._script.pop((self._phase, asked.seat, Prompt(asked.code)), None)
        if scripted is None:
            return None
        action, amount = scripted
        if action == "fold":
            bench.table.hands.fold(asked.seat)
            return Deed("act", asked.seat, 0, f"seat {asked.seat} folds, and the dealer mucks the cards")
        bench.table.hands.act(asked.seat, action, amount)
        return Deed("act", asked.seat, 0, f"seat {asked.seat}: {action} to {amount}")

    def _pause(self, deed: Deed) -> None:
        if self._pauses:
            time.sleep(CARD_S if deed.kind in ("deal-hole", "act") else STEP_S)

    def _tell_news(self, bench: WireBench) -> None:
        notices = bench.notices
        for said in in_telling_order([notice.said for notice in notices[self._read :]]):
            self._tell(said)
        self._read = len(notices)

    def _tell(self, said: AnyNotice) -> None:
        match said:
            case HandBegan(button=button):
                self._begin_chapter(button)
            case PhaseEntered(phase=phase):
                self._phase = phase
                if self._is_told:
                    self._console.print()
                    name = phase.upper()
                    first, *rest = self._wrapped(f"{name} {self._chapter.phases[phase]}")
                    self._console.print(Text(name, "bold") + Text(first.removeprefix(name), "italic"))
                    for words in rest:
                        self._console.print(Text(f"  {words}", "italic"))
            case _ if not self._is_told:
                pass
            case PromptShown():
                self._ring(said)
            case Ruled():
                self._ruling(said)
            case ChipsMoved():
                for words in money(said):
                    self._say("table", words)
            case Alert() | Refused() | Joined() | Withdrawn() | TakenBack() | LateNext():
                for words in line(said):
                    self._say("table", words)
            case _:
                machine = told_machine(said)
                words_seen = seen(said)
                if machine:
                    self._say("machine", machine)
                elif words_seen:
                    self._say("table", words_seen)

    def _begin_chapter(self, button: int) -> None:
        number = len(CHAPTERS) - len(self._to_come) + 1
        self._chapter = self._to_come.pop(0)
        self._script = dict(self._chapter.players)
        self._mistake_is_made = False
        self._console.print()
        self._console.print(
            Text(f"HAND {number}: {self._chapter.title}. The button is at seat {button}", "bold")
        )

    def _ruling(self, said: Ruled) -> None:
        self._say("ruling", ruling(said), "bold")
        for number, words in enumerate(said.steps, start=1):
            self._say("", f"{number}. {words}")

    def _ring(self, prompt: PromptShown) -> None:
        text = f"{prompt.glyph} {prompt.text}"
        if not self._console.is_terminal:
            self._say("ring", f"{text}   ({lit_words(prompt.lit)})")
            return
        self._say("ring", text, "bold")
        row = Text()
        for led in range(self._leds):
            span = next((lit for lit in prompt.lit if _lights(lit, led)), None)
            row.append(_DOT if span else _DARK, _COLOURS[span.colour] if span else "bright_black")
        patterns = ", ".join(dict.fromkeys(lit.pattern for lit in prompt.lit))
        self._console.print(Text("           "), row, Text(f" {patterns}", "bright_black"), sep="")

    def _say(self, voice: str, words: str, style: str = "") -> None:
        head = f"  {voice:<8} "
        for text in self._wrapped(words, indent=len(head)):
            self._console.print(Text(head, "bright_black"), Text(text, style), sep="")
            head = " " * len(head)

    def _wrapped(self, words: str, indent: int = 2) -> list[str]:
        """Lines that fit a terminal behind an indent; one line for a pipe."""
        if not self._console.is_terminal:
            return [words]
        return textwrap.wrap(words, max(self._console.width - indent, 20)) or [""]

    def end(self) -> None:
        """Where to go from here."""
        self._console.print()
        self._console.print("All that is ruled on: `cutcard rules`. `cutcard run --virtual` plays on.")
        last = "All of it came over real bytes: the controller knew nothing but five devices on their ports."
        for words in self._wrapped(last, indent=0):
            self._console.print(words)


def in_telling_order(said: Sequence[AnyNotice]) -> list[AnyNotice]:
    """A machine's work before what was seen of it, and a card before what is ruled on it.

    The shoe sees its burn before it says that it is done; a card that was not due is ruled on as it comes to
    rest.
    """
    told = list(said)
    for i in range(1, len(told)):
        before, notice = told[i - 1], told[i]
        burned = isinstance(notice, CarriedOut) and notice.command == "burn" and isinstance(before, CardLay)
        if burned or (isinstance(before, Ruled) and isinstance(notice, CardLay)):
            told[i - 1], told[i] = notice, before
    return told


def _lights(lit: Lit, led: int) -> bool:
    """Whether a span covers a LED; it may run over the ring's end. `ends` lights only its two ends."""
    if lit.pattern == "ends":
        return led in (lit.first, lit.last)
    if lit.first <= lit.last:
        return lit.first <= led <= lit.last
    return led >= lit.first or led <= lit.last
