"""What is told of a hand, entry by entry, where no scenario leads there."""

from typing import Final

import pytest

from controller.audit.telling import Said, Teller
from controller.audit.words import words
from controller.cards import Card
from controller.decisions import (
    Alert,
    AnyDecision,
    CardLay,
    PhaseEntered,
    PlayedAfterAll,
    Prompt,
    Refused,
    StepDone,
)
from controller.events import (
    AnyEvent,
    Arrived,
    CredentialRefused,
    DeadlinePassed,
    DeviceLost,
    Drew,
    EventsLost,
    Faulted,
    Fed,
    JournalStalled,
    Keyed,
    ShoeReady,
    Turned,
)
from controller.journal.records import Line, Record, Stop
from controller.places import Place
from controller.prompt_files import catalogue

AT: Final = "2026-11-30T22:43:09.671+00:00"
SEAT: Final = Place("seat:5")


def told(event: AnyEvent, *decisions: AnyDecision, standing: str = "") -> list[Said]:
    """What is told of an entry, with a prompt that was shown before."""
    teller = Teller(words(), catalogue("en"))
    if standing:
        teller.take(Line(n=1, at=AT), Record(DeadlinePassed(token=1), (Prompt(code=standing),)))
        teller.chapters.clear()
    teller.take(Line(n=2, at=AT), Record(event, decisions))
    return [said for chapter in teller.chapters for said in chapter.said]


def texts(event: AnyEvent, *decisions: AnyDecision, standing: str = "") -> list[str]:
    """The sentences of that."""
    return [said.text for said in told(event, *decisions, standing=standing)]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (DeviceLost(device="shoe", why="silent"), "The shoe does not answer any more: silent."),
        (ShoeReady(gate=True, burner=True, restarted=True), "The shoe answers; it was started anew."),
        (EventsLost(device="zones", count=3), "The zones had to drop 3 of its reports."),
        (Faulted(device="shoe", fault="jam", state="begun"), "The shoe reports a fault: jam."),
        (JournalStalled(state="begun", why="full"), "The journal cannot be written: full."),
        (
            CredentialRefused(by="pin", at="door", cause="unknown"),
            "A pin was shown at the door that nobody has.",
        ),
        (Keyed(key="floor"), "The dealer pressed floor."),
        (Keyed(key="exposed", seat=5), "The dealer pressed exposed at seat 5."),
        (
            Drew(time=1, number=4, what="unread", way="hand"),
            "Card 4 left the shoe; its tag could not be read.",
        ),
        (Turned(time=1, place=SEAT, facing="up"), "A card at seat 5 was turned face up."),
    ],
)
def test_what_comes_between_is_told(event: AnyEvent, words: str) -> None:
    assert texts(event) == [words]


def test_a_card_is_told_where_it_lies_and_as_it_lies_and_by_its_face_only_where_that_was_opened() -> None:
    down = Arrived(time=1, place=SEAT, facing="down", what="card")
    opened = Arrived(time=1, place=SEAT, facing="down", what="card", card=Card("As"))
    assert [(said.text, said.face) for said in told(down)] == [
        ("A card came to lie at seat 5, face down.", "")
    ]
    (said,) = told(opened, CardLay(place=SEAT))
    assert (said.text, said.face, said.proof) == ("A card lies at seat 5, face down.", "As", "seen")
    (said,) = told(DeadlinePassed(token=1), CardLay(place=SEAT))
    assert (said.text, said.face, said.proof) == ("A card lies at seat 5.", "", "inferred")
    exposed = Arrived(time=1, place=SEAT, facing="up", what="card")
    assert texts(exposed, CardLay(place=SEAT)) == ["A card lies at seat 5, face up."]


def test_another_card_of_an_entry_never_gets_the_face_of_the_one_that_was_opened() -> None:
    opened = Arrived(time=1, place=SEAT, facing="down", what="card", card=Card("As"))
    other = CardLay(place=Place("seat:7"))
    assert [(said.text, said.face) for said in told(opened, other)][1] == (
        "A card lies at seat 7, face down.",
        "",
    )


def test_an_ack_is_told_as_the_dealers_word_where_something_out_of_the_ordinary_was_asked() -> None:
    (said,) = told(Keyed(key="ack"), standing="gather-board")
    assert (said.text, said.proof) == ("The dealer pressed ack.", "stated by the dealer")
    assert told(Keyed(key="ack"), standing="deck-in") == []


def test_a_set_that_was_only_counted_is_not_said_to_be_proved() -> None:
    (said,) = told(DeadlinePassed(token=1), StepDone(step="feed", evidence="inferred"))
    assert (said.text, said.proof) == (
        "The cards were fed past the shuffler's reader and counted: as many as were asked for.",
        "inferred",
    )


def test_a_wrong_set_is_told_and_its_cards_only_where_they_were_opened() -> None:
    wrong = Fed(ref=1, outcome="done", reason="none", verdict="wrong", count=51, strangers=0)
    (said,) = told(wrong)
    assert (said.text, said.more) == (
        "The shuffler has fed 51 cards: not those that were asked for.",
        (),
    )
    opened = Fed(
        ref=1, outcome="done", reason="none", verdict="wrong", count=51, strangers=0, missing=(Card("Qh"),)
    )
    assert told(opened)[0].more == ("missing were: Qh",)


def test_what_followed_is_told_by_what_it_is() -> None:
    event = DeadlinePassed(token=1)
    kinds = [
        (said.kind, said.text)
        for said in told(
            event,
            Alert(code="floor-called", text="the dealer called the floor"),
            Refused(what="bet", why="too little"),
            PlayedAfterAll(place="muck"),
        )
    ]
    assert kinds == [
        ("alert", "ALERT floor-called: the dealer called the floor."),
        ("break", "Refused: bet: too little."),
        ("ruling", "A card at the muck: in play after all."),
    ]


def test_a_phase_begins_a_chapter_and_a_stop_is_told() -> None:
    teller = Teller(words(), catalogue("en"))
    teller.take(Line(n=1, at=AT), Record(DeadlinePassed(token=1), (PhaseEntered(phase="flop"),)))
    teller.take(Line(n=2, at=AT, stop=Stop("told to stop")), None)
    teller.take(Line(n=3, at=AT), None)
    (chapter,) = teller.chapters
    assert chapter.heading == "Betting on the flop"
    assert [said.text for said in chapter.said] == [
        "The table was stopped: told to stop.",
        "This entry cannot be told by this version.",
    ]
