"""52 cards stay 52, whatever hands and machines do."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.felt import PLACES, TEXTS, UP, ZONES, Card, Felt, FeltError, print_deck, rank_order
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.messages import pack
from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.table import Setup, SetupError, VirtualTable
from tests.virtual.hosts import DirectHost
from tests.virtual.script import FULL, Script


def test_a_deck_is_52_cards_and_a_cut_card_with_tags_of_their_own_from_the_seed() -> None:
    deck = print_deck(5, "deck-1", "red")
    assert [card.text for card in deck] == [*TEXTS, "cut"]
    assert len({card.uid for card in deck}) == 53
    assert all(len(card.uid) == 8 and card.uid[0] == 0xE0 for card in deck)
    assert print_deck(5, "deck-1", "red") == deck
    assert not {card.uid for card in deck} & {card.uid for card in print_deck(5, "deck-2", "blue")}


def test_cards_are_sorted_by_rank_then_suit() -> None:
    assert rank_order(["Ac", "2c", "Th", "As", "2s", "9d"]) == ("2s", "2c", "9d", "Th", "As", "Ac")


def test_a_move_that_cannot_be_true_is_refused_and_changes_nothing() -> None:
    deck = print_deck(0, "deck-1", "red")
    felt = Felt(deck)
    with pytest.raises(FeltError):
        felt.move(deck[0], "under-the-table")
    with pytest.raises(FeltError):
        felt.move(deck[0], "away")
    with pytest.raises(FeltError):
        felt.move(Card("As", bytes(8), "deck-9"), "board")
    with pytest.raises(FeltError):
        felt.reorder("away", deck[1:])
    with pytest.raises(FeltError):
        felt.introduce(Card("As", deck[3].uid, "deck-9"))
    assert felt.cards("away") == deck
    felt.check()


def _act(table: VirtualTable, rng: random.Random) -> None:
    """One random thing that a hand or the host might do, possible or not."""
    hands = table.hands
    texts = table.felt.texts(rng.choice(ZONES))
    commands = (Type.SHUFFLE, Type.CUT, Type.OPEN_COVER, Type.CLOSE_COVER, Type.RETURN)
    ids = pack(Type.SHUFFLE, id=rng.randrange(1, 1 << 40))
    mask = rng.choice([FULL, rng.randbytes(6) + b"\x0f"])
    deeds = (
        lambda: hands.draw(rng.choice([*ZONES, "pack"]), count=rng.randint(1, 4), face=UP),
        lambda: hands.lay_in(*rng.sample(PLACES, rng.randint(1, 4))),
        hands.lift_pack,
        hands.cut_pack,
        hands.cut_card_under,
        hands.load_shoe,
        hands.unload_shoe,
        hands.park_pack,
        hands.scramble,
        hands.push_back,
        lambda: hands.muck(rng.randint(1, 11)),
        lambda: hands.turn_up(rng.randint(1, 11)),
        lambda: hands.fold(rng.randint(1, 11)),
        lambda: hands.move(texts[:2], rng.choice(ZONES)),
        lambda: table.shuffler.handle(rng.choice(commands), ids),
        lambda: table.shuffler.handle(
            Type.FEED, pack(Type.FEED, id=rng.randrange(1 << 40), deck=0, expected=mask)
        ),
        lambda: table.shoe.handle(rng.choice([Type.BURN, Type.RELEASE_LID, Type.LOCK]), ids),
        lambda: table.shoe.handle(Type.UNLOCK, pack(Type.UNLOCK, id=rng.randrange(1 << 40), cards=9)),
        table.shuffler.power_cycle,
        lambda: table.advance(40_000),
    )
    rng.choice(deeds)()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32), st.booleans())
def test_no_card_is_lost_or_doubled_by_any_row_of_possible_and_impossible_actions(
    seed: int, gate: bool
) -> None:
    table = VirtualTable(Setup(seed=seed, shoe=ShoeOptions(gate=gate)))
    script = Script(DirectHost(table))
    script.host.settle()
    script.load_table()
    before = {card.uid for card in table.felt.all_cards()}
    rng = random.Random(seed)
    done = 0
    for _ in range(60):
        was = table.zones_of_truth()
        try:
            _act(table, rng)
            done += 1
        except CannotDo as stopped:
            if not stopped.moved:
                assert table.zones_of_truth() == was
        table.felt.check()
    assert done
    script.host.settle()
    assert {card.uid for card in table.felt.all_cards()} == before
    held = [text for texts in table.zones_of_truth().values() for text in texts]
    assert rank_order(held) == rank_order(TEXTS)


@pytest.mark.parametrize(
    "setup",
    [
        {"seats": (1,)},
        {"seats": (1, 1)},
        {"seats": (1, 12)},
        {"decks": 3},
        {"first_order": ("As",) * 52},
        {"first_order": ("As",)},
    ],
)
def test_a_table_that_cannot_be_is_not_set_up(setup: dict[str, object]) -> None:
    with pytest.raises(SetupError):
        VirtualTable(Setup(**setup))  # type: ignore[arg-type]


def test_two_decks_do_not_mix_in_what_is_said_of_one() -> None:
    table = VirtualTable(Setup(decks=2))
    assert len(table.zones_of_truth()["away"]) == 104
    assert table.zones_of_truth("deck-2")["away"] == TEXTS
    assert table.deck_in_play == "deck-1"
    table.felt.move(table.decks["deck-2"][0], "board", face=UP)
    assert table.deck_in_play == "deck-2"
