"""Pages of the documentation as data: tables, blocks of code, headings."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGES = tuple(sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.md")]))
"""Every page of the project."""

OWN_PAGES = tuple(page for page in PAGES if page.relative_to(ROOT).parts[0] != "tests")
"""The pages for a reader: README.md, CONTRIBUTING.md and docs/."""


def text_of(page: str) -> str:
    """The text of a page, named from the project's folder."""
    return (ROOT / page).read_text("utf-8")


def section(page: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level or a higher one."""
    text = text_of(page)
    found = re.search(rf"^(#+) {re.escape(heading)}$", text, re.MULTILINE)
    assert found is not None, f"{page} has no heading {heading!r}"
    rest = text[found.end() :]
    following = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: following.start()] if following else rest


def rows(text: str) -> list[tuple[str, ...]]:
    """The rows of the first table in a text; a cell that is code alone loses its marks."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("|"):
            lines.append(line)
        elif lines:
            break
    assert len(lines) > 2, "there is no table here"
    return [tuple(_bare(cell) for cell in line.rstrip()[1:-1].split("|")) for line in lines[2:]]


def _bare(cell: str) -> str:
    return re.sub(r"^`([^`]*)`$", r"\1", cell.strip())


def blocks(text: str, language: str) -> list[str]:
    """The blocks of code of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
