"""What the dealer is told, in each language, and on which LEDs."""

from typing import Final

LANGUAGES: Final[tuple[str, ...]] = ("en", "it", "el")
"""The languages that have a file here; the first one says which texts there are."""
