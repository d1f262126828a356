"""The acts of a scenario read by the rule book: what its report must say.

Only what sections 1 and 2 of the rules determine for one hand of one deck, with antennas and told acts. All
else raises `Undetermined`; what that is, is listed in the README of this folder.
"""

from collections.abc import Callable, Mapping
from typing import Final

from tests.rulings.faults import drawn, exposed
from tests.rulings.hand import Hand
from tests.rulings.setup import table_of
from tests.rulings.showdown import Showdown
from tests.rulings.words import ENDED, MISDEAL, ROUNDS, Expectation, Json, Undetermined

_OUTCOMES = {"done": "completed", "halted": "halted", "misdeal": MISDEAL, "shuffle": MISDEAL}
_REACHED = (*("deal", "preflop", "flop-deal", "flop", "turn-deal", "turn"), *("river-deal", "river"))
_UNTIL = (*_REACHED, "showdown", "done")


class Oracle:
    """A hand that is read act by act."""

    def __init__(self, file: Json) -> None:
        deck = file.get("deck", "").split()
        if len(deck) != 52:
            raise Undetermined("the deck is not given in full")
        self.hand = Hand(table_of(file), deck)
        self._showdown = Showdown(self.hand)
        self._acts = 0
        self._refused: list[int] = []
        self._tolerated: list[int] = []
        self._alerts: list[str] = []

    def act(self, act: Json) -> None:
        """The next act of the file. Raises Undetermined, and is then of no further use."""
        if act["do"] not in _READERS:
            raise Undetermined(f"the act {act['do']}")
        if self.hand.phase == "halted" and act["do"] != "play":
            raise Undetermined("an act at a halted table")
        _READERS[act["do"]](self, act)
        self.hand.settle()
        self._acts += 1

    def expectation(self) -> Expectation:
        """What the report of a file with the acts so far must say."""
        hand = self.hand
        expected = Expectation(
            outcome=_OUTCOMES.get(hand.phase, "open"),
            phase=hand.phase,
            phases=list(hand.phases),
            rulings=hand.rulings,
            shuffles=hand.shuffles,
            left=sorted(hand.betting.left),
            won=hand.won if hand.won is not None else self._showdown.won,
            alerts=self._alerts,
            told=hand.phase == "halted" or [r.rule for r in hand.rulings].count("overfull-flop") > 1,
            refused=self._refused,
            tolerated=self._tolerated,
        )
        if hand.misdealt or hand.phase == "halted":
            return expected
        deal = hand.deal
        expected.stub = len(hand.stock)
        expected.board, expected.muck = hand.board, hand.muck
        in_flight = deal.extra is not None or (deal.to_burn is not None and deal.exposure_obeyed)
        if not in_flight:
            expected.burns, expected.aside = hand.burns, hand.aside
        if deal.extra is None:
            expected.hole = hand.hole
        return expected

    # Acts

    def play(self, act: Json) -> None:
        """Everything is obeyed until a phase begins."""
        until, hand = act["until"], self.hand
        if hand.phase in ENDED:
            self._tolerated.append(self._acts)
            return
        if until not in _UNTIL or until in hand.phases:
            raise Undetermined("a phase that was entered already")
        self._obeying()
        begun = len(hand.phases)
        while until not in hand.phases[begun:] and hand.phase not in ENDED:
            self._step()
            hand.settle()
        passed_by_hand = hand.phase == until and until in ROUNDS and not hand.betting.pending
        if passed_by_hand and not hand.deal_open:
            raise Undetermined("where `play` stops when it burns by hand in a round without betting")

    def _step(self) -> None:
        hand = self.hand
        if hand.phase == "idle":
            hand.enter("shuffle")
            hand.enter("deal")
        elif hand.remedy_due:
            hand.obey()
        elif hand.phase == "deal":
            drawn(hand, f"seat:{hand.next_seat()}", "down", "deal", same_draw=False)
        elif hand.burn_after_cut:
            hand.burn()
            hand.burn_after_cut = False
        elif hand.phase in ROUNDS and hand.betting.pending:
            self._forget_shown()
            hand.betting.passive(hand.betting.pending[0])
        elif hand.phase in ROUNDS:
            hand.burn()
        elif hand.phase == "showdown":
            self._showdown.played_out()
        else:
            drawn(hand, "board", "up", hand.phase, same_draw=False)

    def draw(self, act: Json) -> None:
        """Cards pulled by hand: all leave the shoe before one of them is seen to lie."""
        if self.hand.phase in (*ENDED, "idle", "showdown") or act.get("boxed", False):
            raise Undetermined("a card that no rule has")
        phase, before = self.hand.phase, len(self.hand.rulings)
        for _ in range(act.get("count", 1)):
            ruled = len(self.hand.rulings) > before
            drawn(self.hand, act["to"], act.get("face", "down"), phase, same_draw=ruled)

    def bet(self, act: Json) -> None:
        """An act of a player."""
        hand, seat, action = self.hand, act["seat"], act["action"]
        self._betting_goes_on()
        if hand.betting.pending[0] != seat:
            raise Undetermined("out of turn")
        if action == "fold":
            hand.betting.fold(seat)
            hand.muck += hand.hole[seat]
            hand.hole[seat] = []
        elif action == "all-in":
            hand.betting.all_in(seat)
        elif action == ("call" if hand.betting.facing(seat) else "check"):
            hand.betting.passive(seat)
        else:
            raise Undetermined(f"{action} here")

    def check_around(self, act: Json) -> None:
        """Checks and calls until the round is complete."""
        self._betting_goes_on()
        while self.hand.betting.pending:
            self.hand.betting.passive(self.hand.betting.pending[0])

    def _betting_goes_on(self) -> None:
        hand = self.hand
        if hand.phase not in ROUNDS or not hand.betting.pending:
            raise Undetermined("no betting is open")
        if hand.redeal is not None or hand.deal_open or hand.misdealt:
            raise Undetermined("an act that a remedy holds")
        self._forget_shown()

    def key(self, act: Json) -> None:
        """The keys of which the rulings speak."""
        hand, seat = self.hand, act.get("seat")
        if act["key"] in ("plays-board", "muck") and seat is not None and hand.phase == "showdown":
            self._showdown.key(act["key"], seat)
            return
        if act["key"] != "exposed" or hand.phase not in ("deal", "preflop") or hand.deal.shown_by_player:
            raise Undetermined("a key of another meaning")
        if seat is None:
            card = hand.deal.last
            holder = next((s for s, held in hand.hole.items() if card in held), None)
        else:
            holder, card = seat, next(iter(hand.deal.lies.get(seat, [])[-1:]), None)
        if holder is None or card is None or card not in hand.hole[holder]:
            raise Undetermined("no card that the key can mean")
        exposed(hand, holder, card, self._when_exposed())
        # The card lies face down: nobody but the dealer's word has shown it.
        ruling = hand.rulings[-1]
        ruling.maybe, ruling.cards = [*ruling.maybe, *ruling.cards], []

    def expose(self, act: Json) -> None:
        """A hole card is shown where it lies."""
        hand, seat, number = self.hand, act["seat"], act.get("card", 1)
        held = hand.hole[seat]
        ordinary = held == hand.deal.lies.get(seat) and number <= len(held)
        if not ordinary or hand.phase not in ("deal", *ROUNDS) or hand.misdealt:
            raise Undetermined("which card this is")
        card = held[number - 1]
        if card in hand.deal.shown or (hand.deal.extra is not None and hand.deal.extra[0] == seat):
            raise Undetermined("which card this is")
        if act.get("by", "dealer") == "player":
            hand.deal.shown.append(card)
            hand.deal.shown_by_player.append(seat)
            return
        if hand.deal.shown_by_player:
            raise Undetermined("whose card the key means")
        exposed(hand, seat, card, self._when_exposed())

    def _when_exposed(self) -> tuple[str, ...]:
        # "The phase in which the card was drawn", or that in which it was exposed.
        return tuple(dict.fromkeys((self.hand.phase, "deal")))

    def comply(self, act: Json) -> None:
        """The prompts are obeyed until they ask for ordinary play."""
        hand = self.hand
        wrong = act.get("wrong")
        if hand.phase in (*ENDED, "idle", "showdown"):
            raise Undetermined("nothing can be asked")
        if self._burns_by_hand_for_a_remedy():
            raise Undetermined("whether the burn of a remedy is ordinary play")
        if wrong is not None:
            self._comply_wrongly(wrong)
            if wrong == "skip-cut":
                return
        elif not hand.remedy_due:
            self._tolerated.append(self._acts)
        self._obeying()
        while hand.remedy_due:
            hand.obey()
            hand.settle()

    def _burns_by_hand_for_a_remedy(self) -> bool:
        hand = self.hand
        if hand.table.burner or hand.burned:
            return False
        before_the_next = hand.phase in ROUNDS and not hand.betting.pending and bool(hand.going_in)
        return hand.redeal == "flop" or before_the_next or hand.burn_after_cut

    def _comply_wrongly(self, wrong: str) -> None:
        hand = self.hand
        if not (hand.misdealt or hand.redeal is not None) or hand.scrambled:
            raise Undetermined("a mistake where no machine proves a set")
        if wrong == "keep-card" and hand.pool == hand.table.min_cards:
            raise Undetermined("one card fewer is too few for the machine")
        if wrong == "skip-cut":
            if hand.table.cuts:
                self._refused.append(self._acts)
            else:
                if hand.misdealt:
                    hand.enter("shuffle")
                hand.enter("halted")
            return
        if wrong == "add-burn" and (hand.misdealt or not hand.burns or not hand.table.identifies):
            raise Undetermined("a burn that belongs into the shuffler, or a machine that cannot name it")
        self._alerts.append("shuffle-incomplete")

    def wait(self, act: Json) -> None:
        """Nothing happens."""
        self.hand.clock += act["ms"]

    def _obeying(self) -> None:
        if self.hand.deal.to_burn is not None:
            self.hand.deal.exposure_obeyed = True

    def _forget_shown(self) -> None:
        self.hand.deal.shown_by_player = []


_READERS: Final[Mapping[str, Callable[[Oracle, Json], None]]] = {
    "play": Oracle.play,
    "draw": Oracle.draw,
    "bet": Oracle.bet,
    "check_around": Oracle.check_around,
    "key": Oracle.key,
    "expose": Oracle.expose,
    "comply": Oracle.comply,
    "wait": Oracle.wait,
}


def expectation_of(file: Json) -> Expectation:
    """What the report of a scenario file must say.

    Raises:
        Undetermined: the rules read here do not determine it.
    """
    oracle = Oracle(file)
    for act in file["acts"]:
        oracle.act(act)
    return oracle.expectation()
