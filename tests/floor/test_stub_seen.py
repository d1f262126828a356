"""The top of the stub was seen: by the floor's word the stub alone is shuffled before the next street."""

import pytest

from tests.e2e.tables import Json
from tests.e2e.test_fault_acts import alerts, floor, played, rules, until

KEY = {"do": "key", "key": "exposed"}


MACHINES: tuple[Json, ...] = ({}, {"min_cards": 52}, {"cuts": False})


def shuffled(*acts: Json, shuffler: Json, burner: bool) -> None:
    report = played(*acts, until("done"), shuffler=shuffler, shoe={"burner": burner})
    assert (report["outcome"], report["refused"]) == ("completed", [])
    assert (rules(report), alerts(report)) == ([("exposed-top-of-stub", "scramble-stub")], ["floor-decides"])
    assert [shuffle["why"] for shuffle in report["shuffles"]] == ["scramble-stub"]
    assert (len(report["board"]), len(report["burns"])) == (5, 3)


@pytest.mark.parametrize("phase", ["flop", "turn"])
@pytest.mark.parametrize("shuffler", MACHINES)
@pytest.mark.parametrize("burner", [False, True])
def test_the_stub_is_shuffled_before_the_next_street_and_burned_as_usual(
    phase: str, shuffler: Json, burner: bool
) -> None:
    shuffled(until(phase), KEY, floor("accept"), {"do": "check_around"}, shuffler=shuffler, burner=burner)


@pytest.mark.parametrize("shuffler", MACHINES)
@pytest.mark.parametrize("burner", [False, True])
def test_a_street_that_was_begun_is_completed_from_the_shuffled_stub_without_another_burn(
    shuffler: Json, burner: bool
) -> None:
    first = {"do": "draw", "to": "board", "face": "up"}
    shuffled(until("flop-deal"), first, KEY, floor("accept"), shuffler=shuffler, burner=burner)


BURN: Json = {"do": "draw", "to": "burn", "face": "down"}
EARLY: Json = {"do": "draw", "to": "board", "face": "up"}
MEANWHILE: tuple[tuple[str, str, tuple[Json, ...], tuple[tuple[str, int], ...]], ...] = (
    ("roberts", "flop", (BURN, EARLY), (("scramble-stub", 40), ("natural-river", 39))),
    ("tda", "flop", (BURN, EARLY), (("reshuffle-turn", 41),)),
    ("roberts", "flop", (BURN, EARLY, EARLY), (("reshuffle-turn-and-river", 41),)),
    ("roberts", "turn", (BURN, EARLY), (("reshuffle-river", 39),)),
    ("tda", "turn", (EARLY,), (("reshuffle-river", 40),)),
    ("roberts", "flop", (EARLY,), (("redeal-flop", 45),)),
    ("tda", "flop", (EARLY,), (("scramble-stub", 41),)),
)


@pytest.mark.parametrize("burner", [False, True])
@pytest.mark.parametrize(("book", "phase", "wrong", "shuffles"), MEANWHILE)
def test_cards_that_go_into_the_stub_too_are_shuffled_with_it_once_and_before_the_street(
    book: str, phase: str, wrong: tuple[Json, ...], shuffles: tuple[tuple[str, int], ...], burner: bool
) -> None:
    acts = (until(phase), KEY, floor("accept"), *wrong, {"do": "comply"}, until("done"))
    report = played(*acts, rules=book, shoe={"burner": burner})
    assert (report["outcome"], report["refused"], len(report["board"])) == ("completed", [], 5)
    assert len(report["rulings"]) == 1 + wrong.count(EARLY)
    assert tuple((shuffle["why"], len(shuffle["included"])) for shuffle in report["shuffles"]) == shuffles


def test_the_top_of_the_stub_that_was_shuffled_for_it_may_be_seen_again() -> None:
    first = (until("flop"), KEY, floor("accept"), KEY, {"do": "check_around"}, {"do": "comply"})
    report = played(*first, KEY, floor("accept"), until("done"), shoe={"burner": False})
    assert (report["outcome"], report["refused"], len(report["board"])) == ("completed", [], 5)
    assert rules(report) == [("exposed-top-of-stub", "scramble-stub")] * 2
    assert [shuffle["why"] for shuffle in report["shuffles"]] == ["scramble-stub"] * 2
    assert len(report["burns"]) == 3


def test_a_shuffle_that_was_left_out_for_one_ruling_is_none_for_the_next() -> None:
    dropped = ({"do": "key", "key": "floor"}, floor("found") | {"rule": "stub-dropped"})
    washed = (floor("choose") | {"remedy": "shuffle-stub"}, {"do": "comply"})
    acts = (KEY, floor("accept"), *dropped, *washed, KEY, floor("accept"), {"do": "check_around"})
    report = played(until("flop"), *acts, until("done"))
    assert (report["outcome"], report["refused"], len(report["burns"])) == ("completed", [], 3)
    assert [shuffle["why"] for shuffle in report["shuffles"]] == ["shuffle-stub", "scramble-stub"]


@pytest.mark.parametrize("burner", [False, True])
@pytest.mark.parametrize(("phase", "shuffles"), [("turn-deal", 1), ("river-deal", 0)])
def test_where_a_second_burn_is_the_street_the_stub_is_shuffled_for_the_next_one_if_there_is_one(
    phase: str, shuffles: int, burner: bool
) -> None:
    acts = (until(phase), BURN, KEY, floor("accept"), {"do": "comply"})
    report = played(*acts, until("done"), shoe={"burner": burner})
    assert (report["outcome"], report["refused"], len(report["board"])) == ("completed", [], 5)
    assert [shuffle["why"] for shuffle in report["shuffles"]] == ["scramble-stub"] * shuffles


@pytest.mark.parametrize("shuffler", MACHINES)
@pytest.mark.parametrize("phase", ["turn", "river"])
def test_a_card_that_leaves_the_stub_before_it_is_shuffled_alone_joins_nothing(
    phase: str, shuffler: Json
) -> None:
    before = {"turn": "flop", "river": "turn"}[phase]
    acts = (until(before), KEY, floor("accept"), until(f"{phase}-deal"), EARLY, floor("accept"))
    report = played(*acts, {"do": "comply"}, until("done"), shuffler=shuffler)
    assert (report["outcome"], report["refused"], alerts(report)) == ("completed", [], ["floor-decides"] * 2)
    assert [rule for rule, _ in rules(report)] == ["exposed-top-of-stub", "stray-card"]
    assert (len(report["board"]), len(report["aside"])) == (5, 1)


def test_the_floor_may_let_it_stand() -> None:
    report = played(until("flop"), KEY, floor("stand"), until("done"))
    assert (report["outcome"], report["shuffles"], len(report["board"])) == ("completed", [], 5)


def test_what_stands_of_the_stub_brings_no_early_card_back() -> None:
    report = played(until("preflop"), EARLY, EARLY, KEY, floor("stand"), until("done"))
    assert (report["outcome"], report["refused"], len(report["board"])) == ("completed", [], 5)
    made = [(shuffle["why"], len(shuffle["included"])) for shuffle in report["shuffles"]]
    assert made == [("finish-then-redeal-flop", 46)]


def test_on_the_river_nothing_is_dealt_any_more_and_the_key_is_refused() -> None:
    report = played(until("river"), KEY, until("done"))
    assert (report["outcome"], rules(report)) == ("completed", [])
    assert [refusal["what"] for refusal in report["refused"]] == ["exposed"]
