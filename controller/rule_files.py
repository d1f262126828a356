"""The rules and remedies that come with the product, read from the files in `rulesets/` and `remedies/`."""

from functools import lru_cache
from importlib.resources import files

from controller.errors import RuleFileError
from controller.remedies.steps import RuleError, read_remedies
from controller.rulesets.book import Rulebook, read_rulebook
from firmware_bridge.codes import PromptCode

RULESETS: tuple[str, ...] = ("roberts",)
_STEPS = range(32, 96)


@lru_cache
def rulebook(name: str) -> Rulebook:
    """A ruleset that the product has; RuleFileError for a file that is wrong, with its line."""
    prompts = frozenset(code.label for code in PromptCode if code in _STEPS or code is PromptCode.BURN)
    file = f"{name}.toml"
    try:
        remedies = read_remedies(_text("controller.remedies", "remedies.toml"), "remedies.toml", prompts)
        return read_rulebook(_text("controller.rulesets", file), file, remedies)
    except RuleError as error:
        raise RuleFileError(str(error)) from None


def _text(package: str, file: str) -> str:
    content = files(package).joinpath(file).read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise RuleError(file, line, "this is no text in UTF-8") from None
