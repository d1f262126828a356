"""What must hold whatever hands, machines and the floor do: each check by its name, with its rule.

A check looks at the table at rest, or at one thing that the controller says, and yields what is wrong. The
truth is the simulation's; of the core only the ledger, what is due and what is out of play are looked into.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.cards import DECK
from controller.decisions import (
    Alert,
    BetMade,
    CarriedOut,
    ChipsMoved,
    HandBegan,
    PhaseEntered,
    Refused,
    Ruled,
)
from controller.hand import BETTING_ROUNDS, STREETS_DEALT
from controller.ledger import Evidence, Facing
from controller.notices import Notice, PromptShown
from controller.places import ASIDE, BOARD, MUCK, OUTPUT, SHOE, SHUFFLER, TRANSIT, at_seat
from controller.remedies.steps import Shuffle
from controller.rulesets.book import Rulebook
from hil_rigs.virtual.felt import CUT_CARD, ZONES
from tests.anything.seen import STREETS, Seen
from tests.e2e.watching import CARD

_DECK_SIZE: Final = 52
_BOARD: Final = {"preflop": 0, "flop": 3, "turn": 4, "river": 5, "showdown": 5}
_FOR_MACHINES: Final = re.compile(
    r"Traceback|<[a-z_.]+[ >]|object at 0x|\b[A-Z][A-Za-z]+\(|frozenset|\bNone\b|[\[\]{}]|\('"
    r"|\bTrue\b|\bFalse\b|\b[a-z]+_[a-z]+\b"
)
"""What no sentence for people has in it: a value as Python prints it, a name of the program's."""


class BrokenError(AssertionError):
    """Something that must hold does not: which check, on which rule it stands, and what was found."""

    def __init__(self, check: "Check", found: str) -> None:
        super().__init__(f"{check.name} ({check.rule}): {found}")
        self.check = check.name


At = Callable[[Seen], Iterator[str]]
Of = Callable[[Seen, Notice], Iterator[str]]


@dataclass(frozen=True)
class Check:
    """One thing that must hold, by the rule that says so."""

    name: str
    rule: str


AT_REST: Final[dict[Check, At]] = {}
OF_NOTICES: Final[dict[Check, Of]] = {}


def at_rest(rule: str) -> Callable[[At], At]:
    """A check of the table whenever it is at rest."""

    def noted(look: At) -> At:
        AT_REST[Check(look.__name__, rule)] = look
        return look

    return noted


def of_notices(rule: str) -> Callable[[Of], Of]:
    """A check of everything that the controller says."""

    def noted(look: Of) -> Of:
        OF_NOTICES[Check(look.__name__, rule)] = look
        return look

    return noted


# Cards


@at_rest("scenarios.md, Cards are conserved: every one of the 52 is in exactly one place")
def every_card_is_in_one_place(seen: Seen) -> Iterator[str]:
    """The simulation's own, and the ledger's."""
    seen.bench.table.felt.check()
    ledger = seen.bench.core.ledger
    held = [card for zone in ledger._zones for card in ledger.cards(zone)]
    if sorted(held) != sorted(DECK):
        yield f"the ledger holds {len(set(held))} cards in {len(held)} places"


@at_rest("table.md, Where a card is: what a reader has seen is so")
def what_was_seen_is_true(seen: Seen) -> Iterator[str]:
    """Where antennas look, the ledger has each card where it lies, or out of play; and as it lies."""
    zones, felt, core = seen.bench.table.zones, seen.bench.table.felt, seen.bench.core
    if not seen.follows or core._tracking._sequence.waiting or core._tracking._sequence._early:
        return
    # Two cards have one tag: which of them was seen nobody can say, once both have left the shoe.
    decks = seen.bench.table.decks
    twice = {c.text for c in felt.all_cards() if c.deck not in decks and felt.where(c) in (*ZONES, "lost")}
    proves_each = seen.bench.table.shuffler.able_to.identifies
    for card in seen.bench.table.decks[seen.deck]:
        if card.text == CUT_CARD or card in seen.unread or card.text in twice:
            continue
        lies, held = felt.where(card), core.ledger.where(card.text)  # type: ignore[arg-type]
        out = held.place == ASIDE and held.evidence is Evidence.INFERRED
        if (out and card.text in seen.state.out) or held.evidence is Evidence.STATED:
            continue
        in_pack = held.place in (SHUFFLER, OUTPUT, SHOE)
        if in_pack and held.evidence is Evidence.INFERRED and not proves_each:
            continue  # a machine that only counts takes any 52 for the deck
        if zones is not None and zones.reads(lies) and lies in ZONES:
            if held.place != lies and held.place != TRANSIT:
                yield f"a card lies at {lies}, and the ledger has it at {held.place}, {held.evidence.value}"
            elif held.evidence is Evidence.SEEN and held.facing.value not in (
                felt.face(card),
                Facing.UNKNOWN.value,
            ):
                yield f"a card lies {felt.face(card)} at {lies}, and the ledger has it {held.facing.value}"
        elif held.place == SHOE and held.evidence is Evidence.SEEN and lies in ZONES:
            yield f"a card lies at {lies}, and the ledger has seen it in the shoe"


@at_rest("rules.md 1: a shuffle in the middle of a hand never holds a burn or a card of the muck")
def no_burn_or_muck_is_shuffled(seen: Seen) -> Iterator[str]:
    """But where the remedy itself has the last burn in."""
    table, records = seen.bench.table, seen.bench.table.felt.shuffles
    new, seen.shuffles = records[seen.shuffles :], len(records)
    if table.zones is None:
        return  # what lies where is inferred, and the dealer may have put right what was inferred wrongly
    names = {remedy.named.name for remedy in seen.bench.core._play.parts.rulings.open}
    wanted_by = [seen.book.remedies[name] for name in (*names, seen.bench.core._loading.why) if name]
    steps = [step for named in wanted_by for step in named.remedy.steps]
    lots = {lot for step in steps if isinstance(step, Shuffle) for lot in step.cards}
    for record in new:
        if len(record.included) >= _DECK_SIZE:
            continue
        lay = {card.text: seen.lay.get(card, "") for card in table.decks[seen.deck]}
        met = {"burnt": "burn", "burns": "burn", "muck": "muck"}
        may = ("board", "aside", "shoe", *(place for lot, place in met.items() if lot in lots))
        copies = {card.text for card in table.felt.all_cards() if card.deck not in table.decks}
        wrong = sorted(
            f"from {lay[text]}"
            for text in record.included
            if text in lay and lay[text] not in may and text not in copies
        )
        if wrong:
            yield f"shuffled in the middle of a hand: {', '.join(wrong)}"


@of_notices("table.md, Feeding: nothing is delivered that was not proved, shuffled and cut")
def a_pack_is_delivered_only_proved(seen: Seen, notice: Notice) -> Iterator[str]:
    """Where the machine cuts it has cut; a wrong set comes back and is fed anew."""
    match notice.said:
        case CarriedOut(device="shuffler", command="open-cover"):
            cuts = seen.bench.table.shuffler.able_to.cuts
            before = ["feed", "shuffle", *(["cut"] if cuts else [])]
            if seen.machine[-len(before) :] != before:
                yield f"a pack is delivered after {seen.machine[-4:]}"


@at_rest("rules.md 1: a mid-hand shuffle is always followed by a cut")
def what_is_dealt_from_was_cut(seen: Seen) -> Iterator[str]:
    """Of the deck in play the last shuffle, once the shoe is loaded and cards are due from it."""
    table = seen.bench.table
    last = table._shuffle_of.get(seen.deck)
    if not seen.follows or seen.bench.core._loading.step is not None or last is None:
        return
    if any(card.is_cut_card and card.deck != seen.deck for card in table.felt.cards("cut-plate")):
        return  # the plate may have spoken late of the other deck's cut card
    shuffled = table.felt.shuffles[last]
    if table.zones is None and (shuffled.by == "hand" or not table.shuffler.able_to.cuts):
        return  # the dealer's word is taken for the cut
    if not shuffled.cut and len(shuffled.included) > 1 and "pack-uncut" not in seen.stood:
        yield "cards are dealt from a pack that was not cut"


@at_rest("table.md, Feeding: 52 different cards are dealt from")
def a_hand_begins_with_52(seen: Seen) -> Iterator[str]:
    """When hole cards are due and none has left the shoe."""
    ledger = seen.bench.core.ledger
    if (
        seen.asked == "deal-hole"
        and seen.phase == "deal"
        and not seen.unread
        and ledger.count(SHOE) == _DECK_SIZE
    ):
        lying = [text for text in seen.bench.table.felt.texts("shoe") if text in DECK]  # no joker
        if len(lying) != _DECK_SIZE and seen.bench.table.shuffler.able_to.identifies:
            yield f"the ledger has 52 in the shoe, and {len(lying)} lie there"


@at_rest("rules.md 2: on the board lie the cards that play allows")
def the_board_is_the_street(seen: Seen) -> Iterator[str]:
    """In a betting round, with nothing that waits for a word."""
    if not seen.follows or seen.waits or seen.phase not in _BOARD:
        return
    if seen.phase == "preflop" and seen.state.due:
        return
    lying = seen.bench.core.ledger.count(BOARD)
    if lying != _BOARD[seen.phase]:
        yield f"{lying} cards in play lie on the board in {seen.phase}"


@at_rest("rules.md 1 and 5: everybody who is in holds his h cards")
def every_hand_holds_its_cards(seen: Seen) -> Iterator[str]:
    """From the flop to the showdown, of those who have not given up; what lies in the muck is asked about."""
    if not seen.follows or seen.waits or seen.phase not in ("flop", "turn", "river", "showdown"):
        return
    ledger = seen.bench.core.ledger
    for seat in seen.state.following.contenders:
        held = [card for card in ledger.cards(at_seat(seat)) if card not in seen.state.out]
        mucked = [card for card in seen.state.deal.hole[seat] if ledger.where(card).place == MUCK]
        if len(held) + len(mucked) != seen.hole_cards:
            yield f"seat {seat} plays {len(held)} cards in {seen.phase}"


# Chips


@of_notices("rules.md 5: chips are neither made nor lost")
def chips_are_conserved(seen: Seen, notice: Notice) -> Iterator[str]:
    """Stacks, pots and what is uncalled are what these players began the hand with, or have bought since."""
    match notice.said:
        case ChipsMoved(pots=pots, stacks=stacks, uncalled=uncalled):
            open_pots = sum(pot.amount for pot in pots if not pot.winners)
            rake = sum(pot.rake for pot in pots)
            total = sum(stacks.values()) + open_pots + sum(uncalled.values()) + rake
            if min(stacks.values(), default=0) < 0:
                yield f"somebody has fewer than no chips: {stacks}"
            then = sum(seen.began.stacks.get(seat, 0) for seat in stacks) if seen.began is not None else total
            if not then <= total <= then + sum(seen.bought[seat] for seat in stacks):
                yield f"{total} chips, and these seats began the hand with {then}"
            for pot in pots:
                if pot.winners and sum(pot.winners.values()) + pot.rake != pot.amount:
                    yield f"a pot of {pot.amount} is won as {pot.winners}"
        case HandBegan(stacks=stacks):
            if sum(stacks.values()) != seen.chips:
                yield f"{sum(stacks.values())} chips begin the hand, and {seen.chips} came to the table"


# Machines


@at_rest("design.md, Nothing twice: a device carries a command out once")
def a_command_is_carried_out_once(seen: Seen) -> Iterator[str]:
    """By its id, over all boots."""
    twice = [command for command, times in seen.begun.items() if times > 1]
    if twice:
        yield f"{len(twice)} commands were begun twice"
    seen.begun = Counter(dict.fromkeys(seen.begun, 1))


@of_notices("table.md, Undo, and rules.md 2: a street has one burn, unless a remedy has another")
def a_street_is_burned_for_once(seen: Seen, notice: Notice) -> Iterator[str]:
    """As the machine burns."""
    match notice.said:
        case CarriedOut(command="burn", phase=phase):
            street = STREETS.get(phase, "river")
            redeals = seen.book.switches.burn_on_redeal == "yes"
            if seen.bench.core._play._rulings.fell("joker"):
                return  # the machine burned the joker, and then a card
            if seen.burns[street] + 1 > 1 + seen.allowed["any"] + redeals:
                yield f"the machine burned {seen.burns[street] + 1} times for the {street}"


@at_rest("table.md, A prompt gates play: with a gate, cards physically stop")
def the_gate_is_open_for_what_is_due(seen: Seen) -> Iterator[str]:
    """Never wider than for the cards that are due, and never in a halted table or a round of betting."""
    shoe = seen.bench.table.shoe
    if not shoe.gate_open or not seen.bench.core._devices.started:
        return
    if seen.phase == "halted" or (
        seen.phase in BETTING_ROUNDS and seen.asked.startswith(("act-", "betting"))
    ):
        yield f"the gate is open in {seen.phase}, with {seen.asked}"
    elif seen.follows and shoe.left > sum(due.way == "hand" for due in seen.state.due):
        yield f"the gate is open for {shoe.left} cards, and {len(seen.state.due)} are due"


# What is said


@of_notices("design.md, What must not be known: no card before it is lawfully exposed")
def no_hidden_card_is_named(seen: Seen, notice: Notice) -> Iterator[str]:
    """Neither in notices nor in what they say: prompts, alerts, refusals."""
    if seen.bench.table.zones is None and seen.phase == "button-draw":
        return  # that each of these cards lies face up at the seat whose turn it was is the procedure's word
    hidden = set(CARD.findall(repr(notice))) - seen.known.cards
    if hidden:
        yield f"{sorted(hidden)} told in {notice}"


@of_notices("docs/codes.md: a text is for people")
def texts_are_for_people(seen: Seen, notice: Notice) -> Iterator[str]:
    """No value as Python prints it, no error of the program."""
    match notice.said:
        case Alert(text=text) | Refused(why=text) | PromptShown(text=text):
            if _FOR_MACHINES.search(text):
                yield f"{text!r} is no sentence for people"


@of_notices("docs/codes.md and docs/rules.md: codes and ids of the ruleset in force")
def codes_and_ids_are_known(seen: Seen, notice: Notice) -> Iterator[str]:
    """Alerts by the page, rulings and remedies by the rulebook."""
    match notice.said:
        case Alert(code=code):
            if code not in ALERTS:
                yield f"there is no alert {code}"
        case Ruled() as ruled:
            if ruled.rules != seen.book.name or ruled.rule not in seen.book.rules:
                yield f"there is no rule {ruled.rule} in {seen.book.name}, it is of {ruled.rules}"
            if ruled.remedy not in seen.book.remedies:
                yield f"there is no remedy {ruled.remedy}"


@of_notices("table.md, A prompt gates play: what a remedy holds is not taken as play")
def nothing_is_played_while_all_is_held(seen: Seen, notice: Notice) -> Iterator[str]:
    """An act, but for a fold by the cards, never comes while the prompt asks for a step that holds all."""
    match notice.said:
        case BetMade(action=action) if action != "fold" and seen.asked in _holding(seen.book):
            yield f"an act is taken while the dealer is asked for {seen.asked}"
        case PhaseEntered(phase=phase) if phase in STREETS_DEALT and seen.asked == "call-floor":
            if seen.phase == "halted":
                return
            yield f"{phase} begins while the floor is called"


def _holding(book: Rulebook) -> frozenset[str]:
    """Prompts of steps that only remedies have which hold everything, and the floor's."""
    holding, others = {"call-floor", "folded", "hand-back"}, set[str]()
    for named in book.remedies.values():
        for step in named.remedy.steps:
            prompt = getattr(step, "prompt", None)
            if isinstance(prompt, str):
                holds = getattr(step, "holds", None) or named.remedy.holds
                (holding if holds == "everything" else others).add(prompt)
    return frozenset(holding - others)


def _alerts() -> frozenset[str]:
    page = Path("docs/codes.md").read_text().split("## Alerts", 1)[1]
    return frozenset(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE))


ALERTS: Final = _alerts()
"""The codes of the page."""


class Watch:
    """Looks at a table whenever it is at rest, and at all that the controller says. Raises BrokenError."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self._read = 0
        self.looked: Counter[str] = Counter()

    def look(self) -> tuple[Notice, ...]:
        """All checks, of what was said since and of the table as it is; what was said since."""
        new = tuple(self.seen.bench.notices[self._read :])
        self._read += len(new)
        for notice in new:
            self.seen.known.told(notice)
            for check, of in OF_NOTICES.items():
                for found in of(self.seen, notice):
                    raise BrokenError(check, found)
            self.seen.hears(notice)
        return new

    def rest(self) -> None:
        """The table is at rest."""
        for check, at in AT_REST.items():
            for found in at(self.seen):
                raise BrokenError(check, found)
        self.seen.known.forget_shuffled()
