"""Reading TOML so that an error can name the line."""

import re
from collections.abc import Sequence

import msgspec

_MOST_PARTS = 64


class TomlError(Exception):
    """The text is no TOML: the line and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def parse(source: str) -> dict[str, object]:
    """The tables of a TOML text; TomlError where it is none."""
    refuse_long_keys(source)
    try:
        return msgspec.toml.decode(source, type=dict[str, object])
    except msgspec.DecodeError as error:
        raise _no_toml(source, str(error)) from None
    except RecursionError:
        raise TomlError(1, "lists or tables are nested too deeply") from None
    except ValueError:  # of a whole number of some thousands of digits
        raise TomlError(1, "a number is too long") from None


_SYNTAX = (
    (r"Cannot overwrite a value", "a key is there twice"),
    (r"Cannot declare \((.*?),?\) twice", r"the table \1 is there twice"),
    (r"Illegal character '\\+n'", "a text must end on the line on which it begins"),
    (r"Unterminated string", "a text has no end"),
    (r"""Expected ("'''"|'\"{3}')""", "a text has no end"),
    (r"Invalid value", "no value begins so; a text stands in quotes"),
    (r"Invalid statement", "here a key or a table must begin"),
    (r"Invalid initial character for a key part", "no key begins so"),
    (r"Unclosed array", "a list has no end"),
    (r"Unclosed inline table", "a table has no end"),
)
"""What a parser says, and how a person says it."""


def _no_toml(source: str, message: str) -> TomlError:
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    line = int(found[1]) if found and found[1] else source.count("\n", 0, len(source.rstrip("\n"))) + 1
    column = f" (column {found[2]})" if found and found[2] else ""
    why = message[: found.start()] if found else message
    for technical, said in _SYNTAX:
        if told := re.fullmatch(technical, why):
            why = told.expand(said).replace("', '", ".").replace("'", "") if told.groups() else said
    return TomlError(line, f"this is no TOML{column}: {why[:1].lower()}{why[1:]}")


def refuse_long_keys(source: str) -> None:
    """Raises TomlError for a key of very many parts, on which a parser would spend minutes."""
    for number, line in enumerate(source.splitlines(), start=1):
        key = line if line.lstrip().startswith("[") else line.partition("=")[0]
        if key.count(".") > _MOST_PARTS and not key.lstrip().startswith(("#", '"', "'")):
            raise TomlError(number, f"a key has more than {_MOST_PARTS} parts")


_NAME = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_TABLE = re.compile(rf"[ \t]*\[{{1,2}}[ \t]*({_DOTTED})[ \t]*\]{{1,2}}[ \t]*(?:#.*)?$")
_KEY = re.compile(rf"[ \t]*({_DOTTED})[ \t]*=")


def line_of(source: str, *path: str) -> int:
    """The line on which a table or a key begins, as far into `path` as the text has it; 1 where it has none
    of it."""
    begins: dict[tuple[str, ...], int] = {(): 1}

    def note(names: tuple[str, ...], line: int) -> None:
        for depth in range(1, len(names) + 1):
            begins.setdefault(names[:depth], line)

    table: tuple[str, ...] = ()
    for line, text in enumerate(source.split("\n"), start=1):
        if header := _TABLE.match(text.rstrip("\r")):
            table = _names(header.group(1))
            note(table, line)
        elif key := _KEY.match(text):
            # What stands in an inline table stands on the same line.
            note(table + _names(key.group(1)), line)
    return next(begins[path[:depth]] for depth in range(len(path), -1, -1) if path[:depth] in begins)


def line_of_item(source: str, path: tuple[str, ...], number: int, *keys: str) -> int:
    """The line on which item `number`, from 0, of the list of tables at `path` begins, or a key in it; that
    of the list where the text has no such item."""
    lines = [text.rstrip("\r") for text in source.split("\n")]
    headers = {at: header[1] for at, text in enumerate(lines) if (header := _TABLE.match(text))}
    begins = [
        at for at, named in headers.items() if lines[at].lstrip().startswith("[[") and _names(named) == path
    ]
    if number >= len(begins):
        return line_of(source, *path)
    begin = begins[number]
    end = next((at for at in headers if at > begin), len(lines))
    for at in range(begin + 1, end):
        key = _KEY.match(lines[at])
        if key and keys and _names(key.group(1))[0] == keys[0]:
            return at + 1
    return begin + 1


def line_at(source: str, path: Sequence[str | int]) -> int:
    """The line of what stands at keys and, in lists of tables, items from 0, as far into `path` as it is
    there."""
    at = next((at for at, step in enumerate(path) if isinstance(step, int)), None)
    keys = tuple(step for step in path[:at] if isinstance(step, str))
    if at is None:
        return line_of(source, *keys)
    below = [step for step in path[at:] if isinstance(step, str)]
    number = path[at]
    return line_of_item(source, keys, number if isinstance(number, int) else 0, *below[:1])


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, dotted))
