"""The steps of remedies as values, read from `remedies.toml`, and what must hold of every one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, assert_never

import msgspec

from controller import tomlfile
from controller.mistakes import mistake, no_such
from controller.tomlfile import line_at, line_of, line_of_item

Holds = Literal["nothing", "street", "first-act", "everything"]
Pool = Literal["exposed", "extra", "early", "burnt", "card", "hand"]
Lot = Literal["early", "burnt", "stub", "muck", "burns", "everything"]
Which = Literal["all", "first"]
BurnOf = Literal["this-street", "next-street"]
ButtonOf = Literal["this-hand", "next-hand"]
Made = Literal["made-for-street", "made-since", "made-since-shuffle"]


class RuleError(Exception):
    """A file of rules or remedies is wrong: which file, which line, and why."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")
        self.file = file
        self.line = line


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", kw_only=True):
    says: str
    when: dict[str, int | str] = {}


class Await(_Step, frozen=True, tag="await"):
    """Waits for the play itself; a prompt, if any, stands meanwhile in the place of the play's own."""

    until: Literal["hole-cards", "betting", "street"]
    prompt: str | None = None


class Tell(_Step, frozen=True, tag="tell"):
    """The dealer confirms that he has read the prompt."""

    prompt: str
    proof: Literal["ack"]


class Move(_Step, frozen=True, tag="move"):
    """Cards go somewhere, all of them or the first; `from_burn` asks where they lie in the burn tray by now,
    `from_muck` where they lie in the muck.

    What goes to the burn tray is the burn `of` this street or of the one after it; what goes to the board is
    its street. `holds` is what this step keeps from being taken as play, where that is less than the remedy
    does.
    """

    cards: Pool
    to: Literal["aside", "burn", "owner", "board", "muck", "scrap"]
    prompt: str
    proof: Literal["seen"]
    which: Which = "all"
    of: BurnOf = "this-street"
    from_burn: str | None = None
    from_muck: str | None = None
    holds: Holds | None = None


class Draw(_Step, frozen=True, tag="draw"):
    """One card leaves the shoe for the owner of the exposed card, face down."""

    to: Literal["owner"]
    prompt: str
    proof: Literal["lies"]


class CallOff(_Step, frozen=True, tag="call-off"):
    """The deal is void."""


class Shuffle(_Step, frozen=True, tag="shuffle"):
    """A set is proved, shuffled, cut and loaded; `before` says what it is for.

    Before the `next-card` it is shuffled at once, and what was due then leaves the shoe.
    """

    cards: tuple[Lot, ...]
    before: Literal["deal", "flop", "next-street", "next-card"]
    command: Literal["feed"]
    prompt: str
    proof: Literal["feed"]
    by_hand: str | None = None


class Restore(_Step, frozen=True, tag="restore"):
    """The stub goes back into the shoe in the order that it had; what was due then leaves the shoe."""

    command: Literal["release-lid"]
    prompt: str
    proof: Literal["loaded"]


class Button(_Step, frozen=True, tag="button"):
    """The button belongs at the seat of the ruling: in this hand, dealt anew, or from the next on."""

    of: ButtonOf
    prompt: str
    proof: Literal["ack"]


class BringBack(_Step, frozen=True, tag="bring-back"):
    """What lies in the muck of the hand of the seat goes back there, face down. It is asked for before all
    else, so it is a remedy's first step."""

    proof: Literal["seen"]


class Dead(_Step, frozen=True, tag="dead"):
    """The hand of the seat is dead: it is folded, whatever the turn."""


class Pick(_Step, frozen=True, tag="pick"):
    """One of the cards goes to the burn tray, as the burn `of` their street or of the one after it; an
    antenna must see which."""

    cards: Literal["early"]
    of: BurnOf
    prompt: str
    proof: Literal["seen"]


class TurnUp(_Step, frozen=True, tag="turn-up"):
    """Cards that lie on the board lie there face up, and are in play again."""

    cards: Literal["early"]
    prompt: str
    proof: Literal["seen"]


class Burn(_Step, frozen=True, tag="burn"):
    """One card is burned, unless one was: for this street, since the irregularity, or since the stub was
    shuffled."""

    unless: Made
    command: Literal["burn"]
    prompt: str
    proof: Literal["lies"]


class Burns(_Step, frozen=True, tag="burns"):
    """The street that comes next has so many burns, and not one."""

    count: Literal[0, 2]


class Deal(_Step, frozen=True, tag="deal"):
    """The hole cards or the next street are dealt."""

    cards: Literal["hole-cards", "next-street"]
    proof: Literal["lies"]


class Floor(_Step, frozen=True, tag="floor"):
    """The table is halted."""


class Void(_Step, frozen=True, tag="void"):
    """The hand is void and every chip goes back. Only by the floor's word: until then the table is halted."""


class PullDeck(_Step, frozen=True, tag="pull-deck"):
    """The deck leaves the table, and with it a hand that is not over. Only by the floor's word, as above."""


Step = (
    Await
    | Tell
    | Move
    | Draw
    | CallOff
    | Button
    | BringBack
    | Dead
    | Shuffle
    | Restore
    | Pick
    | TurnUp
    | Burn
    | Burns
    | Deal
    | Floor
    | Void
    | PullDeck
)
NAME_LETTERS: Final = 40
"""The most that the name of a remedy has: it is said at a door."""
_PROMPTS_LISTED: Final = "docs/codes.md has those that there are"
MIXED: Final[frozenset[Lot]] = frozenset({"muck", "burns"})
"""What goes into a shuffle in the middle of a hand only where the stub has met it."""
FLOORS: Final = (Floor, Void, PullDeck)
"""Steps at which the table is halted for the floor."""


LETS_OUT: Final = (Draw, Burn, Deal)
"""Steps by which cards leave the shoe."""


class Remedy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is done, in words and in steps; `holds` is not taken as play meanwhile.

    `unseen` is the remedy that stands in its place where no antenna sees board and burn tray.
    """

    says: str
    holds: Holds
    steps: tuple[Step, ...]
    unseen: str | None = None

    @property
    def picks(self) -> bool:
        """Whether it has a card picked that only an antenna can name."""
        return any(isinstance(step, Pick) for step in self.steps)

    @property
    def about(self) -> frozenset[str]:
        """What its steps can put right: the `deal`, the `board`, the `stub`, or nothing in particular."""
        return frozenset(about for step in self.steps if (about := _about(step)))


_OF_POOL: Final[dict[Pool, str]] = {
    "exposed": "deal",
    "extra": "deal",
    "early": "board",
    "burnt": "board",
    "hand": "claim",
    "card": "",
}
"""What cards are a matter of; a card that came wrongly may be of any."""


def _about(step: Step) -> str:
    match step:
        case Await():
            return "deal" if step.until == "hole-cards" else "board"
        case Move():
            return "deal" if step.to == "owner" else _OF_POOL[step.cards]
        case Shuffle() if MIXED & set(step.cards):
            return "mixed stub"
        case Shuffle(before="next-card") | Restore():
            return "stub"
        case Shuffle():
            return "deal" if step.before == "deal" else "board"
        case Deal():
            return "deal" if step.cards == "hole-cards" else "board"
        case CallOff() | Draw():
            return "deal"
        case Pick() | TurnUp() | Burn() | Burns():
            return "board"
        case Floor() | Tell() | Void() | PullDeck():
            return ""
        case Dead() | BringBack():
            return "claim"
        case Button():
            return "button"
        case _:
            assert_never(step)


@dataclass(frozen=True)
class NamedRemedy:
    """A remedy and the name that rules call it by."""

    name: str
    remedy: Remedy

    @property
    def words(self) -> tuple[str, ...]:
        """Its steps in words."""
        return tuple(step.says for step in self.remedy.steps)


def read_remedies(source: str, file: str, prompts: frozenset[str]) -> dict[str, NamedRemedy]:
    """The remedies in a file's text; `prompts` are the codes that a step may ask with.

    Raises RuleError, which names the line of the remedy or step that is wrong.
    """
    return read_remedy_tables(_tables(source, file), source, file, prompts)


def read_remedy_tables(
    tables: Mapping[str, object], source: str, file: str, prompts: frozenset[str], under: tuple[str, ...] = ()
) -> dict[str, NamedRemedy]:
    """The remedies in tables of a file, that stand there `under` other keys. Raises RuleError, as above."""
    remedies = {}
    for name, table in tables.items():
        path = (*under, name)
        if not 0 < len(name) <= NAME_LETTERS:
            raise RuleError(
                file, line_of(source, *path), f"{name}: a name has {NAME_LETTERS} letters at most, and one"
            )
        try:
            remedy = msgspec.convert(table, Remedy)
        except msgspec.ValidationError as error:
            wrong = mistake(error, table, Remedy)
            why = f"{name}: {_in_step(wrong.path)}{wrong.told}"
            raise RuleError(file, line_at(source, (*path, *wrong.path)), why) from None
        for number, step in enumerate(remedy.steps):
            why = wrong_step(step, prompts)
            if why:
                line = line_of_item(source, (*path, "steps"), number)
                raise RuleError(file, line, f"{name}: step {number + 1}: {why}")
        remedies[name] = NamedRemedy(name, remedy)
    return remedies


def wrong_step(step: Step, prompts: frozenset[str]) -> str:
    """What is wrong with a step by itself, although its fields are right; empty where nothing is."""
    if not step.says.strip():
        return "a step must say in words what is done"
    if isinstance(step, Await) and step.until == "betting" and step.prompt is not None:
        return "while the betting goes on, the players' prompts stand: this step has none of its own"
    for field in ("prompt", "by_hand", "from_burn", "from_muck"):
        code = getattr(step, field, None)
        if code is not None and code not in prompts:
            return f"{field}: {no_such(code, prompts, what='prompt', listed=_PROMPTS_LISTED)}"
    if isinstance(step, Shuffle):
        whole = "everything" in step.cards
        if whole != (step.before == "deal") or (whole and len(step.cards) > 1):
            return "a shuffle before the deal, and no other, is of everything"
        if not whole and ("stub" not in step.cards or len(set(step.cards)) < len(step.cards)):
            return "a shuffle in the middle of a hand is of the stub and of what was taken out of play"
        if (met := sorted(MIXED & set(step.cards))) and step.before != "next-card":
            return (
                f"{' and '.join(met)}: only a stub that has met them takes them along, before the next card"
            )
        if not whole and step.by_hand is None:
            return "a set that may be too small for the machine needs `by_hand`"
    if isinstance(step, Move) and (step.cards, step.to) == ("extra", "owner") and step.from_burn is None:
        return "the extra card may lie in the burn tray by then: this step needs `from_burn`"
    return ""


def _tables(source: str, file: str) -> dict[str, object]:
    try:
        return tomlfile.parse(source)
    except tomlfile.TomlError as error:
        raise RuleError(file, error.line, str(error)) from None


def _in_step(path: Sequence[str | int]) -> str:
    """Which step what stands at a path of a remedy is of."""
    return f"step {path[1] + 1}: " if len(path) > 1 and isinstance(path[1], int) else ""
