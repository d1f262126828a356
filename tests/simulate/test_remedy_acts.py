"""The acts `comply`, `expose` and `move`, and what acts do where a remedy stands between them and play."""

import pytest

from controller.decisions import PhaseEntered, Refused
from hil_rigs.simulate.play import Player
from hil_rigs.virtual.codes import Key, Prompt, Type
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import Setup
from tests.simulate.puppet import SEATS, Ask, Puppet, playing, scenario_of, whys

COMPLY: dict[str, object] = {"do": "comply"}
ORDINARY = (
    *(Prompt.NOTHING, Prompt.DECK_IN, Prompt.GATHER, Prompt.DEAL_HOLE, Prompt.ACT_CHECK, Prompt.ACT_CALL),
    *(Prompt.BETTING, Prompt.BURN, Prompt.DEAL_FLOP, Prompt.DEAL_TURN, Prompt.DEAL_RIVER),
    *(Prompt.ACT_FIRST, Prompt.OTHER_DECK_IN, Prompt.PARKED_DECK_IN, Prompt.DRAW_BUTTON),
    *(
        Prompt.SHOW_HAND,
        Prompt.TAKE_RAKE,
        Prompt.PUSH_POT,
        Prompt.CALL_FLOOR,
        Prompt.TABLE_NOT_EMPTY,
        Prompt.DEVICE_LOST,
    ),
)


def keys(bench: Puppet) -> list[tuple[int, int]]:
    return [(told.num("key"), told.num("seat")) for told in bench.script.events(Type.KEY)]


def redeal(bench: Puppet) -> None:
    """A redeal of the flop is asked for, with the lid free."""
    bench.table.hands.draw("burn", count=2)
    bench.table.hands.draw("board", count=4, face="up")
    bench.script.command("shoe", Type.RELEASE_LID)
    bench.show(Ask(Prompt.UNLOAD_SHOE, by=Type.SHOE_STATE), Ask(Prompt.GATHER_BOARD, count=50))


@pytest.mark.parametrize("code", ORDINARY)
def test_ordinary_play_is_nothing_to_comply_with(code: int) -> None:
    bench = Puppet()
    bench.show(Ask(code, 1, 2))
    before = bench.table.zones_of_truth()
    assert playing(bench, COMPLY).refused == []
    assert (bench.table.zones_of_truth(), keys(bench)) == (before, [])


def test_every_other_prompt_is_ordinary_or_obeyed() -> None:
    remedies = {code for code in Prompt if code >= Prompt.UNLOAD_SHOE}
    loading = {Prompt.WAIT_MACHINE, Prompt.WRONG_SET, Prompt.LIFT_PACK, Prompt.CUT_PACK}
    loading |= {Prompt.CUT_CARD_UNDER, Prompt.LOAD_SHOE}
    asked = {Prompt.BETTING_COMPLETE, Prompt.FOLDED, Prompt.HAND_BACK, Prompt.PARK_DECK, Prompt.TURN_UP}
    assert set(Prompt) - set(ORDINARY) == remedies | loading | asked


def test_he_complies_step_by_step_until_ordinary_play_is_asked_for() -> None:
    bench = Puppet()
    redeal(bench)
    assert playing(bench, COMPLY).refused == []
    felt = bench.table.felt
    assert (len(felt.cards("input")), felt.cards("board"), len(felt.cards("burn"))) == (50, (), 2)
    assert bench.table.prompts.history[-1].code == Prompt.ACT_CHECK


def test_what_keeps_him_from_it_is_refused() -> None:
    bench = Puppet()
    bench.show(Ask(Prompt.UNLOAD_SHOE))
    assert whys(playing(bench, COMPLY)) == ["the shoe's lid is locked"]


@pytest.mark.parametrize(("wrong", "laid_in"), [("keep-card", 49), ("add-burn", 51)])
def test_a_mistake_is_made_once(wrong: str, laid_in: int) -> None:
    bench = Puppet()
    redeal(bench)
    assert playing(bench, {"do": "comply", "wrong": wrong}).refused == []
    assert len(bench.table.felt.cards("input")) == laid_in
    assert bench.table.dealer.mistake is None


@pytest.mark.parametrize(
    ("cuts", "why", "laid_in"), [(True, "the machine cuts", 0), (False, "no cut was asked for", 50)]
)
def test_a_cut_that_cannot_be_skipped_is_refused_before_anything_is_done_where_that_is_plain(
    cuts: bool, why: str, laid_in: int
) -> None:
    bench = Puppet(Setup(seats=SEATS, shuffler=ShufflerOptions(cuts=cuts)))
    redeal(bench)
    player = playing(bench, {"do": "comply", "wrong": "skip-cut"})
    assert [(refusal.what, refusal.why) for refusal in player.refused] == [("comply with skip-cut", why)]
    assert len(bench.table.felt.cards("input")) == laid_in


def test_a_burn_that_is_not_there_cannot_be_too_many() -> None:
    bench = Puppet()
    bench.table.hands.draw("board", count=4, face="up")
    bench.show(Ask(Prompt.GATHER_BOARD))
    assert whys(playing(bench, {"do": "comply", "wrong": "add-burn"})) == ["no card lies in the burn tray"]
    assert not bench.table.felt.cards("input")


def test_a_mistake_does_not_outlive_its_act() -> None:
    bench = Puppet()
    assert whys(playing(bench, {"do": "comply", "wrong": "keep-card"})) == [
        "no card was asked for in the shuffler"
    ]
    redeal(bench)
    playing(bench, COMPLY)
    assert len(bench.table.felt.cards("input")) == 50


@pytest.mark.parametrize("by", ["dealer", "player"])
def test_an_exposed_card_is_turned_up_and_a_dealer_says_so_by_the_key(by: str) -> None:
    bench = Puppet()
    cards = bench.table.hands.draw("seat:2", count=2)
    player = playing(bench, {"do": "expose", "seat": 2, "card": 2, "by": by})
    assert player.refused == []
    assert [bench.table.felt.face(card) for card in cards] == ["down", "up"]
    assert keys(bench) == ([(Key.EXPOSED, 2)] if by == "dealer" else [])
    turned = [type_ for _, type_, _ in bench.script.host.log if type_ in (Type.TURNED, Type.KEY)]
    assert turned == [Type.TURNED, Type.KEY][: len(turned)]


def test_a_card_that_is_not_there_cannot_be_exposed() -> None:
    bench = Puppet()
    bench.table.hands.draw("seat:2")
    player = playing(bench, {"do": "expose", "seat": 2, "card": 2})
    assert [(refusal.what, refusal.why) for refusal in player.refused] == [
        ("expose card 2 of seat 2", "no card there")
    ]
    assert keys(bench) == []


def test_cards_that_lie_on_the_table_are_moved_and_others_are_not() -> None:
    bench = Puppet()
    one, two = bench.table.hands.draw("seat:2", count=2)
    in_shoe = bench.table.felt.texts("shoe")[0]
    moved: dict[str, object] = {"do": "move", "cards": f"{two.text} {one.text}", "to": "muck"}
    player = playing(bench, moved, {"do": "move", "cards": in_shoe, "to": "board"})
    assert bench.table.felt.cards("muck") == (two, one)
    assert [(refusal.act, refusal.what, refusal.why) for refusal in player.refused] == [
        (1, "move to board", "no such card lies there")
    ]


@pytest.mark.parametrize(
    "act",
    [
        {"do": "bet", "seat": 1, "action": "check"},
        {"do": "check_around"},
        {"do": "key", "key": "next"},
    ],
)
def test_before_players_go_on_early_cards_are_out_of_the_way(act: dict[str, object]) -> None:
    bench = Puppet()
    bench.table.hands.draw("board", count=4, face="up")
    bench.tell(PhaseEntered(phase="flop"))
    bench.show(Ask(Prompt.EARLY_FLOP), Ask(Prompt.EARLY_ASIDE, count=1, by=Type.ARRIVED))
    player = playing(bench, act)
    assert player.refused == []
    assert len(bench.table.felt.cards("aside")) == 1


def test_another_remedy_is_not_obeyed_before_players_go_on() -> None:
    bench = Puppet()
    bench.table.hands.draw("seat:2", count=3)
    bench.tell(PhaseEntered(phase="preflop"))
    bench.show(Ask(Prompt.EXTRA_TO_BURN, 2, 3))
    assert whys(playing(bench, {"do": "check_around"})) == ["no betting round is open"]
    assert bench.table.felt.cards("burn") == ()


def test_a_remedy_that_interrupts_a_round_ends_checking_around() -> None:
    bench = Puppet()
    bench.table.hands.draw("seat:2", count=3)
    bench.tell(PhaseEntered(phase="preflop"))
    bench.show(Ask(Prompt.ACT_CHECK, 1, 10, by=Type.ACT), Ask(Prompt.EXTRA_TO_BURN, 2, 3))
    player = playing(bench, {"do": "check_around"})
    assert player.refused == []
    assert bench.table.felt.cards("burn") == ()
    assert len(bench.script.events(Type.ACT)) == 1


class Stubborn(Puppet):
    """A controller that refuses every key and asks for the same again."""

    def rest(self) -> None:
        before = len(self.script.events(Type.KEY))
        self.script.host.settle()
        if len(self.script.events(Type.KEY)) > before:
            self.tell(Refused(what="ack", why="not yet"))
            self.script.show(Prompt.EARLY_FLOP)


def test_hands_that_are_refused_again_and_again_give_up() -> None:
    bench = Stubborn()
    bench.show(Ask(Prompt.EARLY_FLOP))
    player = Player(bench)
    player.play(scenario_of(COMPLY))
    assert whys(player)[-1] == "the prompt asks for the same again and again"


@pytest.mark.parametrize(
    ("phases", "until", "past"),
    [
        ("shuffle deal", "idle", True),
        ("shuffle deal", "deal", False),
        ("shuffle deal", "shuffle", True),
        ("shuffle deal misdeal", "shuffle", False),
        ("shuffle deal misdeal", "deal", False),
        ("shuffle deal misdeal", "idle", True),
        ("shuffle deal misdeal shuffle", "deal", False),
        ("shuffle deal misdeal shuffle", "misdeal", False),
        ("shuffle deal misdeal shuffle deal preflop", "deal", True),
        ("flop-deal flop", "flop-deal", True),
        ("flop-deal flop flop-deal", "flop", False),
        ("flop-deal flop flop-deal", "preflop", True),
        ("shuffle halted", "done", True),
        ("shuffle halted", "halted", False),
        ("shuffle deal done", "flop", True),
        ("shuffle deal done", "done", False),
        ("shuffle deal done", "halted", False),
        ("shuffle misdeal shuffle deal done", "misdeal", True),
    ],
)
def test_a_phase_is_past_by_where_the_hand_is_now(phases: str, until: str, past: bool) -> None:
    bench = Puppet()
    player = playing(bench)
    player.phases += phases.split()
    player.play(scenario_of({"do": "play", "until": until}))
    now = player.phases[-1]
    if past:
        why = ["the hand is halted" if now == "halted" else f"the phase {until} is past"]
    else:  # it is there already, the hand is over, or this puppet asks for nothing that leads there
        why = [] if until == now or now == "done" else ["nothing is left for the dealer to do here"]
    assert whys(player) == why
