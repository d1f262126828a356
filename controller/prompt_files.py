"""The prompts that come with the product, read from the files in `prompts/`."""

from functools import lru_cache
from importlib.resources import files

from controller.prompts import LANGUAGES
from controller.prompts.catalogue import Catalogue, Words, read_looks, read_words


@lru_cache
def catalogue(language: str) -> Catalogue:
    """The prompts of a language that the product has; CatalogueError for a file that is wrong."""
    looks = read_looks(_text("prompts.toml"), "prompts.toml")
    like: Words | None = None if language == LANGUAGES[0] else catalogue(LANGUAGES[0]).words
    name = f"{language}.toml"
    return Catalogue(looks, read_words(_text(name), name, looks, like))


def _text(name: str) -> str:
    return files("controller.prompts").joinpath(name).read_text("utf-8")
