"""Each check notices what it is there for: it is broken once."""

from collections.abc import Callable
from typing import Final

import msgspec
import pytest

from controller.decisions import Alert, AnyDecision, BetMade, CarriedOut, ChipsMoved, PotWon, Ruled
from controller.ledger import Evidence
from controller.notices import Notice, PromptShown
from controller.places import ASIDE, BOARD, BURN, at_seat
from controller.rule_files import rulebook
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.felt import ShuffleRecord
from hil_rigs.virtual.messages import pack
from tests.anything.bench import FloorBench
from tests.anything.checks import AT_REST, OF_NOTICES, BrokenError, Watch
from tests.anything.seen import Seen
from tests.e2e.tables import scenario_of
from tests.e2e.watching import Known
from tests.simulate.puppet import ruled

TABLE: Final = {
    "game": "holdem",
    "seats": {"1": 500, "2": 500, "3": 500},
    "shoe": {"gate": True},
}


def table_in(phase: str) -> Watch:
    """A faultless table, watched."""
    made = scenario_of({"table": TABLE, "acts": []})
    bench = FloorBench(made)
    watch = Watch(Seen(bench, rulebook("roberts"), made.table.hole_cards, Known(bench.table)))
    rest(watch)
    while watch.seen.phase != phase:
        assert bench.table.dealer.obey() is not None
        rest(watch)
    return watch


def rest(watch: Watch) -> None:
    watch.seen.bench.rest()
    watch.look()
    watch.rest()


def told(watch: Watch, *decisions: AnyDecision | PromptShown) -> None:
    """The controller says this besides."""
    for said in decisions:
        watch.seen.bench._notices.append(Notice(0, said))  # type: ignore[arg-type]
    watch.look()


Break = Callable[[Watch], None]


def card_dropped(watch: Watch) -> None:
    ledger = watch.seen.bench.core.ledger
    ledger._zones[BOARD].popitem()
    watch.rest()


def card_where_nothing_saw_it_go(watch: Watch) -> None:
    table = watch.seen.bench.table
    assert table.zones is not None
    card = table.felt.cards("seat:3")[0]
    table.zones.unreadable.add(card)
    table.felt.move(card, "aside")
    watch.rest()


def burn_shuffled(watch: Watch) -> None:
    felt = watch.seen.bench.table.felt
    cards = (*felt.texts("board"), *felt.texts("burn"))
    felt.shuffles.append(ShuffleRecord(cards, cards, cut=True))
    watch.rest()


def pack_delivered_unshuffled(watch: Watch) -> None:
    done = CarriedOut(device="shuffler", command="feed", count=9, phase="flop")
    told(watch, done, msgspec.structs.replace(done, command="open-cover"))


def pack_not_cut(watch: Watch) -> None:
    felt = watch.seen.bench.table.felt
    last = felt.shuffles[-1]
    felt.shuffles[-1] = ShuffleRecord(last.included, last.order, cut=False)
    watch.rest()


def pack_short(watch: Watch) -> None:
    felt = watch.seen.bench.table.felt
    felt.move(felt.cards("shoe")[7], "lost")
    watch.rest()


def board_short(watch: Watch) -> None:
    ledger = watch.seen.bench.core.ledger
    card = ledger.cards(BOARD)[0]
    watch.seen.unread.update(c for c in watch.seen.bench.table.felt.all_cards() if c.text == card)
    ledger.move(card, BURN, Evidence.SEEN)
    watch.rest()


def hand_short(watch: Watch) -> None:
    ledger = watch.seen.bench.core.ledger
    card = ledger.cards(at_seat(2))[0]
    watch.seen.unread.update(c for c in watch.seen.bench.table.felt.all_cards() if c.text == card)
    ledger.move(card, ASIDE, Evidence.SEEN)
    watch.rest()


def chip_made(watch: Watch) -> None:
    pot = PotWon(amount=30, winners={}, hand="")
    told(watch, ChipsMoved(pots=(pot,), stacks={1: 490, 2: 490, 3: 491}))


def command_twice(watch: Watch) -> None:
    shoe = watch.seen.bench.table.shoe
    for _ in range(2):
        shoe.handle(Type.LOCK, pack(Type.LOCK, id=1))
        shoe.power_cycle()  # it has forgotten what it did
    watch.rest()


def burned_twice(watch: Watch) -> None:
    done = CarriedOut(device="shoe", command="burn", count=1, phase="flop")
    told(watch, done, done)


def gate_open(watch: Watch) -> None:
    watch.seen.bench.table.shoe._set_gate(2)
    watch.rest()


def hidden_card_told(watch: Watch) -> None:
    hidden = watch.seen.bench.table.felt.texts("seat:1")[0]
    told(watch, Alert(code="lid-open", text=f"the {hidden} lies at seat 1"))


def value_told(watch: Watch) -> None:
    told(watch, Alert(code="lid-open", text="no such card: Place('seat:3')"))


def unknown_code(watch: Watch) -> None:
    told(watch, Alert(code="no-such-code", text="it is so"))


def act_while_held(watch: Watch) -> None:
    asked = next(n.said for n in watch.seen.bench.notices if isinstance(n.said, PromptShown))
    told(
        watch,
        msgspec.structs.replace(asked, code="gather-misdeal"),
        BetMade(seat=1, action="check", put_in=0, total=0),
    )


BREAKS: Final[dict[str, tuple[str, Break]]] = {
    "every_card_is_in_one_place": ("flop", card_dropped),
    "what_was_seen_is_true": ("flop", card_where_nothing_saw_it_go),
    "no_burn_or_muck_is_shuffled": ("flop", burn_shuffled),
    "a_pack_is_delivered_only_proved": ("flop", pack_delivered_unshuffled),
    "what_is_dealt_from_was_cut": ("flop", pack_not_cut),
    "a_hand_begins_with_52": ("deal", pack_short),
    "the_board_is_the_street": ("flop", board_short),
    "every_hand_holds_its_cards": ("flop", hand_short),
    "chips_are_conserved": ("flop", chip_made),
    "a_command_is_carried_out_once": ("flop", command_twice),
    "a_street_is_burned_for_once": ("flop", burned_twice),
    "the_gate_is_open_for_what_is_due": ("flop", gate_open),
    "no_hidden_card_is_named": ("flop", hidden_card_told),
    "texts_are_for_people": ("flop", value_told),
    "codes_and_ids_are_known": ("flop", unknown_code),
    "nothing_is_played_while_all_is_held": ("flop", act_while_held),
}


def test_every_check_is_broken_once() -> None:
    assert set(BREAKS) == {check.name for check in (*AT_REST, *OF_NOTICES)}


@pytest.mark.parametrize("name", BREAKS)
def test_what_a_check_is_for_is_noticed(name: str) -> None:
    phase, breaks = BREAKS[name]
    watch = table_in(phase)
    with pytest.raises(BrokenError) as broken:
        breaks(watch)
    assert broken.value.check == name


def test_a_ruling_of_another_ruleset_is_noticed() -> None:
    watch = table_in("flop")
    strange: Ruled = msgspec.structs.replace(ruled(1, "premature-turn"), rules="tda")
    with pytest.raises(BrokenError, match="it is of tda"):
        told(watch, strange)


def test_a_faultless_hand_breaks_nothing() -> None:
    watch = table_in("done")
    assert watch.seen.phase == "done"
