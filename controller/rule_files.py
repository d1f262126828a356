"""The rules and remedies that come with the product, and a card room's own, read from their files."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from controller.errors import RuleFileError
from controller.mistakes import no_such
from controller.prompt_files import catalogue
from controller.prompts.catalogue import Catalogue
from controller.remedies.steps import RuleError, read_remedies
from controller.rulesets import RULESETS
from controller.rulesets.book import Rulebook
from controller.rulesets.joining import rulebook_of
from controller.rulesets.reading import Ruleset, RulesetError, read_ruleset
from controller.rulesets.sight import Ways, read_ways
from firmware_bridge.codes import PromptCode

FILE_SAID: Final = "the name of a file ends in .toml or has a / in it"
_STEPS: Final = range(32, 96)
_MOST_BYTES: Final = 1 << 20


@lru_cache
def rulebook(name: str) -> Rulebook:
    """A ruleset that the product has; RuleFileError for a file that is wrong, with its line."""
    try:
        return _book(_product(name))
    except RulesetError as error:
        raise RuleFileError(*map(str, error.wrong)) from None
    except RuleError as error:
        raise RuleFileError(str(error)) from None


def rulebook_in(path: Path) -> Rulebook:
    """The ruleset in a card room's file. RuleFileError for a file that cannot be read or is wrong, with its
    line."""
    try:
        ruleset = read_ruleset(_text_of(_content(path), str(path)), str(path), _product)
        if ruleset.name in RULESETS:
            raise ruleset.error(f"name: {ruleset.name} is the product's own; give yours another", "name")
        return _book(ruleset)
    except RulesetError as error:
        raise RuleFileError(*map(str, error.wrong)) from None
    except RuleError as error:
        raise RuleFileError(str(error)) from None


@lru_cache
def ways_of_sight() -> Mapping[str, Ways]:
    """In which ways a table may come to know of each irregularity; RuleFileError for a file that is wrong."""
    try:
        return MappingProxyType(read_ways(_text("controller.rulesets", "sight.toml"), "sight.toml"))
    except RuleError as error:
        raise RuleFileError(str(error)) from None


def names_file(said: str) -> bool:
    """Whether a word for a ruleset is that of a file: it ends in .toml, or has a / in it."""
    return said.endswith(".toml") or "/" in said


def rulebook_of_name_or_file(said: str) -> Rulebook:
    """The ruleset of a name or in a file. RuleFileError for what is neither, or is wrong."""
    if said in RULESETS:
        return rulebook(said)
    if names_file(said):
        return rulebook_in(Path(said))
    raise RuleFileError(f"{no_such(said, RULESETS, what='ruleset')}; {FILE_SAID}")


def prompts_of(book: Rulebook, language: str) -> Catalogue:
    """The prompts of a language in the words of a ruleset, where it has words of its own."""
    return catalogue(language).saying(book.words.get(language, {}))


def _content(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise RuleFileError(f"{path}: the ruleset cannot be read: this is no file")
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise RuleFileError(f"{path}: the ruleset cannot be read: {error.strerror}") from None
    except ValueError:
        raise RuleFileError(f"{path}: no file has such a name") from None
    if len(content) > _MOST_BYTES:
        raise RuleFileError(f"{path}: the ruleset is larger than {_MOST_BYTES} bytes")
    return content


def _product(name: str) -> Ruleset:
    if name not in RULESETS:
        raise KeyError(no_such(name, RULESETS, what="ruleset"))
    file = f"{name}.toml"
    return read_ruleset(_text("controller.rulesets", file), file, _product)


def _book(ruleset: Ruleset) -> Rulebook:
    prompts = frozenset(code.label for code in PromptCode if code in _STEPS or code is PromptCode.BURN)
    remedies = read_remedies(_text("controller.remedies", "remedies.toml"), "remedies.toml", prompts)
    return rulebook_of(ruleset, remedies, prompts, catalogue)


def _text(package: str, file: str) -> str:
    return _text_of(files(package).joinpath(file).read_bytes(), file)


def _text_of(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise RuleError(file, line, "this is no text in UTF-8") from None
