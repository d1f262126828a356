"""Rulesets: what is ruled on and by which remedy, read from the files beside this one."""

from typing import Final

RULESETS: Final = ("roberts", "tda")
"""The rulesets that the product has, the one that is played where none is named first."""
