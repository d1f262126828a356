"""Every command that a page names exists, and docs/cli.md has them all."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from controller.cli.main import cutcard
from tests.docs.pages import OWN_PAGES, ROOT, blocks, rows, text_of

_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_SCRIPT = "from controller.cli.main import main; main(['demo'])"


def commands() -> dict[str, click.Command]:
    """Every command of `cutcard`, those of entry points too."""
    with click.Context(cutcard) as context:
        found = {name: cutcard.get_command(context, name) for name in cutcard.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def options(command: click.Command) -> set[str]:
    """The options that a command and its own commands take."""
    taken = {opt for param in command.params if isinstance(param, click.Option) for opt in param.opts}
    parts = command.commands.values() if isinstance(command, click.Group) and command is not cutcard else ()
    return taken.union({"--help", "-h"}, *map(options, parts))


def code_of(page: Path) -> str:
    """Blocks and pieces of code in a page."""
    return "\n".join(_CODE.findall(page.read_text("utf-8")))


@pytest.mark.parametrize("page", OWN_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    code = code_of(page)
    targets = re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE)
    for target in re.findall(r"\bmake (?:[A-Z]+=\S+ )*([a-z]+)", code):
        assert target in targets
    for name, rest in re.findall(r"\bcutcard ([a-z]+)\b([^`\n#>]*)", code):
        assert name in commands(), f"there is no command {name}"
        assert set(re.findall(r"--[a-z-]+", rest)) <= options(commands()[name])


def test_the_page_of_the_command_line_has_every_command_and_every_option() -> None:
    told: dict[str, set[str]] = {}
    name = ""
    for command, option, _ in rows(text_of("docs/cli.md")):
        name = " ".join(command.split()[:2]) or name
        told.setdefault(name, set()).update(re.findall(r"--?[a-z]+(?:-[a-z]+)*", option))
    shared = {"--help", "-h"}
    assert told.pop("cutcard") == options(cutcard) | shared
    assert told == {f"cutcard {name}": options(made) - shared for name, made in commands().items()}


def test_the_page_of_the_command_line_has_every_command_of_a_command() -> None:
    said = code_of(ROOT / "docs/cli.md")
    for name, made in commands().items():
        for part in made.commands if isinstance(made, click.Group) else ():
            assert part == "show" or f"cutcard {name} {part}" in said


def test_what_the_readme_shows_of_the_demo_is_what_it_says() -> None:
    shown = blocks(text_of("README.md"), "text")[0].rstrip("\n")
    said = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, timeout=60, check=True, cwd=ROOT
    ).stdout
    place = 0
    for part in shown.split("\n…\n"):
        place = said.find(part, place)
        assert place >= 0, f"the demo does not say\n{part}"
