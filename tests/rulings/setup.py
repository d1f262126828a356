"""The table of a scenario, as far as the reading needs it."""

from dataclasses import dataclass

from tests.rulings.words import Json, Undetermined

_KNOWN = {
    *("game", "betting", "rules", "seats", "button", "small_blind", "big_blind", "ante"),
    *("small_bet", "big_bet", "zones", "follow", "shoe", "shuffler", "decks", "language"),
}


@dataclass(frozen=True)
class Table:
    """Who sits where with what, and what the machines can do."""

    stacks: dict[int, int]
    button: int
    hole_cards: int
    small_blind: int
    big_blind: int
    ante: int
    no_limit: bool
    burner: bool
    cuts: bool
    identifies: bool
    min_cards: int

    @property
    def order(self) -> list[int]:
        """The seats in the order of the deal: first the first one left of the button, last the button."""
        seats = sorted(self.stacks)
        at = seats.index(self.button) + 1
        return seats[at:] + seats[:at]


def table_of(file: Json) -> Table:
    """The table of a file. Raises Undetermined where it is not one that is read here."""
    table = file["table"]
    shuffler, shoe = table.get("shuffler", {}), table.get("shoe", {})
    ordinary = (
        set(table) <= _KNOWN
        and table.get("rules", "roberts") == "roberts"
        and table.get("follow", "tracked") == "tracked"
        and table.get("zones", True)
        and table.get("decks", 1) == 1
        and not shoe.get("gate", False)
        and shuffler.get("max_cards", 52) == 52
    )
    if not ordinary:
        raise Undetermined("not a table of this reading")
    stacks = {int(seat): int(stack) for seat, stack in table["seats"].items()}
    return Table(
        stacks=stacks,
        button=table.get("button", min(stacks)),
        hole_cards=4 if table["game"] == "omaha" else 2,
        small_blind=table.get("small_blind", 5),
        big_blind=table.get("big_blind", 10),
        ante=table.get("ante", 0),
        no_limit=table.get("betting", "no-limit") == "no-limit",
        burner=shoe.get("burner", True),
        cuts=shuffler.get("cuts", True),
        identifies=shuffler.get("identifies", True),
        min_cards=shuffler.get("min_cards", 1),
    )
