"""What happened in a hand, in plain words and in its order: the account that text and page are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypedDict

import msgspec

from controller.audit.chips import Stacks
from controller.audit.once import Laid, Once
from controller.audit.words import Words
from controller.decisions import (
    Alert,
    AnyDecision,
    Ask,
    BetMade,
    CardLay,
    CarriedOut,
    ChipsMoved,
    Command,
    Deadline,
    FloorRuled,
    HandBegan,
    Mucked,
    PersonSignedIn,
    PhaseEntered,
    PlayedAfterAll,
    Prompt,
    Refused,
    Ruled,
    SeatChanged,
    StepDone,
    Tabled,
    Told,
    Withdrawn,
)
from controller.events import (
    Acted,
    Answered,
    AnyEvent,
    Arrived,
    DeadlinePassed,
    DeviceLost,
    DeviceRefused,
    Drew,
    Fed,
    FloorDecided,
    Insecure,
    JournalStalled,
    Keyed,
    Occupied,
    SeatChange,
    ShoeState,
    ShufflerState,
    SignedIn,
    Turned,
)
from controller.journal.records import Line, Record
from controller.narrate import line as narrated
from controller.narrate import money, told_machine
from controller.places import BURN, MUCK
from controller.prompts.catalogue import Catalogue

Kind = Literal["card", "play", "machine", "asked", "ruling", "floor", "alert", "break", "result"]
"""What a thing is, for whoever looks for it on a page."""

_MEANS_NOTHING_ALONE: Final = (
    Acted,
    Answered,
    DeadlinePassed,
    FloorDecided,
    Keyed,
    Occupied,
    SeatChange,
    ShoeState,
    ShufflerState,
    SignedIn,
)
"""Events of which what followed tells all."""

_OF_PEOPLE: Final[dict[type, str]] = {
    Keyed: "stated",
    Acted: "stated",
    FloorDecided: "floor",
    SeatChange: "staff",
}
_OF_THE_CONTROLLER: Final = (DeviceLost, DeviceRefused, Insecure, JournalStalled)

_LOADS: Final = ("load", "restore")
"""Steps after which cards are dealt from another pack than before."""
_KINDS: Final[dict[type, Kind]] = {FloorRuled: "floor", Alert: "alert", Refused: "break"}


class _Known(TypedDict, total=False):
    """How a thing is known, as `Said` has it."""

    proof: str
    how: str


@dataclass(frozen=True)
class Said:
    """One thing that happened: the entry, its time as the journal has it, a sentence, the face of a card that
    lay face down where it was opened, how it is known, in words and by the name of these, and what else there
    is to say of it, a line each."""

    entry: int
    at: str
    kind: Kind
    text: str
    face: str = ""
    proof: str = ""
    more: tuple[str, ...] = ()
    how: str = ""


@dataclass
class Chapter:
    """A part of a hand: its phase in words, and what happened in it."""

    heading: str
    said: list[Said] = field(default_factory=list)


class Teller:
    """Tells a hand entry by entry; `chapters` is what was told so far, `result` how it ended, `rulings` what
    was ruled, by its number, `insecure` whether devices were taken without keys."""

    def __init__(self, words: Words, prompts: Catalogue) -> None:
        self._words = words
        self._prompts = prompts
        self.chapters: list[Chapter] = []
        self.result: tuple[str, ...] = ()
        self.rulings: dict[int, str] = {}
        self.decided_by: list[str] = []
        self.insecure = False
        self._standing: Prompt | None = None
        self._once: Once[tuple[Chapter, Said]] = Once()
        self._stacks = Stacks()
        self._counted = 0
        self._lid_was_open = False

    def take(self, line: Line, record: Record | None) -> None:
        """The next entry, None for one that this version does not know."""
        number, at = line.n or 0, line.at
        if line.start is not None:
            text = self._words.page("start", version=line.start.version)
            self._tell(Said(number, at, "break", _sentence(text)))
        elif line.stop is not None:
            text = self._words.page("stop", why=line.stop.why)
            self._tell(Said(number, at, "break", _sentence(text)))
        elif line.checkpoint is not None or line.file is not None:
            return
        elif record is None:
            self._tell(Said(number, at, "break", _sentence(self._words.page("lost"))))
        elif record.event is not None:
            self._once.happens(record.event)
            for said in self._event(number, at, record.event, record):
                self._tell(said)
            for decision in record.decisions:
                self._decision(number, at, decision, record)

    def _tell(self, said: Said) -> None:
        if not self.chapters:
            self.chapters.append(Chapter(self._words.file.heading["idle"]))
        self.chapters[-1].said.append(said)

    # What happened

    def _event(self, number: int, at: str, event: AnyEvent, record: Record) -> Iterator[Said]:
        text = _sentence(self._words.event(event))
        known = self._known(event)
        match event:
            case Drew(cards=cards):
                if self._counts_anew(event):
                    anew = _sentence(self._words.page("counts-anew"))
                    yield Said(number, at, "machine", anew, **known)
                yield Said(number, at, "card", text, " ".join(cards), **known)
            case Arrived() | Turned() if self._is_told_by_a_card_that_lay(event, record):
                return
            case Arrived(what="card"):
                yield from self._arrived(Said(number, at, "card", text, event.card or "", **known), event)
            case Fed(verdict="wrong", missing=missing, surplus=surplus):
                named = (("missing", missing), ("surplus", surplus))
                opened = [self._words.page(name, cards=" ".join(cards)) for name, cards in named if cards]
                yield Said(number, at, "machine", text, more=tuple(opened), **known)
            case Fed(outcome="done"):
                return
            case Answered(outcome="failed" | "refused"):
                yield Said(number, at, "machine", text, **known)
            case Keyed() if self._is_worth_telling(event):
                yield Said(number, at, "play", text, **known)
            case Insecure():
                self.insecure = True
                if not any(isinstance(made, Alert) for made in record.decisions):
                    yield Said(number, at, "break", text)
            case ShoeState(lid="open"):
                self._lid_was_open = True
            case _ if not isinstance(event, _MEANS_NOTHING_ALONE):
                hidden = getattr(event, "card", None)
                kind: Kind = "card" if event.HIDDEN else "break"
                yield Said(number, at, kind, text, hidden or "", **known)

    def _arrived(self, said: Said, event: Arrived) -> Iterator[Said]:
        """A card that came to lie and is not laid now: told in `said`, unless it was laid before. That it
        lies face up is told even then."""
        laid = self._once.was_laid(event)
        if laid is None:
            yield said
            self._once.came(event, (self.chapters[-1], said))
        elif event.facing == "up" and not laid.named:
            text = self._words.page("lies-up-there", place=self._words.place(event.place))
            yield replace(said, text=_sentence(text))

    def _is_told_by_a_card_that_lay(self, event: Arrived | Turned, record: Record) -> bool:
        """Whether what followed tells of the card that lies there."""
        laid = [made for made in record.decisions if isinstance(made, CardLay) and made.place == event.place]
        if isinstance(event, Turned):
            return any(made.card is not None for made in laid)
        if event.what != "card" or all(_is_told_as_played(made, record) for made in laid):
            return False
        self._once.is_laid_now(event)
        return True

    def _counts_anew(self, drawn: Drew) -> bool:
        """Whether the shoe, which counts since its lid was shut, has begun again with this card."""
        before, was_open = self._counted, self._lid_was_open
        self._counted, self._lid_was_open = drawn.number, False
        return drawn.number < before or (was_open and 0 < drawn.number <= before)

    def _is_worth_telling(self, key: Keyed) -> bool:
        """Whether a key says something that a player wants to know: an `ack` does where something out of the
        ordinary was asked for."""
        return key.key != "ack" or (
            self._standing is not None and not self._words.is_ordinary(self._standing.code)
        )

    # What followed

    def _decision(self, number: int, at: str, decision: AnyDecision, record: Record) -> None:
        match decision:
            case Command() | Deadline() | Ask():
                return
            case Prompt():
                self._prompt(number, at, decision, record)
            case PhaseEntered(phase=phase):
                self._begin(phase)
            case HandBegan():
                self._hand_began(number, at, decision)
            case StepDone() | CarriedOut():
                self._machine(number, at, decision, record)
            case CardLay():
                self._card_lay(number, at, decision, record)
            case ChipsMoved():
                self._chips(number, at, decision)
            case Ruled():
                self._ruled(number, at, decision)
            case PlayedAfterAll(place=place, cards=cards):
                named = " ".join(cards) or "a card"
                text = self._words.page("after-all", cards=named, place=self._words.place(place))
                self._tell(Said(number, at, "ruling", _sentence(text)))
            case _:
                self._narrated(number, at, decision, record)

    def _begin(self, phase: str) -> None:
        heading = self._words.file.heading[phase]
        if not self.chapters or self.chapters[-1].heading != heading:
            self.chapters.append(Chapter(heading))

    def _hand_began(self, number: int, at: str, begun: HandBegan) -> None:
        self._begin("shuffle")
        self._stacks.begin(begun)
        seats = [self._words.page("begins-seat", seat=seat, chips=begun.stacks[seat]) for seat in begun.seats]
        text = self._words.page("begins", hand=begun.number, button=begun.button, seats=", ".join(seats))
        self._tell(Said(number, at, "play", _sentence(text)))

    def _narrated(self, number: int, at: str, decision: Told, record: Record) -> None:
        match decision:
            case BetMade():
                self._stacks.bet(decision)
            case Withdrawn(number=ruling) if ruling in self.rulings:
                self.rulings[ruling] += f" {self._words.page('withdrawn')}"
            case Alert(code="insecure"):
                self.insecure = True
            case _:
                pass
        known = self._known_of(decision, record)
        for text in narrated(decision):
            if isinstance(decision, FloorRuled):
                self.decided_by.append(text.removeprefix("FLOOR "))
            self._tell(Said(number, at, _KINDS.get(type(decision), "play"), _sentence(text), **known))

    def _machine(self, number: int, at: str, done: StepDone | CarriedOut, record: Record) -> None:
        if isinstance(done, StepDone):
            if done.step in _LOADS:
                self._once.forget()
            why = f", for {done.why}" if done.why else ""
            steps = self._words.file.step
            what = steps.get(f"{done.step}-{done.evidence}") or steps.get(done.step, done.step)
            text = _sentence(what + why)
            self._tell(Said(number, at, "machine", text, **self._proof(done.evidence)))
        elif done.command != "burn" and not any(isinstance(made, StepDone) for made in record.decisions):
            text = _sentence(told_machine(done) or "")
            self._tell(Said(number, at, "machine", text, **self._proof("seen")))

    def _prompt(self, number: int, at: str, prompt: Prompt, record: Record) -> None:
        before, self._standing = self._standing, prompt
        if self._words.is_ordinary(prompt.code):
            return
        worded = self._prompts.word(prompt).text
        if prompt.acknowledged:
            if before is not None and msgspec.structs.replace(before, acknowledged=True) == prompt:
                text = _sentence(self._words.page("calm", text=worded))
                known = self._known(record.event) if isinstance(record.event, Keyed) else {}
                self._tell(Said(number, at, "asked", text, **known))
            return
        asked = self._words.page("asked-ack" if prompt.proof == "ack" else "asked", text=worded)
        self._tell(Said(number, at, "asked", _sentence(asked)))

    def _card_lay(self, number: int, at: str, lay: CardLay, record: Record) -> None:
        if _is_told_as_played(lay, record):
            return
        place, event = self._words.place(lay.place), record.event
        if isinstance(event, Turned) and event.place == lay.place and lay.card is not None:
            text = self._words.page("turned-open", card=lay.card, place=place)
            self._tell(Said(number, at, "card", _sentence(text), **self._proof("seen")))
            return
        if isinstance(event, FloorDecided):  # it lay there all the time, and counted as lying elsewhere
            matched, how = None, "floor"
        else:
            laid = Laid(_burnt(event, lay.place), named=lay.card is not None)
            matched = self._once.lies(lay.place, laid)
            burner = isinstance(event, Drew) and event.way == "burner"
            how = "seen" if matched is not None or burner else "inferred"
        if matched is not None and matched.line is not None:
            chapter, said = matched.line
            chapter.said.remove(said)
        if lay.card is not None:
            text, face = self._words.page("lies-open", card=lay.card, place=place), ""
        else:
            facing = matched.facing if matched is not None else "unknown"
            text = self._words.page(f"lies-{facing}", place=place)
            face = matched.face if matched is not None else _burnt(event, lay.place)
        self._tell(Said(number, at, "card", _sentence(text), face, **self._proof(how)))

    def _chips(self, number: int, at: str, moved: ChipsMoved) -> None:
        unbet = self._stacks.moved(moved)
        came_in = "forced" if unbet.first else "put-in"
        for name, chips in ((came_in, unbet.put_in), ("put-back", unbet.back)):
            if chips:
                seats = [
                    self._words.page(f"{name}-seat", seat=seat, chips=some) for seat, some in chips.items()
                ]
                text = self._words.page(name, seats=", ".join(seats), total=sum(chips.values()))
                self._tell(Said(number, at, "play", _sentence(text)))
        told = tuple(map(_sentence, money(moved)))
        if not told:
            return
        self.result = told
        for text in told:
            self._tell(Said(number, at, "result", text))

    def _ruled(self, number: int, at: str, ruled: Ruled) -> None:
        where = f" at seat {ruled.seat}" if ruled.seat is not None else ""
        again = " (grown)" if ruled.number in self.rulings else ""
        cards = [*ruled.cards, *([f"{ruled.unseen} that nobody may know"] if ruled.unseen else [])]
        self.rulings[ruled.number] = self._in_short(ruled, where, cards)
        text = f"Ruling {ruled.number}{again}: {ruled.rule}{where}. {ruled.says}"
        more = [
            f"cards: {', '.join(cards)}" if cards else "",
            f"rule {ruled.rule} of the rulebook {ruled.rules}; source: {ruled.source}",
            f"this table's own choice, which no book has: {ruled.ours}" if ruled.ours else "",
            f"remedy: {ruled.remedy}",
            *(f"step {at_step}: {step}" for at_step, step in enumerate(ruled.steps, start=1)),
        ]
        told = tuple(line for line in more if line)
        self._tell(Said(number, at, "ruling", text, more=told, **self._proof(ruled.evidence)))

    def _in_short(self, ruled: Ruled, where: str, cards: Sequence[str]) -> str:
        """A ruling for whoever knows no names of rules: what was wrong, with which cards, what the rulebook
        has done then; its names at the end."""
        page = self._words.page
        steps = " ".join(map(_sentence, ruled.steps))
        return " ".join(
            [
                page("ruled", number=ruled.number, at=where, says=_sentence(ruled.says)),
                *([page("ruled-cards", cards=", ".join(cards))] if cards else []),
                page("ruled-steps", steps=steps) if steps else page("ruled-no-steps"),
                page("ruled-ids", rule=ruled.rule, remedy=ruled.remedy, rules=ruled.rules),
            ]
        )

    # How it is known

    def _proof(self, how: str) -> _Known:
        return {"proof": self._words.file.proof[how], "how": how}

    def _known(self, event: AnyEvent | None) -> _Known:
        """How what an event says is known; nothing where only the controller says it."""
        if event is None or isinstance(event, _OF_THE_CONTROLLER):
            return {}
        if isinstance(event, DeadlinePassed):
            return self._proof("inferred")
        return self._proof(_OF_PEOPLE.get(type(event), "seen"))

    def _known_of(self, decision: Told, record: Record) -> _Known:
        """The same of what followed, where it tells what a device or a person has said."""
        event = record.event
        match decision:
            case SeatChanged() | PersonSignedIn() | FloorRuled() | Tabled():
                return self._known(event)
            case BetMade() | Mucked() if isinstance(event, Acted):
                return self._known(event)
            case BetMade() | Mucked() if isinstance(event, Arrived) and event.place == MUCK:
                return self._known(event)
            case Mucked() if isinstance(event, Keyed):
                return self._known(event)
            case _:
                return {}


def _is_told_as_played(lay: CardLay, record: Record) -> bool:
    """Whether a card that lay there already is told as one that is in play after all."""
    return any(
        isinstance(made, PlayedAfterAll) and made.place == lay.place and lay.card in made.cards
        for made in record.decisions
    )


def _burnt(event: AnyEvent | None, place: str) -> str:
    """The face of a card that the machine has burned, where that was opened."""
    if isinstance(event, Drew) and event.way == "burner" and place == BURN:
        return " ".join(event.cards)
    return ""


def _sentence(text: str) -> str:
    """A text that begins as a sentence does and ends like one."""
    ended = text if text.endswith((".", "!", "?", ")")) else f"{text}."
    return ended[:1].upper() + ended[1:]
