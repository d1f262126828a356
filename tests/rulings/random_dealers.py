"""Hands that do anything at any moment, drawn from a seed: no result is expected of them.

A hand is made act by act on the table as the acts before left it, so that mistakes come where they can mean
something: a second one while the remedy of the first is open, a card in the middle of a gathering.
"""

import json
import random
from collections.abc import Callable
from typing import Final

import msgspec

from controller.notices import AnyNotice
from hil_rigs.simulate.bench import Bench
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.report import as_line, report
from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.felt import ZONES
from tests.e2e.tables import BOARDS, CLEAN, ROUNDS, Json, drawn_file, scenario_of

KEYS: Final = ("next", "exposed", "exposed", "misdeal", "plays-board", "muck", "undo", "ack", "ack")
FACES: Final = ("down", "down", "up")
_PLACES: Final = ("board", "board", "burn", "aside", "muck")
_WRONG: Final = (None, None, None, "keep-card", "add-burn", "skip-cut")
_ACTIONS: Final = ("fold", "check", "call", "bet", "raise", "all-in")
_LONGEST: Final = 45
_BEGINNINGS: Final = ("deal", "deal", "deal", "preflop", *CLEAN[3:10])
_MOST_STEPS: Final = 1_000
_WAITS: Final = (1, 700, 2000, 2001, 3000, 5000)


def drawn_table(dice: random.Random) -> Json:
    """A scenario's file without acts, whose machines can do more and less."""
    file = drawn_file(dice)
    file["table"]["shuffler"]["min_cards"] = dice.choice((1, 1, 1, 20, 40, 52))
    if dice.random() < 0.5:
        file["table"]["seats"] = dict.fromkeys(file["table"]["seats"], 1000)
    if dice.random() < 0.6:
        file["table"]["zones"] = True
    if dice.random() < 0.5 and len(file["table"]["seats"]) > 4:
        seats = list(file["table"]["seats"].items())[:4]
        file["table"] |= {"seats": dict(seats), "button": int(seats[dice.randrange(4)][0])}
        file["table"].pop("blinds", None)
    if dice.random() < 0.25:
        file["table"]["follow"] = "dealer-key"
    return file


class RandomDealer:
    """Does one act after the other on a bench; what he did is a scenario's file."""

    def __init__(
        self,
        dice: random.Random,
        file: Json,
        bench: Bench,
        before_each: Callable[[Json], None] = lambda act: None,
    ) -> None:
        self._before_each = before_each
        self.dice = dice
        self.file = file
        self.bench = bench
        self.acts: list[Json] = []
        self._base = scenario_of({**file, "acts": []})
        self.player = Player(bench)
        self.player.play(self._base)
        self._seats = [int(seat) for seat in file["table"]["seats"]]
        self._wild = dice.choice((0.02, 0.05, 0.2, 0.8))

    @property
    def phase(self) -> str:
        """The phase now."""
        return self.player.phases[-1]

    def do(self, **act: object) -> None:
        """Does one act more."""
        self.acts.append({key: value for key, value in act.items() if value is not None})
        self._before_each(self.acts[-1])
        made = scenario_of({**self.file, "acts": self.acts[-1:]})
        act_now = msgspec.structs.replace(made.acts[0], index=len(self.acts) - 1)
        self.player.play(msgspec.structs.replace(made, acts=(act_now,)))

    def written(self) -> Json:
        """The whole scenario so far."""
        return {**self.file, "acts": list(self.acts)}

    def report(self) -> Json:
        """The report of what was played so far."""
        read: Json = json.loads(as_line(report(self._base, self.bench, self.player)))
        return read

    def play_out(self) -> None:
        """Anything, as long as it goes; then whatever is asked for, to the end of the hand."""
        if self.dice.random() < 0.8:
            self.do(do="play", until=self.dice.choice(_BEGINNINGS))
        after_the_end = self.dice.randint(0, 4)
        for _ in range(self.dice.randint(3, _LONGEST)):
            if self.phase in ("done", "halted"):
                after_the_end -= 1
                if after_the_end < 0:
                    break
            options = self._options()
            weights = [weight for weight, _ in options]
            self.dice.choices([act for _, act in options], weights)[0]()
        self.do(do="play", until="done")

    def play_another(self, seats: tuple[int, ...]) -> list[AnyNotice]:
        """A hand without a mistake for these seats; what is told from the gathering of the last one on."""
        told = len(self.bench.notices)
        table = self.bench.table
        table.dealer.seats = seats
        begun = False
        for _ in range(_MOST_STEPS):
            shown = table.prompts.display
            begun = begun or (shown is not None and shown.code == Prompt.DEAL_HOLE)
            over = begun and shown is not None and shown.code == Prompt.GATHER
            if over or table.dealer.obey() is None:
                break
            self.bench.rest()
        return [notice.said for notice in self.bench.notices[told:]]

    def _options(self) -> list[tuple[float, Callable[[], None]]]:
        wild, early = self._wild, self.phase in ("deal", "preflop")
        options: list[tuple[float, Callable[[], None]]] = [
            (1, self._wait),
            (2 * wild, self._any_key),
            (2 * wild, self._any_draw),
            (wild, self._any_move),
            (wild, self._throw),
            (wild, self._any_bet),
            (1.5 if early else 0.3 * wild, self._expose),
            (0.7 if early else 0.2 * wild, self._exposed_and_undo),
            (4, self._play_on),
            (3, self._comply),
        ]
        shown = self.bench.table.prompts.display
        if shown is not None and shown.code >= Prompt.UNLOAD_SHOE:
            options += [(12, self._comply), (3, self._fault), (2 * wild, self._any_draw), (3, self._carry)]
        if self.phase == "deal":
            options += [(10, self._deal), (3, self._deal_up)]
        if self.phase in ROUNDS:
            options += [(10, self._act), (4, self._check_around), (6, self._fault)]
        if self.phase in BOARDS:
            options += [(8, self._street), (4, self._fault)]
        if self.phase == "showdown":
            options += [(8, self._give_up)]
        return options

    # Acts

    def _wait(self) -> None:
        ms = self.dice.choice(_WAITS) if self.dice.random() < 0.9 else 31_000
        self.do(do="wait", ms=ms)

    def _seat(self) -> int:
        shown = self.bench.table.prompts.display
        if shown is not None and shown.seat in self._seats and self.dice.random() < 0.5:
            return shown.seat
        return self.dice.choice(self._seats)

    def _any_key(self) -> None:
        key = "floor" if self.dice.random() < 0.04 else self.dice.choice(KEYS)
        self.do(do="key", key=key, seat=self.dice.choice((None, self._seat())))

    def _exposed_and_undo(self) -> None:
        self.do(do="key", key="exposed", seat=self.dice.choice((None, self._seat())))
        if self.dice.random() < 0.4:
            self.dice.choice((self._wait, self._comply, self._expose))()
        self.do(do="key", key="undo")

    def _place(self) -> str:
        return self.dice.choice((*_PLACES, *(f"seat:{self._seat()}" for _ in range(4))))

    def _any_draw(self) -> None:
        self._draw(self._place(), self.dice.choice((1, 1, 1, 2, 3)), self.dice.choice(FACES))

    def _draw(self, to: str, count: int, face: str) -> None:
        boxed = self.dice.random() < 0.02 or None
        self.do(do="draw", to=to, count=count, face=face, boxed=boxed)

    def _any_move(self) -> None:
        """A card on the felt is moved, but where nothing could notice: there a hand may lack its cards."""
        if not self.file["table"]["zones"]:
            return
        lying = [text for zone in ZONES for text in self.bench.table.felt.texts(zone)]
        if lying:
            self.do(do="move", cards=self.dice.choice(lying), to=self._place())

    def _carry(self) -> None:
        """What the prompt may ask for, or nearly: a card of a seat or the board goes where one is wanted."""
        shown, felt = self.bench.table.prompts.display, self.bench.table.felt
        if not self.file["table"]["zones"] or shown is None:
            return
        seat = f"seat:{shown.seat or self._seat()}"
        source = self.dice.choice((seat, seat, "board", "burn"))
        if felt.texts(source):
            to = self.dice.choice(("burn", "burn", "aside", f"seat:{self._seat()}"))
            self.do(do="move", cards=self.dice.choice(felt.texts(source)), to=to)

    def _throw(self) -> None:
        """A hand, or a part of it, goes to the muck, whoever is to act; what is out of play stays."""
        cards = self.player.lying[f"seat:{self._seat()}"]
        if self.file["table"]["zones"] and cards:
            thrown = cards if self.dice.random() < 0.6 else cards[: self.dice.randint(1, len(cards))]
            self.do(do="move", cards=" ".join(thrown), to="muck")

    def _expose(self) -> None:
        card = self.dice.randint(1, len(self.bench.table.felt.cards(f"seat:{(seat := self._seat())}")) or 1)
        self.do(do="expose", seat=seat, card=card, by=self.dice.choice(("dealer", "dealer", "player")))

    def _comply(self) -> None:
        self.do(do="comply", wrong=self.dice.choice(_WRONG))

    def _play_on(self) -> None:
        at = CLEAN.index(self.phase) if self.phase in CLEAN else 1
        ahead = CLEAN[min(len(CLEAN) - 2, at + self.dice.choice((1, 1, 1, 2, 3)))]
        self.do(do="play", until=self.dice.choice((ahead, ahead, ahead, ahead, self.dice.choice(CLEAN[:-1]))))

    def _deal(self, face: str = "down") -> None:
        felt, button = self.bench.table.felt, self.file["table"].get("button", self._seats[0])
        order = [s for s in self._seats if s > button] + [s for s in self._seats if s <= button]
        for _ in range(self.dice.choice((1, 1, 2, 5))):
            held = {seat: len(felt.cards(f"seat:{seat}")) for seat in order}
            self.do(do="draw", to=f"seat:{min(order, key=held.__getitem__)}")
        if face == "up":
            held = {seat: len(felt.cards(f"seat:{seat}")) for seat in order}
            self.do(do="draw", to=f"seat:{min(order, key=held.__getitem__)}", face="up")

    def _deal_up(self) -> None:
        self._deal("up")

    def _fault(self) -> None:
        """A mistake that has a name, or nearly has one."""
        luck = self.dice.random()
        if self.phase == "preflop" and luck < 0.4:
            self._draw(f"seat:{self._seat()}", self.dice.choice((1, 1, 2)), "down")
        elif self.phase in ("preflop", "flop", "turn") and luck < 0.5:
            self._draw("burn", 1, "down")
        elif self.phase != "river" or luck < 0.1:
            self._draw("board", self.dice.choice((1, 1, 1, 2, 3, 4)), "up")

    def _street(self) -> None:
        left = BOARDS[self.phase] - len(self.bench.table.felt.cards("board"))
        self._draw("board", max(1, self.dice.choice((left, left, 1))), "up")

    def _act(self) -> None:
        shown = self.bench.table.prompts.display
        if shown is not None and shown.code in (Prompt.BETTING, Prompt.BETTING_COMPLETE):
            self._by_the_key()
            return
        if shown is None or shown.code not in (Prompt.ACT_CHECK, Prompt.ACT_CALL, Prompt.ACT_FIRST):
            self._any_bet()
            return
        owed = shown.code == Prompt.ACT_CALL
        action = self.dice.choice(("call", "call", "call", "fold", "raise", "all-in")) if owed else "check"
        amount = self.dice.choice((20, 30, 60)) + shown.count if action == "raise" else None
        self.do(do="bet", seat=shown.seat, action=action, amount=amount)

    def _by_the_key(self) -> None:
        """Where no act is told: the round is said to be complete, that is taken back, a hand is mucked."""
        luck = self.dice.random()
        if luck < 0.3:
            self.do(do="bet", seat=self._seat(), action="fold")
        elif luck < 0.4:
            self.do(do="key", key="muck", seat=self._seat())
        elif luck < 0.5:
            self.do(do="wait", ms=self.dice.choice((9_999, 10_000, 10_001)))
        else:
            self.do(do="key", key="next")
            if luck > 0.8:
                self.do(do="key", key="undo")

    def _any_bet(self) -> None:
        action = self.dice.choice(_ACTIONS)
        amount = self.dice.choice((0, 10, 20, 40, 100)) if action in ("bet", "raise") else None
        self.do(do="bet", seat=self._seat(), action=action, amount=amount)

    def _check_around(self) -> None:
        self.do(do="check_around")

    def _give_up(self) -> None:
        key = self.dice.choice(("muck", "plays-board", "ack"))
        self.do(do="key", key=key, seat=None if key == "ack" else self._seat())
