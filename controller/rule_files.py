"""The rules and remedies that come with the product, read from the files in `rulesets/` and `remedies/`."""

from functools import lru_cache
from importlib.resources import files

from controller.prompt_files import catalogue
from controller.remedies.steps import read_remedies
from controller.rulesets.book import Rulebook, read_rulebook

RULESETS: tuple[str, ...] = ("roberts",)


@lru_cache
def rulebook(name: str) -> Rulebook:
    """A ruleset that the product has; RuleError for a file that is wrong."""
    prompts = frozenset(catalogue("en").looks)
    remedies = files("controller.remedies").joinpath("remedies.toml").read_text("utf-8")
    file = f"{name}.toml"
    rules = files("controller.rulesets").joinpath(file).read_text("utf-8")
    return read_rulebook(rules, file, read_remedies(remedies, "remedies.toml", prompts))
