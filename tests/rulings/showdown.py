"""Playing the board: who keeps a claim to the pot, and whether giving one up is reported."""

from collections import Counter
from itertools import combinations

from tests.rulings.hand import Hand
from tests.rulings.words import ExpectedRuling, Undetermined

_RANKS = "23456789TJQKA"
_SUITS = "shdc"

Strength = tuple[int, ...]


def strength(cards: list[str]) -> Strength:
    """How good the best five of five to seven cards are: the higher the better."""
    return max(_of_five(list(five)) for five in combinations(cards, 5))


def _of_five(cards: list[str]) -> Strength:
    ranks = sorted((_RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    shape = tuple(count for _, count in groups)
    kickers = tuple(rank for rank, _ in groups)
    flush = len({card[1] for card in cards}) == 1
    high = None
    if len(groups) == 5 and ranks[0] - ranks[4] == 4:
        high = ranks[0]
    elif ranks == [12, 3, 2, 1, 0]:
        high = 3
    if high is not None:
        return (8 if flush else 4, high)
    if flush:
        return (5, *kickers)
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return (kinds.get(shape, 0), *kickers)


def nothing_beats(board: list[str]) -> bool:
    """Whether no two cards make a better hand with the board than the board itself is."""
    alone = strength(board)
    rest = [rank + suit for rank in _RANKS for suit in _SUITS if rank + suit not in board]
    return all(strength([*board, *pair]) == alone for pair in combinations(rest, 2))


class Showdown:
    """The claims to the pot of a hand of hold'em in which everybody put in the same."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._declared: list[int] = []
        self._mucked: list[int] = []
        self._gave_up: list[int] = []
        self.won: dict[int, int] | None = None

    def key(self, key: str, seat: int) -> None:
        """A player declares that he plays the board, or his cards go to the muck."""
        hand = self._hand
        if hand.table.hole_cards != 2 or any(card.startswith("@") for card in hand.board):
            raise Undetermined("the cards are not known here")
        if not hand.hole[seat] or (seat in self._declared and key == "plays-board"):
            raise Undetermined("a key without a meaning")
        if key == "plays-board":
            self._declared.append(seat)
            return
        if seat not in self._declared:
            if len(self._claims()) == 1:
                raise Undetermined("the last claim cannot be mucked away")
            self._gave_up.append(seat)
        self._mucked.append(seat)
        hand.muck += hand.hole[seat]
        hand.hole[seat] = []
        claims = self._claims()
        if len(claims) == 1 and claims[0] not in self._mucked:
            raise Undetermined("whether the pot goes to the last claim before his cards are tabled")

    def played_out(self) -> None:
        """Everybody left tables his cards, and the pot is pushed."""
        hand, claims = self._hand, self._claims()
        if self._declared or self._gave_up:
            self._judge(claims)
        hand.enter("done")

    def _claims(self) -> list[int]:
        return [seat for seat in self._hand.betting.left if seat not in self._gave_up]

    def _judge(self, claims: list[int]) -> None:
        hand = self._hand
        paid = {hand.betting.paid[seat] for seat in hand.betting.left}
        if len(paid) > 1:
            raise Undetermined("side pots")
        alone = strength(hand.board)
        best = {seat: self._strength(seat) for seat in claims}
        if any(best[seat] != strength([*hand.board, *hand.hole[seat]]) for seat in claims):
            raise Undetermined("whether a declared hand plays better than it said")
        top = max(best.values())
        tabled = len(claims) > 1 or claims[0] in self._declared
        if alone >= top and (nothing_beats(hand.board) or tabled):
            for seat in self._gave_up:
                hand.rule(ExpectedRuling("board-not-declared", ("showdown",), (seat,)))
        winners = [seat for seat in claims if best[seat] == top]
        share, odd = divmod(sum(hand.betting.paid.values()), len(winners))
        self.won = {seat: share + (i < odd) for i, seat in enumerate(winners)}

    def _strength(self, seat: int) -> Strength:
        hand = self._hand
        if seat in self._declared:
            return strength(hand.board)
        return strength([*hand.board, *hand.hole[seat]])
