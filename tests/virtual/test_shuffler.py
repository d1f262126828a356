"""What the shuffler promises in section 9 of the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hil_rigs.virtual.codes import Outcome, Prompt, Reason, Stage, Type, Verdict
from hil_rigs.virtual.felt import Card
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.virtual.hosts import DirectHost
from tests.virtual.script import FULL, Script

if TYPE_CHECKING:
    from collections.abc import Callable

_FOREIGN = Card("Ks", b"\xe0\x04\x99\0\0\0\0\1", "deck-9", "green")


def _ready(options: ShufflerOptions | None = None, *, timed: bool = False) -> Script:
    """A table whose shuffler knows its deck; the deck is away."""
    script = Script(DirectHost(VirtualTable(Setup(shuffler=options or ShufflerOptions(), timed=timed))))
    script.host.settle()
    script.load_table()
    return script


def _deck(script: Script) -> tuple[Card, ...]:
    return script.table.decks["deck-1"][:52]


def _mask(*indices: int) -> bytes:
    return sum(1 << index for index in indices).to_bytes(7, "little")


def _without(*indices: int) -> bytes:
    return bytes(a & ~b & 0xFF for a, b in zip(FULL, _mask(*indices), strict=True))


def test_a_right_set_is_proved_with_its_count_and_nothing_missing() -> None:
    script = _ready()
    script.table.hands.lay_in_cards(_deck(script))
    fed = script.command("shuffler", Type.FEED, deck=0, expected=FULL)
    assert (fed["outcome"], fed["verdict"], fed["count"], fed["strangers"]) == (0, Verdict.PROVED, 52, 0)
    assert (fed["missing"], fed["surplus"]) == (bytes(7), bytes(7))
    stages = [state["stage"] for state in script.events(Type.SHUFFLER_STATE)]
    assert stages[-3:] == [Stage.FEEDING, Stage.FEEDING, Stage.HELD]
    assert [kind for _, kind, _ in script.host.log][-1] == Type.FED


def test_a_card_kept_back_is_named_as_missing_and_no_other_is() -> None:
    script = _ready()
    deck = _deck(script)
    script.table.hands.lay_in_cards(deck[:30] + deck[31:])
    fed = script.command("shuffler", Type.FEED, deck=0, expected=FULL)
    assert (fed["verdict"], fed["count"]) == (Verdict.WRONG, 51)
    assert (fed["missing"], fed["surplus"], fed["strangers"]) == (_mask(30), bytes(7), 0)
    for type_ in (Type.SHUFFLE, Type.CUT, Type.OPEN_COVER):
        result = script.command("shuffler", type_)
        assert (result["outcome"], result["reason"]) == (Outcome.REFUSED, Reason.WRONG_SET)
    assert not script.table.shuffler.cover_open


def test_a_wrong_set_comes_back_face_down_with_what_is_not_of_the_set_on_top() -> None:
    script = _ready()
    deck = _deck(script)
    table = script.table
    table.felt.introduce(_FOREIGN)
    cards = (deck[3], _FOREIGN, *deck[:3], *deck[4:51])
    table.hands.lay_in_cards(cards)
    fed = script.command("shuffler", Type.FEED, deck=0, expected=_without(0, 10))
    assert (fed["verdict"], fed["count"], fed["strangers"]) == (Verdict.WRONG, 52, 1)
    assert (fed["missing"], fed["surplus"]) == (_mask(51), _mask(0, 10))
    result = script.command("shuffler", Type.RETURN)
    assert (result["outcome"], result["count"]) == (0, 52)
    returned = table.felt.cards("returned")
    assert set(returned[:3]) == {_FOREIGN, deck[0], deck[10]}
    assert set(returned) == set(cards)
    assert {table.felt.face(card) for card in returned} == {"down"}
    assert table.shuffler.stage == Stage.EMPTY
    assert not table.shuffler.cover_open


def test_a_foreign_card_is_counted_and_not_named() -> None:
    script = _ready()
    script.table.felt.introduce(_FOREIGN)
    script.table.hands.lay_in_cards((*_deck(script), _FOREIGN))
    fed = script.command("shuffler", Type.FEED, deck=0, expected=FULL)
    assert (fed["verdict"], fed["count"], fed["strangers"]) == (Verdict.WRONG, 53, 1)
    assert (fed["missing"], fed["surplus"]) == (bytes(7), bytes(7))


def test_the_right_set_laid_in_after_a_wrong_one_is_proved() -> None:
    script = _ready()
    table = script.table
    table.felt.introduce(_FOREIGN)
    table.hands.lay_in_cards((*_deck(script)[1:], _FOREIGN))
    script.command("shuffler", Type.FEED, deck=0, expected=FULL)
    back = script.command("shuffler", Type.RETURN)
    deeds = script.obeyed(Prompt.WRONG_SET, count=back.num("count"))
    assert [deed.kind for deed in deeds] == ["put-back", "lay-in", "ack"]
    assert table.felt.where(_FOREIGN) == "away"
    assert script.command("shuffler", Type.FEED, deck=0, expected=FULL)["verdict"] == Verdict.PROVED


def test_a_table_of_tags_is_confirmed_only_when_it_is_complete() -> None:
    script = Script(DirectHost(VirtualTable(Setup())))
    uids = [card.uid for card in _deck(script)]
    script.send("shuffler", Type.DECK_BEGIN, deck=0, count=5)
    script.send("shuffler", Type.DECK_TAGS, deck=0, first=0, uids=tuple(uids[:4]))
    script.send("shuffler", Type.DECK_END, deck=0)
    script.host.settle()
    assert script.events(Type.DECK_READY) == []
    script.table.hands.lay_in_cards(_deck(script))
    fed = script.command("shuffler", Type.FEED, deck=0, expected=_mask(0, 1))
    assert (fed["outcome"], fed["reason"], fed["count"]) == (Outcome.REFUSED, Reason.NO_DECK, 0)
    script.send("shuffler", Type.DECK_TAGS, deck=0, first=4, uids=(uids[4],))
    script.send("shuffler", Type.DECK_END, deck=0)
    script.host.settle()
    assert script.events(Type.DECK_READY)[0]["count"] == 5


def _lay(script: Script) -> None:
    script.table.hands.lay_in_cards(_deck(script))


def _leave_in_output(script: Script) -> None:
    script.proved_pack()
    for type_ in (Type.SHUFFLE, Type.CUT, Type.OPEN_COVER):
        script.command("shuffler", type_)


def _leave_cover_open(script: Script) -> None:
    _leave_in_output(script)
    script.table.hands.lift_pack()


def _service(script: Script) -> None:
    _lay(script)
    script.table.shuffler.set_mode(3)


@pytest.mark.parametrize(
    ("before", "expected", "options", "reason"),
    [
        (lambda _: None, FULL, ShufflerOptions(), Reason.INPUT_EMPTY),
        (lambda script: script.proved_pack(), FULL, ShufflerOptions(), Reason.WRONG_STAGE),
        (_leave_in_output, FULL, ShufflerOptions(), Reason.OUTPUT_FULL),
        (_leave_cover_open, FULL, ShufflerOptions(), Reason.COVER_OPEN),
        (_service, FULL, ShufflerOptions(), Reason.WRONG_MODE),
        (_lay, _mask(0, 1), ShufflerOptions(min_cards=10), Reason.TOO_FEW),
        (_lay, FULL, ShufflerOptions(max_cards=40), Reason.TOO_MANY),
        (_lay, _mask(55), ShufflerOptions(), Reason.BAD_VALUE),
    ],
)
def test_a_feed_that_cannot_be_is_refused_with_its_reason_and_moves_nothing(
    before: Callable[[Script], None], expected: bytes, options: ShufflerOptions, reason: Reason
) -> None:
    script = _ready(options)
    before(script)
    was = script.table.zones_of_truth()
    fed = script.command("shuffler", Type.FEED, deck=0, expected=expected)
    assert (fed["outcome"], fed["reason"]) == (Outcome.REFUSED, reason)
    assert script.table.zones_of_truth() == was


def test_each_step_is_refused_at_another_step() -> None:
    script = _ready()
    for type_ in (Type.SHUFFLE, Type.CUT, Type.OPEN_COVER, Type.CLOSE_COVER):
        assert script.command("shuffler", type_)["reason"] == Reason.WRONG_STAGE
    assert script.command("shuffler", Type.RETURN)["reason"] == Reason.EMPTY
    script.proved_pack()
    assert script.command("shuffler", Type.OPEN_COVER)["reason"] == Reason.WRONG_STAGE
    script.command("shuffler", Type.SHUFFLE)
    assert script.command("shuffler", Type.OPEN_COVER)["reason"] == Reason.WRONG_STAGE
    script.command("shuffler", Type.CUT)
    script.command("shuffler", Type.OPEN_COVER)
    assert script.command("shuffler", Type.CLOSE_COVER)["reason"] == Reason.OUTPUT_FULL
    script.table.hands.lift_pack()
    assert script.command("shuffler", Type.CLOSE_COVER)["outcome"] == Outcome.DONE


def test_a_machine_that_does_not_cut_says_so() -> None:
    script = _ready(ShufflerOptions(cuts=False))
    script.proved_pack()
    script.command("shuffler", Type.SHUFFLE)
    assert script.command("shuffler", Type.CUT)["reason"] == Reason.NOT_ABLE
    assert script.command("shuffler", Type.OPEN_COVER)["outcome"] == Outcome.DONE


def test_a_feed_with_a_known_id_is_answered_by_the_same_verdict_again() -> None:
    script = _ready()
    script.table.hands.lay_in_cards(_deck(script)[1:])
    first = script.again("shuffler", Type.FEED, 70, deck=0, expected=FULL)
    again = script.again("shuffler", Type.FEED, 70, deck=0, expected=FULL)
    assert dict(first) == dict(again)
    told = script.again("shuffler", Type.RECALL, 70)
    assert (told["command"], told["outcome"], told["count"]) == (Type.FEED, 0, 51)


def test_no_hand_reaches_into_the_machine_or_under_the_shut_cover() -> None:
    script = _ready()
    script.proved_pack()
    for place in ("machine", "output", "input"):
        with pytest.raises(CannotDo):
            script.table.hands.lay_in(place)
    with pytest.raises(CannotDo):
        script.table.hands.lift_pack()


def test_a_boot_in_the_midst_of_a_shuffle_leaves_cards_that_prove_nothing() -> None:
    script = _ready(timed=True)
    table = script.table
    table.hands.lay_in_cards(_deck(script))
    script.send("shuffler", Type.FEED, id=1, deck=0, expected=FULL)
    table.advance(60_000)
    script.send("shuffler", Type.SHUFFLE, id=2)
    table.advance(5_000)
    assert table.shuffler.stage == Stage.SHUFFLING
    table.shuffler.power_cycle()
    table.advance(60_000)
    assert table.felt.shuffles == []
    assert script.again("shuffler", Type.RECALL, 2)["outcome"] == Outcome.UNKNOWN
    assert script.command("shuffler", Type.SHUFFLE)["reason"] == Reason.WRONG_SET
    script.send("shuffler", Type.RETURN, id=9)
    table.advance(60_000)
    script.host.settle()
    assert len(table.felt.cards("returned")) == 52


def test_a_stub_is_shuffled_in_itself_and_recorded_sorted_and_in_its_order() -> None:
    script = _ready()
    table = script.table
    deck = _deck(script)
    table.hands.lay_in_cards(deck[:9])
    script.command("shuffler", Type.FEED, deck=0, expected=_mask(*range(9)))
    script.command("shuffler", Type.SHUFFLE)
    script.command("shuffler", Type.CUT)
    assert script.command("shuffler", Type.OPEN_COVER)["count"] == 9
    record = table.felt.shuffles[-1]
    assert record.included == tuple(card.text for card in deck[:9])
    assert record.order == table.felt.texts("output")
    assert sorted(record.order) == sorted(record.included)
    assert record.cut


def test_a_permutation_depends_on_the_seed_and_the_set_and_not_on_how_the_cards_were_laid_in() -> None:
    orders = []
    for step in (1, -1):
        script = _ready()
        script.table.hands.lay_in_cards(_deck(script)[::step])
        script.command("shuffler", Type.FEED, deck=0, expected=FULL)
        script.command("shuffler", Type.SHUFFLE)
        orders.append(script.table.felt.shuffles[-1].order)
    assert orders[0] == orders[1]
