"""Reading TOML so that an error can name the line."""

import re

import msgspec


class TomlError(Exception):
    """The text is no TOML: the line and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def parse(source: str) -> dict[str, object]:
    """The tables of a TOML text; TomlError where it is none."""
    try:
        return msgspec.toml.decode(source, type=dict[str, object])
    except msgspec.DecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        raise TomlError(int(found.group(1)) if found else 1, str(error)) from None


def line_of(source: str, *path: str) -> int:
    """The line on which a table or a key begins, as far into `path` as the text has it; 1 where it has none
    of it."""
    start = 0
    line = 1
    for depth in range(1, len(path) + 1):
        dotted = r"\s*\.\s*".join(rf"\"?{re.escape(name)}\"?" for name in path[:depth])
        name = re.escape(path[depth - 1])
        table = re.compile(rf"^[ \t]*\[+\s*{dotted}\s*\]+", re.MULTILINE).search(source)
        key = re.compile(rf"^[ \t]*\"?{name}\"?\s*[.=]", re.MULTILINE).search(source, start)
        inline = re.compile(rf"[{{,]\s*\"?{name}\"?\s*=", re.MULTILINE).search(source, start)
        found = table or key or inline
        if found is None:
            break
        start = found.end()
        line = source.count("\n", 0, found.end() - 1) + 1
    return line
