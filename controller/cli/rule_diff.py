"""`cutcard rules diff` and `check`: two rulebooks side by side, and one before a table has it."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

import click
import msgspec

from controller.cli.status import WRONG_INPUT
from controller.errors import RuleFileError, printable
from controller.prompt_files import catalogue
from controller.rule_files import rulebook_of_name_or_file
from controller.rulesets.book import Rulebook
from controller.rulesets.comparing import Difference, Topic, differences

TOPICS: Final[dict[Topic, str]] = {
    "switch": "Switches",
    "rule": "Rules",
    "remedy": "Remedies",
    "words": "Words",
}
NOTHING: Final = "(nothing)"


def print_difference(one: str, other: str, *, as_json: bool) -> int:
    """Prints where two rulebooks part; returns the exit status."""
    try:
        books = rulebook_of_name_or_file(one), rulebook_of_name_or_file(other)
    except RuleFileError as error:
        click.echo(f"cutcard rules diff: {error}", err=True)
        return WRONG_INPUT
    found = differences(*books, catalogue)
    if as_json:
        click.echo(msgspec.json.encode({"one": books[0].name, "other": books[1].name, "differences": found}))
        return 0
    names = [printable(book.name) for book in books]
    for line in side_by_side(found, *(names if names[0] != names[1] else (one, other)), books=books):
        click.echo(line)
    return 0


def side_by_side(
    found: tuple[Difference, ...], one: str, other: str, *, books: tuple[Rulebook, Rulebook]
) -> Iterator[str]:
    """Where two rulebooks part, in lines: a topic, what of it, and what each of the two says."""
    width = max(len(one), len(other))
    for name, book in zip((one, other), books, strict=True):
        yield f"{name.ljust(width)}  {printable(book.title)}"
    if not found:
        yield f"There is no difference between {one} and {other}."
    for topic, of_topic in groupby(found, key=lambda each: each.topic):
        yield ""
        yield TOPICS[topic]
        for id_, of_id in groupby(of_topic, key=lambda each: each.id):
            yield f"  {id_}"
            for each in of_id:
                if topic != "switch":
                    yield f"    {each.of}"
                for name, said in ((one, each.one), (other, each.other)):
                    yield f"      {name.ljust(width)}  {printable(said) or NOTHING}"


def check(file: str) -> int:
    """Says of a ruleset's file that it can be used, or all that is wrong with it; returns the exit status."""
    try:
        book = rulebook_of_name_or_file(file)
    except RuleFileError as error:
        for line in error.lines:
            click.echo(line, err=True)
        return WRONG_INPUT
    click.echo(f"{file}: {len(book.rules)} rules, every remedy keeps all 52 cards")
    return 0
