"""The act `fault`: what goes wrong in shoe and shuffler, and what the table makes of it."""

import pytest

from tests.e2e.tables import CLEAN, Json, played_directly

SEATS = {"1": 1000, "2": 1000, "3": 1000}


def played(*acts: Json, **table: object) -> Json:
    return played_directly({"table": {"game": "holdem", "seats": SEATS, **table}, "seed": 3, "acts": acts})


def until(phase: str) -> Json:
    return {"do": "play", "until": phase}


def fault(name: str, device: str = "shoe") -> Json:
    return {"do": "fault", "device": device, "fault": name}


def floor(decision: str) -> Json:
    return {"do": "floor", "decision": decision}


def alerts(report: Json) -> list[str]:
    return [alert["code"] for alert in report["alerts"]]


def rules(report: Json) -> list[tuple[str, str]]:
    return [(ruling["rule"], ruling["remedy"]) for ruling in report["rulings"]]


CODES = {"misread": "unread-card", "double-feed": "double-feed"}


@pytest.mark.parametrize("phase", ["deal", "flop-deal"])
@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("gate", [False, True])
def test_what_was_not_read_is_confirmed_and_the_hand_is_played_out(name: str, phase: str, gate: bool) -> None:
    report = played(until(phase), fault(name), until("done"), shoe={"gate": gate})
    assert (alerts(report), rules(report), report["refused"]) == ([CODES[name]], [], [])
    assert (report["outcome"], tuple(report["phases"])) == ("completed", CLEAN)


@pytest.mark.parametrize("name", CODES)
def test_without_antennas_nothing_is_guessed_and_the_hand_is_finished_by_hand(name: str) -> None:
    halted = played(until("deal"), fault(name), until("done"), zones=False)
    assert (halted["outcome"], alerts(halted)) == ("halted", [CODES[name]])
    by_hand = played(until("deal"), fault(name), until("done"), floor("by-hand"), zones=False)
    assert (by_hand["phase"], by_hand["refused"]) == ("deal", [])


@pytest.mark.parametrize("phase", ["deal", "flop-deal", "river-deal"])
def test_a_card_of_no_deck_voids_the_hand_by_the_floors_word(phase: str) -> None:
    halted = played(until(phase), fault("foreign-card"), until("done"))
    assert (halted["outcome"], rules(halted)) == ("halted", [("foreign-card", "void-and-pull")])
    void = played(until(phase), fault("foreign-card"), until("done"), floor("accept"))
    assert void["stacks"] == SEATS
    assert void["phase"] == "idle"


def test_a_card_that_vanished_is_missed_when_the_deck_is_gathered() -> None:
    acts = (until("flop"), fault("missing-card"), until("done"))
    first = played(*acts)
    assert (first["outcome"], rules(first)) == ("completed", [])
    assert alerts(first) == ["ledger-differs"], "no device can know yet that it is gone"
    assert len(first["other"]["transit"]) == 1, "each of the 52 stands somewhere"


def test_what_a_stub_lacks_in_the_middle_of_a_hand_is_asked_for_once_more_and_is_then_the_floors() -> None:
    five = {"do": "draw", "to": "board", "count": 5, "face": "up"}
    acts = (until("flop-deal"), fault("missing-card"), five, {"do": "comply"})
    report = played(*acts, floor("void"))
    assert rules(report) == [("overfull-flop", "redeal-flop")]
    assert set(alerts(report)) == {"shuffle-incomplete", "missing-card"}
    assert (report["outcome"], report["stacks"]) == ("void", SEATS)


@pytest.mark.parametrize("name", ["foreign-card", "duplicate-card"])
def test_a_remedy_of_the_floors_that_voids_the_hand_ends_it_void(name: str) -> None:
    acts = (until("flop-deal"), fault(name), until("done"), floor("accept"))
    assert played(*acts)["outcome"] == "void"


@pytest.mark.parametrize("device", ["zones", "shoe"])
def test_a_deck_that_is_pulled_after_its_hand_leaves_the_hand_completed(device: str) -> None:
    late = [fault("foreign-card", "zones"), floor("accept")]
    by_key = [{"do": "key", "key": "floor"}, floor("pull-deck")]
    report = played(until("done"), *(late if device == "zones" else by_key))
    assert (report["outcome"], report["phase"], report["refused"]) == ("completed", "idle", [])
    assert sum(report["stacks"].values()) == 3000


def test_a_joker_stands_in_the_scrap_beside_the_52_and_is_gone_with_the_next_hand() -> None:
    report = played(until("deal"), fault("joker"), until("done"))
    lying = [card for zone in ("board", "burns", "muck", "aside", "scrap") for card in report[zone]]
    lying += [card for cards in report["hole"].values() for card in cards]
    assert (report["scrap"], len(lying) - 1 + report["stub"]) == (["joker"], 52)
    table = {"game": "holdem", "seats": SEATS}
    acts = [until("deal"), fault("joker"), until("done"), until("preflop")]
    again = played_directly({"table": table, "seed": 3, "hands": 2, "acts": acts})
    assert (again["scrap"], again["phase"]) == ([], "preflop")


def test_a_card_that_is_there_twice_stands_in_no_zone_of_the_report_and_is_not_played_on_with() -> None:
    acts = (until("flop-deal"), fault("duplicate-card"), until("done"), floor("stand"))
    report = played(*acts)
    assert (report["phase"], report["aside"], len(report["hole"]["1"])) == ("halted", [], 2)
    assert "one card is there twice" in report["refused"][-1]["why"]


def test_a_jam_fails_what_the_shuffler_is_told_until_it_is_cleared() -> None:
    report = played(fault("jam", "shuffler"), until("done"))
    assert (report["outcome"], alerts(report)) == ("halted", ["device-fault", "command-failed"])
    acts = (fault("jam", "shuffler"), until("done"), fault("clear-jam", "shuffler"), floor("stand"))
    cleared = played(*acts, until("done"))
    assert cleared["outcome"] == "completed"


def test_what_cannot_be_is_refused_in_the_report() -> None:
    report = played(fault("misread"), until("done"))
    assert [refusal["why"] for refusal in report["refused"]] == ["no card lies in the shoe"]


def test_a_card_that_is_still_missing_when_the_deck_is_fed_again_has_the_deck_leave() -> None:
    table = {"game": "holdem", "seats": SEATS}
    acts = [until("flop"), fault("missing-card"), until("done"), until("deal")]
    halted = played_directly({"table": table, "seed": 3, "hands": 2, "acts": acts})
    assert (halted["outcome"], rules(halted)) == ("halted", [("missing-card", "pull-deck")])
    pulled = played_directly({"table": table, "seed": 3, "hands": 2, "acts": [*acts, floor("accept")]})
    assert (pulled["phase"], pulled["refused"]) == ("idle", [])
    assert sum(pulled["stacks"].values()) == 3000
