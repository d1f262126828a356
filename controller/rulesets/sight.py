"""How a table comes to know of each irregularity: seen by a reader, inferred, told by a key, or not at all.

Read from `sight.toml`; no ruleset changes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from controller import tomlfile
from controller.mistakes import mistake
from controller.remedies.steps import RuleError
from controller.tomlfile import line_of

Need = Literal["seats", "board", "burn", "muck", "facing"]
"""What an irregularity may need so that it is seen: an antenna there, or that antennas see facings."""

Way = Literal["seen", "inferred", "key", "unseen"]
Words = Annotated[str, msgspec.Meta(min_length=1)]


class Ways(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In which ways an irregularity may come to be known; `otherwise` is what it looks like elsewhere."""

    seen: tuple[Need, ...] | None = None
    inferred: tuple[Need, ...] | None = None
    key: Words | None = None
    key_needs: tuple[Need, ...] = ()
    otherwise: str = ""

    @property
    def at_every_table(self) -> bool:
        """Whether one of the ways needs nothing that a table may lack."""
        return self.seen == () or self.inferred == () or (self.key is not None and not self.key_needs)


@dataclass(frozen=True)
class Sight:
    """How one table comes to know of an irregularity; `words` say by which key, or what it looks like."""

    way: Way
    words: str = ""


def read_ways(source: str, file: str) -> dict[str, Ways]:
    """The ways in a file's text, by the id of the irregularity. RuleError names the line that is wrong."""
    try:
        tables = tomlfile.parse(source)
    except tomlfile.TomlError as error:
        raise RuleError(file, error.line, str(error)) from None
    ways = {}
    for rule, table in tables.items():
        try:
            ways[rule] = msgspec.convert(table, Ways)
        except msgspec.ValidationError as error:
            wrong = mistake(error, table, Ways)
            at = line_of(source, rule, *map(str, wrong.path[:1]))
            raise RuleError(file, at, f"{rule}: {wrong.told}") from None
        if ways[rule].at_every_table == bool(ways[rule].otherwise):
            why = "`otherwise` stands where not every table comes to know of it, and nowhere else"
            raise RuleError(file, line_of(source, rule), f"{rule}: {why}")
    return ways


def sights(ways: Mapping[str, Ways], has: frozenset[Need]) -> dict[str, Sight]:
    """How a table that `has` so much comes to know of each irregularity."""
    return {rule: _sight(found, has) for rule, found in ways.items()}


def _sight(ways: Ways, has: frozenset[Need]) -> Sight:
    if ways.seen is not None and has.issuperset(ways.seen):
        return Sight("seen")
    if ways.inferred is not None and has.issuperset(ways.inferred):
        return Sight("inferred")
    if ways.key is not None and has.issuperset(ways.key_needs):
        return Sight("key", ways.key)
    return Sight("unseen", ways.otherwise)
