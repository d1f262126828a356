"""docs/architecture.md tells of every module and folder of the three houses what it is for, of no other."""

import re
import tomllib

import pytest

from tests.docs.pages import ROOT, rows, section, text_of

PAGE = "docs/architecture.md"
HOUSES = {
    "controller": ("The core", "The shell"),
    "firmware_bridge": ("The bridge",),
    "hil_rigs": ("The benches",),
}


def of(heading: str) -> tuple[set[str], dict[str, set[str]]]:
    """Modules in the table under a heading, and by folder those that its row names."""
    modules: set[str] = set()
    folders: dict[str, set[str]] = {}
    for cell, words in rows(section(PAGE, heading)):
        for name in re.findall(r"[a-z_]+/?", cell):
            if name.endswith("/"):
                folders[name.removesuffix("/")] = set(re.findall(r"`([a-z_]+)`", words))
            else:
                modules.add(name)
    return modules, folders


def told(house: str) -> tuple[set[str], dict[str, set[str]]]:
    """The same, in all the tables of a house."""
    found = [of(heading) for heading in HOUSES[house]]
    return set().union(*(modules for modules, _ in found)), {
        name: named for _, folders in found for name, named in folders.items()
    }


@pytest.mark.parametrize("house", HOUSES)
def test_every_module_and_folder_of_a_house_is_told_and_no_other(house: str) -> None:
    modules, folders = told(house)
    there = {path.stem for path in (ROOT / house).glob("*.py")} - {"__init__"}
    inside = {path.parent.name for path in (ROOT / house).glob("*/*.py")}
    assert (modules, set(folders)) == (there, inside)


@pytest.mark.parametrize("house", HOUSES)
def test_every_module_of_a_folder_is_told(house: str) -> None:
    for folder, named in told(house)[1].items():
        there = {path.stem for path in (ROOT / house / folder).glob("*.py")} - {"__init__"}
        assert there - named == set(), folder


@pytest.mark.parametrize(
    ("heading", "side"), [("The core", "source_modules"), ("The shell", "forbidden_modules")]
)
def test_what_is_core_and_what_is_shell_is_what_the_contract_of_the_imports_says(
    heading: str, side: str
) -> None:
    contracts = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (pure,) = (each for each in contracts if each["name"].startswith("The core is pure"))
    named = {name.removeprefix("controller.") for name in pure[side] if name.startswith("controller.")}
    modules, folders = of(heading)
    assert named == modules | set(folders)
