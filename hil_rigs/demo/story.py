"""The hand of the demo, deed by deed."""

import time
from collections.abc import Sequence
from typing import Final, Literal, cast

from rich.console import Console
from rich.text import Text

from controller.cli.narrate import line, lit_words, money, seen, told_machine
from controller.decisions import Alert, CardLay, CarriedOut, ChipsMoved, HandBegan, PhaseEntered, Refused
from controller.notices import AnyNotice, Lit, PromptShown
from hil_rigs.simulate.deck import full_deck
from hil_rigs.simulate.scenario import Scenario, TableSetup
from hil_rigs.simulate.wire import WireBench
from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.deeds import Deed

SEED: Final = 11
STEP_S: Final = 0.45
CARD_S: Final = 0.25
SEATS: Final = {1: 1000, 3: 1000, 6: 1000, 8: 1000}
BUTTON: Final = 8

PHASES: Final = {
    "shuffle": "The deck goes through the shuffler, which proves that it is 52 different cards of this deck",
    "deal": "The shoe reads every card as it leaves; the controller tells nobody which it is",
    "preflop": "Betting before the flop: the ring lights the seat whose turn it is",
    "flop-deal": "The round is complete and its burn is made: the flop",
    "flop": "Betting on the flop",
    "turn-deal": "The second burn is made: the turn",
    "turn": "Betting on the turn",
    "river-deal": "The last burn is made: the river",
    "river": "Betting on the river",
    "showdown": "Hands are shown; only now does the controller tell anybody what they are",
    "done": "The hand is over",
}

PLAYERS: Final[dict[tuple[str, int, Prompt], tuple[str, int]]] = {
    ("preflop", 6, Prompt.ACT_CALL): ("raise", 30),
    ("preflop", 8, Prompt.ACT_CALL): ("fold", 0),
    ("flop", 3, Prompt.ACT_CHECK): ("bet", 40),
    ("flop", 1, Prompt.ACT_CALL): ("fold", 0),
}
"""What a seat does in a phase when it is asked so; everybody else checks or calls."""

_DOT: Final = "●"
_DARK: Final = "·"
_COLOURS: Final = {"white": "bright_white", "red": "red", "amber": "yellow", "green": "green", "blue": "blue"}


def tell(game: str, *, pauses: bool) -> None:
    """Plays one hand and tells it on standard output. Raises BenchError where the table fails."""
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
        table=TableSetup(
            game=game, seats=SEATS, button=BUTTON, blinds=(5, 10), antes=dict.fromkeys(SEATS, 0)
        ),
        deck=full_deck((), SEED),
        seed=SEED,
        acts=(),
    )


class _Story:
    """Prints what happens, in four voices."""

    def __init__(self, console: Console, *, pauses: bool) -> None:
        self._console = console
        self._pauses = pauses
        self._read = 0
        self._leds = 0
        self._phase = "idle"
        self._script = dict(PLAYERS)

    def introduce(self, scenario: Scenario) -> None:
        """Who is who."""
        game = {"holdem": "hold'em", "omaha": "Omaha"}[scenario.table.game]
        seats = ", ".join(map(str, scenario.table.seats))
        button = f"the button at seat {BUTTON}"
        blinds = "blinds 5 (seat 1) and 10 (seat 3)"
        self._console.print(Text(f"One hand of {game}: seats {seats}, {button}, {blinds}.", "bold"))
        for voice, words in (
            ("dealer", "what the dealer's hands do"),
            ("player", "what a player does, told by the dealer's keypad"),
            ("table", "what the shoe, the antennas and the keypad have seen of it"),
            ("machine", "what the controller had a machine do"),
            ("ring", "what the dealer reads next: LEDs round the rail and a line of text"),
        ):
            self._say(voice, words)
        self._console.print("ACK is the key of the dealer's keypad that says: done.")
        self._console.print()

    def play(self, bench: WireBench) -> None:
        """Obeys the prompts until the pot is pushed, telling each step."""
        self._leds = bench.table.prompts.able_to.leds
        bench.rest()
        self._tell_news(bench)
        hands = 0
        while hands < 2:
            deed = self._scripted(bench) or bench.table.dealer.obey()
            if deed is None:
                return
            self._say("dealer" if deed.kind != "act" else "player", deed.words)
            bench.rest()
            self._tell_news(bench)
            hands = sum(isinstance(notice.said, HandBegan) for notice in bench.notices)
            self._pause(deed)

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
            case PhaseEntered(phase=phase):
                self._phase = phase
                self._console.print()
                self._console.print(Text(phase.upper(), "bold"), Text(PHASES.get(phase, ""), "italic"))
            case PromptShown():
                self._ring(said)
            case ChipsMoved():
                for words in money(said):
                    self._say("table", words)
            case Alert() | Refused():
                for words in line(said):
                    self._say("table", words)
            case _:
                machine = told_machine(said)
                words_seen = seen(said)
                if machine:
                    self._say("machine", machine)
                elif words_seen:
                    self._say("table", words_seen)

    def _ring(self, prompt: PromptShown) -> None:
        text = f"{prompt.glyph} {prompt.text}"
        if not self._console.is_terminal:
            self._say("ring", f"{text}   ({lit_words(prompt.lit)})")
            return
        self._console.print(Text("  ring     ", "bright_black"), Text(text, "bold"), sep="")
        row = Text()
        for led in range(self._leds):
            span = next((lit for lit in prompt.lit if _lights(lit, led)), None)
            row.append(_DOT if span else _DARK, _COLOURS[span.colour] if span else "bright_black")
        patterns = ", ".join(dict.fromkeys(lit.pattern for lit in prompt.lit))
        self._console.print(Text("           "), row, Text(f" {patterns}", "bright_black"), sep="")

    def _say(self, voice: str, words: str) -> None:
        self._console.print(Text(f"  {voice:<8} ", "bright_black"), Text(words), sep="")

    def end(self) -> None:
        """Where to go from here."""
        self._console.print()
        self._console.print("The next hand begins as this one did. `cutcard run --virtual` plays on.")
        self._console.print(
            "All of it came over real bytes: the controller knew nothing but five devices on their ports."
        )


def in_telling_order(said: Sequence[AnyNotice]) -> list[AnyNotice]:
    """A machine's work before what was seen of it: the shoe sees its burn before it says that it is done."""
    told = list(said)
    for i, notice in enumerate(told[1:], start=1):
        burned = isinstance(notice, CarriedOut) and notice.command == "burn"
        if burned and isinstance(told[i - 1], CardLay):
            told[i - 1], told[i] = told[i], told[i - 1]
    return told


def _lights(lit: Lit, led: int) -> bool:
    """Whether a span covers a LED; it may run over the ring's end. `ends` lights only its two ends."""
    if lit.pattern == "ends":
        return led in (lit.first, lit.last)
    if lit.first <= lit.last:
        return lit.first <= led <= lit.last
    return led >= lit.first or led <= lit.last
