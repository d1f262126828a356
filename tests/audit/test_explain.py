"""`cutcard audit explain`: what happened in a hand, as a floor manager shows it to a player."""

import json
import os
import re
import stat
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest

from controller.audit import words as texts
from controller.audit.account import Account, account_of
from controller.audit.opening import survey
from controller.audit.page import page_of
from controller.audit.verifying import Verifying
from controller.journal import Bounds
from controller.prompt_files import catalogue
from controller.rule_files import rulebook
from hil_rigs.simulate.load import Wiring, load
from tests.audit.made import Direct, Made, by_wire, cutcard, of_files, restarted
from tests.crash.files import FOLDER, MADE

OVERFULL = "overfull-flop-holdem"
_CARD = re.compile(r"(?<![\w-])[2-9TJQKA][shdc](?![\w-])")
_VOID = {"meta", "br"}


def explained(made: Made, *more: str | Path, hand: str = "1") -> str:
    """What the command says of a hand."""
    done = cutcard("audit", "explain", made.path, "--hand", hand, *more)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


class Page(HTMLParser):
    """A page taken apart: whether its tags are closed as they were opened, its words, what it would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.lang = ""
        self.fetches: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in _VOID:
            self.open.append(tag)
        said = dict(attrs)
        self.lang = (said.get("lang") if tag == "html" else None) or self.lang
        self.fetches += [
            name for name in ("src", "href", "srcset", "data", "action", "style") if name in said
        ]
        assert not any(name.startswith("on") for name in said)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "title"):
            self.words.append(data)


def page(tmp_path: Path, made: Made, *more: str | Path, hand: str = "1") -> tuple[Page, str]:
    """The page of a hand."""
    to = tmp_path / "hand.html"
    explained(made, "--html", to, *more, hand=hand)
    text = to.read_text("utf-8")
    return Page(text), text


def test_a_hand_is_told_from_its_shuffle_to_its_pot_with_its_ruling_and_how_it_was_put_right() -> None:
    told = explained(by_wire(OVERFULL))
    in_order = (
        "Hand 1 at overfull-flop-holdem",
        "Ruling 1: More than three cards lie on the flop. The cards: As, Ad, 3d, 8c. How it is put right: "
        "All board cards and the stub are proved, shuffled and cut; burns and muck stay out. "
        "One card is burned, only where none had been. Three cards are the flop. (overfull-flop; "
        "remedy redeal-flop; rulebook roberts)\n",
        "Result: Pot of 40: seat ",
        "What was verified",
        "The journal holds: ",
        "The table has signed all of it",
        "It was decided by cutcard ",
        "under the rulebook roberts",
        "The shuffle\n",
        "Hand 1: the button is at seat 3; dealt in are seat 4 with 1000, seat 1 with 1000, ",
        "These are their chips before blinds, antes and posts.\n",
        "exactly those that were asked for. (seen)",
        "The shuffler shuffled them. (seen)",
        "The cut card was put under the pack. (stated by the dealer)",
        "The deal\n",
        "Put in before the cards, as blinds, antes or posts: 5 by seat 4, 10 by seat 1; 15 in all.",
        "Card 1 left the shoe. (seen)",
        "A card lies at seat 4, face down. (seen)",
        "Betting before the flop\n",
        "Seat 2: call, 10 in. (stated by the dealer)",
        "left the shoe, burned by the machine.",
        "The flop is dealt\n",
        "Card 13 left the shoe.",
        "Ruling 1: overfull-flop. More than three cards lie on the flop. (seen)",
        "rule overfull-flop of the rulebook roberts; source: Robert's Rules of Poker",
        "remedy: redeal-flop",
        "step 1: All board cards and the stub are proved, shuffled and cut",
        "step 3: Three cards are the flop.",
        "The dealer was asked: Board and stub into shuffler, ACK.",
        "The dealer pressed ack. (stated by the dealer)",
        "exactly those that were asked for, for redeal-flop. (seen)",
        "The shuffler shuffled them, for redeal-flop. (seen)",
        "The pack lies in the shoe, its lid locked, for redeal-flop. (seen)",
        "The shoe counts anew: ",
        "Card 1 left the shoe. (seen)",
        "lies on the board. (seen)",
        "Showdown\n",
        "A card at seat 4 was turned face up. (seen)",
        "Seat 4 shows ",
        "Pot of 40: seat ",
        "The hand is over\n",
    )
    at = 0
    for words in in_order:
        found = told.find(words, at)
        assert found >= 0, f"{words!r} is not told, or not in its place"
        at = found + len(words)
    assert re.search(
        r"^\d{1,2} [A-Z][a-z]+ \d{4}\. Times are those of this place, UTC[+-]\d{4}\.$", told, re.M
    )


def test_every_card_that_left_the_shoe_is_told_and_none_by_its_face_that_lay_face_down() -> None:
    made = by_wire(OVERFULL)
    told = explained(made)
    draws = sum(b'"event":"drew"' in line for line in made.lines())
    assert len(re.findall(r"Card \d+ left the shoe", told)) == draws
    open_parts = [json.loads(line) for line in made.lines()]
    seen = set(_CARD.findall(json.dumps([[p.get("event"), p.get("decisions")] for p in open_parts])))
    assert set(_CARD.findall(told)) <= seen


@pytest.mark.parametrize("name", [OVERFULL, *sorted(MADE)])
def test_each_card_that_comes_to_lie_somewhere_is_told_once(name: str) -> None:
    """Of each card that left the shoe one line says where it came to lie."""
    made = by_wire(name)
    lies = re.compile(r"^ *\d+ +[\d:]+  (?:A card lies at|[2-9TJQKA][shdc] lies on) ", re.M)
    carried = re.compile(r"  A card came to lie at (?!the muck|the side)")
    for hand in range(1, 4 if name.startswith("two decks") else 2):
        told = explained(made, hand=str(hand))
        assert len(lies.findall(told)) == len(re.findall(r"  Card \d+ left the shoe", told))
        assert not carried.search(told)


@pytest.mark.parametrize("name", [OVERFULL, *sorted(set(MADE) - {"by the key alone, counted only"})])
def test_the_pot_can_be_added_up_from_what_is_told(name: str) -> None:
    told = explained(by_wire(name))
    went_in = sum(map(int, re.findall(r"(\d+) in(?: all)?\.", told)))
    came_back = sum(map(int, re.findall(r"(\d+) (?:to seat|that nobody called)", told)))
    paid = sum(map(int, re.findall(r"  Pot of (\d+): ", told)))
    assert went_in - came_back == paid > 0


@pytest.mark.parametrize("name", [OVERFULL, *sorted(MADE)])
def test_a_line_has_no_word_for_how_it_is_known_only_where_no_device_and_no_person_said_it(name: str) -> None:
    told = explained(by_wire(name))
    lines = re.findall(r"^ *\d+  [\d:]{8}  (.*)$", told, re.M)
    known = re.compile(r"\((?:seen|inferred|stated by the (?:dealer|floor|staff))\)$")
    its_own = re.compile(
        "Hand |Put in |The dealer was asked: |Pot of |The pot: |ALERT |The table was stopped|Back to |Late "
    )
    assert lines
    assert [line for line in lines if not known.search(line) and not its_own.match(line)] == []
    assert [line for line in lines if known.search(line) and its_own.match(line)] == []


def test_that_the_shoe_counts_anew_is_said_once_where_it_was_loaded_again() -> None:
    for name, times in ((OVERFULL, 1), ("a misdeal", 1), ("a gate, and no machine burns", 0)):
        told = explained(by_wire(name))
        assert told.count("The shoe counts anew") == times, name
        if times:
            assert "  Card 1 left the shoe" in told[told.index("The shoe counts anew") :]


def test_a_hand_played_with_devices_without_keys_says_so(tmp_path: Path) -> None:
    table = Direct(tmp_path, load(FOLDER / "clean-holdem.json", wire=Wiring.PORTS))
    table.bench._service.is_insecure()
    table.play()
    told = explained(table.stop())
    short, _, rest = told.partition("What was verified")
    assert "THIS TABLE TOOK DEVICES WITHOUT KEYS (--insecure)" in short
    assert "That the devices of this table said what stands here is not proved" in rest
    assert rest.count("this table takes devices without keys") == 1
    assert "WITHOUT KEYS" not in explained(by_wire(OVERFULL))


def test_who_decided_is_told_with_his_reason() -> None:
    told = explained(by_wire("the floor decides"))
    assert "Decided by the floor: Ann lets it stand (floor-called, turn): seen" in told
    assert "The table is halted: the floor is called" in told
    assert "FLOOR Ann lets it stand (floor-called, turn): seen. (stated by the floor)" in told
    assert "ALERT floor-called: the dealer called the floor." in told


@pytest.mark.parametrize("name", sorted(MADE))
def test_whatever_happened_can_be_told(name: str) -> None:
    made = by_wire(name)
    hands = 3 if name.startswith("two decks") else 1
    for hand in range(1, hands + 1):
        told = explained(made, hand=str(hand))
        assert f"Hand {hand}: the button is at" in told
        assert "this version does not know" not in told


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*-omaha.json")), ids=lambda file: file.stem)
def test_every_ruling_is_told_with_its_book_and_its_remedy(tmp_path: Path, file: Path) -> None:
    table = Direct(tmp_path, load(file, wire=Wiring.PORTS))
    table.play()
    told = explained(table.stop())
    rule = file.stem.removesuffix("-omaha").removesuffix("-holdem")
    if rule.startswith("clean"):
        assert "There was no ruling in this hand." in told
        return
    known = rulebook("roberts").rules[rule]
    assert known.trigger.split(",")[0] in told
    assert f"rule {rule} of the rulebook roberts; source: " in told


def test_a_restart_of_the_controller_is_told() -> None:
    told = explained(restarted())
    assert (
        f"The controller was started again (cutcard {version('cutcard')}) and went on where it was." in told
    )
    assert told.count("decided by cutcard ") == 1, "it was the same program, under the same rulebook"


def test_another_program_after_a_restart_is_told() -> None:
    made = restarted()
    surveyed = survey(made.path, 1)
    entry, start = surveyed.verified.starts[-1]
    surveyed.verified.starts[-1] = entry, msgspec.structs.replace(start, software="0123456789abcdef0123")
    account = account_of(
        surveyed.wanted(1, 0), surveyed.verified, texts.words(), catalogue("en"), version="9", shown=None
    )
    assert account.verified[-1] == (
        f"From entry {entry} on it was decided by cutcard {start.version} (program 0123456789abcdef), "
        "under the rulebook roberts."
    )


# As a page


def test_a_page_needs_nothing_else_and_is_well_made(tmp_path: Path) -> None:
    made = by_wire(OVERFULL)
    read, text = page(tmp_path, made)
    assert (read.open, read.fetches, read.lang) == ([], [], "en")
    assert not read.tags & {"script", "link", "img", "iframe", "object", "form", "base"}
    assert not re.search(r"url\(|@import|https?:", text)
    assert text.startswith("<!DOCTYPE html>")
    for words in (
        "Hand 1 at overfull-flop-holdem",
        "The journal holds: ",
        "Ruling 1: overfull-flop. ",
        "Showdown",
    ):
        assert any(words in data for data in read.words), words
    assert stat.S_IMODE((tmp_path / "hand.html").stat().st_mode) == 0o600


def test_the_page_says_what_the_text_says(tmp_path: Path) -> None:
    made = by_wire("the floor decides")
    read, _ = page(tmp_path, made)
    said = " ".join(" ".join(read.words).split())
    for line in explained(made).splitlines():
        words = re.sub(r"^ *\d+  \d\d:\d\d:\d\d  ", "", line).strip(" -=").removesuffix(")").rpartition(" (")
        assert " ".join((words[0] or words[2]).split()) in said, line


def test_what_was_stated_looks_different_from_what_was_seen_and_not_by_its_colour_alone(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, text = page(tmp_path, by_wire("the floor decides"))
    for how, words in (
        ("seen", "seen"),
        ("stated", "stated by the dealer"),
        ("floor", "stated by the floor"),
    ):
        assert f'<span class="known {how}">{words}</span>' in text
    inferred = page(tmp_path_factory.mktemp("other"), by_wire("a gate, and no machine burns"))[1]
    assert '<span class="known inferred">inferred</span>' in inferred
    looks = dict(re.findall(r"^(\.known[^{]*) \{ ([^}]*)\}", text, re.M))
    colours = [re.findall(r"(?<![-\w])color: (#\w+)", look) for look in looks.values()]
    assert len({colour for (colour,) in filter(None, colours)}) == 3
    assert "border-bottom: 1px dashed" in looks[".known.inferred"]
    assert "border: 1px solid" in looks[".known.stated, .known.floor, .known.staff"]


def test_what_people_typed_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    evil = "</p><script>alert(1)</script><b onload=x>\"'&"
    made = by_wire("the floor decides").copied(tmp_path)
    lines = made.lines()
    made.write([line.replace(b'"reason":"seen"', b'"reason":' + json.dumps(evil).encode()) for line in lines])
    to = tmp_path / "hand.html"
    done = cutcard("audit", "explain", made.path, "--hand", "1", "--html", to, "--anyway")
    assert done.returncode == 1
    text = to.read_text("utf-8")
    read = Page(text)
    assert "script" not in read.tags
    assert "&lt;script&gt;alert(1)" in text
    assert any(evil in data for data in read.words)


def test_letters_that_no_page_can_have_are_replaced() -> None:
    text = page_of(Account("a\x00b\x1b[31m\u202ec", "", (), ("ά",), (), (), ()), texts.words())
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", text)
    assert "ά" in text


def test_a_page_is_never_written_over_a_file(tmp_path: Path) -> None:
    to = tmp_path / "hand.html"
    to.write_text("mine")
    done = cutcard("audit", "explain", by_wire(OVERFULL).path, "--hand", "1", "--html", to)
    assert (done.returncode, to.read_text()) == (2, "mine")
    assert done.stderr.endswith("hand.html: a file is there already; choose another name\n")


# With the auditor's key


def test_with_the_auditors_key_faces_are_told_and_that_is_written_down(tmp_path: Path) -> None:
    made = by_wire(OVERFULL).copied(tmp_path)
    told = explained(made, "--key", made.key, "--who", "Ann Bell")
    faces = re.findall(r"Card \d+ left the shoe[^[]*\[(\w\w)\]", told)
    assert len(faces) == sum(b'"event":"drew"' in line for line in made.lines())
    assert re.search(r"A card lies at seat 4, face down\. \[\w\w\] \(seen\)", told)
    assert "they were opened for Ann Bell with the auditor's key " in told
    assert "Ann Bell explained hand 1@12 (entries " in cutcard("audit", "opened", made.path).stdout
    on_top = "FOR Ann Bell ALONE: faces of cards that lay face down are told here."
    assert told.splitlines()[2].startswith(f"** {on_top}")
    read, text = page(tmp_path, made, "--key", made.key, "--who", "Ann Bell")
    assert text.index(on_top) < text.index("<h1>")
    assert on_top not in explained(made)
    assert set(faces) <= set(read.words)
    assert Verifying(made.path).verify().faults == []


def test_faces_are_told_of_no_hand_that_is_not_over_and_of_no_journal_that_does_not_hold(
    tmp_path: Path,
) -> None:
    made = of_files().copied(tmp_path)
    key = ("--key", made.key, "--who", "Ann")
    flop = made.find(b'"flop"')
    whole = made.lines()
    made.write(whole[:flop])
    done = cutcard("audit", "explain", made.path, "--hand", "3", *key)
    assert (done.returncode, done.stdout) == (2, "")
    assert "hand 3 is not over" in done.stderr
    made.write([*whole[:20], *whole[21:]])
    done = cutcard("audit", "explain", made.path, "--hand", "3", "--anyway", *key)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing that is sealed is shown of a journal that does not hold" in done.stderr
    assert not made.openings.exists()


# What does not hold, or is not there


def test_a_hand_that_is_not_over_is_told_as_far_as_it_has_come(tmp_path: Path) -> None:
    made = of_files().copied(tmp_path)
    made.write(made.lines()[: made.find(b'"phase":"flop"')])
    told = explained(made, hand="3")
    assert "The hand is not over: this is how far it has come." in told
    assert "what follows hangs on the chain alone until the table signs again" in told
    assert "The turn is dealt" not in told


def test_of_a_journal_whose_beginning_was_removed_it_is_said_what_cannot_be_known(tmp_path: Path) -> None:
    table = Direct(tmp_path, bounds=Bounds(file_bytes=20_000, older_files=1))
    table.play()
    told = explained(table.stop(), hand="3")
    assert "By which version it was decided stands in a file of the journal that is not there." in told
    assert "which file 2 of the journal names; the files before it are not there." in told


def test_a_journal_that_does_not_hold_is_refused_or_said_to_prove_nothing(tmp_path: Path) -> None:
    made = by_wire(OVERFULL).copied(tmp_path)
    lines = made.lines()
    made.write([line.replace(b'"put_in":10', b'"put_in":99') for line in lines])
    done = cutcard("audit", "explain", made.path, "--hand", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the journal does not hold: --anyway explains the hand and says so" in done.stderr
    done = cutcard("audit", "explain", made.path, "--hand", "1", "--anyway")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[2].startswith("!! THIS JOURNAL DOES NOT HOLD")
    assert "Seat 2: call, 99 in." in done.stdout
    assert "The journal holds" not in done.stdout
    assert "has signed" not in done.stdout
    to = tmp_path / "hand.html"
    cutcard("audit", "explain", made.path, "--hand", "1", "--anyway", "--html", to)
    text = to.read_text()
    assert text.index('<div class="broken" role="alert">') < text.index("<h1>")
    assert "border: 3px solid #b00020" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--hand", "7"), "hand 7: there is no such hand; the last ones are 1, 2, 3"),
        (("--hand", "x"), "is no hand"),
        ((), "Missing option '--hand'"),
        (("--hand", "1", "--key", "nowhere"), "--key and --who go together"),
        (("--hand", "1", "--key", "nowhere", "--who", "Ann"), "nowhere: the auditor's key cannot be read"),
        (("--hand", "1", "--html", "/nowhere/at/all.html"), "/nowhere/at/all.html: it cannot be written"),
    ],
)
def test_what_cannot_be_explained_is_told_in_a_line(arguments: tuple[str, ...], words: str) -> None:
    done = cutcard("audit", "explain", of_files().path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    os.mkdir(tmp_path / "journal")
    for name in ("journal", "none"):
        done = cutcard("audit", "explain", tmp_path / name, "--hand", "1")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
