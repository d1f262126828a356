"""What a hand is worth: the best five cards, their order among all hands, and their name.

The order comes from PokerKit, asked once for each of the 7,462 kinds of five cards; the choice of the five
and the words are ours.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from controller.cards import DECK, RANKS, SUITS
from controller.games import Game, hole_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_VALUE = {rank: value for value, rank in enumerate(RANKS)}
_WORDS = "two three four five six seven eight nine ten jack queen king ace"
_ONE = dict(zip(RANKS, _WORDS.split(), strict=True))
_MANY = {rank: "sixes" if rank == "6" else word + "s" for rank, word in _ONE.items()}
_WHEEL = "5432A"


@dataclass(frozen=True, order=True)
class Strength:
    """The worth of a hand; a stronger one is greater, hands that split are equal.

    `index` has no meaning but its order. `five` are the best five cards, those that make the hand first;
    `text` names it, for example "two pair, aces and threes". Where several choices of five are worth the
    same, one of them is given.
    """

    index: int
    five: tuple[str, ...] = field(compare=False)

    @property
    def text(self) -> str:
        """The hand in English words."""
        return _describe(self.five)


def rank(game: Game, hole: Sequence[str], board: Sequence[str]) -> Strength:
    """The best hand of `hole` and `board` under the rules of `game`.

    Hold'em: any five of the two hole cards and the board; with no hole cards at all, the board alone. Omaha:
    exactly two of the four hole cards with exactly three of the board. The board has three to five cards
    (five where it plays alone). Raises ValueError for a wrong number of cards, a card of no deck or a card
    twice.
    """
    _check(game, hole, board)
    if game is Game.OMAHA:
        fives: Iterable[tuple[str, ...]] = (
            pair + three for pair in combinations(hole, 2) for three in combinations(board, 3)
        )
    else:
        fives = combinations((*hole, *board), 5)
    best = max(fives, key=_index)
    return Strength(_index(best), _arranged(best))


def unbeatable(board: Sequence[str]) -> bool:
    """Whether no two hole cards at all make a better hold'em hand with this board than it is alone."""
    alone = _index(tuple(board))
    left = [card for card in DECK if card not in board]
    return all(
        _index(five) <= alone
        for kept in (3, 4)
        for cards in combinations(board, kept)
        for others in combinations(left, len(board) - kept)
        for five in ((*cards, *others),)
    )


def warm() -> None:
    """Loads the library and its tables, half a second of work that a running table has no time for."""
    rank(Game.HOLDEM, (), ("2s", "3s", "4s", "5s", "7h"))


def groups(strengths: Mapping[int, Strength]) -> list[frozenset[int]]:
    """The seats by strength, the strongest first, equal hands together."""
    order = sorted(set(strengths.values()), reverse=True)
    return [frozenset(seat for seat, held in strengths.items() if held == strength) for strength in order]


def _check(game: Game, hole: Sequence[str], board: Sequence[str]) -> None:
    alone = game is Game.HOLDEM and not hole and len(board) == 5
    if not alone and len(hole) != hole_count(game):
        raise ValueError(f"{game.value} is played with {hole_count(game)} hole cards, not {len(hole)}")
    if not 3 <= len(board) <= 5:
        raise ValueError(f"a board of {len(board)} cards makes no hand")
    cards = (*hole, *board)
    if unknown := [card for card in cards if card not in DECK]:
        raise ValueError(f"no card of the deck: {' '.join(unknown)}")
    if len(set(cards)) != len(cards):
        raise ValueError(f"a card twice: {' '.join(cards)}")


def _index(five: tuple[str, ...]) -> int:
    a, b, c, d, e = five
    ranks = "".join(sorted(a[0] + b[0] + c[0] + d[0] + e[0]))
    return _worth(ranks + "s" if a[1] == b[1] == c[1] == d[1] == e[1] else ranks)


@cache
def _worth(kind: str) -> int:
    """PokerKit's index of five ranks in one suit ("AJKQTs") or not in one ("AJKQT")."""
    # Imported here because it takes a quarter of a second, and not every command ranks hands.
    from pokerkit import StandardHighHand

    suits = "sssss" if kind.endswith("s") else "shdcs"
    return StandardHighHand("".join(map("".join, zip(kind, suits, strict=False)))).entry.index


def _arranged(five: tuple[str, ...]) -> tuple[str, ...]:
    """The five with the ranks that come most often first, then by rank; a wheel's ace is last."""
    count = Counter(card[0] for card in five)
    cards = sorted(five, key=lambda card: (-count[card[0]], -_VALUE[card[0]], SUITS.index(card[1])))
    if "".join(card[0] for card in cards) == "A5432":
        cards = cards[1:] + cards[:1]
    return tuple(cards)


def _describe(five: tuple[str, ...]) -> str:
    ranks = "".join(card[0] for card in five)
    suited = len({card[1] for card in five}) == 1
    straight = ranks in RANKS[::-1] or ranks == _WHEEL
    first = ranks[0]
    if straight or suited:
        kind = "straight flush" if straight and suited else "straight" if straight else "flush"
        return f"{kind}, {_ONE[first]} high"
    match sorted(Counter(ranks).values(), reverse=True):
        case [4, _]:
            return f"four of a kind, {_MANY[first]}"
        case [3, 2]:
            return f"full house, {_MANY[first]} full of {_MANY[ranks[3]]}"
        case [3, *_]:
            return f"three of a kind, {_MANY[first]}"
        case [2, 2, _]:
            return f"two pair, {_MANY[first]} and {_MANY[ranks[2]]}"
        case [2, *_]:
            return f"pair, {_MANY[first]}"
    return f"high card, {_ONE[first]}"
