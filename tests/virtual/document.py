"""Reads docs/protocol.md: the table of fields, the example of each message, the tables of codes."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
_MESSAGE = re.compile(r"^#### 0x([0-9A-F]{2}) (\w+)\n(.*?)(?=^#{2,4} |\Z)", re.MULTILINE | re.DOTALL)
_SIZES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "key": 32}


@dataclass(frozen=True)
class Told:
    """A message as the document tells it."""

    type: int
    name: str
    way: str
    numbered: bool
    rows: tuple[tuple[str, str, str], ...]  # offset, type, field
    values: dict[str, object]
    wire: bytes


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _messages() -> list[Told]:
    told = []
    for number, name, text in _MESSAGE.findall(TEXT):
        first = text.strip().splitlines()[0]
        rows = [_cells(line) for line in text.splitlines() if re.match(r"\| (\d+|-) \|", line)]
        example = re.search(r"```\n(\{.*\})\n([0-9a-f ]+)\n```", text)
        assert example, name
        told.append(
            Told(
                type=int(number, 16),
                name=name,
                way={"host → device": ">", "device → host": "<", "both ways": "="}[first.split(",")[0]],
                numbered="not numbered" not in first,
                rows=tuple((row[0], row[1], row[2]) for row in rows),
                values=json.loads(example[1]),
                wire=bytes.fromhex(example[2]),
            )
        )
    return told


MESSAGES = _messages()


def codes(heading: str) -> dict[str, int]:
    """Return a table of section 8: name to value."""
    tables = TEXT[TEXT.index("## 8. Tables of codes\n") :]
    part = re.search(rf"^### {heading}\n(.*?)(?=^##|\Z)", tables, re.MULTILINE | re.DOTALL)
    assert part, heading
    rows = [_cells(line) for line in part[1].splitlines() if re.match(r"\| \d", line)]
    return {row[1]: int(row[0]) for row in rows if row[0].isdecimal()}


@dataclass(frozen=True)
class Sealed:
    """A sealed frame of section 10: its message's name, its counter, its bytes on the line."""

    name: str
    counter: int
    wire: bytes


def vectors() -> tuple[dict[str, bytes], list[Sealed]]:
    """Return the test vectors of section 10: named values, and sealed frames."""
    text = TEXT[TEXT.index("### Test vectors\n") :]
    values = {}
    frames = []
    for line in text.splitlines():
        if line.startswith("    ") and "=" in line:
            name, _, value = line.partition("=")
            values[name.strip()] = bytes.fromhex(value)
        elif line.startswith("| ") and line.split()[3].isdecimal():
            name, counter, wire = _cells(line)
            frames.append(Sealed(name, int(counter), bytes.fromhex(wire)))
    return values, frames


def offsets(rows: tuple[tuple[str, str, str], ...]) -> list[str]:
    """Return what the offsets must be by the sizes of the fields before."""
    out = []
    at: int | None = 0
    for _, kind, _ in rows:
        out.append("-" if at is None else str(at))
        if at is not None:
            size = _SIZES.get(kind) or (int(kind[6:]) if kind.startswith("bytes:") else None)
            at = None if size is None else at + size
    return out
