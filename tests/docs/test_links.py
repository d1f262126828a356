"""Every link from one page to another leads somewhere, and the picture can be read."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.docs.pages import OWN_PAGES, PAGES, ROOT

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def links(page: Path) -> list[str]:
    """The targets of the links in a page, those of blocks of code left out."""
    return _LINK.findall(_FENCED.sub("", page.read_text("utf-8")))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the usual hosts make them."""
    text = _FENCED.sub("", page.read_text("utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{link}: there is no such file"
        assert target.is_relative_to(ROOT), f"{link}: leads out of the project"
        if anchor:
            assert anchor in anchors(target), f"{link}: there is no such heading"


def test_every_page_is_reached_from_the_readme() -> None:
    reached = {ROOT / "README.md"}
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        for link in links(page):
            target = (page.parent / link.partition("#")[0]).resolve()
            if "://" not in link and target.suffix == ".md" and target not in reached:
                reached.add(target)
                waiting.append(target)
    assert set(OWN_PAGES) <= reached


def test_the_picture_is_sound_and_says_what_it_shows() -> None:
    root = ElementTree.parse(ROOT / "docs" / "table.svg").getroot()
    names = [child.tag.rpartition("}")[2] for child in root]
    assert names[:2] == ["title", "desc"]
