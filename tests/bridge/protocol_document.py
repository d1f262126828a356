"""docs/protocol.md as data: the tests hold the code against it, so that the two cannot part."""

import json
import re
from pathlib import Path
from typing import NamedTuple

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")

_HEADING = re.compile(
    r"^#### 0x([0-9A-F]{2}) ([A-Z_]+)\n+(.*?)\n\n(.*?)(?=^###|^## )", re.MULTILINE | re.DOTALL
)
_ROW = re.compile(r"^\| (\d+|-) \| (\S+) \| (\w+) \| (.*) \|$", re.MULTILINE)
_EXAMPLE = re.compile(r"```\n(\{.*?\})\n([0-9a-f ]+)\n```")


class Row(NamedTuple):
    """A field of a message in the document."""

    offset: int
    type: str
    name: str
    meaning: str


class Section(NamedTuple):
    """A message in the document, with its example: values and frame."""

    number: int
    name: str
    sender: str
    numbered: bool
    rows: list[Row]
    values: dict[str, object]
    frame: bytes


def _section(number: str, name: str, first: str, rest: str) -> Section:
    sender, numbered = re.match(r"(.*?), (not numbered|numbered)\.", first).groups()  # type: ignore[union-attr]
    rows = [Row(int(offset), *others) for offset, *others in _ROW.findall(rest)]
    values, frame = _EXAMPLE.search(rest).groups()  # type: ignore[union-attr]
    return Section(
        int(number, 16), name, sender, numbered == "numbered", rows, json.loads(values), bytes.fromhex(frame)
    )


SECTIONS = [_section(*match) for match in _HEADING.findall(TEXT)]


def vectors() -> dict[str, bytes]:
    """The test vectors of section 10 by their names: keys, bodies, and sealed frames by their message."""
    part = TEXT.split("### Test vectors")[1]
    values = re.findall(r"^    (.+?) += ([0-9a-f ]+)$", part, re.MULTILINE)
    frames = re.findall(r"^\| ([A-Z]+) \| \d+ \| ([0-9a-f ]+) \|$", part, re.MULTILINE)
    return {name: bytes.fromhex(text) for name, text in [*values, *frames]}


def counters() -> dict[str, int]:
    """Under which counter each of the sealed frames of section 10 stands."""
    part = TEXT.split("### Test vectors")[1]
    return {name: int(n) for name, n in re.findall(r"^\| ([A-Z]+) \| (\d+) \|", part, re.MULTILINE)}


def code_table(title: str) -> dict[int, str]:
    """A table of section 8: names by value."""
    part = TEXT.split("## 8. Tables")[1].split(f"### {title}\n")[1].split("\n## ")[0].split("\n### ")[0]
    return {
        int(value): name.strip() for value, name in re.findall(r"^\| (\d+) \| ([^|]+) \|", part, re.MULTILINE)
    }
