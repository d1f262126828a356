"""Each card that leaves the shoe, and each card that is shown, held against the rules."""

from tests.rulings.hand import Hand
from tests.rulings.words import ROUNDS, SETTLE_MS, ExpectedRuling, Undetermined


def drawn(hand: Hand, to: str, face: str, phase: str, *, same_draw: bool) -> None:
    """The next card goes to a place; `phase` is the one in which the draw began.

    Raises Undetermined where the rules read here do not say what becomes of it.
    """
    if hand.misdealt or hand.burn_after_cut:
        raise Undetermined("a card while the remedy is under way")
    hand.deal.shown_by_player = []
    if to.startswith("seat:"):
        _to_seat(hand, int(to.removeprefix("seat:")), face, phase)
        return
    hand.deal.last = None
    if to == "board" and face == "up":
        _to_board(hand, phase, same_draw=same_draw)
    elif to == "burn" and face == "down":
        _to_burn(hand, phase)
    else:
        raise Undetermined(f"a card {face} to {to}")


# Hole cards


def _to_seat(hand: Hand, seat: int, face: str, phase: str) -> None:
    if phase not in ("deal", "preflop"):
        raise Undetermined("a hole card after the deal")
    deal = hand.deal
    if not hand.dealt_out:
        if seat != hand.next_seat():
            raise Undetermined("out of sequence")
        card = hand.take()
        hand.give(seat, card)
        deal.dealt += 1
        if face == "up":
            exposed(hand, seat, card, (phase,))
        return
    if deal.owner is not None:
        if seat != deal.owner or deal.extra is not None:
            raise Undetermined("one exposed, then one extra: which rulings are reported")
        card = hand.take()
        hand.give(seat, card)
        if face == "up":
            exposed(hand, seat, card, (phase,))
        else:
            deal.owner, deal.replaced = None, True
        return
    _extra(hand, seat, face, phase)


def _extra(hand: Hand, seat: int, face: str, phase: str) -> None:
    deal = hand.deal
    if phase != "preflop" or not hand.window_deal or not hand.betting.pending:
        raise Undetermined("the window is closed")
    if face == "up" or seat in hand.betting.folded or hand.early_flop or deal.to_burn is not None:
        raise Undetermined("an extra card that is something else too")
    again = deal.extra is not None or deal.extra_put_right or deal.replaced
    if hand.burned and not again:
        raise Undetermined("the flop's burn is made already")
    card = hand.take()
    hand.give(seat, card)
    first = hand.table.order[0]
    if again:
        hand.rule(ExpectedRuling("extra-cards-two-plus", (phase,), (seat, None)))
        hand.misdeal()
    elif seat == first:
        hand.rule(ExpectedRuling("extra-card-first-player", (phase,), (seat,)))
        deal.extra = (seat, card)
    else:
        hand.rule(ExpectedRuling("extra-card-other-seat", (phase,), (seat,)))
        hand.misdeal()


def exposed(hand: Hand, seat: int, card: str, phases: tuple[str, ...]) -> None:
    """The dealer exposed a hole card."""
    deal = hand.deal
    if hand.misdealt or card in deal.shown or hand.early_flop or seat in hand.betting.folded:
        raise Undetermined("a card that is exposed already, or counts no more")
    if hand.phase not in ("deal", "preflop") or seat in hand.betting.acted:
        raise Undetermined("its owner has looked, or the deal is long over")
    if deal.extra is not None and deal.extra[1] == card:
        raise Undetermined("an extra card that was seen")
    if hand.phase == "preflop" and not hand.betting.pending:
        raise Undetermined("a street is about to be dealt")
    deal.shown.append(card)
    if not hand.window_deal:
        _exposed_too_late(hand, seat, card, phases)
        return
    if hand.burned and not deal.replaced:
        raise Undetermined("the flop's burn is made already")
    if card == deal.first:
        if deal.exposed:
            raise Undetermined("the first card after another: which ruling")
        hand.rule(ExpectedRuling("exposed-first-hole-card", phases, (seat,), [card]))
        hand.misdeal()
    elif deal.exposed:
        ruling = ExpectedRuling("exposed-two-or-more", phases, (seat, None), [card], [*deal.exposed])
        hand.rule(ruling)
        hand.misdeal()
    else:
        hand.rule(ExpectedRuling("exposed-later-hole-card", phases, (seat,), [card]))
        deal.exposed.append(card)
        deal.owner, deal.to_burn = seat, card
        hand.hole[seat].remove(card)
        hand.aside.append(card)


def _exposed_too_late(hand: Hand, seat: int, card: str, phases: tuple[str, ...]) -> None:
    if hand.deal.exposed or hand.burned or card == hand.deal.first or not hand.betting.pending:
        raise Undetermined("a fault after another one")
    late = ExpectedRuling("exposed-later-hole-card", phases, (seat,), [card], optional=True)
    hand.rule(late)
    hand.enter("halted")


# Board cards


def _to_board(hand: Hand, phase: str, *, same_draw: bool) -> None:
    if hand.deal_open:
        raise Undetermined("a board card while a hole card is due")
    if hand.redeal is not None:
        _on_overfull_flop(hand, phase, same_draw=same_draw)
    elif phase == "preflop":
        _early_flop(hand)
    elif phase == "flop-deal":
        hand.board.append(hand.take())
        if len(hand.board) > 3:
            _overfull_flop(hand, phase)
    elif phase == "flop":
        _fourth(hand)
    elif phase in ("turn-deal", "river-deal") and len(hand.board) < _wanted(phase):
        hand.board.append(hand.take())
    elif (phase == "turn-deal" and hand.betting.can_go_on) or (phase == "turn" and hand.betting.pending):
        _early_river(hand, phase)
    else:
        raise Undetermined("a board card without a place")


def _wanted(phase: str) -> int:
    return 4 if phase == "turn-deal" else 5


def _set_aside(hand: Hand, street: str, card: str) -> None:
    hand.aside.append(card)
    hand.going_in.setdefault(street, []).append(card)


def _early_flop(hand: Hand) -> None:
    if not hand.betting.pending:
        raise Undetermined("a flop without a burn")
    early = hand.going_in.get("flop", [])
    if len(early) == 5:
        raise Undetermined("a sixth card on the board")
    card = hand.take()
    if not early:
        hand.rule(ExpectedRuling("premature-flop", ("preflop",)))
    hand.rulings[-1].cards.append(card)
    _set_aside(hand, "flop", card)


def _overfull_flop(hand: Hand, phase: str) -> None:
    hand.rule(ExpectedRuling("overfull-flop", (phase,), cards=list(hand.board)))
    for card in hand.board:
        _set_aside(hand, "flop", card)
    hand.board = []
    hand.redeal = "flop"
    if phase == "flop":
        hand.enter("flop-deal")
        hand.burned = True


def _on_overfull_flop(hand: Hand, phase: str, *, same_draw: bool) -> None:
    if hand.redeal != "flop" or hand.rulings[-1].rule != "overfull-flop" or len(hand.going_in["flop"]) > 5:
        raise Undetermined("a card while the remedy is under way")
    card = hand.take()
    _set_aside(hand, "flop", card)
    # Before the remedy's first command it is a card of the ruling, after it one of the remedy alone.
    if same_draw:
        hand.rulings[-1].cards.append(card)
    else:
        hand.rulings[-1].maybe.append(card)


def _fourth(hand: Hand) -> None:
    untouched = not hand.burned and not hand.betting.acted and len(hand.board) == 3
    if "turn" in hand.going_in:
        raise Undetermined("a third early card")
    if "river" in hand.going_in and not hand.betting.pending:
        raise Undetermined("a turn without a burn")
    if "river" in hand.going_in:
        card = hand.take()
        first = hand.going_in.pop("river")
        hand.going_in["turn"] = first
        hand.rule(ExpectedRuling("premature-river", ("flop",), cards=[card], maybe=list(first)))
        _set_aside(hand, "turn", card)
        hand.no_burn = {"turn", "river"}
        hand.burned = False
    elif untouched and hand.clock - hand.third_at <= SETTLE_MS:
        hand.board.append(hand.take())
        _overfull_flop(hand, "flop")
    elif hand.betting.pending:
        card = hand.take()
        hand.rule(ExpectedRuling("premature-turn", ("flop",), cards=[card]))
        _set_aside(hand, "river", card)
        hand.no_burn = {"river"}
        hand.burned = False  # the early card has had its burn, or has cost it
    else:
        raise Undetermined("a turn without a burn")


def _early_river(hand: Hand, phase: str) -> None:
    if any(r.rule == "premature-river" and r.phases[0].startswith("turn") for r in hand.rulings):
        raise Undetermined("a second early river")
    card = hand.take()
    maybe = list(hand.going_in.get("river", []))
    hand.rule(ExpectedRuling("premature-river", (phase,), cards=[card], maybe=maybe))
    _set_aside(hand, "river", card)
    hand.no_burn.add("river")


# Burns


def _to_burn(hand: Hand, phase: str) -> None:
    if phase not in ROUNDS[:-1] or hand.deal_open or hand.redeal is not None:
        raise Undetermined("a burn out of place")
    if hand.burned or hand.early_flop or hand.next_street in hand.no_burn:
        raise Undetermined("a burn too many")
    hand.burn()
