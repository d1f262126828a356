"""The players of a table: who comes and goes, who is dealt into the next hand, and what he owes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import msgspec

from controller.betting import big_blind_at
from controller.games import most_seats
from controller.places import SEATS
from controller.seating.laid import HandSeats, Posts, lay
from controller.seating.positions import (
    Dealt,
    Players,
    Positions,
    between,
    first_positions,
    next_positions,
)

if TYPE_CHECKING:
    from controller.events import SeatChange
    from controller.table_setup import TableSetup

Standing = Literal["playing", "waiting", "away"]


@dataclass
class _Player:
    """Who sits at a seat. `owes` are blinds that passed him while he was away, or that a newcomer has not
    paid; `bought` are chips that come with the end of the hand."""

    standing: Standing = "playing"
    owes: set[Literal["small", "big"]] = field(default_factory=set)
    posts: bool = False
    straddles: bool = False
    leaves: bool = False
    bought: int = 0


@dataclass(frozen=True)
class _Before:
    """Everything as it was before a hand, so that it can be void. `wished` are seats that were out or back
    since."""

    positions: Positions | None
    players: Mapping[int, _Player]
    stacks: Mapping[int, int]
    wished: set[int] = field(default_factory=set)


Laid = tuple[Posts, tuple[int, ...], frozenset[int]]
"""What is laid beside the blinds: posts, wishes for a straddle, and who comes in by a post."""


class SeatingState(msgspec.Struct, frozen=True):
    """Everybody's chips and standing, button and debts, and all of that as it was before the hand."""

    stacks: dict[int, int]
    players: dict[int, _Player]
    positions: Positions | None
    first_button: int | None
    dealt_in: frozenset[int]
    drawing: bool
    before: _Before | None
    laid: Laid
    belongs: int | None
    dealt_then: frozenset[int]


class Seating:
    """A table's players between and during its hands.

    `stacks` are everybody's chips as the last hand left them; whoever pays a hand out changes them there.
    """

    def __init__(self, setup: TableSetup) -> None:
        self._setup = setup
        self.stacks: dict[int, int] = dict(setup.stacks)
        self._players = {seat: _Player() for seat in self.stacks}
        self._positions: Positions | None = None
        self._tournament = setup.button == "draw"
        self._first_button = None if setup.button == "draw" else setup.button
        self._dealt_in: frozenset[int] = frozenset()
        self._drawing = False
        self._before: _Before | None = None
        self._laid: Laid = (Posts({}, {}), (), frozenset())
        self._belongs: int | None = None
        """Where the button belongs, as was said of this hand, or of void ones before it."""
        self._dealt_then: frozenset[int] = frozenset()
        """Who was dealt in with the hand of which that was said."""
        self.gone: list[tuple[int, int]] = []
        """Seats that became free, with the chips that were taken along; whoever tells of them empties it."""

    def state(self) -> SeatingState:
        """All of it; what is in it goes on changing with the seating."""
        return SeatingState(
            stacks=self.stacks,
            players=self._players,
            positions=self._positions,
            first_button=self._first_button,
            dealt_in=self._dealt_in,
            drawing=self._drawing,
            before=self._before,
            laid=self._laid,
            belongs=self._belongs,
            dealt_then=self._dealt_then,
        )

    def resume(self, state: SeatingState) -> None:
        """Goes on from there; what it is given is its own from then on."""
        self.stacks.clear()
        self.stacks.update(state.stacks)
        self._players = state.players
        self._positions, self._first_button = state.positions, state.first_button
        self._dealt_in, self._drawing = state.dealt_in, state.drawing
        self._before, self._laid = state.before, state.laid
        self._belongs, self._dealt_then = state.belongs, state.dealt_then

    @property
    def can_play(self) -> bool:
        """Whether two players have chips and are there."""
        players = self._sorted_out()
        return len(players.ready | players.waiting) >= 2

    @property
    def draw_is_due(self) -> bool:
        """Whether the first button is still to be drawn for."""
        return self._tournament and self._first_button is None

    def begin_draw(self) -> None:
        """The deck is shuffled for the draw: whoever has chips now draws."""
        self._drawing = True
        self._dealt_in = frozenset(seat for seat, chips in self.stacks.items() if chips)

    @property
    def draws_now(self) -> bool:
        """Whether the first button is being drawn for."""
        return self._drawing and self._first_button is None

    @property
    def draws(self) -> tuple[int, ...]:
        """The seats that draw for the first button."""
        return tuple(sorted(self._dealt_in))

    def button_drawn(self, seat: int) -> None:
        """The draw gave the first button to a seat; whoever wanted to leave meanwhile is gone."""
        self._first_button = seat
        self.hand_is_over()

    # From hand to hand

    def begin_hand(self) -> HandSeats:
        """Moves the button and says who is dealt in. Raises ValueError unless `can_play`."""
        players = self._sorted_out()
        blinds = self._setup.blinds
        before = self._positions
        self._before = _Before(
            before,
            {seat: replace(player, owes=set(player.owes)) for seat, player in self._players.items()},
            dict(self.stacks),
        )
        belongs = self._belongs
        if belongs is not None and belongs in players.ready | players.waiting & self._dealt_then:
            dealt = self._dealt_again(players, belongs)
        elif before is None:
            dealt = first_positions(players, self._first_seat(players), blinds)
        else:
            dealt = next_positions(players, before, blinds, self._setup.button_rule)
        posts, asked = self._posts(dealt), self._straddles()
        for seat in dealt.order:
            player = self._players[seat]
            player.standing, player.posts = "playing", False
            player.owes.clear()
        self._note_missed(before, dealt)
        self._positions = dealt.positions
        self._dealt_in = frozenset(dealt.order)
        self._laid = posts, asked, dealt.posters
        return lay(self._setup, dealt, posts, asked, self.stacks)

    def button_belongs(self, seat: int) -> HandSeats:
        """The button of this hand belongs at another seat dealt in: what the hand would be with it there, and
        the next one counts from there. Who posts beside the blinds still does, unless a blind reaches him."""
        dealt = first_positions(Players(self._dealt_in), seat, self._setup.blinds)
        posts, asked, posters = self._laid
        beside = Posts(
            {at: chips for at, chips in posts.live.items() if at not in dealt.blinds},
            {at: chips for at, chips in posts.dead.items() if at not in dealt.blinds},
        )
        dealt = replace(dealt, posters=posters - dealt.blinds.keys())
        self._positions, self._belongs, self._dealt_then = dealt.positions, seat, self._dealt_in
        return lay(self._setup, dealt, beside, asked, self.stacks)

    def _dealt_again(self, players: Players, button: int) -> Dealt:
        """A void hand once more, whose button belonged elsewhere: who came in with it is dealt in again, and
        posts if he did."""
        came_in, posted = players.waiting & self._dealt_then, self._laid[2]
        dealt = first_positions(replace(players, ready=players.ready | came_in), button, self._setup.blinds)
        return replace(dealt, posters=dealt.posters | (came_in & posted) - dealt.blinds.keys())

    def _first_seat(self, players: Players) -> int:
        """Where the first button is: as set up or drawn, else the first who sat down."""
        if self._first_button is not None:
            return self._first_button
        return next(seat for seat in self._players if seat in players.ready)

    def _sorted_out(self) -> Players:
        """Who can be dealt in. Where fewer than two are ready, or there is no blind, nobody has to wait."""
        here = {seat for seat, player in self._players.items() if self.stacks[seat] and not player.leaves}
        ready = {seat for seat in here if self._players[seat].standing == "playing"}
        waiting = {seat for seat in here if self._players[seat].standing == "waiting"}
        if len(ready) < 2 or not any(self._setup.blinds):
            return Players(frozenset(ready | waiting))
        posting = {seat for seat in waiting if self._players[seat].posts}
        return Players(frozenset(ready), frozenset(waiting), frozenset(posting))

    def _straddles(self) -> tuple[int, ...]:
        """The seats that asked for a straddle in this hand; a wish is for one hand."""
        asked = tuple(seat for seat, player in self._players.items() if player.straddles)
        for seat in asked:
            self._players[seat].straddles = False
        return asked

    def _posts(self, dealt: Dealt) -> Posts:
        """What those who come in by a post put in: a big blind live, a small one dead."""
        blinds = self._setup.blinds
        at = big_blind_at(blinds)
        live = dict(self._setup.posts) if self._positions is None else {}
        dead = {}
        for seat in dealt.posters:
            owes = self._players[seat].owes
            if "big" in owes:
                live[seat] = blinds[at]
            if "small" in owes and at:
                dead[seat] = blinds[at - 1]
        return Posts({seat: chips for seat, chips in live.items() if seat in dealt.order}, dead)

    def _note_missed(self, before: Positions | None, dealt: Dealt) -> None:
        """Blinds that passed a player who was away are owed by him."""
        if before is None:
            return
        now = dealt.positions
        small: Collection[int] = ()
        if before.small is not None and now.small is not None:
            # With the dead button the small blind may fall on the seat of one who is away.
            small = {*between(before.small, now.small), now.small}
        big = between(before.big, now.big)
        for seat, player in self._players.items():
            if seat in dealt.order or (player.standing != "away" and self.stacks[seat]):
                continue
            if seat in big:
                player.owes.add("big")
            if seat in small:
                player.owes.add("small")
            if player.owes and player.standing == "playing":
                player.standing = "waiting"

    def hand_is_void(self) -> bool:
        """Chips, button and debts are as before the hand; False where none was played.

        Who came, went or bought chips meanwhile has done so.
        """
        before, self._before = self._before, None
        if before is None:
            return False
        self.stacks.update((seat, before.stacks[seat]) for seat in self._dealt_in)
        self._positions = before.positions
        for seat, player in self._players.items():
            was = before.players.get(seat)
            if was is None:  # he sat down since: before the first hand nobody waits
                if before.positions is None:
                    player.standing = "playing"
                    player.owes.clear()
                continue
            player.owes = set(was.owes)
            player.straddles = player.straddles or was.straddles
            if seat not in before.wished:
                player.standing, player.posts = was.standing, was.posts
            elif player.standing != "away":
                player.standing = "waiting" if player.owes else "playing"
        return True

    def hand_is_over(self) -> None:
        """The pots are pushed, or the hand is void: bought chips come, and whoever leaves is gone."""
        if self._before is not None:
            self._belongs = None
        self._before = None
        self._dealt_in = frozenset()
        for seat, player in list(self._players.items()):
            self.stacks[seat] += player.bought
            player.bought = 0
            if player.leaves:
                self._leaves(seat)

    def _leaves(self, seat: int) -> None:
        del self._players[seat]
        self.gone.append((seat, self.stacks.pop(seat)))

    # Who comes and goes

    def take(self, asked: SeatChange) -> str:
        """Takes a change; why it cannot be, empty where it was taken."""
        if asked.seat not in SEATS:
            return f"there are seats {min(SEATS)} to {max(SEATS)}"
        player = self._players.get(asked.seat)
        if asked.change == "sit":
            return self._sit(asked, player)
        if player is None or player.leaves:
            return f"nobody sits at seat {asked.seat}"
        return self._change(asked, player)

    def _sit(self, asked: SeatChange, player: _Player | None) -> str:
        most = most_seats(self._setup.game)
        if player is not None:
            return f"seat {asked.seat} is taken"
        if self._tournament and self._drawing:
            return "a tournament takes no player once its button is drawn for"
        if not asked.chips:
            return f"seat {asked.seat} sits down without chips"
        if len(self._players) == most:
            return f"{most} seats are taken: there are no cards for another"
        begun = self._positions is not None
        self._players[asked.seat] = _Player(
            standing="waiting" if begun else "playing",
            owes={"big"} if begun else set(),
            posts=asked.entry == "post",
        )
        self.stacks[asked.seat] = asked.chips
        return ""

    def _wished(self, seat: int) -> None:
        if self._before is not None:
            self._before.wished.add(seat)

    def _change(self, asked: SeatChange, player: _Player) -> str:
        seat = asked.seat
        match asked.change:
            case "leave":
                player.leaves = True
                if seat not in self._dealt_in:
                    self._leaves(seat)
            case "out":
                if self._tournament:
                    return "in a tournament an absent player is dealt in and folded"
                player.standing, player.posts = "away", False
                self._wished(seat)
            case "back":
                if player.standing == "playing":
                    return f"seat {seat} is playing already"
                player.standing = "waiting" if player.owes else "playing"
                player.posts = asked.entry == "post"
                self._wished(seat)
            case "add" if not asked.chips:
                return f"seat {seat} adds no chips"
            case "add" if seat in self._dealt_in:
                player.bought += asked.chips
            case "add":
                self.stacks[seat] += asked.chips
            case _:
                player.straddles = True
        return ""
