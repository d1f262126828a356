"""No card that lies hidden, and no tag at all, in anything that is told, stored openly, printed or raised."""

import itertools
import json
import os
import random
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cobs import cobs

from controller.decisions import Alert, AnyDecision, Ruled
from controller.events import AnyEvent
from controller.journal import MemoryJournal, Record
from controller.journal.records import encode_line, line_of
from controller.table import Table
from firmware_bridge import messages as wire
from firmware_bridge.codes import Facing, Zone
from firmware_bridge.errors import BridgeError
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.report import report
from hil_rigs.simulate.wire import WireBench
from hil_rigs.virtual.felt import UP
from hil_rigs.virtual.ptys import SoundWay
from tests.e2e.tables import Composer, Json, drawn_file, scenario_of
from tests.e2e.watching import CARD, LeakError, Watched, tag_forms, ways_to_print
from tests.rulings.random_dealers import RandomDealer, drawn_table
from tests.rulings.random_hands import drawn_hand

CHUNKS, EACH = 4, 8
HANDS = 400
"""Hands of each part of a long run, in which anything happens."""
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
STRAYS = ("seat", "board", "burn", "muck", "aside")


class OpenJournal(MemoryJournal):
    """Keeps the part of every record that stands unsealed in the file."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def append(self, record: Record) -> int:
        line, _ = line_of(self.last + 1, NEVER, record)
        self.lines.append(encode_line(line).decode())
        self.lines.extend((repr(record), str(record)))
        return super().append(record)

    def keep(self, state: bytes, hand: int) -> int:
        self.lines.append(state.decode())
        return super().keep(state, hand)


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What would be printed of every event, decision and message that a table without a wire deals with."""
    texts: list[str] = []
    handle, encode, decode = Table.handle, wire.encode, wire.decode

    def handled(table: Table, event: AnyEvent) -> tuple[AnyDecision, ...]:
        decisions = handle(table, event)
        texts.extend(text for one in (event, *decisions, table) for text in ways_to_print(one))
        return decisions

    def encoded(message: wire.Message) -> tuple[int, bytes]:
        texts.extend(ways_to_print(message))
        return encode(message)

    def decoded(type_: int, body: bytes) -> wire.Message:
        message = decode(type_, body)
        texts.extend(ways_to_print(message))
        return message

    monkeypatch.setattr(Table, "handle", handled)
    monkeypatch.setattr(wire, "encode", encoded)
    monkeypatch.setattr(wire, "decode", decoded)
    return texts


def taken(texts: list[str]) -> list[str]:
    """All that gathered, which is then forgotten."""
    found = list(texts)
    texts.clear()
    return found


def any_hand(seed: str, *, wired: bool = False) -> tuple[random.Random, Json]:
    dice = random.Random(seed)
    file = drawn_file(dice)
    if wired:
        file["table"]["seats"] = dict(list(file["table"]["seats"].items())[:5])
        file["table"]["button"] = int(next(iter(file["table"]["seats"])))
        file["table"].pop("blinds", None)
    return dice, file


def watched_hand(seed: str, printed: list[str]) -> int:
    """A hand, with a stray card at its end now and then, played under watch; how many texts were read."""
    dice, file = any_hand(seed)
    journal = OpenJournal()
    bench = Watched(
        DirectBench(scenario_of(file), journal=journal), lambda: taken(printed) + taken(journal.lines)
    )
    composer = Composer(dice, file, bench)
    if file["table"]["zones"] and dice.random() < 0.5:
        composer.do(do="play", until=dice.choice(("preflop", "flop", "river-deal", "river")))
        seat = next(iter(file["table"]["seats"]))
        place = dice.choice((f"seat:{seat}", *STRAYS[1:]))
        composer.do(do="draw", to=place, face=dice.choice(("up", "down")), boxed=dice.random() < 0.3)
    composer.play_out()
    said = composer.report()
    bench.check(
        json.dumps(said[key]) for key in ("prompts", "commands", "alerts", "refused", "phases", "pots")
    )
    return bench.texts


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_hand_tells_stores_openly_or_prints_a_hidden_card_or_a_tag(chunk: int, printed: list[str]) -> None:
    read = sum(watched_hand(f"leak {chunk}.{number}", printed) for number in range(EACH))
    assert read > 1000 * EACH


@pytest.mark.soak
@pytest.mark.timeout(5400)
@pytest.mark.parametrize("part", range(8))
def test_thousands_of_hands_in_which_anything_happens_do_not_either(part: int, printed: list[str]) -> None:
    seed = os.environ.get("CUTCARD_SEED", "6")
    read = 0
    for number in range(HANDS):
        dice = random.Random(f"leak {seed} {part}.{number}")
        file = drawn_table(dice)
        file["table"]["zones"] = True
        bench = watched(file, printed)
        RandomDealer(dice, file, bench, bench.known.hears).play_out()
        read += bench.texts
    assert read > 100 * HANDS


# Hands with mistakes


def watched(file: Json, printed: list[str]) -> Watched:
    """A bench of which everything is read: what is told, printed, and stored openly."""
    journal = OpenJournal()
    bench = DirectBench(scenario_of(file), journal=journal)
    return Watched(bench, lambda: taken(printed) + taken(journal.lines))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_hand_with_a_mistake_tells_stores_openly_or_prints_one(chunk: int, printed: list[str]) -> None:
    read = 0
    for number in range(EACH // 2):
        file = drawn_hand(f"leak {chunk}.{number}").file
        bench = watched(file, printed)
        dealer = RandomDealer(random.Random(0), file, bench, bench.known.hears)
        for act in file["acts"]:
            dealer.do(**act)
        read += bench.texts
    assert read > 500 * EACH


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_hand_in_which_anything_happens_does_so(chunk: int, printed: list[str]) -> None:
    for number in range(EACH // 2):
        dice = random.Random(f"leak {chunk}.{number}")
        file = drawn_table(dice)
        file["table"]["zones"] = True
        bench = watched(file, printed)
        RandomDealer(dice, file, bench, bench.known.hears).play_out()
        assert bench.texts > 100


TABLE: Json = {"game": "holdem", "seats": {"1": 500, "2": 500, "3": 500, "4": 500}}


def until(phase: str) -> Json:
    return {"do": "play", "until": phase}


def draw(to: str, count: int = 1, face: str = "down") -> Json:
    return {"do": "draw", "to": to, "count": count, "face": face}


def complied(*acts: Json, wrong: str, **table: object) -> tuple[DirectBench, list[str]]:
    """A bench after a mistake with a set, and the texts of what was said of the wrong set."""
    file = {"table": {**TABLE, **table}, "acts": [*acts, {"do": "comply", "wrong": wrong}], "seed": 2}
    bench = DirectBench(scenario_of(file))
    player = Player(bench)
    player.play(scenario_of(file))
    said = [notice.said for notice in bench.notices]
    return bench, [
        alert.text for alert in said if isinstance(alert, Alert) and alert.code == "shuffle-incomplete"
    ]


OVERFULL = (until("flop-deal"), draw("board", 4, "up"))
"""The board lies face up, the burn face down."""
DEALT_OVER = (until("preflop"), draw("seat:4"))
"""A misdeal: every card lies face down."""


def test_a_wrong_set_names_a_missing_card_that_lay_face_up_on_the_board() -> None:
    bench, texts = complied(*OVERFULL, wrong="keep-card")
    (kept,) = [ruled.cards for ruled in rulings(bench)]
    assert len(texts) == 1
    assert set(CARD.findall(texts[0])) < set(kept)
    assert "1 is missing (" in texts[0]


@pytest.mark.parametrize(
    ("acts", "wrong"),
    [
        (OVERFULL, "add-burn"),
        (DEALT_OVER, "keep-card"),
        ((until("flop-deal"), draw("board", 4, "down")), "keep-card"),
        ((until("flop"), draw("board", face="down")), "add-burn"),
    ],
    ids=["a burn too many", "a hole card", "a board face down", "a burn beside a card face down"],
)
def test_a_wrong_set_names_no_card_that_lay_face_down(acts: tuple[Json, ...], wrong: str) -> None:
    _, texts = complied(*acts, wrong=wrong)
    for text in texts:
        assert CARD.findall(text) == []


def rulings(bench: DirectBench) -> list[Ruled]:
    return [notice.said for notice in bench.notices if isinstance(notice.said, Ruled)]


@pytest.mark.parametrize(
    ("acts", "shown"),
    [
        ((until("preflop"), draw("seat:2", 2)), 0),
        ((until("preflop"), draw("seat:2"), draw("seat:3")), 0),
        ((until("preflop"), draw("board", 2)), 0),
        ((until("flop"), draw("board")), 3),
        ((until("turn"), draw("board")), 0),
        ((until("turn"), draw("board", face="up")), 1),
        ((until("deal"), draw("seat:2"), draw("seat:3", face="up")), 1),
    ],
    ids=[
        "two extra",
        "extra here and there",
        "early, down",
        "fourth, down",
        "river, down",
        "river",
        "exposed",
    ],
)
def test_a_ruling_names_the_cards_that_lay_face_up_and_no_other(acts: tuple[Json, ...], shown: int) -> None:
    made = scenario_of({"table": TABLE, "acts": list(acts), "seed": 5})
    bench = DirectBench(made)
    player = Player(bench)
    player.play(made)
    felt = bench.table.felt
    up = {card.text for card in felt.all_cards() if felt.face(card) == UP}
    named = {card for ruled in rulings(bench) for card in ruled.cards}
    assert rulings(bench)
    assert named <= up
    assert len(named) == shown


@pytest.mark.parametrize("seat", [None, 2, 3])
def test_the_key_exposed_names_no_card_that_optics_see_lie_face_down(seat: int | None) -> None:
    key = {"do": "key", "key": "exposed", **({"seat": seat} if seat else {})}
    made = scenario_of({"table": TABLE, "acts": [until("preflop"), key]})
    bench = DirectBench(made)
    Player(bench).play(made)
    (ruled,) = rulings(bench)
    assert (ruled.cards, ruled.unseen) == ((), 1)


UNSEEN: dict[str, list[Json]] = {
    "an extra card becomes the burn": [until("preflop"), draw("seat:2"), {"do": "comply"}],
    "a misdeal, and a card kept back": [
        *DEALT_OVER,
        {"do": "comply", "wrong": "keep-card"},
        until("preflop"),
    ],
    "two extra cards": [until("preflop"), draw("seat:2", 2), until("preflop")],
    "an early flop face down": [until("preflop"), draw("board", 3)],
    "a stray card": [until("preflop"), draw("aside")],
}


@pytest.mark.parametrize("what", UNSEEN)
def test_which_cards_they_are_changes_no_word_of_a_mistake_that_shows_none(what: str) -> None:
    told = set()
    for seed in range(4):
        acts = [*UNSEEN[what], {"do": "bet", "seat": 4, "action": "fold"}]
        made = scenario_of({"table": TABLE, "acts": acts, "seed": seed})
        bench = DirectBench(made)
        player = Player(bench)
        player.play(made)
        told.add(repr(list(bench.notices)))
    assert len(told) == 1


# Over bytes


@pytest.mark.parametrize("number", range(3))
def test_neither_feed_nor_journal_nor_standard_error_tells_one_over_bytes(
    number: int, capfd: pytest.CaptureFixture[str]
) -> None:
    dice, file = any_hand(f"leak over bytes {number}", wired=True)
    inner = WireBench(scenario_of(file))
    journal = inner.folder / "journal.jsonl"
    open_part = OpenPart(journal)
    bench = Watched(inner, open_part)
    try:
        Composer(dice, file, bench).play_out()
        assert open_part.read > 40
        for form in tag_forms(bench.table):
            assert form not in journal.read_text()
    finally:
        bench.close()
    bench.check(capfd.readouterr())


@pytest.mark.parametrize("number", range(3))
def test_nor_does_one_of_them_tell_a_card_of_a_hand_with_a_mistake(
    number: int, capfd: pytest.CaptureFixture[str]
) -> None:
    file = drawn_hand(f"leak over bytes {number}").file
    inner = WireBench(scenario_of(file))
    journal = inner.folder / "journal.jsonl"
    open_part = OpenPart(journal)
    bench = Watched(inner, open_part)
    try:
        dealer = RandomDealer(random.Random(0), file, bench, bench.known.hears)
        for act in file["acts"]:
            dealer.do(**act)
        assert open_part.read > 40
        for form in tag_forms(bench.table):
            assert form not in journal.read_text()
    finally:
        bench.close()
    assert capfd.readouterr().err == ""


def test_whoever_taps_the_cables_lists_the_processes_or_waits_for_a_crash_reads_no_tag_and_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tapped: list[bytes] = []
    carry = SoundWay.carry

    def carried(way: SoundWay, data: bytes, now_s: float) -> bytes:
        tapped.append(data)
        return carry(way, data, now_s)

    monkeypatch.setattr(SoundWay, "carry", carried)
    _, file = any_hand("taps", wired=True)
    file["acts"] = [until("done")]
    bench = WireBench(scenario_of(file))
    try:
        Player(bench).play(scenario_of(file))
        bench.restart()
        bench.rest()
        process = Path(f"/proc/{bench.pid}")
        listed = process.joinpath("cmdline").read_bytes() + process.joinpath("environ").read_bytes()
        limits = process.joinpath("limits").read_text()
        uids = [card.uid for cards in bench.table.decks.values() for card in cards]
    finally:
        bench.close()
    heard = b"".join(cobs.decode(frame) for data in tapped for frame in data.split(b"\0") if frame)
    assert re.search(r"Max core file size +0 +0 ", limits), "a crash would leave all cards behind"
    assert len(heard) > 10_000
    assert b"SH-V001" in heard, "what is said openly is read"
    for uid in uids:
        assert uid not in heard
        for form in (uid, uid.hex().encode(), uid.hex().upper().encode()):
            assert form not in listed


class OpenPart:
    """The lines of a journal that were not read yet, without what is sealed in them."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self.read = 0

    def __call__(self) -> list[str]:
        lines = self._journal.read_text().splitlines()[self.read :]
        self.read += len(lines)
        entries = [json.loads(line) for line in lines]
        for entry in entries:
            entry.pop("sealed", None)
        return [json.dumps(entry) for entry in entries]


def test_a_watched_table_notices_a_card_and_a_tag_that_are_told() -> None:
    bench = Watched(
        DirectBench(scenario_of({"table": {"game": "holdem", "seats": {"1": 9, "2": 9}}, "acts": []}))
    )
    card = bench.table.felt.all_cards()[0]
    tag = card.uid.hex()
    spaced = "-".join(tag[i : i + 2] for i in range(0, len(tag), 2))
    for text in (f"seat 1 holds {card.text}.", tag, tag.upper(), spaced.upper(), str(card.uid)):
        with pytest.raises(LeakError):
            bench.check([text])
    bench.table.felt.move(card, "board", face="up")
    bench.check([f"the board is {card.text}."])


def test_the_shuffles_and_the_deck_change_no_word_of_a_hand_in_which_nobody_shows() -> None:
    told = set()
    for seed in range(6):
        file = {
            "table": {"game": "omaha", "seats": {"1": 100, "2": 100, "3": 100}},
            "seed": seed,
            "acts": [
                {"do": "play", "until": "preflop"},
                {"do": "bet", "seat": 1, "action": "fold"},
                {"do": "draw", "to": "aside"},
            ],
        }
        made = scenario_of(file)
        bench = DirectBench(made)
        player = Player(bench)
        player.play(made)
        said = report(made, bench, player)
        told.add(json.dumps([said[key] for key in ("prompts", "commands", "alerts", "refused", "phases")]))
        told.add(repr(list(bench.notices)))
    assert len(told) == 2


def damaged(body: bytes) -> list[bytes]:
    """A body cut short, made longer, and with each byte another."""
    flipped = [body[:i] + bytes([body[i] ^ 0xFF]) + body[i + 1 :] for i in range(len(body))]
    return [*(body[:i] for i in range(len(body))), body + b"\0", body + body, *flipped]


def test_an_error_about_a_message_that_cannot_be_read_shows_no_tag() -> None:
    table = DirectBench(
        scenario_of({"table": {"game": "holdem", "seats": {"1": 9, "2": 9}}, "acts": []})
    ).table
    uid = table.felt.all_cards()[0].uid
    forms = {uid.hex(), repr(uid)[2:-1]}
    messages = [
        wire.Arrived(time=1, zone=Zone.BOARD, facing=Facing.DOWN, uid=uid),
        wire.Turned(time=1, zone=Zone.BOARD, facing=Facing.DOWN, uid=uid),
        wire.DeckTags(0, 0, (uid, uid)),
    ]
    raised = 0
    for message in messages:
        type_, body = wire.encode(message)
        for bytes_, kind in itertools.product(damaged(body), (type_, 0xFE)):
            try:
                wire.decode(kind, bytes_)
            except BridgeError as error:
                raised += 1
                text = f"{error} {error!r} {error.args} {error.__cause__!r} {error.__context__!r}"
                bare = "".join(text.lower().split())
                assert not any(form in text or form in bare for form in forms)
    assert raised > 50
