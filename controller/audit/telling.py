"""What happened in a hand, in plain words and in its order: the account that text and page are made of."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from controller.audit.words import Words
from controller.decisions import (
    Alert,
    AnyDecision,
    Ask,
    CardLay,
    CarriedOut,
    ChipsMoved,
    Command,
    Deadline,
    FloorRuled,
    HandBegan,
    PhaseEntered,
    PlayedAfterAll,
    Prompt,
    Refused,
    Ruled,
    StepDone,
    Told,
)
from controller.events import (
    Acted,
    Answered,
    AnyEvent,
    Arrived,
    DeadlinePassed,
    Drew,
    Fed,
    FloorDecided,
    Keyed,
    Occupied,
    SeatChange,
    ShoeState,
    ShufflerState,
    SignedIn,
)
from controller.journal.records import Line, Record
from controller.narrate import line as narrated
from controller.narrate import money, told_machine
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


_KINDS: Final[dict[type, Kind]] = {FloorRuled: "floor", Alert: "alert", Refused: "break"}


@dataclass(frozen=True)
class Said:
    """One thing that happened: the entry, its time as the journal has it, a sentence, the face of a card that
    lay face down where it was opened, how it is known, and what else there is to say of it, a line each."""

    entry: int
    at: str
    kind: Kind
    text: str
    face: str = ""
    proof: str = ""
    more: tuple[str, ...] = ()


@dataclass
class Chapter:
    """A part of a hand: its phase in words, and what happened in it."""

    heading: str
    said: list[Said] = field(default_factory=list)


class Teller:
    """Tells a hand entry by entry; `chapters` is what was told so far, `result` how it ended."""

    def __init__(self, words: Words, prompts: Catalogue) -> None:
        self._words = words
        self._prompts = prompts
        self.chapters: list[Chapter] = []
        self.result: tuple[str, ...] = ()
        self.rulings: dict[int, str] = {}
        self.decided_by: list[str] = []
        self._standing: Prompt | None = None

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
        match event:
            case Drew(cards=cards):
                yield Said(number, at, "card", text, " ".join(cards))
            case Arrived() if self._is_told_by_a_card_that_lay(event, record):
                return
            case Arrived(card=card):
                yield Said(number, at, "card", text, card or "", self._proof("seen"))
            case Fed(verdict="wrong", missing=missing, surplus=surplus):
                named = (("missing", missing), ("surplus", surplus))
                opened = [self._words.page(name, cards=" ".join(cards)) for name, cards in named if cards]
                yield Said(number, at, "machine", text, more=tuple(opened))
            case Fed(outcome="done"):
                return
            case Answered(outcome="failed" | "refused"):
                yield Said(number, at, "machine", text)
            case Keyed() if self._is_worth_telling(event):
                proof = self._proof("stated") if event.key == "ack" else ""
                yield Said(number, at, "play", text, proof=proof)
            case _ if not isinstance(event, _MEANS_NOTHING_ALONE):
                hidden = getattr(event, "card", None)
                kind: Kind = "card" if event.HIDDEN else "break"
                yield Said(number, at, kind, text, hidden or "")

    def _is_told_by_a_card_that_lay(self, event: Arrived, record: Record) -> bool:
        return any(isinstance(made, CardLay) and made.place == event.place for made in record.decisions)

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
                self._prompt(number, at, decision)
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
                self._narrated(number, at, decision)

    def _begin(self, phase: str) -> None:
        heading = self._words.file.heading[phase]
        if not self.chapters or self.chapters[-1].heading != heading:
            self.chapters.append(Chapter(heading))

    def _hand_began(self, number: int, at: str, begun: HandBegan) -> None:
        self._begin("shuffle")
        seats = [self._words.page("begins-seat", seat=seat, chips=begun.stacks[seat]) for seat in begun.seats]
        text = self._words.page("begins", hand=begun.number, button=begun.button, seats=", ".join(seats))
        self._tell(Said(number, at, "play", _sentence(text)))

    def _narrated(self, number: int, at: str, decision: Told) -> None:
        for text in narrated(decision):
            if isinstance(decision, FloorRuled):
                self.decided_by.append(text.removeprefix("FLOOR "))
            self._tell(Said(number, at, _KINDS.get(type(decision), "play"), _sentence(text)))

    def _machine(self, number: int, at: str, done: StepDone | CarriedOut, record: Record) -> None:
        if isinstance(done, StepDone):
            why = f", for {done.why}" if done.why else ""
            steps = self._words.file.step
            what = steps.get(f"{done.step}-{done.evidence}") or steps.get(done.step, done.step)
            text = _sentence(what + why)
            self._tell(Said(number, at, "machine", text, proof=self._proof(done.evidence)))
        elif done.command != "burn" and not any(isinstance(made, StepDone) for made in record.decisions):
            self._tell(Said(number, at, "machine", _sentence(told_machine(done) or "")))

    def _prompt(self, number: int, at: str, prompt: Prompt) -> None:
        before, self._standing = self._standing, prompt
        if self._words.is_ordinary(prompt.code):
            return
        worded = self._prompts.word(prompt).text
        if prompt.acknowledged:
            if before is not None and msgspec.structs.replace(before, acknowledged=True) == prompt:
                self._tell(Said(number, at, "asked", _sentence(self._words.page("calm", text=worded))))
            return
        asked = self._words.page("asked-ack" if prompt.proof == "ack" else "asked", text=worded)
        self._tell(Said(number, at, "asked", _sentence(asked)))

    def _card_lay(self, number: int, at: str, lay: CardLay, record: Record) -> None:
        place = self._words.place(lay.place)
        if lay.card is not None:
            text, face = self._words.page("lies-open", card=lay.card, place=place), ""
        else:
            facing = record.event.facing if isinstance(record.event, Arrived) else "unknown"
            text = self._words.page(f"lies-{facing}", place=place)
            face = _face_in(record, lay.place)
        proof = "seen" if isinstance(record.event, Arrived) else "inferred"
        if isinstance(record.event, Drew) and record.event.way == "burner":
            proof = "seen"
        self._tell(Said(number, at, "card", _sentence(text), face, self._proof(proof)))

    def _chips(self, number: int, at: str, moved: ChipsMoved) -> None:
        told = tuple(map(_sentence, money(moved)))
        if not told:
            return
        self.result = told
        for text in told:
            self._tell(Said(number, at, "result", text))

    def _ruled(self, number: int, at: str, ruled: Ruled) -> None:
        where = f" at seat {ruled.seat}" if ruled.seat is not None else ""
        again = " (grown)" if ruled.number in self.rulings else ""
        self.rulings[ruled.number] = f"{ruled.rule}{where}: {ruled.says} Remedy: {ruled.remedy}."
        text = f"Ruling {ruled.number}{again}: {ruled.rule}{where}. {ruled.says}"
        cards = [*ruled.cards, *([f"{ruled.unseen} that nobody may know"] if ruled.unseen else [])]
        more = [
            f"cards: {', '.join(cards)}" if cards else "",
            f"rule {ruled.rule} of the rulebook {ruled.rules}; source: {ruled.source}",
            f"this table's own choice, which no book has: {ruled.ours}" if ruled.ours else "",
            f"remedy: {ruled.remedy}",
            *(f"step {at_step}: {step}" for at_step, step in enumerate(ruled.steps, start=1)),
        ]
        told = tuple(line for line in more if line)
        self._tell(Said(number, at, "ruling", text, proof=self._proof(ruled.evidence), more=told))

    def _proof(self, evidence: str) -> str:
        return self._words.file.proof[evidence]


def _face_in(record: Record, place: str) -> str:
    """The face of a card that came to lie, where the entry itself says which it was."""
    match record.event:
        case Arrived(place=at, card=str() as card) if at == place:
            return card
        case Drew(way="burner", cards=cards) if place == "burn":
            return " ".join(cards)
        case _:
            return ""


def _sentence(text: str) -> str:
    """A text that begins as a sentence does and ends like one."""
    ended = text if text.endswith((".", "!", "?", ")")) else f"{text}."
    return ended[:1].upper() + ended[1:]
