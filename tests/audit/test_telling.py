"""What is told of a hand, entry by entry, where no scenario leads there."""

from typing import Final, Literal

import pytest

from controller.audit.telling import Said, Teller
from controller.audit.words import words
from controller.cards import Card
from controller.decisions import (
    Alert,
    AnyDecision,
    BetMade,
    CardLay,
    CarriedOut,
    ChipsMoved,
    HandBegan,
    Mucked,
    PhaseEntered,
    PlayedAfterAll,
    PotWon,
    Prompt,
    Refused,
    Ruled,
    SeatChanged,
    StepDone,
    Tabled,
    Withdrawn,
)
from controller.events import (
    Acted,
    AnyEvent,
    Arrived,
    CredentialRefused,
    DeadlinePassed,
    DeviceLost,
    Drew,
    EventsLost,
    FacingName,
    Faulted,
    Fed,
    JournalStalled,
    Keyed,
    SeatChange,
    ShoeReady,
    ShoeState,
    Turned,
)
from controller.journal.records import Line, Record, Stop
from controller.places import BOARD, BURN, MUCK, Place
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


def _told_of(*records: Record) -> list[tuple[int, str, str, str]]:
    """What is told of one entry after the other: its number, the sentence, the face, how it is known."""
    teller = Teller(words(), catalogue("en"))
    for number, record in enumerate(records, start=1):
        teller.take(Line(n=number, at=AT), record)
    return [
        (said.entry, said.text, said.face, said.proof) for chapter in teller.chapters for said in chapter.said
    ]


def _drew(number: int, *cards: str, way: Literal["hand", "burner"] = "hand") -> Drew:
    return Drew(time=1, number=number, what="card", way=way, cards=tuple(map(Card, cards)))


def _arrived(place: Place, facing: FacingName = "down", card: str = "") -> Arrived:
    return Arrived(time=1, place=place, facing=facing, what="card", card=Card(card) if card else None)


LEFT: Final = [(1, "Card 1 left the shoe, burned by the machine.", "", "seen")]


def test_a_burn_that_the_shoe_and_then_the_antenna_tell_of_is_told_once_and_a_second_card_there_too() -> None:
    burn = Record(_drew(1, way="burner"), (CardLay(place=BURN),))
    late = Record(_arrived(BURN))
    once = [*LEFT, (1, "A card lies at the burn tray.", "", "seen")]
    assert _told_of(burn, late) == once
    second = (3, "A card came to lie at the burn tray, face down.", "", "seen")
    assert _told_of(burn, late, late) == [*once, second]
    laid = (3, "A card lies at the burn tray, face down.", "", "seen")
    assert _told_of(burn, late, Record(_arrived(BURN), (CardLay(place=BURN),))) == [*once, laid]


def test_that_a_burn_lies_face_up_is_told_though_the_antenna_says_so_late() -> None:
    burn = Record(_drew(1, way="burner"), (CardLay(place=BURN),))
    assert _told_of(burn, Record(_arrived(BURN, "up")))[-1] == (
        2,
        "The card at the burn tray lies face up.",
        "",
        "seen",
    )


def test_another_card_than_the_burned_one_is_told_where_both_were_opened() -> None:
    burn = Record(_drew(1, "As", way="burner"), (CardLay(place=BURN),))
    assert len(_told_of(burn, Record(_arrived(BURN, card="As")))) == 2
    assert _told_of(burn, Record(_arrived(BURN, card="Kd")))[-1][2] == "Kd"


def test_a_card_that_an_antenna_told_before_the_table_laid_it_is_told_where_it_was_laid() -> None:
    drawn = [Record(_drew(number)) for number in (1, 2)]
    first = Record(_arrived(SEAT, card="As"))
    both = Record(_arrived(SEAT, card="Kd"), (CardLay(place=SEAT), CardLay(place=SEAT)))
    assert [said for said in _told_of(*drawn, first, both) if said[0] > 2] == [
        (4, "A card lies at seat 5, face down.", "Kd", "seen"),
        (4, "A card lies at seat 5, face down.", "As", "seen"),
    ]


def test_an_antenna_that_is_quicker_than_the_shoe_tells_of_the_same_card() -> None:
    drew = Record(_drew(1), (CardLay(place=SEAT),))
    assert _told_of(Record(_arrived(SEAT)), drew) == [
        (2, "Card 1 left the shoe.", "", "seen"),
        (2, "A card lies at seat 5, face down.", "", "seen"),
    ]


def test_a_card_that_was_carried_somewhere_is_told_beside_one_that_is_dealt_there_later() -> None:
    carried, between = Record(_arrived(SEAT)), Record(Keyed(key="ack"))
    dealt = Record(DeadlinePassed(token=1), (CardLay(place=SEAT),))
    assert _told_of(carried, between, Record(_drew(1)), dealt) == [
        (1, "A card came to lie at seat 5, face down.", "", "seen"),
        (3, "Card 1 left the shoe.", "", "seen"),
        (4, "A card lies at seat 5.", "", "inferred"),
    ]


def test_what_was_told_of_one_pack_is_not_taken_for_a_card_of_the_next() -> None:
    burn = Record(_drew(1, way="burner"), (CardLay(place=BURN),))
    loaded = Record(DeadlinePassed(token=1), (StepDone(step="load", evidence="seen", why="misdeal"),))
    assert _told_of(burn, loaded, Record(_arrived(BURN)))[-1] == (
        3,
        "A card came to lie at the burn tray, face down.",
        "",
        "seen",
    )


def test_a_card_of_the_board_that_is_turned_up_is_told_once_by_its_name() -> None:
    turned = Turned(time=1, place=BOARD, facing="up")
    (said,) = told(turned, CardLay(place=BOARD, card=Card("As")))
    assert (said.text, said.proof) == ("The card at the board was turned face up: As.", "seen")


def test_cards_that_are_in_play_after_all_are_not_told_as_cards_that_came() -> None:
    back = CardLay(place=BOARD, card=Card("As")), PlayedAfterAll(place=BOARD, cards=(Card("As"),))
    assert texts(Keyed(key="ack"), *back) == ["As at the board: in play after all."]


def test_the_shoe_is_said_to_count_anew_only_where_its_lid_was_open_or_its_numbers_fall() -> None:
    def counted(*events: AnyEvent) -> int:
        return sum("counts anew" in said[1] for said in _told_of(*map(Record, events)))

    opened = ShoeState(lid="open", content="cards")
    pushed = Drew(time=1, number=1, what="reversed", way="hand")
    assert counted(opened, _drew(1), _drew(2)) == 0
    assert counted(_drew(1), opened, _drew(1), _drew(2)) == 1
    assert counted(_drew(1), _drew(2), _drew(1)) == 1
    assert counted(_drew(1), pushed, _drew(1)) == 0
    assert counted(_drew(1), opened, _drew(2)) == 0


def test_chips_that_no_act_tells_are_told_by_seat() -> None:
    event = DeadlinePassed(token=1)
    begun = HandBegan(number=1, button=1, stacks={1: 100, 2: 100, 3: 50}, seats=(1, 2))
    posted = ChipsMoved(pots=(PotWon(15, {}, ""),), stacks={1: 95, 2: 90})
    bet = BetMade(seat=1, action="call", put_in=5, total=10)
    after = ChipsMoved(pots=(PotWon(20, {}, ""),), stacks={1: 90, 2: 90})
    void = ChipsMoved(pots=(), stacks={1: 100, 2: 100, 3: 50})
    entries = [Record(event, made) for made in ((begun,), (posted,), (bet, after), (posted,), (void,))]
    assert [said[1] for said in _told_of(*entries) if said[0] != 1] == [
        "Put in before the cards, as blinds, antes or posts: 5 by seat 1, 10 by seat 2; 15 in all.",
        "Seat 1: call, 5 in.",
        "Back to their players go 5 to seat 1.",
        "Back to their players go 5 to seat 1, 10 to seat 2.",
    ]
    paid = ChipsMoved(pots=(PotWon(15, {1: 15}, ""),), stacks={1: 110, 2: 90})
    assert [said[1] for said in _told_of(*entries[:2], Record(event, (paid,))) if said[0] == 3] == [
        "Pot of 15: seat 1 15."
    ]


@pytest.mark.parametrize(
    ("event", "decision", "proof"),
    [
        (Acted(seat=5, action="fold"), BetMade(5, "fold", 0, 0), "stated by the dealer"),
        (_arrived(MUCK), BetMade(5, "fold", 0, 0), "seen"),
        (Keyed(key="ack"), BetMade(5, "fold", 0, 0), ""),
        (Keyed(key="muck", seat=5), Mucked(5), "stated by the dealer"),
        (Keyed(key="ack"), Tabled(5, (Card("As"), Card("Kd"))), "stated by the dealer"),
        (Turned(time=1, place=SEAT, facing="up"), Tabled(5, (Card("As"), Card("Kd"))), "seen"),
        (SeatChange(seat=5, change="out"), SeatChanged(5, "out"), "stated by the staff"),
        (DeadlinePassed(token=1), CarriedOut("shoe", "lock", 0, "deal"), "seen"),
        (DeadlinePassed(token=1), Alert(code="card-not-seen", text="x"), ""),
        (DeviceLost(device="shoe", why="silent"), None, ""),
        (Faulted(device="shoe", fault="jam", state="begun"), None, "seen"),
    ],
)
def test_who_said_a_thing_is_told_with_it(event: AnyEvent, decision: AnyDecision | None, proof: str) -> None:
    assert told(event, *([decision] if decision is not None else []))[-1].proof == proof


def test_a_ruling_that_was_taken_back_says_so_in_short() -> None:
    ruled = Ruled(
        number=1, rule="card-stands", rules="roberts", phase="flop", seat=5, cards=(Card("As"),), unseen=1,
        takes="nothing", place="board", says="A card came.", remedy="none", steps=(), source="a book",
    )  # fmt: skip
    teller = Teller(words(), catalogue("en"))
    teller.take(Line(n=1, at=AT), Record(Keyed(key="exposed"), (ruled,)))
    teller.take(Line(n=2, at=AT), Record(Keyed(key="undo"), (Withdrawn(number=1),)))
    assert teller.rulings == {
        1: "Ruling 1 at seat 5: A card came. The cards: As, 1 that nobody may know. The rulebook has nothing "
        "done about it. (card-stands; remedy none; rulebook roberts) It was taken back."
    }


def test_another_card_of_an_entry_never_gets_the_face_of_the_one_that_was_opened() -> None:
    opened = Arrived(time=1, place=SEAT, facing="down", what="card", card=Card("As"))
    other = CardLay(place=Place("seat:7"))
    assert [(said.text, said.face) for said in told(opened, other)][1] == (
        "A card lies at seat 7.",
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
