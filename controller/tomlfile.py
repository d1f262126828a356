"""Reading TOML so that an error can name the line."""

import re

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
        found = re.search(r"line (\d+)", str(error))
        raise TomlError(int(found.group(1)) if found else 1, str(error)) from None
    except RecursionError:
        raise TomlError(1, "lists or tables are nested too deeply") from None
    except ValueError:  # of a whole number of some thousands of digits
        raise TomlError(1, "a number is too long") from None


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


WORDS = (
    (r"object contains unknown field `(.*)`", r"there is no key \1"),
    (r"object missing required field `(.*)`", r"the key \1 is missing"),
    (r"invalid enum value '(.*)'", r"there is no '\1'"),
    (r"invalid value '(.*)'", r"there is no '\1'"),
    (r"( \| null)", ""),
    (r"`int \| str`", "a whole number or a text"),
    (r"`int`", "a whole number"),
    (r"`str`", "a text"),
    (r"`bool`", "true or false"),
    (r"`array`", "a list"),
    (r"`object`", "a table"),
    (r"`float`", "a number"),
)
"""What msgspec says, and how a person says it."""


def in_words(message: str) -> str:
    """What msgspec says of a value, without where it stands, as a person would say it."""
    why = message.partition(" - at ")[0]
    why = why[:1].lower() + why[1:]
    for technical, said in WORDS:
        why = re.sub(technical, said, why)
    return why


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, dotted))
