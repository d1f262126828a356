"""The prompts that come with the product, read from the files in `prompts/`."""

from functools import lru_cache
from importlib.resources import files

from controller.prompts.catalogue import Catalogue, read_looks, read_words


@lru_cache
def catalogue(language: str) -> Catalogue:
    """The prompts of a language that the product has; CatalogueError for a file that is wrong."""
    folder = files("controller.prompts")
    looks = read_looks(folder.joinpath("prompts.toml").read_text("utf-8"), "prompts.toml")
    name = f"{language}.toml"
    words = read_words(folder.joinpath(name).read_text("utf-8"), name, frozenset(looks))
    return Catalogue(looks, words)
