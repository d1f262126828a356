"""Reading a ruleset's file: what stands in it and in the one that it extends. `joining` makes rules of it.

A ruleset that extends another says only what differs: a switch, a field of a rule, a remedy, a text. Errors
name the line of the file in which the wrong thing stands.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller import tomlfile
from controller.mistakes import no_such
from controller.remedies.steps import RuleError
from controller.tomlfile import line_at, line_of, line_of_item

MOST_WRONG: Final = 50
"""How much that is wrong in one file is told."""
TABLES: Final = ("name", "title", "extends", "switches", "rule", "remedy", "words")


class RulesetError(Exception):
    """A ruleset cannot be used: all that is wrong, each with its file and line."""

    def __init__(self, wrong: Sequence[RuleError]) -> None:
        super().__init__("\n".join(map(str, wrong)))
        self.wrong = tuple(wrong)


@dataclass(frozen=True)
class Ruleset:
    """What stands in one file, and the file that it extends, if any."""

    file: str
    source: str
    name: str
    title: str
    switches: Mapping[str, object]
    rules: Mapping[str, Mapping[str, object]]
    remedies: Mapping[str, object]
    words: Mapping[str, Mapping[str, object]]
    extends: "Ruleset | None" = field(default=None, repr=False)

    def error(self, why: str, *path: str) -> RuleError:
        """Something wrong in this file, at a key, as far into its path as the file has it."""
        return RuleError(self.file, line_of(self.source, *path), why)

    def error_in(self, why: str, path: tuple[str, ...], number: int, *keys: str) -> RuleError:
        """Something wrong in this file, in item `number`, from 0, of the list at a path, at a key of it."""
        return RuleError(self.file, line_of_item(self.source, path, number, *keys), why)

    def error_at(self, why: str, path: Sequence[str | int]) -> RuleError:
        """Something wrong in this file, at keys and items of lists, from 0."""
        return RuleError(self.file, line_at(self.source, path), why)


@dataclass
class _Reader:
    """The tables of one file, and what was found wrong in them so far."""

    file: str
    source: str
    tables: Mapping[str, object]
    wrong: list[RuleError] = field(default_factory=list)

    def note(self, why: str, *path: str) -> None:
        if len(self.wrong) < MOST_WRONG:
            self.wrong.append(RuleError(self.file, line_of(self.source, *path), why))

    def unprintable(self) -> None:
        """Notes names and texts that would garble whatever prints them."""
        todo: list[tuple[tuple[str, ...], object]] = [((), self.tables)]
        while todo:
            path, value = todo.pop()
            if isinstance(value, dict):
                todo += [((*path, key), below) for key, below in value.items()]
            elif isinstance(value, list):
                todo += [(path, below) for below in value]
            if not all(text.isprintable() for text in (*path[-1:], value) if isinstance(text, str)):
                self.note(f"{path[-1]}: a text is in printable letters, on one line", *path)

    def text(self, key: str) -> str:
        value = self.tables.get(key)
        if isinstance(value, str) and value.strip() and value.isprintable():
            return value
        if key in self.tables and not isinstance(value, str):
            self.note(f"{key}: expected a text", key)
        else:
            self.note(f"{key}: a ruleset has one, in printable letters", key)
        return ""

    def table(self, *path: str) -> Mapping[str, object]:
        found: object = self.tables
        for key in path:
            found = found.get(key, {}) if isinstance(found, dict) else {}
        if isinstance(found, dict):
            return found
        self.note(f"{'.'.join(path)}: expected a table", *path)
        return {}

    def tables_in(self, key: str) -> dict[str, Mapping[str, object]]:
        return {name: self.table(key, name) for name in self.table(key)}

    def base(self, other: Callable[[str], Ruleset]) -> Ruleset | None:
        """The ruleset that this one extends, None where it extends none."""
        named = self.tables.get("extends")
        if named is None:
            return None
        try:
            if isinstance(named, str):
                return other(named)
            self.note("extends: expected a text, the name of a ruleset", "extends")
        except KeyError as error:
            self.note(f"extends: {error.args[0]}", "extends")
        return None


def read_ruleset(source: str, file: str, other: Callable[[str], Ruleset]) -> Ruleset:
    """What stands in a ruleset's text; `other` gives the ruleset of a name.

    Raises RulesetError; KeyError of `other` for a name that it does not have becomes one.
    """
    try:
        tables = tomlfile.parse(source)
    except tomlfile.TomlError as error:
        raise RulesetError([RuleError(file, error.line, str(error))]) from None
    reader = _Reader(file, source, tables)
    reader.unprintable()
    for key in tables:
        if key not in TABLES:
            reader.note(no_such(key, TABLES, what="key"), key)
    ruleset = Ruleset(
        file,
        source,
        name=reader.text("name"),
        title=reader.text("title"),
        switches=reader.table("switches"),
        rules=reader.tables_in("rule"),
        remedies=reader.table("remedy"),
        words=reader.tables_in("words"),
        extends=reader.base(other),
    )
    if reader.wrong:
        raise RulesetError(reader.wrong)
    return ruleset
