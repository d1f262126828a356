"""Every case of docs/link.md is held by a test that carries its number, and no number is left out."""

import ast
import re
from collections import defaultdict
from pathlib import Path
from typing import Final

from tests.docs.pages import rows, section

TESTS: Final = Path(__file__).parents[1]
CASES: Final = {
    *range(1, 6),
    *range(7, 15),
    16,
    *range(18, 21),
    *range(22, 28),
    *range(29, 36),
    *range(37, 47),
}
"""The numbers of the collection; those between were of hardware that is not ours."""
PAGE: Final = "docs/link.md"
LATER: Final = "What comes with the drivers"


def functions(path: Path) -> list[ast.FunctionDef]:
    return [
        node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)
    ]


def marks(function: ast.FunctionDef) -> set[int]:
    """The numbers in its marks."""
    return {
        int(ast.unparse(number))
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.case"
        for number in mark.args
    }


def named() -> dict[int, set[str]]:
    """Cases by the files in which a test has their number in its name."""
    found: dict[int, set[str]] = defaultdict(set)
    for path in TESTS.rglob("test_*.py"):
        for function in functions(path):
            number = re.match(r"test_case_(\d{2})_", function.name)
            if number is not None:
                found[int(number.group(1))].add(str(path.relative_to(TESTS)))
    return found


def told() -> tuple[dict[int, str], set[int]]:
    """The cases of the page: those that are held and in which file, and those that come with the drivers."""
    held: dict[int, str] = {}
    for heading in re.findall(r"^### (.*)$", section(PAGE, "Case by case"), re.MULTILINE):
        if heading != LATER:
            held |= {int(number): file for number, _, _, file in rows(section(PAGE, heading))}
    return held, {int(row[0]) for row in rows(section(PAGE, LATER))}


def test_every_case_is_told_once_as_held_or_as_one_that_comes_with_the_drivers() -> None:
    held, later = told()
    assert set(held) | later == CASES
    assert not set(held) & later


def test_every_case_that_is_held_has_a_test_with_its_number_in_the_file_that_is_told() -> None:
    held, later = told()
    found = named()
    for number, file in held.items():
        assert file in found[number], number
    assert not later & set(found), "what comes with the drivers has come"


def test_every_mark_is_of_a_case() -> None:
    for path in TESTS.rglob("test_*.py"):
        for function in functions(path):
            assert marks(function) <= CASES, (path, function.name)
